"""Bits of a number that numba has no name for."""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def trailing_zeros(typing_context, bits):  # type: ignore[no-untyped-def,unused-ignore]
    """Return the number, uint64, of the lowest bit that is set; 64 if there is none."""

    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def,unused-ignore]
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def popcount(typing_context, bits):  # type: ignore[no-untyped-def,unused-ignore]
    """Return how many bits are set, uint64."""

    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def,unused-ignore]
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen
