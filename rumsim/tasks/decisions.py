"""The own turns of every seat over many blocks, in little room, and the best thresholds on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.requests import MOST_THRESHOLD, Traces
from rumsim.tasks.sums import Integers

MOST_ROWS = 1 << 25  # own turns, and a last row for each block and seat: 160 MiB
MOST_TRACES = 1 << 22  # blocks times seats
ALL_APART = 1 << 30  # own turns have each a threshold of their own
ERRORS = 2.0  # a change that gains less than its standard error is left: it would be the chance of these decks
_FIRSTS = (0, 10, 20, 30, 40, 50, 60, 80, MOST_THRESHOLD)  # thresholds of the first own turn that searches start from

Held = npt.NDArray[np.uint8]
Pays = npt.NDArray[np.int32]


class Rows(NamedTuple):
    """Own turns of some blocks as :func:`rumsim.engine.decisions.collect` writes them: seat by seat, block by block.

    ``sizes`` int32[N, B] says how many rows each has.
    """

    sizes: npt.NDArray[np.int32]
    held: Held
    pays: Pays


def rows_of(players: int, apart: int, untils: Sequence[Integers], traces: Traces, base: Integers) -> Rows:
    """Write down the own turns of all seats in traces.

    Parameters
    ----------
    players, apart : int
        At the table; and how many own turns have a threshold of their own.
    untils : sequence of int64[B]
        For each seat the rows where its opponents end the traces.
    traces : Traces
        Of B blocks.
    base : int64[B, N]
        Taken from all that seats get.

    Returns
    -------
    Rows
        Of the blocks.
    """
    return joined([rows_of_seat(players, seat, apart, until, traces, base) for seat, until in enumerate(untils)])


def rows_of_seat(players: int, seat: int, apart: int, until: Integers, traces: Traces, base: Integers) -> Rows:
    """Write down the own turns of one seat; as :func:`rows_of`."""
    from rumsim.engine.decisions import collect

    most = len(until) + int(np.maximum(-(-(until - traces.starts[:-1] - seat) // players), 0).sum())
    sizes, held, pays = np.zeros(len(until), np.int32), np.empty(most, np.uint8), np.empty(most, np.int32)
    apart_base = np.ascontiguousarray(base[:, seat])
    found = traces.starts, traces.counts, traces.points, apart_base, sizes, held, pays
    used = collect(players, seat, apart, until, *found)
    return Rows(sizes[None, :], held[:used], pays[:used])


def joined(seats: Sequence[Rows]) -> Rows:
    """Put the rows of seats one after another."""
    sizes, held, pays = zip(*seats, strict=True)
    return Rows(np.concatenate(sizes), np.concatenate(held), np.concatenate(pays))


class Decisions:
    """Own turns of all seats, as many blocks from the first on as have room.

    Parameters
    ----------
    players : int
        At the table.
    most_rows, most_traces : int
        How many rows, and blocks times seats, have room.

    Notes
    -----
    A row takes five bytes, and the room is taken from the system only as it fills.  Which blocks fit hangs on the
    blocks alone, not on how they were parted: so answers do not depend on chunks or threads.
    """

    def __init__(self, players: int, most_rows: int = MOST_ROWS, most_traces: int = MOST_TRACES) -> None:
        self.players, self.blocks, self.full = players, 0, False
        self._most_rows, self._most_blocks = most_rows, most_traces // players
        self._used = 0
        self._held, self._pays = np.empty(0, np.uint8), np.empty(0, np.int32)
        self._starts: list[npt.NDArray[np.int32]] = []  # int32[N, B] of each part
        self._sizes: list[npt.NDArray[np.int32]] = []

    def add(self, rows: Rows) -> None:
        """Keep the rows of the next blocks, as far as there is room."""
        if self.full:
            return
        if not self._used:
            self._held, self._pays = np.empty(self._most_rows, np.uint8), np.empty(self._most_rows, np.int32)
        sizes = rows.sizes
        upto = sizes.sum(axis=0, dtype=np.int64).cumsum() + self._used
        fit = min(int(np.searchsorted(upto, self._most_rows, "right")), self._most_blocks - self.blocks)
        self.full = fit < sizes.shape[1]
        place, starts = 0, np.zeros((self.players, fit), np.int32)
        for seat in range(self.players):
            many = int(sizes[seat, :fit].sum(dtype=np.int64))
            starts[seat] = self._used + sizes[seat, :fit].cumsum() - sizes[seat, :fit]
            self._held[self._used : self._used + many] = rows.held[place : place + many]
            self._pays[self._used : self._used + many] = rows.pays[place : place + many]
            self._used += many
            place += int(sizes[seat].sum(dtype=np.int64))
        self._starts.append(starts)
        self._sizes.append(sizes[:, :fit].copy())
        self.blocks += fit

    def clear(self) -> None:
        """Give the room back."""
        self._held, self._pays = np.empty(0, np.uint8), np.empty(0, np.int32)
        self._starts, self._sizes = [], []

    def seat(self, seat: int) -> SeatTurns:
        """Return the own turns of one seat."""
        starts = np.concatenate([part[seat] for part in self._starts]) if self._starts else np.zeros(0, np.int32)
        sizes = np.concatenate([part[seat] for part in self._sizes]) if self._sizes else np.zeros(0, np.int32)
        return SeatTurns(seat, starts, starts + sizes - np.int32(1), self._held, self._pays)


@dataclass(frozen=True)
class SeatTurns:
    """The own turns of a seat in B blocks.

    Attributes
    ----------
    seat : int
        From 0.
    starts, ends : int32[B]
        The first row of each block, and its last, in which no knock comes.
    held, pays : uint8[…] and int32[…]
        The count, and what a knock pays, in twelfths.
    """

    seat: int
    starts: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int32]
    held: Held
    pays: Pays

    def first(self, blocks: int) -> SeatTurns:
        """Return the own turns in the first blocks alone."""
        return replace(self, starts=self.starts[:blocks], ends=self.ends[:blocks])

    def own_turns(self) -> int:
        """Return the most own turns of any block, at least 1."""
        return max(1, int((self.ends - self.starts).max(initial=0)))

    def longest_first(self) -> npt.NDArray[np.int32]:
        """Return the blocks, int32[B], those with most own turns first."""
        sizes = self.ends - self.starts
        longest = int(sizes.max(initial=0))
        after = (longest - sizes).astype(np.uint16 if longest < 1 << 16 else np.int32)  # short numbers sort faster
        return np.argsort(after, kind="stable").astype(np.int32)

    def best(self, limit: int, asked: Callable[[], bool] = bool) -> Integers:
        """Return the best thresholds by own turn that were found, int64[T], -1 for never.

        Parameters
        ----------
        limit : int
            The rules' knock limit.
        asked : callable
            Whether to stop trying other first thresholds.

        Notes
        -----
        Backwards through the turns as if nobody had knocked before, then turn by turn, given all others, until no
        change of one threshold gains; and the same from several thresholds of the first turn.
        """
        search = Climbing(self, limit, ERRORS)
        back = search.back(self.own_turns())
        best = search.improved(back)
        gets = self.values(best)
        for first in _FIRSTS:
            if first == back[0] or first > limit:
                continue
            if asked():
                break
            start = back.copy()
            start[0] = first
            found = search.improved(search.improved(start, lowest=1))
            apart = self.values(found) - gets
            if apart.sum() > 0 and float(apart.sum()) ** 2 > ERRORS**2 * float(apart @ apart):
                best, gets = found, gets + apart
        return best

    def ranges(self, thresholds: npt.ArrayLike, limit: int, flat: float) -> tuple[Integers, npt.NDArray[np.float64]]:
        """Return around each threshold those that lose at most ``flat`` twelfths a block, and how often turns come.

        Returns
        -------
        ranges : int64[2, T]
            The lowest and the highest threshold, if all others stay; the given one lies between.
        reached : float64[T]
            Shares of blocks.
        """
        from rumsim.engine.decisions import flat_ranges

        known = np.asarray(thresholds, np.int64)
        many = len(self.starts)
        ranges, reached = np.zeros((2, len(known)), np.int64), np.zeros(len(known), np.int64)
        rows = self.longest_first(), self.starts, self.ends, self.held, self.pays
        work = np.zeros(many, np.int64), np.zeros(many, np.int64), np.zeros(512, np.int64)
        flat_ranges(limit, int(flat * many), *rows, known, *work, ranges, reached)
        return ranges, reached / max(1, many)

    def values(self, thresholds: npt.ArrayLike) -> Integers:
        """Return what thresholds get in each block, int64[B], in twelfths."""
        total = np.zeros(len(self.starts), np.int64)
        self.add_values(thresholds, total)
        return total

    def add_values(self, thresholds: npt.ArrayLike, total: Integers) -> None:
        """Add to ``total`` int64[B] what thresholds get in each block."""
        from rumsim.engine.decisions import block_values

        block_values(self.starts, self.ends, self.held, self.pays, np.asarray(thresholds, np.int64), total)


class Climbing:
    """A search for thresholds of one seat, and the room it works in.

    Parameters
    ----------
    turns : SeatTurns
        Of the seat.
    limit : int
        The rules' knock limit.
    errors : float
        By how many standard errors a change must gain.
    """

    def __init__(self, turns: SeatTurns, limit: int, errors: float) -> None:
        many = len(turns.starts)
        self._limit, self._errors = limit, errors
        self.blocks = turns.longest_first()
        self._rows = turns.starts, turns.ends, turns.held, turns.pays
        self._work = np.zeros(many, np.int64), np.zeros(many, np.int64), np.zeros(512, np.int64)

    def back(self, turns: int) -> Integers:
        """Return thresholds found backwards through the turns, as if nobody had knocked before."""
        from rumsim.engine.decisions import climb

        thresholds = np.full(turns, -1, np.int64)
        climb(self._limit, 1e9, 0, 1, self.blocks, *self._rows, thresholds, *self._work)
        return thresholds

    def improved(self, thresholds: Integers, lowest: int = 0) -> Integers:
        """Return thresholds of which no single one, from a turn on, can be bettered."""
        from rumsim.engine.decisions import climb

        better = thresholds.copy()
        climb(self._limit, self._errors, lowest, 0, self.blocks, *self._rows, better, *self._work)
        return better

    def climb_on(self, blocks: npt.NDArray[np.int32], thresholds: Integers, lowest: int) -> tuple[int, int]:
        """Improve thresholds on some blocks, those with most own turns first; return total and sum of squares."""
        from rumsim.engine.decisions import climb

        total, squares = climb(self._limit, self._errors, lowest, 0, blocks, *self._rows, thresholds, *self._work)
        return int(total), int(squares)
