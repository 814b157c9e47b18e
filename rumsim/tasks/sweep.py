"""A grid of thresholds by direct play: every focal threshold against tables of every other, on the same decks."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from rumsim.bots import Bot
from rumsim.engine.requests import ENDS
from rumsim.rules import Rules
from rumsim.tasks.direct import Direct
from rumsim.tasks.sums import Integers

_ROWS = 4096  # blocks a call of the kernel
_EXACT = 2.0**53  # whole numbers below are exact as floats, whatever the order of a sum


@dataclass(frozen=True)
class GridSums:
    """Sums over whole blocks for P player counts, T opponents' thresholds and F focal thresholds.

    Attributes
    ----------
    blocks : int
        Blocks played in every cell.
    points : int64[P, T, F]
        Twelfths of a point of the focal bot, over all deals.
    points_products : int64[P, T, F, F]
        Sums over blocks of products of two focal bots' block totals, against the same table.
    wins, wins_products : int64[P, T, F] and int64[P, T, F, F]
        The same in sixtieths of a win share.
    ends : int64[P, T, F, 6]
        Deals that ended so, in the order of ``rumsim.engine.requests.ENDS``.
    turns : int64[P, T, F]
        Table turns.
    """

    blocks: int
    points: Integers
    points_products: Integers
    wins: Integers
    wins_products: Integers
    ends: Integers
    turns: Integers

    def __add__(self, other: GridSums) -> GridSums:
        """Merge the sums of two disjoint ranges of blocks; exact, so the order does not matter."""
        return GridSums(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


@dataclass(frozen=True)
class DirectGrid:
    """Every cell of a grid, to be played deal by deal on the decks of a seed.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    players : tuple of int
        Player counts.
    focal, table : tuple of Bot
        The bots of the focal player, and those that play all other places.
    seed : int
        The seed of the decks.
    """

    rules: Rules
    players: tuple[int, ...]
    focal: tuple[Bot, ...]
    table: tuple[Bot, ...]
    seed: int

    @property
    def deals_a_block(self) -> int:
        """Deals that a block takes in all cells together."""
        return sum(self.players) * len(self.table) * len(self.focal)

    def empty(self) -> GridSums:
        """Return the sums of no block."""
        shape = len(self.players), len(self.table), len(self.focal)
        sizes = (shape, (*shape, shape[-1]), shape, (*shape, shape[-1]), (*shape, len(ENDS)), shape)
        return GridSums(0, *(np.zeros(size, np.int64) for size in sizes))

    def run(self, first: int, last: int) -> GridSums:
        """Play the blocks from ``first`` up to, not including, ``last``, in every cell."""
        total = self.empty()
        for start in range(first, last, _ROWS):
            total = total + self._played(start, min(start + _ROWS, last))
        return total

    def _played(self, first: int, last: int) -> GridSums:
        sums = self.empty()
        points = np.empty((last - first, len(self.focal)), np.int64)
        wins = np.empty_like(points)
        for p, columns in enumerate(self._games):
            for t, column in enumerate(columns):
                for f, game in enumerate(column):
                    found, rows = game.run_and_rows(first, last)
                    points[:, f], wins[:, f] = rows.points[:, 0], rows.wins[:, 0]
                    sums.ends[p, t, f], sums.turns[p, t, f] = found.ends, found.turns[0]
                sums.points[p, t], sums.wins[p, t] = points.sum(axis=0), wins.sum(axis=0)
                sums.points_products[p, t], sums.wins_products[p, t] = products(points), products(wins)
        return GridSums(last - first, *(getattr(sums, field.name) for field in fields(sums)[1:]))

    @cached_property
    def _games(self) -> list[list[list[Direct]]]:
        """A table of bots for each player count, opponents and focal bot."""
        return [
            [
                [
                    Direct(self.rules, (focal, *[table] * (players - 1)), (0, *[1] * (players - 1)), self.seed)
                    for focal in self.focal
                ]
                for table in self.table
            ]
            for players in self.players
        ]


def products(totals: Integers) -> Integers:
    """Return the sums over blocks, int64[C, C], of the products of all columns of int64[B, C].

    Examples
    --------
    >>> products(np.array([[1, 2], [3, 4]]))
    array([[10, 14],
           [14, 20]])
    """
    if totals.size and float(np.abs(totals).max()) ** 2 * len(totals) < _EXACT:
        as_floats = totals.astype(np.float64)
        return (as_floats.T @ as_floats).astype(np.int64)  # several times as fast as whole numbers, and as exact
    return totals.T @ totals
