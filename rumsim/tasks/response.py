"""The best answer of a seat to opponents, and what an answer earns, from traces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.bots.mixture import Mixture
from rumsim.bots.threshold import NEVER, ThresholdBot
from rumsim.engine.requests import MOST_PLAYERS, MOST_THRESHOLD, TWELFTHS, Traces
from rumsim.rules import Rules
from rumsim.tasks.sums import Integers
from rumsim.tasks.traces import trace, trace_tables


@dataclass(frozen=True)
class Question:
    """A bot that draws in some way, against opponents who draw and knock in theirs.

    Attributes
    ----------
    rules, players : Rules, int
        The game and the table.
    bot : ThresholdBot
        How the studied player draws and discards; its threshold does not matter.
    opponents : Mixture
        All others.
    """

    rules: Rules
    players: int
    bot: ThresholdBot
    opponents: Mixture

    def limit(self) -> int:
        """Return the highest count with which the rules allow a knock."""
        return MOST_THRESHOLD if self.rules.knock_limit is None else min(self.rules.knock_limit, MOST_THRESHOLD)


class Seat:
    """Traces with the studied player in one seat, and where opponents end them."""

    def __init__(
        self,
        question: Question,
        focal: int,
        traces: Traces,
        choice: npt.NDArray[np.uint8],
        knock: npt.NDArray[np.int16] | None = None,
    ) -> None:
        from rumsim.engine.response import opponents_end

        self.question, self.focal, self.traces = question, focal, traces
        self.blocks = len(traces.starts) - 1
        self.until = np.zeros(self.blocks, np.int64)
        knock = _schedules(question) if knock is None else knock
        opponents_end(question.players, focal, knock, choice, traces.starts, traces.counts, self.until)

    def own_turns(self) -> int:
        """Return the most turns that the seat has in any trace before an opponent ends it."""
        longest = int((self.until - self.traces.starts[:-1]).max(initial=0))
        return max(1, -(-(longest - self.focal) // self.question.players))

    def best_schedule(self, flat: float) -> Integers:
        """Return the best thresholds by own turn, and the ends of the ranges that lose at most so many points a deal.

        Returns
        -------
        int64[3, turns]
            Thresholds, -1 for never; lowest; highest.
        """
        from rumsim.engine.response import best_schedule

        thresholds = np.full((3, self.own_turns()), -1, np.int64)
        value = self.traces.points[self.until, self.focal].astype(np.int64)
        best_schedule(
            self.question.players,
            self.focal,
            self.question.limit(),
            int(flat * TWELFTHS * self.blocks),
            *(self.traces.starts, self.traces.counts, self.traces.points),
            *(self.until, value, np.zeros(MOST_THRESHOLD + 2, np.int64), thresholds),
        )
        return thresholds

    def constants(self) -> Integers:
        """Return what each constant threshold gets, int64[201], in twelfths over all blocks."""
        from rumsim.engine.response import constant_totals

        jumps = np.zeros(MOST_THRESHOLD + 2, np.int64)
        constant_totals(
            self.question.players,
            self.focal,
            *(self.traces.starts, self.traces.counts, self.traces.points),
            *(self.until, jumps),
        )
        return jumps.cumsum()[: MOST_THRESHOLD + 1]

    def ends(self, schedule: npt.ArrayLike) -> Integers:
        """Return the rows in which deals end if the seat knocks by a schedule, int64[B]."""
        from rumsim.engine.response import seat_ends

        thresholds = np.minimum(np.asarray(schedule, np.int64), self.question.limit())
        rows = np.zeros(self.blocks, np.int64)
        seat_ends(
            self.question.players, self.focal, thresholds, self.traces.starts, self.traces.counts, self.until, rows
        )
        return rows

    def reached(self, rows: Integers, turns: int) -> npt.NDArray[np.float64]:
        """Return the share of blocks in which each own turn comes, for deals that end in these rows."""
        length = np.minimum(rows + 1, self.traces.starts[1:] - 1) - self.traces.starts[:-1]
        own = -(-(length - self.focal) // self.question.players)
        return np.array([(own > turn).mean() for turn in range(turns)])


def seats(question: Question, seed: int, first: int, last: int, jobs: int = 1) -> list[Seat]:
    """Trace decks with the studied player in each seat."""
    bots, players = question.opponents.bots, question.players
    apart = {replace(bot, knock=((NEVER,),)) for bot in (question.bot, *bots)}
    traces = None
    if len(apart) == 1:  # all draw and discard alike: one trace serves for every seat
        traces = trace(question.rules, [question.bot] * players, seed, first, last, jobs=jobs)
    found = []
    for focal in range(players):
        choice = _choice(question, seed, first, last, focal)
        seated = traces
        if seated is None:
            ways, which = np.unique(choice, axis=0, return_inverse=True)
            tables = [[question.bot if s == focal else bots[way[s]] for s in range(players)] for way in ways.tolist()]
            which = which.astype(np.int64).ravel() if len(tables) > 1 else np.zeros(1, np.int64)
            seated = trace_tables(question.rules, tables, which, seed, first, last, jobs)
        found.append(Seat(question, focal, seated, choice))
    return found


def _choice(question: Question, seed: int, first: int, last: int, focal: int) -> npt.NDArray[np.uint8]:
    """Draw the opponents' bots, uint8[B, N] by seat, for the deals in which the studied player has a seat."""
    from rumsim.engine.response import draw_bots

    choice = np.zeros((last - first, question.players), np.uint8)
    if len(question.opponents.bots) > 1:
        chances = np.array([float(up) for up in accumulate(question.opponents.weights, initial=Fraction(0))][1:])
        for seat in range(question.players):
            player = (seat - focal) % question.players
            drawn = np.zeros(last - first, np.uint8)
            key, index = np.uint64(decks.key_of(seed)), MOST_PLAYERS * focal + player
            draw_bots(key, first, index, chances, np.zeros(4, np.uint64), drawn)
            choice[:, seat] = drawn
    return choice


def _schedules(question: Question) -> npt.NDArray[np.int16]:
    """Return the opponents' thresholds, int16[V, 5, turns], the rules' limit applied."""
    bots = question.opponents.bots
    length = max(len(seat) for bot in bots for seat in bot.knock)
    knock = np.full((len(bots), MOST_PLAYERS, length), -1, np.int16)
    for place, bot in enumerate(bots):
        for seat in range(question.players):
            for turn in range(length):
                knock[place, seat, turn] = min(bot.threshold(seat, turn + 1), question.limit())
    return knock
