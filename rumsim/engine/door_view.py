"""What a compiled bot sees and may ask: the compiled twin of :class:`rumsim.referee.seat.SeatView`.

Loaded only when somebody comes through the door.  The engine's own functions are called through C: they do not
become part of a user's function, which would take seconds to compile.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic  # type: ignore[attr-defined,unused-ignore]
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, models, overload_method, register_model
from numba.np.arrayobj import make_array, populate_array

from rumsim.engine import bits, hands, melding
from rumsim.engine.door import HIDDEN, SEEN, SLOTS, VIEW
from rumsim.engine.jit import entrance
from rumsim.engine.jokers import KNOWN as KNOWN
from rumsim.referee.seat import BAD_CARD, BAD_HAND, MOST_CARDS, NO_DISCARD, NO_UPCARD

TURN = np.dtype([("player", np.int64), ("card", np.int64), ("discard", np.int64)], align=True)
_row = types.CPointer(types.int64)
_PLAYERS, _TABLE_TURN, _TURNS = (SLOTS.index(name) for name in ("players", "table_turn", "turns"))
_SHOWN: dict[str, Any] = {name: types.int64 for name in SLOTS if name not in (*HIDDEN, "turns")}
_SHOWN["seen"] = types.Array(numba.from_dtype(TURN), 1, "C", readonly=True)
_SHOWN["turns"] = types.Array(types.int64, 1, "C", readonly=True)


class _Seat(types.Type):  # type: ignore[misc,unused-ignore]
    def __init__(self) -> None:
        super().__init__(name="SeatView")


SEAT = _Seat()


@register_model(_Seat)
class _SeatModel(models.StructModel):  # type: ignore[misc,name-defined,unused-ignore]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("row", _row)])


@infer_getattr
class _SeatAttributes(AttributeTemplate):  # type: ignore[misc,unused-ignore]
    key = _Seat

    def generic_resolve(self, view: Any, name: str) -> Any:  # type: ignore[override,unused-ignore]
        return _SHOWN.get(name)


@lower_getattr_generic(_Seat)
def _attribute(context, builder, kind, view, name):  # type: ignore[no-untyped-def,unused-ignore]
    if name in ("seen", "turns"):
        return _list_of(context, builder, view, name)
    return builder.load(_place(context, builder, view, SLOTS.index(name)))


def _place(context, builder, view, slot):  # type: ignore[no-untyped-def,unused-ignore]
    seat = cgutils.create_struct_proxy(SEAT)(context, builder, value=view)
    return builder.gep(seat.row, [ir.Constant(ir.IntType(64), slot)])


def _list_of(context, builder, view, name):  # type: ignore[no-untyped-def,unused-ignore]
    """Make an array over what the row or the list of turns holds already."""
    kind = _SHOWN[name]
    if name == "turns":
        data, length = _place(context, builder, view, _TURNS), builder.load(_place(context, builder, view, _PLAYERS))
    else:
        data, table_turn = (
            _place(context, builder, view, SEEN - VIEW),
            builder.load(_place(context, builder, view, _TABLE_TURN)),
        )
        length = builder.sub(table_turn, ir.Constant(ir.IntType(64), 1))
    array = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    populate_array(array, builder.bitcast(data, array.data.type), [length], [size], size, None)
    return array._getvalue()


@intrinsic
def seated(typing_context, row):  # type: ignore[no-untyped-def,unused-ignore]
    """Make a view of a row."""

    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def,unused-ignore]
        seat = cgutils.create_struct_proxy(SEAT)(context, builder)
        seat.row = args[0]
        return seat._getvalue()

    return SEAT(row), codegen


def _reader(slot: int) -> Any:
    @intrinsic
    def read(typing_context, view):  # type: ignore[no-untyped-def,unused-ignore]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def,unused-ignore]
            return builder.load(_place(context, builder, args[0], slot))

        return types.int64(view), codegen

    return read


_base, _jokers, _deck, _joker_value = (_reader(SLOTS.index(name)) for name in HIDDEN)


# ---- through C -----------------------------------------------------------------------------------------------

_count_kind = types.int64(types.int64, types.int64, types.int64, types.int64)
_discard_kind = types.int64(types.int64, types.int64, types.int64, types.int64, types.int64)
_most = np.uint64(MOST_CARDS)


@entrance(_count_kind)
def _count(hand, base, table, deck):
    """Return the points of a hand; -1 if it is none."""
    if hand >> deck != 0 or bits.popcount(np.uint64(hand)) > _most:
        return -1
    return np.int64(melding.count(np.uint64(hand), np.uint64(base), melding.Jokers(table, 0)))


@entrance(_discard_kind)
def _discard(hand, base, taken, table, deck):
    """Return the greedy card to give back, plus 256 times the points left; -1 if the hand is none, -2 if no card is."""
    if hand >> deck != 0 or bits.popcount(np.uint64(hand)) > _most:
        return -1
    others = hand & ~(1 << taken) if 0 <= taken < deck else hand
    if others == 0:
        return -2
    jokers = melding.Jokers(table, 0)
    if others == hand:
        key = melding.discard(np.uint64(hand), np.uint64(base), jokers)
    else:
        key = melding.discard_without(np.uint64(hand), np.uint64(base), jokers, np.uint64(taken))
    return np.int64(hands.card_of(key)) | np.int64(hands.left_of(key)) << 8


llvmlite.binding.add_symbol("rumsim_count", _count.address)
llvmlite.binding.add_symbol("rumsim_discard", _discard.address)
_count_hand = types.ExternalFunction("rumsim_count", _count_kind)
_discard_of = types.ExternalFunction("rumsim_discard", _discard_kind)


# ---- what a view can be asked --------------------------------------------------------------------------------


@overload_method(_Seat, "deadwood")
def _deadwood(view, hand):
    def twin(view, hand):
        points = _count_hand(hand, _base(view), _jokers(view), _deck(view))
        if points < 0:
            raise ValueError(BAD_HAND)
        return points

    return twin


@overload_method(_Seat, "points")
def _points(view, card):
    def twin(view, card):
        if card < 0 or card >= _deck(view):
            raise ValueError(BAD_CARD)
        return _joker_value(view) if card >= 52 else min(card % 13 + 1, 10)

    return twin


@overload_method(_Seat, "best_discard_of")
def _best_discard_of(view, hand, taken):
    def twin(view, hand, taken):
        key = _discard_of(hand, _base(view), taken, _jokers(view), _deck(view))
        if key == -1:
            raise ValueError(BAD_HAND)
        if key < 0:
            raise ValueError(NO_DISCARD)
        return key & 255, key >> 8

    return twin


@overload_method(_Seat, "best_discard")
def _best_discard(view):
    return lambda view: view.best_discard_of(view.hand, view.taken)


@overload_method(_Seat, "best_discard_with_upcard")
def _best_discard_with_upcard(view):
    def twin(view):
        if view.upcard < 0:
            raise ValueError(NO_UPCARD)
        return view.best_discard_of(view.hand | 1 << view.upcard, view.upcard)

    return twin


@overload_method(_Seat, "cards")
def _cards(view, hand):
    def twin(view, hand):
        if hand >> _deck(view) != 0:
            raise ValueError(BAD_HAND)
        while hand:
            yield np.int64(bits.trailing_zeros(np.uint64(hand)))
            hand &= hand - 1

    return twin
