"""Vectors for compiled code: one value per game, many games side by side.

A ``Word`` is ``WIDTH`` unsigned 32-bit integers, one per game; a ``Plane`` is three words, room for a
9x9 board a game (see ``bitboard``).  Numba knows neither, so they are two types of its extension
interface whose operators are single LLVM vector instructions; LLVM chooses the machine's own, from
512-bit registers down to plain 128-bit ones.  Comparisons give masks: all ones or all zeros per game.

Nothing computed with them may depend on ``WIDTH``: a game never looks at another lane.
"""

import operator
import os
from typing import Any, Final

from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model


def _width() -> int:
    """Return how many games side by side suit this machine: two vector registers a word."""
    if chosen := os.environ.get("REFBOT_LANES"):
        return int(chosen)
    features = binding.get_host_cpu_features()
    return 32 if features.get("avx512f") else 16 if features.get("avx2") else 8


WIDTH: Final = _width()
"""Games side by side: a power of two."""
WORDS: Final = 3
"""Words of a plane."""

_LANE = ir.IntType(32)
_VECTOR = ir.VectorType(_LANE, WIDTH)
_WIDE = ir.VectorType(ir.IntType(64), WIDTH)
_INLINE: Final[Any] = {"forceinline": True}


class WordType(types.Type):
    """Numba's type of a word."""

    def __init__(self) -> None:
        super().__init__(name=f"Word{WIDTH}")


class PlaneType(types.Type):
    """Numba's type of a plane."""

    def __init__(self) -> None:
        super().__init__(name=f"Plane{WIDTH}")


WORD: Final = WordType()
PLANE: Final = PlaneType()


@register_model(WordType)
class _WordModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _VECTOR)


@register_model(PlaneType)
class _PlaneModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.ArrayType(_VECTOR, WORDS))


def _splat(builder, scalar):
    lane = builder.trunc(scalar, _LANE) if scalar.type.width > 32 else scalar
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), lane, ir.Constant(_LANE, 0))
    zeros = ir.Constant(ir.VectorType(_LANE, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), zeros)


def _constant(value):
    return ir.Constant(_VECTOR, [value] * WIDTH)


def _operation(name):
    """Return an intrinsic of two equal operands, word by word, that is one LLVM instruction."""

    @intrinsic
    def apply(typing_context, a, b):  # noqa: ARG001
        def generate(context, builder, signature, arguments):  # noqa: ARG001
            left, right = arguments
            instruction = getattr(builder, name)
            if signature.return_type is WORD:
                return instruction(left, right)
            result = ir.Constant(ir.ArrayType(_VECTOR, WORDS), ir.Undefined)
            for i in range(WORDS):
                part = instruction(builder.extract_value(left, i), builder.extract_value(right, i))
                result = builder.insert_value(result, part, i)
            return result

        return (a(a, b), generate) if a == b and a in (WORD, PLANE) else None

    return apply


def _overload_binary(symbol, name):
    apply = _operation(name)

    @overload(symbol, jit_options=_INLINE)
    def _binary(a, b):
        if a == b and a in (WORD, PLANE):
            return lambda a, b: apply(a, b)  # noqa: PLW0108 - Numba needs a function of its own
        if a is WORD and isinstance(b, types.Integer):
            return lambda a, b: apply(a, splat(b))
        return None


for _symbol, _name in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.mul, "mul"),
    (operator.lshift, "shl"),
    (operator.rshift, "lshr"),
):
    _overload_binary(_symbol, _name)


@intrinsic
def _invert(typing_context, a):  # noqa: ARG001
    def generate(context, builder, signature, arguments):  # noqa: ARG001
        ones = _constant(0xFFFFFFFF)
        if signature.return_type is WORD:
            return builder.xor(arguments[0], ones)
        result = arguments[0]
        for i in range(WORDS):
            part = builder.xor(builder.extract_value(arguments[0], i), ones)
            result = builder.insert_value(result, part, i)
        return result

    return (a(a), generate) if a in (WORD, PLANE) else None


