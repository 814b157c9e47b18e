"""Arithmetic of compiled bots: what Python would answer, or an error.

Machine arithmetic is not Python's: whole numbers wrap around, the root of a negative number is no error.  In a bot's
source every operation is replaced by one of these (:mod:`rumsim.engine.door_source`).  Each has two forms: plain
Python, which keeps to the same bounds and can say what goes beyond them, and machine code.  Where an answer could
differ from Python's, both raise.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any, TypeVar

import llvmlite.binding
import numpy as np
from numba import njit, types
from numba.core import errors
from numba.extending import intrinsic, overload

_F = TypeVar("_F", bound=Callable[..., Any])
EXACT = 1 << 53  # floats hold all whole numbers up to here
_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
_INFINITY = math.inf
REFUSED = "cannot be compiled: "  # before the reason, in what numba reports


class Beyond(ArithmeticError):
    """Plain Python has an answer that compiled numbers cannot hold."""


OPERATIONS: dict[str, Callable[..., Any]] = {}  # by name


def _bounded(value: Any) -> Any:
    """Return a result if compiled numbers can hold it."""
    if isinstance(value, int) and not _LOW <= value <= _HIGH:
        raise Beyond("a whole number beyond 64 bits")
    if isinstance(value, complex):
        raise Beyond("a complex number")
    return value


def _operation(name: str, plain: Callable[..., Any]) -> Callable[[_F], _F]:
    """Keep an operation with a form in plain Python, and return a decorator for its compiled form."""

    def bounded(*given: Any) -> Any:
        return _bounded(plain(*given))

    bounded.__name__ = bounded.__qualname__ = name
    OPERATIONS[name] = bounded

    def decorator(typed: _F) -> _F:
        def refusing(*given: Any) -> Any:
            made = typed(*given)
            if made is None:
                raise errors.TypingError(f"{REFUSED}{name} of {' and '.join(map(_named, given))};")
            return made

        # The overload is found by the names of its arguments.
        one, two = (lambda a: refusing(a)), (lambda a, b: refusing(a, b))
        overload(bounded, inline="never")(one if typed.__code__.co_argcount == 1 else two)
        return typed

    return decorator


def _named(kind: Any) -> str:
    kind = types.unliteral(kind)
    names = ((types.Boolean, "a truth value"), (types.Integer, "a whole number"), (types.Float, "a float"))
    names += ((types.NoneType, "None"), (types.Optional, "a number or None"), (types.List, "a list"))  # type: ignore[assignment,unused-ignore]
    names += ((types.BaseTuple, "a tuple"), (types.Array, "a tuple"))  # type: ignore[assignment,unused-ignore]
    return next((name for base, name in names if isinstance(kind, base)), str(kind))


def _whole(*kinds: Any) -> bool:
    return all(isinstance(kind, types.Boolean | types.Integer) for kind in kinds)


def _number(*kinds: Any) -> bool:
    return all(isinstance(kind, types.Boolean | types.Integer | types.Float) for kind in kinds)


def _truths(*kinds: Any) -> bool:
    return all(isinstance(kind, types.Boolean) for kind in kinds)


# ---- checked machine instructions ----------------------------------------------------------------------------


def _instruction(name: str) -> Any:
    @intrinsic
    def checked(typing_context, a, b):  # type: ignore[no-untyped-def,unused-ignore]
        def codegen(context, builder, signature, given):  # type: ignore[no-untyped-def,unused-ignore]
            found = getattr(builder, name)(*given)
            with builder.if_then(builder.extract_value(found, 1), likely=False):
                context.call_conv.return_user_exc(builder, OverflowError, ("a whole number beyond 64 bits",))
            return builder.extract_value(found, 0)

        return types.int64(types.int64, types.int64), codegen

    return checked


_add, _sub, _mul = (_instruction(f"{name}_with_overflow") for name in ("sadd", "ssub", "smul"))


@intrinsic
def _number_of(typing_context, a):  # type: ignore[no-untyped-def,unused-ignore]
    """Return the number of a number or None; None raises."""

    def codegen(context, builder, signature, given):  # type: ignore[no-untyped-def,unused-ignore]
        return context.cast(builder, given[0], signature.args[0], signature.return_type)

    return a.type(a), codegen


_present: Any = _number_of


def checked_cast(context: Any, builder: Any, value: Any, kind: Any, wanted: Any) -> Any:
    """Convert implicitly, as where a variable is now a whole number and now a float; raise where that loses a digit.

    Takes the place of numba's ``context.cast`` while a bot is compiled.
    """
    if isinstance(kind, types.Float) and isinstance(wanted, types.Integer):
        raise errors.TypingError(f"{REFUSED}a float where a whole number must stand;")
    made = type(context).cast(context, builder, value, kind, wanted)
    if isinstance(kind, types.Integer) and isinstance(wanted, types.Float):
        back = builder.fptosi(made, value.type)
        far = builder.or_(
            builder.icmp_signed(">", value, value.type(EXACT)), builder.icmp_signed("<", value, value.type(-EXACT))
        )
        with builder.if_then(builder.or_(far, builder.icmp_signed("!=", back, value)), likely=False):
            context.call_conv.return_user_exc(builder, OverflowError, ("a whole number too large for a float",))
    return made


def _plain_exactly(a: Any) -> float:
    if isinstance(a, int) and abs(a) > EXACT:
        raise Beyond("a whole number too large for a float")
    return float(a)


@_operation("exactly", _plain_exactly)
def _(a: Any) -> Any:
    """Convert to a float, without loss."""
    if isinstance(a, types.Optional) and _number(a.type):
        made = OPERATIONS["exactly"]
        return lambda a: made(_present(a))
    if _whole(a):

        def whole(a):  # type: ignore[no-untyped-def,unused-ignore]
            x = np.int64(a)
            if not (-EXACT <= x <= EXACT):
                raise OverflowError("a whole number too large for a float")
            return np.float64(x)

        return whole
    return (lambda a: a) if _number(a) else None


exactly = OPERATIONS["exactly"]


# ---- arithmetic ----------------------------------------------------------------------------------------------


def _arithmetic(name: str, plain: Callable[..., Any], instruction: Any, native: Any) -> None:
    @_operation(name, plain)
    def typed(a: Any, b: Any) -> Any:
        if isinstance(a, types.Optional) or isinstance(b, types.Optional):
            return _unwrapped(name, a, b)
        if _whole(a, b):
            return lambda a, b: instruction(np.int64(a), np.int64(b))
        if _number(a, b):

            def floats(a, b):  # type: ignore[no-untyped-def,unused-ignore]
                x, y = exactly(a), exactly(b)  # in Python the other number may be whole, and so the answer
                found = native(x, y)
                # In Python these floats may be whole numbers, which are exact beyond 2^53.
                if EXACT < abs(found) < _INFINITY and x == math.floor(x) and y == math.floor(y):
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


def _unwrapped(name: str, a: Any, b: Any) -> Any:
    """Use a number that may be None: None raises, as in Python."""
    made = OPERATIONS[name]
    if isinstance(a, types.Optional) and isinstance(b, types.Optional):
        return lambda a, b: made(_present(a), _present(b))
    if isinstance(a, types.Optional):
        return lambda a, b: made(_present(a), b)
    return lambda a, b: made(a, _present(b))


_plus, _minus, _times = njit(lambda x, y: x + y), njit(lambda x, y: x - y), njit(lambda x, y: x * y)
_arithmetic("add", operator.add, _add, _plus)
_arithmetic("sub", operator.sub, _sub, _minus)
_arithmetic("mul", operator.mul, _mul, _times)


@_operation("iadd", operator.add)
def _(a: Any, b: Any) -> Any:
    made = OPERATIONS["add"]
    return (lambda a, b: made(a, b)) if _scalar(a) and _scalar(b) else None


@_operation("imul", operator.mul)
def _(a: Any, b: Any) -> Any:
    made = OPERATIONS["mul"]
    return (lambda a, b: made(a, b)) if _scalar(a) and _scalar(b) else None


def _scalar(kind: Any) -> bool:
    return _number(kind) or (isinstance(kind, types.Optional) and _number(kind.type))


@_operation("truediv", operator.truediv)
def _(a: Any, b: Any) -> Any:
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return _unwrapped("truediv", a, b)
    if _whole(a, b):

        def whole(a, b):  # type: ignore[no-untyped-def,unused-ignore]
            x, y = np.int64(a), np.int64(b)
            if y == 0:
                raise ZeroDivisionError("division by zero")
            if not (-EXACT <= x <= EXACT and -EXACT <= y <= EXACT):
                raise OverflowError("a whole number too large for a float")
            return np.float64(x) / np.float64(y)

        return whole
    if _number(a, b):

        def floats(a, b):  # type: ignore[no-untyped-def,unused-ignore]
            if b == 0:
                raise ZeroDivisionError("float division by zero")
            return exactly(a) / exactly(b)

        return floats
    return None


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _float_divmod(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    """Divide as CPython's float_divmod does."""
    if y == 0.0:
        raise ZeroDivisionError("float floor division by zero")
    rest = math.fmod(x, y)
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
    return _sub(0, x) if y == -1 else x // y


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _whole_mod(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return 0 if y == -1 else x % y


@_operation("floordiv", operator.floordiv)
def _(a: Any, b: Any) -> Any:
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return _unwrapped("floordiv", a, b)
    if _whole(a, b):
        return lambda a, b: _whole_floordiv(np.int64(a), np.int64(b))
    return (lambda a, b: _float_divmod(exactly(a), exactly(b))[0]) if _number(a, b) else None


@_operation("mod", operator.mod)
def _(a: Any, b: Any) -> Any:
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return _unwrapped("mod", a, b)
    if _whole(a, b):
        return lambda a, b: _whole_mod(np.int64(a), np.int64(b))
    return (lambda a, b: _float_divmod(exactly(a), exactly(b))[1]) if _number(a, b) else None


@_operation("divmod", builtins.divmod)
def _(a: Any, b: Any) -> Any:
    over, rest = OPERATIONS["floordiv"], OPERATIONS["mod"]
    return (lambda a, b: (over(a, b), rest(a, b))) if _number(a, b) else None


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _whole_pow(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    if y < 0:
        raise OverflowError("a negative power of whole numbers")
    found = 1
    while y > 0:
        if y & 1:
            found = _mul(found, x)
        y >>= 1
        if y > 0:
            x = _mul(x, x)
    return found


def _libm(name: str, arguments: int) -> Any:
    """Return a function of the C library, by address: the compiler would replace it by others that round otherwise."""
    address = llvmlite.binding.address_of_symbol(name)
    if address is None:
        return getattr(math, name)
    llvmlite.binding.add_symbol(f"rumsim_libm_{name}", address)
    return types.ExternalFunction(f"rumsim_libm_{name}", types.float64(*[types.float64] * arguments))


_c_pow = _libm("pow", 2)


@njit  # type: ignore[untyped-decorator,unused-ignore]
def _float_pow(x, y):  # type: ignore[no-untyped-def,unused-ignore]
    if not (math.isfinite(x) and math.isfinite(y)):
        raise OverflowError("a power of inf or nan")
    found = _c_pow(x, y)
    if not math.isfinite(found):  # negative numbers' roots, powers of 0, and what is too large
        raise OverflowError("a power that is no number")
    if abs(found) > EXACT and x == math.floor(x) and y == math.floor(y):
        raise OverflowError("a whole number too large for a float")
    return found


def _plain_pow(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        if b < 0:
            raise Beyond("a negative power of whole numbers, which is a float; write 2.0 ** n in place of 2 ** n")
        if abs(a) > 1 and b > 64:
            raise Beyond("a whole number beyond 64 bits")
    return a**b


@_operation("pow", _plain_pow)
def _(a: Any, b: Any) -> Any:
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return _unwrapped("pow", a, b)
    if _whole(a, b):
        return lambda a, b: _whole_pow(np.int64(a), np.int64(b))
    return (lambda a, b: _float_pow(exactly(a), exactly(b))) if _number(a, b) else None


def _plain_real_pow(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and (abs(a) > EXACT or (abs(a) > 1 and b > 64)):
        raise Beyond("a whole number too large for a float")
    found = a**b
    if isinstance(found, int) and abs(found) > EXACT:
        raise Beyond("a whole number too large for a float")
    return found


@_operation("real_pow", _plain_real_pow)
def _(a: Any, b: Any) -> Any:
    """Raise to a power that may be negative: a float in any case."""
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        return _unwrapped("real_pow", a, b)
    if _number(a, b):
        return lambda a, b: _float_pow(exactly(a), exactly(b))
    return None


# ---- bits ----------------------------------------------------------------------------------------------------


def _plain_lshift(a: int, b: int) -> int:
    if b > 64 and a:
        raise Beyond("a whole number beyond 64 bits")
    return a << b


@_operation("lshift", _plain_lshift)
def _(a: Any, b: Any) -> Any:
    if not _whole(a, b):
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


@_operation("rshift", operator.rshift)
def _(a: Any, b: Any) -> Any:
    if not _whole(a, b):
        return None

    def shifted(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        by = np.int64(b)
        if by < 0:
            raise ValueError("negative shift count")
        return np.int64(a) >> min(by, 63)

    return shifted


def _bitwise(name: str, plain: Callable[..., Any], native: Any, of_truths: Any) -> None:
    @_operation(name, plain)
    def typed(a: Any, b: Any) -> Any:
        if _truths(a, b):
            return lambda a, b: of_truths(a, b)
        return (lambda a, b: native(np.int64(a), np.int64(b))) if _whole(a, b) else None


_bitwise("and_", operator.and_, njit(lambda x, y: x & y), njit(lambda x, y: bool(x and y)))
_bitwise("or_", operator.or_, njit(lambda x, y: x | y), njit(lambda x, y: bool(x or y)))
_bitwise("xor", operator.xor, njit(lambda x, y: x ^ y), njit(lambda x, y: x != y))


@_operation("invert", lambda a: ~int(a) if isinstance(a, bool) else ~a)
def _(a: Any) -> Any:
    return (lambda a: ~np.int64(a)) if _whole(a) else None


@_operation("neg", operator.neg)
def _(a: Any) -> Any:
    if isinstance(a, types.Optional) and _number(a.type):
        made = OPERATIONS["neg"]
        return lambda a: made(_present(a))
    if _whole(a):
        return lambda a: _sub(0, np.int64(a))
    return (lambda a: -a) if _number(a) else None


@_operation("pos", operator.pos)
def _(a: Any) -> Any:
    if _whole(a):
        return lambda a: np.int64(a)
    return (lambda a: a) if _number(a) else None


# ---- comparisons ---------------------------------------------------------------------------------------------


def _comparison(name: str, plain: Callable[..., Any], native: Any) -> None:
    @_operation(name, plain)
    def typed(a: Any, b: Any) -> Any:
        if isinstance(a, types.Optional) or isinstance(b, types.Optional):
            return _unwrapped(name, a, b) if name not in ("eq", "ne") else None
        if _whole(a, b):
            return lambda a, b: native(np.int64(a), np.int64(b))
        if isinstance(a, types.Float) and isinstance(b, types.Float):
            return lambda a, b: native(a, b)
        if _number(a, b):

            def mixed(a, b):  # type: ignore[no-untyped-def,unused-ignore]
                return native(exactly(a), exactly(b))

            return mixed
        if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
            mine, others = list(a), list(b)  # type: ignore[call-overload,unused-ignore]
            if len(mine) == len(others) and _whole(*mine, *others):
                return lambda a, b: native(a, b)
        return None


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _comparison(_name, getattr(operator, _name), getattr(operator, _name))


@_operation("contains", lambda a, b: b in a)
def _(a: Any, b: Any) -> Any:
    held = getattr(a, "dtype", None)
    if _whole(b) and _whole(held) and isinstance(a, types.List | types.UniTuple | types.Array):

        def contains(a, b):  # type: ignore[no-untyped-def,unused-ignore]
            for one in a:  # noqa: SIM110
                if np.int64(one) == np.int64(b):
                    return True
            return False

        return contains
    return None


@_operation("truth", bool)
def _(a: Any) -> Any:
    if _truths(a):
        return lambda a: a
    if _number(a):
        return lambda a: a != 0
    if isinstance(a, types.List | types.BaseTuple | types.Array):
        return lambda a: len(a) > 0
    return None


@_operation("scalar", lambda a: a)
def _(a: Any) -> Any:
    """Let numbers pass: other things are not true or false alike."""
    return (lambda a: a) if _number(a) else None


@_operation("index", lambda a: a)
def _(a: Any) -> Any:
    return (lambda a: np.int64(a)) if _whole(a) else None


def _plain_got(a: bool, b: Any) -> Any:
    if not a:
        raise UnboundLocalError("a variable has no value yet")
    return b


@_operation("got", _plain_got)
def _(a: Any, b: Any) -> Any:
    """Use a variable that may have no value yet, which machine code would take for 0."""

    def got(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        if not a:
            raise NameError("a variable has no value yet")
        return b

    return got


# ---- built-in functions --------------------------------------------------------------------------------------


@_operation("abs", abs)
def _(a: Any) -> Any:
    if _whole(a):

        def whole(a):  # type: ignore[no-untyped-def,unused-ignore]
            x = np.int64(a)
            return _sub(0, x) if x < 0 else x

        return whole
    return (lambda a: abs(a)) if _number(a) else None


def _extreme(name: str, plain: Callable[..., Any], beats: str) -> None:
    better = OPERATIONS[beats]

    @_operation(name, plain)
    def two(a: Any, b: Any) -> Any:
        if isinstance(a, types.Optional) or isinstance(b, types.Optional):
            return _unwrapped(name, a, b)
        if _truths(a, b):
            return lambda a, b: b if better(b, a) else a
        if _whole(a, b):
            return lambda a, b: np.int64(b) if better(b, a) else np.int64(a)
        return (lambda a, b: exactly(b) if better(b, a) else exactly(a)) if _number(a, b) else None

    @_operation(f"{name}_of", plain)
    def of(a: Any) -> Any:
        if not _number(_yielded(a)):
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
def _(a: Any) -> Any:
    kind = _yielded(a)
    if _truths(kind):
        return lambda a: False
    return (lambda a: np.int64(0)) if _whole(kind) else (lambda a: np.float64(0))


_extreme("min", min, "lt")
_extreme("max", max, "gt")


@_operation("sum", sum)
def _(a: Any) -> Any:
    if not _whole(_yielded(a)):
        return None  # floats are summed otherwise from Python 3.12 on

    def summed(a):  # type: ignore[no-untyped-def,unused-ignore]
        total = np.int64(0)
        for one in a:
            total = _add(total, np.int64(one))
        return total

    return summed


@_operation("any", any)
def _(a: Any) -> Any:
    if not _number(_yielded(a)):
        return None

    def found(a):  # type: ignore[no-untyped-def,unused-ignore]
        for one in a:  # noqa: SIM110
            if one != 0:
                return True
        return False

    return found


@_operation("all", all)
def _(a: Any) -> Any:
    if not _number(_yielded(a)):
        return None

    def found(a):  # type: ignore[no-untyped-def,unused-ignore]
        for one in a:  # noqa: SIM110
            if one == 0:
                return False
        return True

    return found


@_operation("sorted", sorted)
def _(a: Any) -> Any:
    return (lambda a: sorted(a)) if isinstance(a, types.List) and _whole(a.dtype) else None


@_operation("len", len)
def _(a: Any) -> Any:
    return (lambda a: np.int64(len(a))) if isinstance(a, types.List | types.BaseTuple | types.Array) else None


@_operation("bool", bool)
def _(a: Any) -> Any:
    made = OPERATIONS["truth"]
    return lambda a: made(a)


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
    @_operation(name, plain)
    def typed(a: Any) -> Any:
        if _whole(a):
            return lambda a: np.int64(a)
        return (lambda a: of_float(a)) if _number(a) else None


_to_whole("int", int, _truncated)
_to_whole("round", round, _rounded)
_to_whole("math_trunc", math.trunc, _truncated)
_to_whole("math_floor", math.floor, njit(lambda x: _truncated(np.floor(x))))
_to_whole("math_ceil", math.ceil, njit(lambda x: _truncated(np.ceil(x))))


@_operation("float", float)
def _(a: Any) -> Any:
    return (lambda a: np.float64(a)) if _number(a) else None


# ---- math ----------------------------------------------------------------------------------------------------

_OF_ONE = (
    *("exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
)


def _math_of_one(name: str, native: Any) -> None:
    @_operation(f"math_{name}", getattr(math, name))
    def typed(a: Any) -> Any:
        if not _number(a):
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
    _math_of_one(_name, _libm(_name, 1))


@_operation("math_fabs", math.fabs)
def _(a: Any) -> Any:
    return (lambda a: abs(exactly(a))) if _number(a) else None


@_operation("math_pow", math.pow)
def _(a: Any, b: Any) -> Any:
    if not _number(a, b):
        return None

    def found(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        x, y = exactly(a), exactly(b)
        answer = _c_pow(x, y)
        if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(answer)):
            raise ValueError("math domain or range error")
        return answer

    return found


@_operation("math_fmod", math.fmod)
def _(a: Any, b: Any) -> Any:
    if not _number(a, b):
        return None

    def found(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        x, y = exactly(a), exactly(b)
        if not (math.isfinite(x) and math.isfinite(y)) or y == 0.0:
            raise ValueError("math domain error")
        return math.fmod(x, y)

    return found


@_operation("math_gcd", math.gcd)
def _(a: Any, b: Any) -> Any:
    if not _whole(a, b):
        return None

    def found(a, b):  # type: ignore[no-untyped-def,unused-ignore]
        x, y = np.int64(a), np.int64(b)
        while y != 0:
            x, y = y, _whole_mod(x, y)
        return _sub(0, x) if x < 0 else x

    return found


def _question(name: str, native: Any) -> None:
    @_operation(f"math_{name}", getattr(math, name))
    def typed(a: Any) -> Any:
        return (lambda a: native(np.float64(a))) if _number(a) else None


_question("isnan", njit(lambda x: math.isnan(x)))
_question("isinf", njit(lambda x: math.isinf(x)))
_question("isfinite", njit(lambda x: math.isfinite(x)))
