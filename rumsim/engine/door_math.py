"""The functions of Python's math for compiled bots: the same answers, or an error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from rumsim.engine.door_arithmetic import c_fmod, c_pow, libm, whole_mod
from rumsim.engine.door_checks import are_numbers, are_whole, checked_sub, exactly, operation

_OF_ONE = (
    *("exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
)


def _math_of_one(name: str, native: Any) -> None:
    @operation(f"math_{name}", getattr(math, name))
    def typed(a: Any) -> Any:
        if not are_numbers(a):
            return None

        def found(a):  # type: ignore[no-untyped-def,unused-ignore]
            x = exactly(a)
            answer = native(x)
            if not math.isfinite(answer) and (math.isnan(answer) or math.isfinite(x)) and not math.isnan(x):
                raise ValueError("math domain or range error")
            return answer

        return found


_math_of_one("sqrt", njit(lambda x: math.sqrt(x)))  # always rounded correctly
for _name in _OF_ONE:
    _math_of_one(_name, libm(_name, 1))


@operation("math_fabs", math.fabs)
def _(a: Any) -> Any:
    return (lambda a: abs(exactly(a))) if are_numbers(a) else None


@operation("math_pow", math.pow)
def _(a: Any, b: Any) -> Any:
    if not are_numbers(a, b):
        return None

    def found(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        x, y = exactly(a), exactly(b)
        answer = c_pow(x, y)
        if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(answer)):
            raise ValueError("math domain or range error")
        return answer

    return found


@operation("math_fmod", math.fmod)
def _(a: Any, b: Any) -> Any:
    if not are_numbers(a, b):
        return None

    def found(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        x, y = exactly(a), exactly(b)
        if not (math.isfinite(x) and math.isfinite(y)) or y == 0.0:
            raise ValueError("math domain error")
        return c_fmod(x, y)

    return found


@operation("math_gcd", math.gcd)
def _(a: Any, b: Any) -> Any:
    if not are_whole(a, b):
        return None

    def found(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        x, y = np.int64(a), np.int64(b)
        while y != 0:
            x, y = y, whole_mod(x, y)
        return checked_sub(0, x) if x < 0 else x

    return found


def _question(name: str, native: Any) -> None:
    @operation(f"math_{name}", getattr(math, name))
    def typed(a: Any) -> Any:
        return (lambda a: native(np.float64(a))) if are_numbers(a) else None


_question("isnan", njit(lambda x: math.isnan(x)))
_question("isinf", njit(lambda x: math.isinf(x)))
_question("isfinite", njit(lambda x: math.isfinite(x)))
