"""The best answer of a seat to opponents, and what an answer earns, from traces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.bots.mixture import Mixture
from rumsim.bots.threshold import NEVER, ThresholdBot
from rumsim.engine.requests import MOST_PLAYERS, MOST_THRESHOLD, Traces
from rumsim.rules import Rules
from rumsim.tasks.sums import Integers
from rumsim.tasks.traces import pieces, trace, trace_tables


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

    def ends(self, schedule: npt.ArrayLike) -> Integers:
        """Return the rows in which deals end if the seat knocks by a schedule, int64[B]."""
        from rumsim.engine.response import seat_ends

        thresholds = np.minimum(np.asarray(schedule, np.int64), self.question.limit())
        rows = np.zeros(self.blocks, np.int64)
        seat_ends(
            self.question.players, self.focal, thresholds, self.traces.starts, self.traces.counts, self.until, rows
        )
        return rows


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


def studied(question: Question, seed: int, first: int, last: int) -> Iterator[tuple[int, slice, Integers, Traces]]:
    """Trace decks piece by piece for each seat of the studied player, until opponents have ended them.

    Parameters
    ----------
    question : Question
        Who plays.
    seed, first, last : int
        The decks: the blocks from ``first`` up to, not including, ``last``.

    Yields
    ------
    seat, where, until, traces
        The seat of the studied player; which of the blocks, from 0, the piece has; in which rows opponents end them;
        and the traces.  Each seat sees each block once, in order.
    """
    from rumsim.engine.response import opponents_end

    bots, players = question.opponents.bots, question.players
    knock = _schedules(question)
    choices = [_choice(question, seed, first, last, focal) for focal in range(players)]
    certain = knock.min(axis=0)
    alike = len({replace(bot, knock=((NEVER,),)) for bot in (question.bot, *bots)}) == 1
    for seats_at_once in [range(players)] if alike else [range(seat, seat + 1) for seat in range(players)]:
        tables, which = [[question.bot] * players], np.zeros(1, np.int64)
        least = certain
        if not alike:
            (focal,) = seats_at_once
            ways, which = np.unique(choices[focal], axis=0, return_inverse=True)
            tables = [[question.bot if s == focal else bots[way[s]] for s in range(players)] for way in ways.tolist()]
            which = which.astype(np.int64).ravel() if len(tables) > 1 else np.zeros(1, np.int64)
            least = certain.copy()
            least[focal] = np.iinfo(np.int16).max  # one opponent who knocks is enough
        for begin, traces in pieces(question.rules, tables, which, seed, first, last, least):
            where = slice(begin - first, begin - first + len(traces.starts) - 1)
            for focal in seats_at_once:
                until = np.zeros(len(traces.starts) - 1, np.int64)
                opponents_end(players, focal, knock, choices[focal][where], traces.starts, traces.counts, until)
                yield focal, where, until, traces


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
