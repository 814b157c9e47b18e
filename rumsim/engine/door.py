"""The door for people's own bots, as far as the deal loop knows it: four calls by address.

Whatever functions stand behind the addresses, the loop stays the same machine code; when nobody comes through the
door, nothing of :mod:`rumsim.engine.door_table`, which does the work, is even loaded.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from rumsim.engine.requests import MOST_PLAYERS

MOST_PARAMETERS = 16
# Seating.door: what is called in four situations, each bot's two functions and its parameters (as the bits of floats),
# what the bot that decides is shown, and three numbers for each turn seen.
SIT_DOWN, ASK_UPCARD, ASK_GIVE_BACK, NOTE = range(4)
TAKES = 4
GIVES = TAKES + MOST_PLAYERS
NUMBERS = GIVES + MOST_PLAYERS
VIEW = NUMBERS + MOST_PLAYERS * MOST_PARAMETERS
# What is shown: the fields of rumsim.referee.seat.SeatView; and, for what a view can be asked, where the tables for
# this ace begin, the table of jokers, cards in the deck and a joker's points.
SLOTS = (
    *("players", "player", "seat", "hand", "upcard", "drawn", "taken", "stock", "pile"),
    *("own_turn", "table_turn", "knock_limit", "base", "jokers", "deck", "joker_value", "turns"),
)
HIDDEN = ("base", "jokers", "deck", "joker_value")
SEEN = VIEW + len(SLOTS) - 1 + MOST_PLAYERS  # turns have a place a player
SEEN_WIDTH = 3

SIGNATURE: Any = types.int64(types.CPointer(types.int64), *[types.int64] * 6)  # of the four: Seating.door, and numbers
NO_ANSWER = -1
KNOCK = 64  # added to the card given back


@intrinsic
def through(typing_context, situation, door, a, b, c, d, e, f):  # type: ignore[no-untyped-def,unused-ignore]
    """Call what ``Seating.door`` names for a situation, with six numbers."""

    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def,unused-ignore]
        data = make_array(signature.args[1])(context, builder, args[1]).data
        given = [
            context.cast(builder, arg, kind, types.int64)
            for kind, arg in zip(signature.args[2:], args[2:], strict=True)
        ]
        place = context.cast(builder, args[0], signature.args[0], types.int64)
        return builder.call(_cold_call(builder.module, data.type, len(given)), [place, data, *given])

    return types.int64(situation, door, a, b, c, d, e, f), codegen


def _cold_call(module: ir.Module, pointer: ir.Type, more: int) -> ir.Function:
    """Return the function that calls the address; as it is marked cold, the loop is laid out around it."""
    name = "rumsim_through"
    if name in module.globals:
        return module.globals[name]
    number = ir.IntType(64)
    kind = ir.FunctionType(number, [pointer, *[number] * more])
    function = ir.Function(module, ir.FunctionType(number, [number, *kind.args]), name)
    function.linkage = "internal"
    for attribute in ("cold", "noinline", "nounwind"):
        function.attributes.add(attribute)
    builder = ir.IRBuilder(function.append_basic_block())
    situation, door, *given = function.args
    address = builder.load(builder.gep(door, [situation]))
    builder.ret(builder.call(builder.inttoptr(address, kind.as_pointer()), [door, *given]))
    return function
