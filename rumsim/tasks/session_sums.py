"""The integer sums that sessions leave behind, and how chunks of them merge."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.requests import SIXTIETHS, TWELFTHS
from rumsim.engine.session_requests import SessionRows
from rumsim.session_rules import STAKE
from rumsim.stats.tally import Tally
from rumsim.tasks.sums import exact_sum

Integers = npt.NDArray[np.int64]

# Blocks that are summed at a time.  A pool with 10^6 re-entries has prizes of 1200 (10^6 + 1) 5 twelfths at most, so 25
# places of a block come to less than 2^38, and these to less than 2^58; entries and ranks are less.  The ledger of one
# session, of up to 10^6 deals, is less than 2^37.
MOST_SESSIONS = 1 << 20


class Total(NamedTuple):
    """A sum over blocks of block totals, and one of their squares, as whole numbers of any size."""

    total: int
    squares: int

    @classmethod
    def of(cls, by_block: Integers) -> Total:
        """Add up one total a block."""
        largest = int(np.abs(by_block).max(initial=0))
        if largest * largest * len(by_block) < 1 << 63:
            return cls(int(by_block.sum()), int(by_block @ by_block))
        whole = by_block.tolist()
        return cls(sum(whole), sum(each * each for each in whole))

    def plus(self, other: Total) -> Total:
        """Merge two."""
        return Total(self.total + other.total, self.squares + other.squares)


@dataclass(frozen=True)
class Parts:
    """Sums over blocks for each of several groups of players: those with one bot, or those who start in one place.

    Attributes
    ----------
    points, wins : tuple of Total
        By group, over all its players and all sessions of a block: final net points in twelfths, and sixtieths of a
        session won.
    ranks : int64[groups, N] or int64[groups, 0]
        Of pools, sixtieths: who won has rank 0, who went out first the last one; those who go out in one deal share.
    entries, prizes : int64[groups]
        Of pools, re-entries, and the points taken by winners, without what they staked being deducted.
    """

    points: tuple[Total, ...]
    wins: tuple[Total, ...]
    ranks: Integers
    entries: Integers
    prizes: Integers

    def __add__(self, other: Parts) -> Parts:
        """Merge the sums of two ranges of blocks."""
        return Parts(
            tuple(one.plus(two) for one, two in zip(self.points, other.points, strict=True)),
            tuple(one.plus(two) for one, two in zip(self.wins, other.wins, strict=True)),
            exact_sum(self.ranks, other.ranks),
            exact_sum(self.entries, other.entries),
            exact_sum(self.prizes, other.prizes),
        )


@dataclass(frozen=True)
class Ledgers:
    """Tallies, one a bot."""

    of: tuple[Tally, ...]

    def __add__(self, other: Ledgers) -> Ledgers:
        """Merge those of two ranges of blocks."""
        return Ledgers(tuple(one + two for one, two in zip(self.of, other.of, strict=True)))


@dataclass(frozen=True)
class SessionSums:
    """Sums over whole blocks of sessions.

    Attributes
    ----------
    blocks : int
        Blocks played.
    bots, places : Parts
        By bot asked about; by starting place, that is the seat in the first deal.
    ledgers : Ledgers
        By bot, final net points in twelfths.
    deals, margins : Tally
        Deals of a session; by how many twelfths its winners were ahead of the next, where it is won on points.
    unfinished, shared : int
        Sessions that reached their most deals; that several players won.
    """

    blocks: int
    bots: Parts
    places: Parts
    ledgers: Ledgers
    deals: Tally
    margins: Tally
    unfinished: int
    shared: int

    def __add__(self, other: SessionSums) -> SessionSums:
        """Merge the sums of two disjoint ranges of blocks; exact, so the order does not matter."""
        return SessionSums(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


def summed(rows: SessionRows, entry_of: tuple[int, ...], pool: bool) -> SessionSums:
    """Add up what became of sessions.

    Parameters
    ----------
    rows : SessionRows
        Of B blocks.
    entry_of : tuple of int
        For each player, which of the bots asked about it has.
    pool : bool
        Whether they are pools.
    """
    blocks, players = rows.deals.shape
    won = rows.wins.sum(axis=2) > 0
    staked = TWELFTHS * STAKE * (1 + rows.entries)
    prizes = np.where(rows.wins > 0, staked.sum(axis=2, keepdims=True), 0) if pool else np.zeros_like(rows.ledger)
    ranks = _ranks(rows, won) if pool else np.zeros((*rows.wins.shape, 0), np.int64)
    margins = _margins(rows.ledger)[won] if not pool else np.zeros(0, np.int64)
    rotation, player = np.divmod(np.arange(players * players), players)
    by_bot, by_place = np.tile(np.array(entry_of), players), (player + rotation) % players
    # A column for each player in each rotation.
    wins, ledger, entries, prizes, ranks = (
        each.reshape(blocks, players * players, *each.shape[3:])
        for each in (rows.wins, rows.ledger, rows.entries, prizes, ranks)
    )

    def parts(group: Integers) -> Parts:
        members = [np.flatnonzero(group == number) for number in range(group.max() + 1)]
        return Parts(
            points=tuple(Total.of(ledger[:, here].sum(axis=1)) for here in members),
            wins=tuple(Total.of(wins[:, here].sum(axis=1)) for here in members),
            ranks=np.array([ranks[:, here].sum(axis=(0, 1)) for here in members]),
            entries=np.array([entries[:, here].sum() for here in members]),
            prizes=np.array([prizes[:, here].sum() for here in members]),
        )

    return SessionSums(
        blocks=blocks,
        bots=parts(by_bot),
        places=parts(by_place),
        ledgers=Ledgers(tuple(Tally.of(ledger[:, by_bot == entry]) for entry in range(max(entry_of) + 1))),
        deals=Tally.of(rows.deals),
        margins=Tally.of(margins),
        unfinished=int((~won).sum()),
        shared=int(((rows.wins > 0).sum(axis=2) > 1).sum()),
    )


def _margins(ledger: Integers) -> Integers:
    """Return by how much the first is ahead of the second."""
    first, second = np.maximum(ledger[..., 0], ledger[..., 1]), np.minimum(ledger[..., 0], ledger[..., 1])
    for player in range(2, ledger.shape[2]):
        second = np.maximum(second, np.minimum(first, ledger[..., player]))
        first = np.maximum(first, ledger[..., player])
    return first - second


def _ranks(rows: SessionRows, won: npt.NDArray[np.bool_]) -> Integers:
    """Return int64[B, N, N, N]: the sixtieths of each rank that each player has; of an unfinished pool those known."""
    players = rows.out.shape[2]
    out = rows.out[..., None]
    later = (rows.out[:, :, None, :] == 0) | (rows.out[:, :, None, :] > out)
    same = (rows.out[:, :, None, :] == out).sum(axis=3)[..., None]
    first = np.where(out > 0, later.sum(axis=3)[..., None], 0)  # the best rank of those who went out with one
    rank = np.arange(players)
    known = (out > 0) | won[..., None, None]
    return np.where(known & (first <= rank) & (rank < first + same), SIXTIETHS // same, 0)
