"""What the deal loop calls through the door: the table is shown to a person's own bot, which is asked, by address."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.numpy_support import carray

from rumsim.engine.door import (
    GIVES,
    KNOCK,
    MOST_PARAMETERS,
    NO_ANSWER,
    NUMBERS,
    SEEN,
    SEEN_WIDTH,
    SIGNATURE,
    SLOTS,
    TAKES,
    VIEW,
)
from rumsim.engine.jit import entrance
from rumsim.engine.jokers import KNOWN as KNOWN
from rumsim.engine.melding import Jokers, count
from rumsim.engine.requests import Game

PLAYERS, PLAYER, SEAT, HAND, UPCARD, DRAWN, TAKEN, STOCK, PILE = range(VIEW, VIEW + 9)
OWN_TURN, TABLE_TURN, KNOCK_LIMIT, BASE, JOKERS, DECK, JOKER_VALUE, TURNS = range(VIEW + 9, VIEW + len(SLOTS))

# A bot's function, compiled: int64(what it is shown, its parameters); it answers 0 or 1, or a card, plus KNOCK.
BOT: Any = types.int64(types.CPointer(types.int64), types.CPointer(types.float64))


@intrinsic
def _ask(typing_context, row, functions, player):  # type: ignore[no-untyped-def,unused-ignore]
    """Call one of a bot's functions; NO_ANSWER if it raised."""

    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def,unused-ignore]
        row, functions, player = args

        def at(place):  # type: ignore[no-untyped-def,unused-ignore]
            return builder.gep(row, [place])

        def number(value):  # type: ignore[no-untyped-def,unused-ignore]
            return ir.Constant(ir.IntType(64), value)

        numbers = at(builder.add(number(NUMBERS), builder.mul(player, number(MOST_PARAMETERS))))
        given = [at(number(VIEW)), builder.bitcast(numbers, ir.DoubleType().as_pointer())]
        kind = context.call_conv.get_function_type(types.int64, BOT.args)
        function = builder.inttoptr(builder.load(at(builder.add(functions, player))), kind.as_pointer())
        status, answer = context.call_conv.call_function(builder, function, types.int64, BOT.args, given)
        return builder.select(status.is_ok, answer, number(NO_ANSWER))

    return types.int64(row, types.int64, types.int64), codegen


@entrance(SIGNATURE)
def sit_down(row, up, _b, _c, _d, _e, _f):
    """Begin a deal."""
    table = carray(row, SEEN)
    table[TURNS:] = 0
    table[PILE] = 1 << up
    table[TABLE_TURN] = 1
    return 0


@entrance(SIGNATURE)
def ask_upcard(row, player, seat, hand, up, stock, renewed):
    """Ask a bot whether it takes the upcard: 1, 0, or below 0 for no answer."""
    table = carray(row, SEEN)
    if renewed:
        table[PILE] = 1 << up
    table[PLAYER] = player
    table[SEAT] = seat
    table[HAND] = hand
    table[UPCARD] = up
    table[DRAWN] = -1
    table[TAKEN] = -1
    table[STOCK] = stock
    table[OWN_TURN] = table[TURNS + player] + 1
    return _ask(row, TAKES, player)


@entrance(SIGNATURE)
def ask_give_back(row, player, hand, card, takes, _e, _f):
    """Ask the bot just asked about the upcard what it gives back.

    Returns
    -------
    int64
        The card, plus KNOCK, plus 256 times the points left; below 0 if the answer is not legal.
    """
    table = carray(row, SEEN)
    table[HAND] = hand
    table[DRAWN] = card
    if takes:
        table[UPCARD] = -1
        table[TAKEN] = card
        table[PILE] &= ~(1 << card)
    else:
        table[STOCK] -= 1
    answer = _ask(row, GIVES, player)
    given = answer & (KNOCK - 1)
    if answer < 0 or hand >> given & 1 == 0 or (takes != 0 and given == card):
        return NO_ANSWER
    jokers = Jokers(table[JOKERS], table[JOKER_VALUE])
    left = np.int64(count(np.uint64(hand & ~(1 << given)), np.uint64(table[BASE]), jokers))
    if answer & KNOCK != 0 and left > table[KNOCK_LIMIT]:
        return NO_ANSWER
    return answer | left << 8


@entrance(SIGNATURE)
def note(row, player, card, takes, given, renewed, up):
    """Note what everybody saw of a turn."""
    table = carray(row, SEEN)
    if renewed:
        table[PILE] = 1 << up
    if takes:
        table[PILE] &= ~(1 << card)
    table[PILE] |= 1 << given
    at = SEEN + SEEN_WIDTH * (table[TABLE_TURN] - 1)
    seen = carray(row, at + SEEN_WIDTH)
    seen[at] = player
    seen[at + 1] = card if takes else -1
    seen[at + 2] = given
    table[TURNS + player] += 1
    table[TABLE_TURN] += 1
    return 0


def empty_door(game: Game, limit: int) -> npt.NDArray[np.int64]:
    """Return a door, int64[…], with no bot behind it yet; ``limit`` is the highest count to knock with."""
    door = np.zeros(SEEN + SEEN_WIDTH * game.max_turns, np.int64)
    door[:TAKES] = [function.address for function in (sit_down, ask_upcard, ask_give_back, note)]
    door[PLAYERS] = game.players
    door[KNOCK_LIMIT] = limit
    door[BASE] = int(game.base)
    door[DECK] = game.deck
    if game.jokers is not None:
        door[JOKERS], door[JOKER_VALUE] = game.jokers
    return door


def let_in(door: npt.NDArray[np.int64], player: int, take: int, give: int, parameters: list[float]) -> None:
    """Put a bot behind a door: the addresses of its two functions, and its parameters."""
    door[TAKES + player], door[GIVES + player] = take, give
    first = NUMBERS + MOST_PARAMETERS * player
    door[first : first + len(parameters)] = np.array(parameters, np.float64).view(np.int64)
