"""What answers gain against a schedule that everybody has, and against a mixture of constants, on other decks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from rumsim.engine.requests import MOST_PLAYERS, MOST_THRESHOLD, TWELFTHS, Traces
from rumsim.tasks.answers import CHUNK
from rumsim.tasks.decisions import Decisions, Rows, rows_of
from rumsim.tasks.grid_sums import batch_ranges
from rumsim.tasks.kept import APART, Kept, Knock, kept_of
from rumsim.tasks.response import Question
from rumsim.tasks.sums import Integers
from rumsim.tasks.traces import pieces


@dataclass(frozen=True)
class GainSums:
    """Sums over some blocks, in each of which the studied player sits once in every seat.

    Attributes
    ----------
    blocks : int
        How many.
    answer : int64[2]
        What the answer gets, in twelfths, and the sum of squares of block totals; as for
        :class:`rumsim.tasks.answers.EarnedSums` they have room.
    points, squares : int64[N]
        What seats get when all have the schedule, and squares.
    counted : int64[3]
        Deals that end before anyone has a second turn, table turns, and deals in which the knocker is undercut.
    decisions : Decisions
        Own turns of all seats against the schedule, what the schedule itself gets taken away; of as many blocks as have
        room.
    batches : dict of int to (int, int64[202])
        For stretches of blocks, how many there are and what each constant gets against the mixture, as
        :func:`rumsim.lab.constants.totals_against` has it.
    parts : list of Rows
        Own turns that are not among the decisions yet.
    """

    blocks: int
    answer: Integers
    points: Integers
    squares: Integers
    counted: Integers
    decisions: Decisions
    batches: dict[int, tuple[int, Integers]]
    parts: list[Rows] = field(default_factory=list)

    def __add__(self, other: GainSums) -> GainSums:
        """Add the blocks that follow; the own turns of both are then in the first one's room."""
        for part in other.parts:
            self.decisions.add(part)
        batches = dict(self.batches)
        for number, (blocks, totals) in other.batches.items():
            before = batches.get(number, (0, np.zeros_like(totals)))
            batches[number] = before[0] + blocks, before[1] + totals
        return GainSums(
            self.blocks + other.blocks,
            self.answer + other.answer,
            self.points + other.points,
            self.squares + other.squares,
            self.counted + other.counted,
            self.decisions,
            batches,
        )


@dataclass(frozen=True)
class Gains:
    """Decks on which answers to an equilibrium are tried.

    Attributes
    ----------
    question : Question
        The game, the table, and how everybody draws.
    seed : int
        Of the decks.
    knock, answer : int16[N, APART]
        The schedule of all, and an answer to it.
    surely : int
        A count with which everybody of the mixture knocks.
    against : callable
        Returns from kept traces what constants get against the mixture.
    batch : int
        Blocks in a batch.
    decisions : Decisions
        Room for the own turns; filled by one run.
    """

    question: Question
    seed: int
    knock: Knock
    answer: Knock
    surely: int
    against: Callable[[Kept], Integers]
    batch: int
    decisions: Decisions

    def empty(self) -> GainSums:
        """Return the sums of no block."""
        players = self.question.players
        nothing = np.zeros(2, np.int64), np.zeros(players, np.int64), np.zeros(players, np.int64), np.zeros(3, np.int64)
        return GainSums(0, *nothing, self.decisions, {})

    def run(self, first: int, last: int) -> GainSums:
        """Trace the blocks from ``first`` up to, not including, ``last``."""
        players = self.question.players
        tables, which = [[self.question.bot] * players], np.zeros(1, np.int64)
        certain = np.minimum(self._padded(), self.surely)
        nothing = self.empty()
        answer, points, squares, counted = nothing.answer, nothing.points, nothing.squares, nothing.counted
        batches: dict[int, tuple[int, Integers]] = {}
        parts: list[Rows] = []
        wanted = not self.decisions.full  # another thread may find it full in between
        for start, end in batch_ranges(first, last, self.batch, CHUNK):
            for _, traces in pieces(self.question.rules, tables, which, self.seed, start, end, certain):
                found = _Piece(self, traces)
                answer = answer + found.answered()
                points, squares = points + found.got.sum(axis=0), squares + (found.got**2).sum(axis=0)
                counted = counted + found.counted()
                if wanted:
                    parts.append(rows_of(players, APART, list(found.untils), traces, found.got))
                blocks, before = batches.get(start // self.batch, (0, np.zeros(MOST_THRESHOLD + 2, np.int64)))
                totals = before + self.against(kept_of(traces, apart=1))
                batches[start // self.batch] = blocks + len(traces.starts) - 1, totals
        return GainSums(last - first, answer, points, squares, counted, self.decisions, batches, parts)

    def _padded(self) -> Knock:
        """Return the schedule of all for five seats, the rules' limit applied."""
        padded = np.full((MOST_PLAYERS, APART), -1, np.int16)
        padded[: self.question.players] = np.minimum(self.knock, self.question.limit())
        return padded


class _Piece:
    """Some traces, in which rows the schedule of all ends them, and what seats get then, int64[B, N]."""

    def __init__(self, task: Gains, traces: Traces) -> None:
        from rumsim.engine.response import opponents_end
        from rumsim.engine.trace import cut

        self._task, self._traces = task, traces
        players, blocks = task.question.players, len(traces.starts) - 1
        padded = task._padded()
        self._ends = np.zeros(blocks, np.int64)
        cut(players, padded, traces.starts, traces.counts, self._ends)
        self.got = traces.points[self._ends].astype(np.int64)
        self.untils = np.zeros((players, blocks), np.int64)
        alone = np.zeros((blocks, players), np.uint8)
        for seat in range(players):
            opponents_end(players, seat, padded[None], alone, traces.starts, traces.counts, self.untils[seat])

    def answered(self) -> Integers:
        """Return what the answer gets, and the sum of squares over blocks."""
        from rumsim.engine.response import seat_ends

        traces, question = self._traces, self._task.question
        total, rows = np.zeros((2, len(self._ends)), np.int64)
        for seat, until in enumerate(self.untils):
            thresholds = np.minimum(self._task.answer[seat].astype(np.int64), question.limit())
            seat_ends(question.players, seat, thresholds, traces.starts, traces.counts, until, rows)
            total += traces.points[rows, seat]
        return np.array([total.sum(), (total**2).sum()])

    def counted(self) -> Integers:
        """Return deals that end in the first round, table turns, and deals in which the knocker is undercut."""
        traces, question = self._traces, self._task.question
        knocked = self._ends < traces.starts[1:] - 1
        turns = np.where(knocked, self._ends + 1, traces.starts[1:] - 1) - traces.starts[:-1]
        # Only who is tied pays no more than this; who is undercut pays a point for the difference, too.
        tie_pays = question.rules.undercut if question.rules.tie == "penalty" else 0
        got = self.got[np.arange(len(turns)), (turns - 1) % question.players]
        undercut = knocked & (got < -TWELFTHS * tie_pays)
        early = self._ends - traces.starts[:-1] < question.players
        return np.array([early.sum(), turns.sum(), undercut.sum()])
