"""From bots to the rows of numbers that the engine reads."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.bots import Bot, ThresholdBot
from rumsim.engine.requests import DRAWS, MOST_PLAYERS, OWN, Seating, game_of
from rumsim.errors import RequestError
from rumsim.referee.deal import Deal
from rumsim.referee.play import play_turn
from rumsim.referee.seat import NO_LIMIT
from rumsim.rules import Rules

if TYPE_CHECKING:
    from rumsim.bots.custom import CustomBot
    from rumsim.engine.door_pointer import Pointer

_MOST_MARGIN = 1 << 20  # a larger one is never reached, and fits the arithmetic
_MOST_SEEN = 1_000_000  # table turns of which a bot can be told
_REHEARSED_TURNS = 100

_lock = threading.RLock()  # numba compiles for one at a time
# Kept for good: the engine knows the functions only by their addresses.
_compiled: dict[tuple[str, str], tuple[Pointer, Pointer]] = {}
_rehearsed: set[tuple[tuple[Bot, ...], Rules]] = set()


def seating_of(bots: Sequence[Bot], entry_of: Sequence[int], rules: Rules) -> Seating:
    """Seat bots for the engine; bots from a user's file are rehearsed and compiled, once.

    Parameters
    ----------
    bots : sequence of Bot
        The bot of each player.
    entry_of : sequence of int
        For each player, which of the bots asked about it has.
    rules : Rules
        Their knock limit is applied to every threshold.

    Returns
    -------
    Seating
        Arrays for the engine.

    Raises
    ------
    RequestError
        If a bot from a user's file fails in rehearsal, or cannot be compiled.
    """
    players = len(bots)
    thresholds = {player: bot for player, bot in enumerate(bots) if isinstance(bot, ThresholdBot)}
    length = max((len(schedule) for bot in thresholds.values() for schedule in bot.knock), default=1)
    limit = 200 if rules.knock_limit is None else rules.knock_limit
    draw = np.full(players, OWN, np.int64)
    margin = np.zeros(players, np.int64)
    knock = np.full((players, MOST_PLAYERS, length), -1, np.int16)
    for player, bot in thresholds.items():
        draw[player] = DRAWS.index(bot.draw)
        margin[player] = min(bot.margin, _MOST_MARGIN)
        for seat in range(players):
            for turn in range(length):
                knock[player, seat, turn] = min(bot.threshold(seat, turn + 1), limit)
    door = np.zeros(0, np.int64) if len(thresholds) == players else _door(bots, rules)
    rotation, seats = np.divmod(np.arange(MOST_PLAYERS * MOST_PLAYERS), MOST_PLAYERS)
    who = (seats - rotation) % players
    return Seating(
        draw=draw[who],
        margin=margin[who],
        knock=knock[who, seats],
        entry=np.array(entry_of, np.int64)[who],
        door=door,
    )


def seating_of_tables(tables: Sequence[Sequence[ThresholdBot]], rules: Rules) -> Seating:
    """Seat threshold bots at several tables, by seat: a table takes the place of a rotation.

    Parameters
    ----------
    tables : sequence of sequence of ThresholdBot
        For each table the bot in each seat.
    rules : Rules
        Their knock limit is applied to every threshold.

    Returns
    -------
    Seating
        With a row of five seats for each table.
    """
    limit = 200 if rules.knock_limit is None else rules.knock_limit
    length = max(len(schedule) for table in tables for bot in table for schedule in bot.knock)
    places = len(tables) * MOST_PLAYERS
    draw, margin = np.zeros(places, np.int64), np.zeros(places, np.int64)
    knock = np.full((places, length), -1, np.int16)
    for number, table in enumerate(tables):
        for seat, bot in enumerate(table):
            at = number * MOST_PLAYERS + seat
            draw[at], margin[at] = DRAWS.index(bot.draw), min(bot.margin, _MOST_MARGIN)
            knock[at] = [min(bot.threshold(seat, turn + 1), limit) for turn in range(length)]
    return Seating(draw, margin, knock, np.zeros(places, np.int64), np.zeros(0, np.int64))


def _door(bots: Sequence[Bot], rules: Rules) -> npt.NDArray[np.int64]:
    """Let bots that users wrote rehearse with the others, once, and put them behind a door."""
    from rumsim.bots.custom import CustomBot

    if rules.max_turns > _MOST_SEEN:
        raise RequestError(f"rules: got max_turns={rules.max_turns}; allowed: up to {_MOST_SEEN} with bots from a file")
    with _lock:
        if (tuple(bots), rules) not in _rehearsed:
            rehearse(bots, rules)
            _rehearsed.add((tuple(bots), rules))
        from rumsim.engine.door_table import empty_door, let_in

        door = empty_door(game_of(rules, len(bots)), NO_LIMIT if rules.knock_limit is None else rules.knock_limit)
        for player, bot in enumerate(bots):
            if isinstance(bot, CustomBot):
                take, give = _pointers(bot)
                let_in(door, player, take.address, give.address, [float(value) for _, value in bot.given])
        return door


def rehearse(bots: Sequence[Bot], rules: Rules) -> None:
    """Let bots play two deals before the referee, who says more clearly than a compiler what is wrong with one.

    Raises
    ------
    RequestError
        If a bot fails or breaks a rule.
    """
    for block in range(2):
        deal = Deal(rules, len(bots), len(bots) - 1 - block, decks.deck(0, block, rules.deck_size))
        while deal.end is None and deal.table_turns < _REHEARSED_TURNS:
            if deal.to_renew:
                deal.renew(decks.reshuffled(0, block, deal.reshuffles, deal.to_renew))
            play_turn(deal, bots[deal.mover], reasons=False)


def _pointers(bot: CustomBot) -> tuple[Pointer, Pointer]:
    from rumsim.engine.door_pointer import Pointer

    key = bot.path, bot.source  # parameters are numbers that the same functions are given
    if key not in _compiled:
        values = dict(bot.given)
        try:
            take, give = (Pointer(function, question, values) for question, function in bot.functions.items())
        except ValueError as error:
            raise RequestError(str(error)) from None
        _compiled[key] = take, give
    return _compiled[key]


def bounded_bot(bot: Bot) -> Bot:
    """Return a bot from a user's file with the bounds of compiled numbers, in plain Python; any other as it is."""
    from rumsim.bots.custom import CustomBot

    if not isinstance(bot, CustomBot):
        return bot
    from rumsim.engine.door_pointer import bounded

    return bot.replaced({name: bounded(function) for name, function in bot.functions.items()})
