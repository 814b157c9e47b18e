"""Answers to given opponents, in chunks: what is needed to search for them, and what given ones earn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rumsim.engine.requests import MOST_THRESHOLD, Traces
from rumsim.tasks.decisions import ALL_APART, Decisions, Rows, joined, rows_of_seat
from rumsim.tasks.grid_sums import batch_ranges
from rumsim.tasks.response import Question, studied
from rumsim.tasks.sums import Integers

CHUNK = 2048  # blocks: less than a second's work, whatever the rules but for their max_turns


@dataclass(frozen=True)
class SearchSums:
    """What a search needs of some blocks.

    Attributes
    ----------
    blocks : int
        How many.
    decisions : Decisions
        The own turns of all seats, of as many blocks as have room.
    batches : dict of int to (int, int64[201])
        For stretches of blocks, how many there are and what each constant threshold gets, in twelfths.
    parts : list of Rows
        Own turns that are not among the decisions yet.
    """

    blocks: int
    decisions: Decisions
    batches: dict[int, tuple[int, Integers]]
    parts: list[Rows] = field(default_factory=list)

    def __add__(self, other: SearchSums) -> SearchSums:
        """Add the blocks that follow; the own turns of both are then in the first one's room."""
        for part in other.parts:
            self.decisions.add(part)
        batches = dict(self.batches)
        for number, (blocks, totals) in other.batches.items():
            before = batches.get(number, (0, np.zeros_like(totals)))
            batches[number] = before[0] + blocks, before[1] + totals
        return SearchSums(self.blocks + other.blocks, self.decisions, batches)

    def constants(self) -> Integers:
        """Return what each constant threshold gets over all blocks and seats, int64[201], in twelfths."""
        found: Integers = np.sum([totals for _, totals in self.batches.values()], axis=0, dtype=np.int64)
        return found

    def by_batch(self) -> tuple[Integers, Integers]:
        """Return what constants get by batch, int64[G, 201], and the blocks of batches, int64[G]."""
        known = [self.batches[number] for number in sorted(self.batches)]
        return np.array([totals for _, totals in known]), np.array([blocks for blocks, _ in known])


@dataclass(frozen=True)
class Search:
    """Decks on which a best answer is looked for.

    Attributes
    ----------
    question : Question
        Who plays.
    seed : int
        Of the decks.
    batch : int
        Blocks in a batch.
    decisions : Decisions
        Room for the own turns; filled by one run.
    """

    question: Question
    seed: int
    batch: int
    decisions: Decisions

    def empty(self) -> SearchSums:
        """Return the sums of no block."""
        return SearchSums(0, self.decisions, {})

    def run(self, first: int, last: int) -> SearchSums:
        """Trace the blocks from ``first`` up to, not including, ``last``."""
        players = self.question.players
        batches: dict[int, tuple[int, Integers]] = {}
        parts: list[Rows] = []
        for start, end in batch_ranges(first, last, self.batch, CHUNK):
            jumps = np.zeros(MOST_THRESHOLD + 2, np.int64)
            by_seat: list[list[Rows]] = [[] for _ in range(players)]
            wanted = not self.decisions.full  # another thread may find it full in between
            for seat, _, until, traces in studied(self.question, self.seed, start, end):
                self._add_constants(seat, until, traces, jumps)
                if wanted:
                    nothing = np.zeros((len(until), players), np.int64)
                    by_seat[seat].append(rows_of_seat(players, seat, ALL_APART, until, traces, nothing))
            if wanted:
                parts.append(joined([_in_a_row(rows) for rows in by_seat]))
            blocks, totals = batches.get(start // self.batch, (0, np.zeros(MOST_THRESHOLD + 1, np.int64)))
            totals = totals + jumps.cumsum()[: MOST_THRESHOLD + 1]
            batches[start // self.batch] = blocks + end - start, totals
        return SearchSums(last - first, self.decisions, batches, parts)

    def _add_constants(self, seat: int, until: Integers, traces: Traces, jumps: Integers) -> None:
        from rumsim.engine.response import constant_totals

        columns = traces.starts, traces.counts, traces.points
        constant_totals(self.question.players, seat, *columns, until, jumps)


def _in_a_row(rows: Sequence[Rows]) -> Rows:
    """Put rows of one seat, block after block, together."""
    sizes, held, pays = zip(*rows, strict=True)
    return Rows(np.concatenate(sizes, axis=1), np.concatenate(held), np.concatenate(pays))


@dataclass(frozen=True)
class EarnedSums:
    """What each of S schedules gets over some blocks, the studied player once in every seat.

    Attributes
    ----------
    blocks : int
        How many.
    points, points_squares : int64[S]
        Sums of block totals in twelfths, and of their squares.  Those of 10^7 blocks, the most that is accepted, stay
        below 2^60, for a block total stays below 5 · 4 · 12 · 2260.
    wins, wins_squares : int64[S]
        The same in sixtieths.
    """

    blocks: int
    points: Integers
    points_squares: Integers
    wins: Integers
    wins_squares: Integers

    def __add__(self, other: EarnedSums) -> EarnedSums:
        """Merge disjoint blocks; exact, so the order does not matter."""
        return EarnedSums(
            self.blocks + other.blocks,
            self.points + other.points,
            self.points_squares + other.points_squares,
            self.wins + other.wins,
            self.wins_squares + other.wins_squares,
        )


@dataclass(frozen=True)
class Confirmation:
    """Decks on which it is seen what schedules earn.

    Attributes
    ----------
    question : Question
        Who plays.
    seed : int
        Of the decks.
    schedules : tuple of tuple of tuple of int
        Each by seat and own turn, the last for all later ones; -1 for never.
    """

    question: Question
    seed: int
    schedules: tuple[tuple[tuple[int, ...], ...], ...]

    def empty(self) -> EarnedSums:
        """Return the sums of no block."""
        return EarnedSums(0, *np.zeros((4, len(self.schedules)), np.int64))

    def run(self, first: int, last: int) -> EarnedSums:
        """Trace the blocks from ``first`` up to, not including, ``last``."""
        total = self.empty()
        for start, end in batch_ranges(first, last, CHUNK, CHUNK):
            total = total + self._earned(start, end)
        return total

    def _earned(self, first: int, last: int) -> EarnedSums:
        from rumsim.engine.response import seat_ends

        players, limit = self.question.players, self.question.limit()
        points, wins = np.zeros((2, len(self.schedules), last - first), np.int64)
        for seat, where, until, traces in studied(self.question, self.seed, first, last):
            for place, schedule in enumerate(self.schedules):
                thresholds = np.minimum(np.asarray(schedule[seat], np.int64), limit)
                rows: Integers = np.zeros(len(until), np.int64)
                seat_ends(players, seat, thresholds, traces.starts, traces.counts, until, rows)
                points[place, where] += traces.points[rows, seat]
                wins[place, where] += traces.wins[rows, seat]
        sums: list[npt.NDArray[np.int64]] = [
            points.sum(axis=1),
            (points**2).sum(axis=1),
            wins.sum(axis=1),
            (wins**2).sum(axis=1),
        ]
        return EarnedSums(last - first, *sums)
