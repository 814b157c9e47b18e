"""What checked operations of compiled bots are made of: how one is kept, and instructions that raise.

Machine arithmetic is not Python's: whole numbers wrap around, the root of a negative number is no error.  Each
operation has two forms: plain Python, which keeps to the same bounds and can say what goes beyond them, and machine
code.  Where an answer could differ from Python's, both raise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.core import errors
from numba.extending import intrinsic, overload

_F = TypeVar("_F", bound=Callable[..., Any])
EXACT = 1 << 53  # floats hold all whole numbers up to here
_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
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


def operation(name: str, plain: Callable[..., Any]) -> Callable[[_F], _F]:
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


def are_whole(*kinds: Any) -> bool:
    """Whether these are types of whole numbers, truth values included."""
    return all(isinstance(kind, types.Boolean | types.Integer) for kind in kinds)


def are_numbers(*kinds: Any) -> bool:
    """Whether these are types of numbers."""
    return all(isinstance(kind, types.Boolean | types.Integer | types.Float) for kind in kinds)


def are_truths(*kinds: Any) -> bool:
    """Whether these are types of truth values."""
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


checked_add, checked_sub, checked_mul = (_instruction(f"{name}_with_overflow") for name in ("sadd", "ssub", "smul"))


@intrinsic
def _number_of(typing_context, a):  # type: ignore[no-untyped-def,unused-ignore]
    """Return the number of a number or None; None raises."""

    def codegen(context, builder, signature, given):  # type: ignore[no-untyped-def,unused-ignore]
        return context.cast(builder, given[0], signature.args[0], signature.return_type)

    return a.type(a), codegen


present: Any = _number_of


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


@operation("exactly", _plain_exactly)
def _(a: Any) -> Any:
    """Convert to a float, without loss."""
    if isinstance(a, types.Optional) and are_numbers(a.type):
        made = OPERATIONS["exactly"]
        return lambda a: made(present(a))
    if are_whole(a):

        def whole(a):  # type: ignore[no-untyped-def,unused-ignore]
            x = np.int64(a)
            if not (-EXACT <= x <= EXACT):
                raise OverflowError("a whole number too large for a float")
            return np.float64(x)

        return whole
    return (lambda a: a) if are_numbers(a) else None


exactly = OPERATIONS["exactly"]


def unwrapped(name: str, a: Any, b: Any) -> Any:
    """Use a number that may be None: None raises, as in Python."""
    made = OPERATIONS[name]
    if isinstance(a, types.Optional) and isinstance(b, types.Optional):
        return lambda a, b: made(present(a), present(b))
    if isinstance(a, types.Optional):
        return lambda a, b: made(present(a), b)
    return lambda a, b: made(a, present(b))
