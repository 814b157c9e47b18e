"""Arithmetic of compiled bots: sums, products, quotients and powers, as Python has them or an error."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numpy as np
from numba import njit, types

from rumsim.engine.door_checks import (
    EXACT,
    OPERATIONS,
    Beyond,
    are_numbers,
    are_whole,
    checked_add,
    checked_mul,
    checked_sub,
    exactly,
    operation,
    present,
    unwrapped,
)

_INFINITY = math.inf


def _arithmetic(name: str, plain: Callable[..., Any], instruction: Any, native: Any) -> None:
    @operation(name, plain)
    def typed(a: Any, b: Any) -> Any:
        if isinstance(a, types.Optional) or isinstance(b, types.Optional):
            return unwrapped(name, a, b)
        if are_whole(a, b):
            return lambda a, b: instruction(np.int64(a), np.int64(b))
        if are_numbers(a, b):

            def floats(a, b):  # type: ignore[no-untyped-def,unused-ignore]
                x, y = exactly(a), exactly(b)  # in Python the other number may be whole, and so the answer
                found = native(x, y)
                # In Python these floats may be whole numbers, which stay exact; 2^53 may be a rounded 2^53 + 1.
                if EXACT <= abs(found) < _INFINITY and x == math.floor(x) and y == math.floor(y):
                    raise OverflowError("a whole number too large for a float")
                return found

            return floats
        if name == "add" and isinstance(a, types.List) and a == b:
            return lambda a, b: a + b
        if name == "add" and isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
            return lambda a, b: a + b
        if name == "mul" and isinstance(a, types.List) and isinstance(b, types.Integer):
            return lambda a, b: a * b
        return None


_plus, _minus, _times = njit(lambda x, y: x + y), njit(lambda x, y: x - y), njit(lambda x, y: x * y)
_arithmetic("add", operator.add, checked_add, _plus)
_arithmetic("sub", operator.sub, checked_sub, _minus)
_arithmetic("mul", operator.mul, checked_mul, _times)


@operation("iadd", operator.add)
def _(a: Any, b: Any) -> Any:
    made = OPERATIONS["add"]
    return (lambda a, b: made(a, b)) if _scalar(a) and _scalar(b) else None


@operation("imul", operator.mul)
def _(a: Any, b: Any) -> Any:
    made = OPERATIONS["mul"]
    return (lambda a, b: made(a, b)) if _scalar(a) and _scalar(b) else None


def _scalar(kind: Any) -> bool:
    return are_numbers(kind) or (isinstance(kind, types.Optional) and are_numbers(kind.type))


@operation("truediv", operator.truediv)
def _(a: Any, b: Any) -> Any:
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return unwrapped("truediv", a, b)
    if are_whole(a, b):

        def whole(a, b):  # type: ignore[no-untyped-def,unused-ignore]
            x, y = np.int64(a), np.int64(b)
            if y == 0:
                raise ZeroDivisionError("division by zero")
            if not (-EXACT <= x <= EXACT and -EXACT <= y <= EXACT):
                raise OverflowError("a whole number too large for a float")
            return np.float64(x) / np.float64(y)

        return whole
    if are_numbers(a, b):

        def floats(a, b):  # type: ignore[no-untyped-def,unused-ignore]
            if b == 0:
                raise ZeroDivisionError("float division by zero")
            return exactly(a) / exactly(b)

        return floats
    return None


def libm(name: str, arguments: int) -> Any:
    """Return a function of the C library, by address: the compiler would replace it by others that round otherwise."""
    address = llvmlite.binding.address_of_symbol(name)
    if address is None:
        return np.fmod if name == "fmod" else getattr(math, name)
    llvmlite.binding.add_symbol(f"rumsim_libm_{name}", address)
    return types.ExternalFunction(f"rumsim_libm_{name}", types.float64(*[types.float64] * arguments))


c_pow, c_fmod = libm("pow", 2), libm("fmod", 2)


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _float_divmod(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    """Divide as CPython's float_divmod does."""
    if y == 0.0:
        raise ZeroDivisionError("float floor division by zero")
    rest = c_fmod(x, y)
    quotient = (x - rest) / y
    if rest != 0.0:
        if (y < 0.0) != (rest < 0.0):
            rest += y
            quotient -= 1.0
    else:
        rest = math.copysign(0.0, y)
    if quotient != 0.0:
        floor = np.float64(np.floor(quotient))
        if quotient - floor > 0.5:
            floor += 1.0
    else:
        floor = math.copysign(0.0, x / y)
    return floor, rest


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _whole_floordiv(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return checked_sub(0, x) if y == -1 else x // y


@njit  # type: ignore[untyped-decorator,unused-ignore]
def whole_mod(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    """Return the remainder of whole numbers; the machine fails at -2^63 % -1."""
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return 0 if y == -1 else x % y


@operation("floordiv", operator.floordiv)
def _(a: Any, b: Any) -> Any:
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return unwrapped("floordiv", a, b)
    if are_whole(a, b):
        return lambda a, b: _whole_floordiv(np.int64(a), np.int64(b))
    return (lambda a, b: _float_divmod(exactly(a), exactly(b))[0]) if are_numbers(a, b) else None


@operation("mod", operator.mod)
def _(a: Any, b: Any) -> Any:
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return unwrapped("mod", a, b)
    if are_whole(a, b):
        return lambda a, b: whole_mod(np.int64(a), np.int64(b))
    return (lambda a, b: _float_divmod(exactly(a), exactly(b))[1]) if are_numbers(a, b) else None


@operation("divmod", builtins.divmod)
def _(a: Any, b: Any) -> Any:
    over, rest = OPERATIONS["floordiv"], OPERATIONS["mod"]
    return (lambda a, b: (over(a, b), rest(a, b))) if are_numbers(a, b) else None


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _whole_pow(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    if y < 0:
        raise OverflowError("a negative power of whole numbers")
    found = 1
    while y > 0:
        if y & 1:
            found = checked_mul(found, x)
        y >>= 1
        if y > 0:
            x = checked_mul(x, x)
    return found


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _float_pow(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    if not (math.isfinite(x) and math.isfinite(y)):
        raise OverflowError("a power of inf or nan")
    found = c_pow(x, y)
    if not math.isfinite(found):  # negative numbers' roots, powers of 0, and what is too large
        raise OverflowError("a power that is no number")
    if abs(found) >= EXACT and x == math.floor(x) and y == math.floor(y):
        raise OverflowError("a whole number too large for a float")
    return found


def _plain_pow(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        if b < 0:
            raise Beyond("a negative power of whole numbers, which is a float; write 2.0 ** n in place of 2 ** n")
        if abs(a) > 1 and b > 64:
            raise Beyond("a whole number beyond 64 bits")
    return a**b


@operation("pow", _plain_pow)
def _(a: Any, b: Any) -> Any:
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return unwrapped("pow", a, b)
    if are_whole(a, b):
        return lambda a, b: _whole_pow(np.int64(a), np.int64(b))
    return (lambda a, b: _float_pow(exactly(a), exactly(b))) if are_numbers(a, b) else None


def _plain_real_pow(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and (abs(a) > EXACT or (abs(a) > 1 and b > 64)):
        raise Beyond("a whole number too large for a float")
    found = a**b
    if isinstance(found, int) and abs(found) >= EXACT:
        raise Beyond("a whole number too large for a float")
    return found


@operation("real_pow", _plain_real_pow)
def _(a: Any, b: Any) -> Any:
    """Raise to a power that may be negative: a float in any case."""
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return unwrapped("real_pow", a, b)
    if are_numbers(a, b):
        return lambda a, b: _float_pow(exactly(a), exactly(b))
    return None


@operation("neg", operator.neg)
def _(a: Any) -> Any:
    if isinstance(a, types.Optional) and are_numbers(a.type):
        made = OPERATIONS["neg"]
        return lambda a: made(present(a))
    if are_whole(a):
        return lambda a: checked_sub(0, np.int64(a))
    return (lambda a: -a) if are_numbers(a) else None


@operation("pos", operator.pos)
def _(a: Any) -> Any:
    if are_whole(a):
        return lambda a: np.int64(a)
    return (lambda a: a) if are_numbers(a) else None
