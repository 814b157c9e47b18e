"""For people who write bots: check that one plays by the rules, always alike, and the same in the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rumsim import decks
from rumsim.bots import Bot, parse_bot, table_bots
from rumsim.bots.custom import CustomBot, run_afresh
from rumsim.engine.requests import (
    EXHAUSTED,
    FAILED,
    KNOCK,
    LOG_CARD,
    LOG_COUNT,
    LOG_DISCARD,
    LOG_RENEWED,
    LOG_SEAT,
    LOG_TAKEN,
    LOG_WIDTH,
    MOST_PLAYERS,
    STALLED,
    game_of,
    new_room,
)
from rumsim.errors import RequestError, whole_number
from rumsim.referee.deal import Deal
from rumsim.referee.play import play_out
from rumsim.referee.view import Player, View
from rumsim.rules import Rules, parse_rules
from rumsim.tasks.seating import bounded_bot, seating_of

RULES = ("ledger", "traditional", "ledger:rum-knock,ace-high", "traditional:no-knock,hand_size=4", "ledger:joker-knock")
OPPONENT = "knock=25,draw=meld"
_NO_ANSWER = "no legal answer"
_MOST_TURNS = 80  # a deal; the referee takes its time


class Misplay(AssertionError):
    """A bot broke a rule, did not answer, answered differently, or plays differently in the engine."""


@dataclass(frozen=True)
class Conformance:
    """What a bot was seen to do right.

    Attributes
    ----------
    bot : str
        Its canonical text.
    deals, questions : int
        How many deals were played, and how many of its decisions compared.
    """

    bot: str
    deals: int
    questions: int

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.bot}: {self.questions} decisions in {self.deals} deals are legal, always the same, and those of "
            "the engine"
        )


def check_bot(
    bot: str | Path | Bot,
    rules: object = RULES,
    players: int | Iterable[int] = (2, 3, 4, 5),
    *,
    blocks: int = 2,
    seed: int = 0,
    against: str | Bot = OPPONENT,
) -> Conformance:
    """Check that a bot is legal and deterministic, and the same in the referee and in the engine.

    Under all rules and with all numbers of players it plays deals at all places, and deals against another bot.  Every
    question is asked twice, and once more in another order of a bot that knows nothing of the deals before.

    Parameters
    ----------
    bot : str or Path
        The text of a bot such as ``@my_bot.py:margin=3``, or the path of its file.
    rules : str, mapping, Rules or a list of these
        The rules to play by; deals are stopped after 80 table turns.
    players : int or iterable of int
        The numbers of players, 2 to 5.
    blocks : int
        Deals for each of these, at least 1.
    seed : int
        Which decks; from 0.
    against : str
        The other bot.

    Returns
    -------
    Conformance
        How much was compared.

    Raises
    ------
    Misplay
        At the first thing that is wrong; names the deal, and the turn if it can.
    RequestError
        If the bot cannot be read or compiled.

    Examples
    --------
    >>> print(check_bot("knock=20", "ledger", players=2))
    knock=20,draw=improve:1,discard=greedy: 48 decisions in 4 deals are legal, always the same, and those of the engine
    """
    text = str(bot)
    if isinstance(bot, str | Path):
        bot = f"@{text}" if text.endswith(".py") and not text.startswith("@") else text
    mine = parse_bot(bot)
    other = parse_bot(against)
    several: list[Any] = list(rules) if isinstance(rules, list | tuple) else [rules]
    numbers = [whole_number("players", n, 2, 5) for n in ([players] if isinstance(players, int) else players)]
    blocks = whole_number("blocks", blocks, 1)
    tables = [
        _Table(replace(known, max_turns=min(known.max_turns, _MOST_TURNS)), tuple(seated), seed, block, block % number)
        for known in [parse_rules(one) for one in several]
        for number in numbers
        for seated in (table_bots(mine, number), table_bots([mine, other], number))
        for block in range(blocks)
    ]
    found = [table.refereed(mine) for table in tables]  # before all else, as Python says best what is wrong
    for table, (deal, _) in zip(tables, found, strict=True):
        table.compare(mine, deal)
    return Conformance(str(mine), len(tables), sum(questions for _, questions in found))


class _Course(NamedTuple):
    """A deal, for comparison: the turns by seat, how it ended, who knocked, the counts by seat."""

    turns: list[tuple[int, bool, int, int, int, bool]]
    end: str
    knocker: int
    counts: list[int]


class _Watched:
    """A bot that is asked everything twice, and whose answers are kept."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.answers: list[tuple[str, View, object]] = []

    def __str__(self) -> str:
        return str(self.bot)

    def take_upcard(self, view: View) -> bool:
        answer = self.bot.take_upcard(view)
        self._keep("take_upcard", view, answer, self.bot.take_upcard(view))
        return answer

    def give_back(self, view: View) -> tuple[int, bool]:
        answer = self.bot.give_back(view)
        self._keep("give_back", view, answer, self.bot.give_back(view))
        return answer

    def _keep(self, question: str, view: View, answer: object, again: object) -> None:
        if answer != again:
            raise Misplay(f"{question} answers {answer}, and {again} when asked again ({_turn(view)})")
        self.answers.append((question, view, answer))


