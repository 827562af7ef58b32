"""Four machine instructions that array code cannot say, as functions of compiled code.

Numba would spell each of them with a dozen instructions or a loop.  LLVM translates these for every
machine; on an old one it takes more than one instruction, with the same result.
"""

from typing import Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_NEIGHBOURS: Final = 4
_WORD: Final = ir.IntType(64)
_WORDS: Final = ir.VectorType(_WORD, _NEIGHBOURS)
_MASK: Final = ir.IntType(_NEIGHBOURS)


def _vector(builder, values):
    """Return four words side by side."""
    vector = ir.Constant(_WORDS, ir.Undefined)
    for i, value in enumerate(values):
        vector = builder.insert_element(vector, value, ir.Constant(ir.IntType(32), i))
    return vector


def _bits(builder, comparison):
    """Return a comparison of four words as a mask in one word."""
    return builder.zext(builder.bitcast(comparison, _MASK), _WORD)


@intrinsic
def lowest(typing_context, mask):  # noqa: ARG001 - Numba's interface
    """Return the place of the lowest bit of a uint64 that is not zero."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def flip(typing_context, array, place, bits):  # noqa: ARG001
    """Exclusive-or a uint64 into ``array[place : place + 4]`` of a uint16 array, lowest bits first."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), _WORD.as_pointer())
        four = builder.load(address, align=2)
        builder.store(builder.xor(four, arguments[2]), address, align=2)
        return context.get_dummy_value()

    return types.void(array, types.uint64, types.uint64), generate


@intrinsic
def equal_mask(typing_context, a, b, c, d, x):  # noqa: ARG001
    """Return four bits: whether a, b, c and d (the lowest bit is a's) are x."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        left, right = _vector(builder, arguments[:4]), _vector(builder, [arguments[4]] * 4)
        return _bits(builder, builder.icmp_unsigned("==", left, right))

    return types.uint64(*[types.uint64] * 5), generate


@intrinsic
def multiple_mask(typing_context, a, b, c, d, x, field):  # noqa: ARG001
    """Return four bits: whether a, b, c and d are x times what they hold under the mask ``field``."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        values, unit = _vector(builder, arguments[:4]), _vector(builder, [arguments[4]] * 4)
        times = builder.and_(values, _vector(builder, [arguments[5]] * 4))
        return _bits(builder, builder.icmp_unsigned("==", values, builder.mul(times, unit)))

    return types.uint64(*[types.uint64] * 6), generate
