"""Traces of a table at which everybody draws alike, kept for a search among schedules and constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.requests import MOST_PLAYERS, Traces
from rumsim.tasks.decisions import SeatTurns
from rumsim.tasks.response import Question
from rumsim.tasks.sums import Integers
from rumsim.tasks.traces import pieces

APART = 12  # own turns with a threshold of their own, the last for all later ones; few deals at equilibrium last for 3

Knock = npt.NDArray[np.int16]  # by seat and own turn


class Kept(NamedTuple):
    """The rows of B traces that schedules of ``APART`` own turns can tell apart.

    The rows of block ``b`` are those from ``starts[b]`` to ``starts[b + 1] - 1``, ``starts`` int64[B + 1].  ``seats``
    and ``turns`` uint8[R] say whose turn a row is, and which own turn, at most ``APART - 1``; ``counts`` uint8[R] the
    count, 201 for all above 200, and 255 in the last row; ``points`` int32[R, N] what each seat gets if the mover
    knocks, in the last row if nobody does.
    """

    starts: Integers
    seats: npt.NDArray[np.uint8]
    turns: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.uint8]
    points: npt.NDArray[np.int32]

    def first(self, blocks: int) -> Kept:
        """Return so many blocks, the first ones."""
        return self._replace(starts=self.starts[: blocks + 1])

    def lows(self) -> Kept:
        """Return the rows at which a seat reaches a new low: all that constants tell apart."""
        from rumsim.engine.kept import keep_lows

        rows = int(self.starts[-1])
        found = Kept._make([np.zeros_like(self.starts), *(np.empty_like(column[:rows]) for column in self[1:])])
        keep_lows(self, np.zeros(MOST_PLAYERS, np.int64), found)
        return Kept._make([found.starts, *(column[: found.starts[-1]].copy() for column in found[1:])])

    def seat_turns(self, knock: Knock) -> list[SeatTurns]:
        """Return the own turns of every seat until one of its opponents, who have a schedule, ends the deal."""
        from rumsim.engine.kept import collect_kept, untils

        players, many = self.points.shape[1], len(self.starts) - 1
        until = np.zeros((players, many), np.int64)
        untils(players, knock, self, until)
        found = []
        for seat in range(players):
            most = int((until[seat] - self.starts[:-1]).sum()) + many
            starts, ends = np.zeros((2, many), np.int32)
            held, pays = np.empty(most, np.uint8), np.empty(most, np.int32)
            collect_kept(seat, self, until[seat], starts, ends, held, pays)
            found.append(SeatTurns(seat, starts, ends, held, pays))
        return found


def kept_of(traces: Traces, apart: int = APART) -> Kept:
    """Return the rows of traces that schedules with so many thresholds can tell apart.

    Examples
    --------
    >>> from rumsim.bots import parse_bot
    >>> from rumsim.rules import parse_rules
    >>> from rumsim.tasks.traces import trace
    >>> traces = trace(parse_rules("traditional:max_turns=300"), [parse_bot("knock=10")] * 2, seed=1, first=0, last=2)
    >>> len(traces.counts), len(kept_of(traces).counts) < 2 * (2 * 12 + 20)
    (602, True)
    """
    from rumsim.engine.kept import keep

    rows, players = traces.points.shape
    seats, turns, counts = (np.empty(rows, np.uint8) for _ in range(3))
    found = Kept(np.zeros(len(traces.starts), np.int64), seats, turns, counts, np.empty((rows, players), np.int32))
    keep(players, apart, traces.starts, traces.counts, traces.points, np.zeros(MOST_PLAYERS, np.int64), found)
    used = found.starts[-1]
    return Kept._make([found.starts, *(column[:used].copy() for column in found[1:])])


@dataclass(frozen=True)
class KeptSums:
    """Kept traces of some blocks, part after part."""

    blocks: int
    parts: list[Kept] = field(default_factory=list)

    def __add__(self, other: KeptSums) -> KeptSums:
        """Add the blocks that follow."""
        self.parts.extend(other.parts)
        return KeptSums(self.blocks + other.blocks, self.parts)

    def joined(self) -> Kept:
        """Return all parts as one; they are gone after it."""
        return joined(self.parts)


def joined(parts: Sequence[Kept]) -> Kept:
    """Return several parts as one."""
    offsets = np.cumsum([0, *(part.starts[-1] for part in parts)])
    starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
    columns = (np.concatenate(column) for column in list(zip(*parts, strict=True))[1:])
    return Kept(np.concatenate([*starts, offsets[-1:]]), *columns)


@dataclass(frozen=True)
class Keep:
    """Decks on which an equilibrium is looked for.

    Attributes
    ----------
    question : Question
        The game, the table, and how everybody draws.
    seed : int
        Of the decks.
    """

    question: Question
    seed: int

    def empty(self) -> KeptSums:
        """Return the sums of no block."""
        return KeptSums(0, [])

    def run(self, first: int, last: int) -> KeptSums:
        """Trace the blocks from ``first`` up to, not including, ``last``."""
        tables, which = [[self.question.bot] * self.question.players], np.zeros(1, np.int64)
        found = pieces(self.question.rules, tables, which, self.seed, first, last)
        return KeptSums(last - first, [kept_of(traces) for _, traces in found])