@overload(operator.invert, jit_options=_INLINE)
def _overload_invert(a):
    if a in (WORD, PLANE):
        return lambda a: _invert(a)  # noqa: PLW0108
    return None


@intrinsic
def splat(typing_context, scalar):  # noqa: ARG001
    """Return a word with the same integer in every lane."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        return _splat(builder, arguments[0])

    return WORD(scalar), generate


def _comparison(predicate):
    @intrinsic
    def compare(typing_context, a, b):  # noqa: ARG001
        def generate(context, builder, signature, arguments):  # noqa: ARG001
            return builder.sext(builder.icmp_unsigned(predicate, *arguments), _VECTOR)

        return (WORD(WORD, WORD), generate) if a is WORD and b is WORD else None

    return compare


less: Final = _comparison("<")
"""``less(a, b)``: the mask of the lanes where a is below b, unsigned."""
equal: Final = _comparison("==")
"""``equal(a, b)``: the mask of the lanes where the words agree."""


@intrinsic
def any_set(typing_context, a):  # noqa: ARG001
    """Return whether any bit of any lane of a word is set."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        bits = builder.icmp_unsigned("!=", arguments[0], _constant(0))
        packed = builder.bitcast(bits, ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", packed, ir.Constant(ir.IntType(WIDTH), 0))

    return types.boolean(WORD), generate


@intrinsic
def count_bits(typing_context, a):  # noqa: ARG001
    """Return the number of bits set in each lane."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        name = f"llvm.ctpop.v{WIDTH}i32"
        function = builder.module.declare_intrinsic(name, fnty=ir.FunctionType(_VECTOR, [_VECTOR]))
        return builder.call(function, arguments)

    return WORD(WORD), generate


@intrinsic
def rotate_left(typing_context, a, places):  # noqa: ARG001
    """Return every lane rotated left by a number of places."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        name = f"llvm.fshl.v{WIDTH}i32"
        kind = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR, _VECTOR])
        function = builder.module.declare_intrinsic(name, fnty=kind)
        return builder.call(function, [arguments[0], arguments[0], _splat(builder, arguments[1])])

    return WORD(WORD, places), generate


@intrinsic
def high_product(typing_context, a, b):  # noqa: ARG001
    """Return the high 32 bits of each lane's 64-bit product."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        left, right = (builder.zext(argument, _WIDE) for argument in arguments)
        shift = ir.Constant(_WIDE, [32] * WIDTH)
        return builder.trunc(builder.lshr(builder.mul(left, right), shift), _VECTOR)

    return WORD(WORD, WORD), generate


@intrinsic
def plane(typing_context, a, b, c):  # noqa: ARG001
    """Return the plane of three words."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        result = ir.Constant(ir.ArrayType(_VECTOR, WORDS), ir.Undefined)
        for i in range(WORDS):
            result = builder.insert_value(result, arguments[i], i)
        return result

    return PLANE(WORD, WORD, WORD), generate


def _part(i):
    @intrinsic
    def part(typing_context, a):  # noqa: ARG001
        def generate(context, builder, signature, arguments):  # noqa: ARG001
            return builder.extract_value(arguments[0], i)

        return WORD(PLANE), generate

    return part


low_word, middle_word, high_word = (_part(i) for i in range(WORDS))


def _address(context, builder, signature, arguments):
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    place = builder.mul(arguments[1], ir.Constant(arguments[1].type, WIDTH))
    return builder.bitcast(builder.gep(array.data, [place]), _VECTOR.as_pointer())


@intrinsic
def load(typing_context, array, row):  # noqa: ARG001
    """Return row ``row`` of a uint32[rows, WIDTH] array as a word."""

    def generate(context, builder, signature, arguments):
        return builder.load(_address(context, builder, signature, arguments), align=4)

    return WORD(array, types.intp), generate


@intrinsic
def store(typing_context, array, row, word):  # noqa: ARG001
    """Write a word into row ``row`` of a uint32[rows, WIDTH] array."""

    def generate(context, builder, signature, arguments):
        builder.store(arguments[2], _address(context, builder, signature, arguments), align=4)
        return context.get_dummy_value()

    return types.void(array, types.intp, WORD), generate