@dataclass(frozen=True)
class _Table:
    rules: Rules
    bots: tuple[Bot, ...]
    seed: int
    block: int
    rotation: int

    def refereed(self, mine: Bot) -> tuple[Deal, int]:
        """Play the deal before the referee; return it, and how many answers of a bot were compared."""
        watched = _Watched(mine)
        try:
            deal = self._played([watched if bot == mine else bot for bot in self.bots])
            if isinstance(mine, CustomBot):
                _ask_afresh(mine, watched.answers)
        except (RequestError, Misplay) as error:
            raise Misplay(f"{error} ({self})") from None
        return deal, len(watched.answers)

    def compare(self, mine: Bot, deal: Deal) -> None:
        """Play the deal in the engine, where it must go the same way."""
        plain, compiled = _course(deal), self._engine()
        if compiled.end == _NO_ANSWER:
            try:  # plain Python has one: which numbers were beyond what compiled ones can be?
                self._played([bounded_bot(bot) for bot in self.bots])
            except RequestError as error:
                raise Misplay(f"{error} ({self})") from None
        if plain != compiled:
            raise Misplay(f"{mine} plays differently in the engine: {_difference(plain, compiled)} ({self})")

    def __str__(self) -> str:
        return (
            f"{len(self.bots)} players, rules {self.rules}, seed {self.seed}, block {self.block}, "
            f"rotation {self.rotation}"
        )

    def _played(self, at_table: list[Player]) -> Deal:
        players = len(self.bots)
        deck = decks.deck(self.seed, self.block, self.rules.deck_size)
        deal = Deal(self.rules, players, players - 1 - self.rotation, deck)
        play_out(deal, at_table, self.seed, self.block)
        return deal

    def _engine(self) -> _Course:
        from rumsim.engine import deal as engine

        players = len(self.bots)
        hands = np.zeros(MOST_PLAYERS, np.uint64)
        counts, points, wins = np.zeros((3, MOST_PLAYERS), np.int64)
        log = np.zeros((self.rules.max_turns, LOG_WIDTH), np.int64)
        end, knocker, turns = engine.play_one(
            game_of(self.rules, players),
            seating_of(self.bots, [0] * players, self.rules),
            self.rotation,
            np.uint64(decks.key_of(self.seed)),
            np.uint64(self.block),
            *(new_room(), hands, counts, points, wins, log),
        )
        wanted = (
            *(LOG_SEAT, LOG_TAKEN, LOG_CARD),
            *(LOG_DISCARD, LOG_COUNT, LOG_RENEWED),
        )
        moves = [tuple(int(row[place]) for place in wanted) for row in log[:turns]]
        ends = {KNOCK: "knock", EXHAUSTED: "exhausted", STALLED: "stalled", FAILED: _NO_ANSWER}
        return _Course(moves, ends[end], int(knocker), counts[:players].tolist())  # type: ignore[arg-type]


def _course(deal: Deal) -> _Course:
    order = [(deal.dealer + 1 + seat) % deal.players for seat in range(deal.players)]
    turns = [
        (deal.seat_of(turn.player), turn.draw == "upcard", turn.card, turn.discard, turn.deadwood, bool(turn.reshuffle))
        for turn in deal.turns
        if turn.draw != "decline"  # no turn
    ]
    knocker = -1 if deal.knocker is None else deal.seat_of(deal.knocker)
    return _Course(turns, str(deal.end), knocker, [deal.count(player) for player in order])  # type: ignore[arg-type]


def _difference(plain: _Course, compiled: _Course) -> str:
    for number, (one, other) in enumerate(zip(plain.turns, compiled.turns, strict=False), 1):
        if one != other:
            names = ("seat", "takes the upcard", "card drawn", "card given back", "count", "stock renewed")
            found = [
                f"{name} {a} in Python, {b} compiled" for name, a, b in zip(names, one, other, strict=True) if a != b
            ]
            return f"table turn {number}, seat {one[0]}: {'; '.join(found)}"
    return (
        f"ends with {plain.end!r} after {len(plain.turns)} table turns in Python, "
        f"with {compiled.end!r} after {len(compiled.turns)} compiled"
    )


def _ask_afresh(bot: CustomBot, answers: list[tuple[str, View, object]]) -> None:
    """Ask a newly read bot the same questions, the last one first."""
    fresh = bot.replaced(run_afresh(bot.path, bot.source))
    for question, view, answer in reversed(answers):
        again = getattr(fresh, question)(view)
        if again != answer:
            raise Misplay(
                f"{question} answers {answer}, and {again} when nothing went before: it keeps something between "
                f"turns ({_turn(view)})"
            )


def _turn(view: View) -> str:
    return f"table turn {view.table_turn}, player {view.player}"
