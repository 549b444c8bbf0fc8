"""Machine words inside flat arrays, and the few instructions that Python has no name for.

Offsets count the array's own items and are not checked; words lie on 8-byte boundaries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic

from genial.kernel.compiled import Rules

_WORD = ir.IntType(64)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, offset: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [offset])


@intrinsic
def _byte_at(typing: Any, array: Any, offset: Any) -> Any:
    """The item at an offset that is known to be good: no test for an index from the end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *arguments))

    return array.dtype(array, types.intp), generate


@intrinsic
def _put_byte(typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Store an item at an offset that is known to be good."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _pointer(context, builder, signature.args[0], *arguments[:2]))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate


@intrinsic
def _word_at(typing: Any, array: Any, offset: Any) -> Any:
    """The 64 bits that begin at an offset."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load(builder.bitcast(place, _WORD.as_pointer()), align=8)

    return types.uint64(array, types.intp), generate


@intrinsic
def _put_word(typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Store 64 bits from an offset on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], builder.bitcast(place, _WORD.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.uint64), generate


def _fixed(builder: Any, load: Any) -> Any:
    # Tables never change while code runs; told so, the compiler need not read them again after every store.
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load


@intrinsic
def _number_at(typing: Any, rules: Any, offset: Any) -> Any:
    """A number of the tables."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        load = builder.load(_pointer(context, builder, signature.args[0], *arguments))
        return builder.zext(_fixed(builder, load), _WORD)

    return types.intp(rules, types.intp), generate


@intrinsic
def _set_at(typing: Any, rules: Any, offset: Any) -> Any:
    """A word of the tables: 64 members of a set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *arguments)
        return _fixed(builder, builder.load(builder.bitcast(place, _WORD.as_pointer()), align=8))

    return types.uint64(rules, types.intp), generate


@intrinsic
def _bit_count(typing: Any, word: Any) -> Any:
    """How many bits of a word are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.intp(types.uint64), generate


@intrinsic
def _lowest_bit(typing: Any, word: Any) -> Any:
    """The number of the lowest set bit; 64 if none is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.intp(types.uint64), generate


# The same with Python's types; compiled code sees no difference.
byte_at = cast(Callable[[Any, int], np.uint8], _byte_at)
put_byte = cast(Callable[[Any, int, np.uint8], None], _put_byte)
float_at = cast(Callable[[Any, int], np.float32], _byte_at)
put_float = cast(Callable[[Any, int, np.float32], None], _put_byte)
short_at = cast(Callable[[Any, int], np.uint16], _byte_at)
put_short = cast(Callable[[Any, int, np.uint16], None], _put_byte)
word_at = cast(Callable[[Any, int], np.uint64], _word_at)
put_word = cast(Callable[[Any, int, np.uint64], None], _put_word)
number_at = cast(Callable[[Rules, int], int], _number_at)
set_at = cast(Callable[[Rules, int], np.uint64], _set_at)
bit_count = cast(Callable[[np.uint64], int], _bit_count)
lowest_bit = cast(Callable[[np.uint64], int], _lowest_bit)
