"""Machine words inside flat arrays, and the few instructions that Python has no names for.

Offsets count the array's own items and are not checked; words are on 8-byte boundaries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic
from numba.np import arrayobj
from numpy.typing import NDArray

_WORD = ir.IntType(64)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, offset: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [offset])


@intrinsic
def _byte_at(typing: Any, array: Any, offset: Any) -> Any:
    """The item at an offset known to be valid, without the check for negative indices."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *arguments))

    return array.dtype(array, types.intp), generate


@intrinsic
def _put_byte(typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Store an item at an offset known to be valid."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _pointer(context, builder, signature.args[0], *arguments[:2]))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate


@intrinsic
def _word_at(typing: Any, array: Any, offset: Any) -> Any:
    """The 64 bits starting at an offset."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load(builder.bitcast(at, _WORD.as_pointer()), align=8)

    return types.uint64(array, types.intp), generate


@intrinsic
def _put_word(typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Store 64 bits at an offset."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = _pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], builder.bitcast(at, _WORD.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.uint64), generate


@intrinsic
def _put_word_anywhere(typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Store 64 bits at an offset that need not be aligned."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = _pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], builder.bitcast(at, _WORD.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.uint64), generate


@intrinsic
def _bit_count(typing: Any, word: Any) -> Any:
    """How many bits of a word are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.intp(types.uint64), generate


@intrinsic
def _lowest_bit(typing: Any, word: Any) -> Any:
    """The number of the lowest set bit; 64 if there is none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.intp(types.uint64), generate


@intrinsic
def _bits_of(typing: Any, number: Any) -> Any:
    """The 64 bits of a float."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], _WORD)

    return types.uint64(types.float64), generate


@intrinsic
def _float_of(typing: Any, bits: Any) -> Any:
    """The float that has these 64 bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.uint64), generate


_populated: Any = arrayobj.populate_array
_UNKNOWN = 1 << 30
"""The length of a view: compiled code never asks for it."""


def _viewing(item: Any) -> Any:
    """An intrinsic that views an array, from an offset on, as items of some type."""

    @intrinsic
    def view(typing: Any, array: Any, offset: Any) -> Any:
        found = types.Array(item, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made = context.make_array(found)(context, builder)
            width = context.get_constant(types.intp, item.bitwidth // 8)
            at = _pointer(context, builder, signature.args[0], *arguments)
            _populated(
                made,
                data=builder.bitcast(at, context.get_data_type(item).as_pointer()),
                shape=[context.get_constant(types.intp, _UNKNOWN)],
                strides=[width],
                itemsize=width,
                meminfo=None,
            )
            return made._getvalue()

        return found(array, types.intp), generate

    return view


# The same with Python's types; compiled code sees no difference.
bytes_in = cast(Callable[[Any, int], NDArray[np.uint8]], _viewing(types.uint8))
shorts_in = cast(Callable[[Any, int], NDArray[np.uint16]], _viewing(types.uint16))
ints_in = cast(Callable[[Any, int], NDArray[np.int32]], _viewing(types.int32))
longs_in = cast(Callable[[Any, int], NDArray[np.int64]], _viewing(types.int64))
floats_in = cast(Callable[[Any, int], NDArray[np.float32]], _viewing(types.float32))
doubles_in = cast(Callable[[Any, int], NDArray[np.float64]], _viewing(types.float64))
byte_at = cast(Callable[[Any, int], np.uint8], _byte_at)
put_byte = cast(Callable[[Any, int, np.uint8], None], _put_byte)
float_at = cast(Callable[[Any, int], np.float32], _byte_at)
put_float = cast(Callable[[Any, int, np.float32], None], _put_byte)
short_at = cast(Callable[[Any, int], np.uint16], _byte_at)
put_short = cast(Callable[[Any, int, np.uint16], None], _put_byte)
word_at = cast(Callable[[Any, int], np.uint64], _word_at)
put_word = cast(Callable[[Any, int, np.uint64], None], _put_word)
put_word_anywhere = cast(Callable[[Any, int, np.uint64], None], _put_word_anywhere)
bit_count = cast(Callable[[np.uint64], int], _bit_count)
lowest_bit = cast(Callable[[np.uint64], int], _lowest_bit)
bits_of = cast(Callable[[float], np.uint64], _bits_of)
float_of = cast(Callable[[np.uint64], float], _float_of)
