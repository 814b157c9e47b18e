"""Python's built-in functions and conversions for compiled bots: the same answers, or an error."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload

from rumsim.engine.door_checks import (
    EXACT,
    are_numbers,
    are_truths,
    are_whole,
    checked_add,
    checked_sub,
    exactly,
    operation,
    unwrapped,
)
from rumsim.engine.door_compare import COMPARED, truth


@operation("abs", abs)
def _(a: Any) -> Any:
    if are_whole(a):

        def whole(a):  # type: ignore[no-untyped-def,unused-ignore]
            x = np.int64(a)
            return checked_sub(0, x) if x < 0 else x

        return whole
    return (lambda a: abs(a)) if are_numbers(a) else None


def _extreme(name: str, plain: Callable[..., Any], beats: str) -> None:
    better = COMPARED[beats]

    @operation(name, plain)
    def two(a: Any, b: Any) -> Any:
        if isinstance(a, types.Optional) or isinstance(b, types.Optional):
            return unwrapped(name, a, b)
        if are_truths(a, b):
            return lambda a, b: b if better(b, a) else a
        if are_whole(a, b):
            return lambda a, b: np.int64(b) if better(b, a) else np.int64(a)
        return (lambda a, b: exactly(b) if better(b, a) else exactly(a)) if are_numbers(a, b) else None

    @operation(f"{name}_of", plain)
    def of(a: Any) -> Any:
        if not are_numbers(_yielded(a)):
            return None

        def found(a):  # type: ignore[no-untyped-def,unused-ignore]
            some, best = False, _first(a)
            for one in a:
                if not some or better(one, best):
                    best = one
                some = True
            if not some:
                raise ValueError("an empty sequence")
            return best

        return found


def _yielded(kind: Any) -> Any:
    found = getattr(getattr(kind, "iterator_type", None), "yield_type", None)
    return getattr(kind, "yield_type", None) if found is None else found


def _first(a: Any) -> Any:
    raise NotImplementedError


@overload(_first)
def _(a):  # type: ignore[no-untyped-def,unused-ignore]  # numba wants the same names without kinds
    kind = _yielded(a)
    if are_truths(kind):
        return lambda a: False
    return (lambda a: np.int64(0)) if are_whole(kind) else (lambda a: np.float64(0))


_extreme("min", min, "lt")
_extreme("max", max, "gt")


@operation("sum", sum)
def _(a: Any) -> Any:
    if not are_whole(_yielded(a)):
        return None  # floats are summed otherwise from Python 3.12 on

    def summed(a):  # type: ignore[no-untyped-def,unused-ignore]
        total = np.int64(0)
        for one in a:
            total = checked_add(total, np.int64(one))
        return total

    return summed


@operation("any", any)
def _(a: Any) -> Any:
    if not are_numbers(_yielded(a)):
        return None

    def found(a):  # type: ignore[no-untyped-def,unused-ignore]
        for one in a:  # noqa: SIM110
            if one != 0:
                return True
        return False

    return found


@operation("all", all)
def _(a: Any) -> Any:
    if not are_numbers(_yielded(a)):
        return None

    def found(a):  # type: ignore[no-untyped-def,unused-ignore]
        for one in a:  # noqa: SIM110
            if one == 0:
                return False
        return True

    return found


@operation("sorted", sorted)
def _(a: Any) -> Any:
    return (lambda a: sorted(a)) if isinstance(a, types.List) and are_whole(a.dtype) else None


@operation("len", len)
def _(a: Any) -> Any:
    return (lambda a: np.int64(len(a))) if isinstance(a, types.List | types.BaseTuple | types.Array) else None


@operation("bool", bool)
def _(a: Any) -> Any:
    return lambda a: truth(a)


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _truncated(x):  # type: ignore[no-untyped-def,unused-ignore]
    if not (-9223372036854775808.0 <= x < 9223372036854775808.0):
        raise OverflowError("a float beyond whole numbers")
    return np.int64(x)


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _rounded(x):  # type: ignore[no-untyped-def,unused-ignore]
    if not (-EXACT < x < EXACT):
        return _truncated(x)
    low = np.floor(x)
    over = x - low
    found = np.int64(low)
    if over > 0.5 or (over == 0.5 and found & 1 == 1):
        found += 1
    return found


def _to_whole(name: str, plain: Callable[..., Any], of_float: Any) -> None:
    @operation(name, plain)
    def typed(a: Any) -> Any:
        if are_whole(a):
            return lambda a: np.int64(a)
        return (lambda a: of_float(a)) if are_numbers(a) else None


_to_whole("int", int, _truncated)
_to_whole("round", round, _rounded)
_to_whole("math_trunc", math.trunc, _truncated)
_to_whole("math_floor", math.floor, njit(lambda x: _truncated(np.floor(x))))
_to_whole("math_ceil", math.ceil, njit(lambda x: _truncated(np.ceil(x))))


@operation("float", float)
def _(a: Any) -> Any:
    return (lambda a: np.float64(a)) if are_numbers(a) else None
