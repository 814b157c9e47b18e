"""Bits, comparisons and conditions of compiled bots, as Python has them or an error."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types

from rumsim.engine.door_checks import (
    OPERATIONS,
    Beyond,
    are_numbers,
    are_truths,
    are_whole,
    exactly,
    operation,
    unwrapped,
)

_MOST_RANGE = 1 << 61


def _plain_lshift(a: int, b: int) -> int:
    if b > 64 and a:
        raise Beyond("a whole number beyond 64 bits")
    return a << b


@operation("lshift", _plain_lshift)
def _(a: Any, b: Any) -> Any:
    if not are_whole(a, b):
        return None

    def shifted(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        x, by = np.int64(a), np.int64(b)
        if by < 0:
            raise ValueError("negative shift count")
        if by >= 63 and x != 0:
            raise OverflowError("a whole number beyond 64 bits")
        by &= 63
        found = x << by
        if found >> by != x:
            raise OverflowError("a whole number beyond 64 bits")
        return found

    return shifted


@operation("rshift", operator.rshift)
def _(a: Any, b: Any) -> Any:
    if not are_whole(a, b):
        return None

    def shifted(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        by = np.int64(b)
        if by < 0:
            raise ValueError("negative shift count")
        return np.int64(a) >> min(by, 63)

    return shifted


def _bitwise(name: str, plain: Callable[..., Any], native: Any, of_truths: Any) -> None:
    @operation(name, plain)
    def typed(a: Any, b: Any) -> Any:
        if are_truths(a, b):
            return lambda a, b: of_truths(a, b)
        return (lambda a, b: native(np.int64(a), np.int64(b))) if are_whole(a, b) else None


_bitwise("and_", operator.and_, njit(lambda x, y: x & y), njit(lambda x, y: bool(x and y)))
_bitwise("or_", operator.or_, njit(lambda x, y: x | y), njit(lambda x, y: bool(x or y)))
_bitwise("xor", operator.xor, njit(lambda x, y: x ^ y), njit(lambda x, y: x != y))


@operation("invert", lambda a: ~int(a) if isinstance(a, bool) else ~a)
def _(a: Any) -> Any:
    return (lambda a: ~np.int64(a)) if are_whole(a) else None


# ---- comparisons ---------------------------------------------------------------------------------------------


def _comparison(name: str, plain: Callable[..., Any], native: Any) -> None:
    @operation(name, plain)
    def typed(a: Any, b: Any) -> Any:
        if isinstance(a, types.Optional) or isinstance(b, types.Optional):
            return unwrapped(name, a, b) if name not in ("eq", "ne") else None
        if are_whole(a, b):
            return lambda a, b: native(np.int64(a), np.int64(b))
        if isinstance(a, types.Float) and isinstance(b, types.Float):
            return lambda a, b: native(a, b)
        if are_numbers(a, b):

            def mixed(a, b):  # type: ignore[no-untyped-def,unused-ignore]
                return native(exactly(a), exactly(b))

            return mixed
        if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
            mine, others = list(a), list(b)  # type: ignore[call-overload,unused-ignore]
            if len(mine) == len(others) and are_whole(*mine, *others):
                return lambda a, b: native(a, b)
        return None


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _comparison(_name, getattr(operator, _name), getattr(operator, _name))
COMPARED = {name: OPERATIONS[name] for name in ("eq", "ne", "lt", "le", "gt", "ge")}


@operation("contains", lambda a, b: b in a)
def _(a: Any, b: Any) -> Any:
    held = getattr(a, "dtype", None)
    if are_whole(b) and are_whole(held) and isinstance(a, types.List | types.UniTuple | types.Array):

        def contains(a, b):  # type: ignore[no-untyped-def,unused-ignore]
            for one in a:  # noqa: SIM110
                if np.int64(one) == np.int64(b):
                    return True
            return False

        return contains
    return None


@operation("truth", bool)
def _(a: Any) -> Any:
    if are_truths(a):
        return lambda a: a
    if are_numbers(a):
        return lambda a: a != 0
    if isinstance(a, types.List | types.BaseTuple | types.Array):
        return lambda a: len(a) > 0
    return None


truth = OPERATIONS["truth"]


@operation("scalar", lambda a: a)
def _(a: Any) -> Any:
    """Let numbers pass: other things are not true or false alike."""
    return (lambda a: a) if are_numbers(a) else None


@operation("index", lambda a: a)
def _(a: Any) -> Any:
    return (lambda a: np.int64(a)) if are_whole(a) else None


def _plain_bound(a: Any) -> Any:
    if abs(a) > _MOST_RANGE:
        raise Beyond("a range as wide as that")
    return a


@operation("bound", _plain_bound)
def _(a: Any) -> Any:
    """Let a bound of a range pass: machine code counts the steps in 64 bits."""
    if not are_whole(a):
        return None

    def bound(a):  # type: ignore[no-untyped-def,unused-ignore]
        x = np.int64(a)
        if not (-_MOST_RANGE <= x <= _MOST_RANGE):
            raise OverflowError("a range as wide as that")
        return x

    return bound


def _plain_got(a: bool, b: Any) -> Any:
    if not a:
        raise UnboundLocalError("a variable has no value yet")
    return b


@operation("got", _plain_got)
def _(a: Any, b: Any) -> Any:
    """Use a variable that may have no value yet, which machine code would take for 0."""

    def got(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        if not a:
            raise NameError("a variable has no value yet")
        return b

    return got
