"""A grid of thresholds by direct play: every focal threshold against tables of every other, on the same decks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rumsim.bots import Bot
from rumsim.rules import Rules
from rumsim.tasks.direct import Direct
from rumsim.tasks.grid_sums import Batch, GridSums, batch_ranges, no_sums
from rumsim.tasks.sums import parts

_MOST = 1 << 16  # blocks of which what happened in each is kept at a time


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
    batch : int
        Blocks in a batch.
    """

    rules: Rules
    players: tuple[int, ...]
    focal: tuple[Bot, ...]
    table: tuple[Bot, ...]
    seed: int
    batch: int = 1

    @property
    def deals_a_block(self) -> int:
        """Deals that a block takes in all cells together."""
        return sum(self.players) * len(self.table) * len(self.focal)

    def empty(self) -> GridSums:
        """Return the sums of no block."""
        return no_sums(len(self.players), len(self.table), len(self.focal), ends=True)

    def run(self, first: int, last: int) -> GridSums:
        """Play the blocks from ``first`` up to, not including, ``last``, in every cell."""
        total = self.empty()
        for start, end in parts(first, last, _MOST):
            total = total + self._played(start, end)
        return total

    def _played(self, first: int, last: int) -> GridSums:
        """Play so few blocks that sums fit 64 bits."""
        sums, ranges = self.empty(), batch_ranges(first, last, self.batch, last - first)
        starts = [start - first for start, _ in ranges]
        points, wins = np.zeros((2, len(ranges), *sums.points.shape), np.int64)
        for p, columns in enumerate(self._games):
            for t, column in enumerate(columns):
                for f, game in enumerate(column):
                    found, rows = game.run_and_rows(first, last)
                    cell = p, t, f
                    sums.points[cell], sums.points_squares[cell] = found.points[0], found.points_products[0, 0]
                    sums.wins[cell], sums.wins_squares[cell] = found.wins[0], found.wins_squares[0]
                    sums.ends[cell], sums.turns[cell] = found.ends, found.turns[0]
                    points[:, p, t, f] = np.add.reduceat(rows.points[:, 0], starts)
                    wins[:, p, t, f] = np.add.reduceat(rows.wins[:, 0], starts)
        batches = {
            start // self.batch: Batch(end - start, points[place], wins[place])
            for place, (start, end) in enumerate(ranges)
        }
        return replace(sums, blocks=last - first, batches=batches)

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
