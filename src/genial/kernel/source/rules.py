"""The rules by name: how compiled code reads the tables of `genial.kernel.tables`.

The tables are one flat array. Here each of its parts has a name: `rules.seats` is a number,
`rules.advance[n]` the n-th number of a list, `rules.shows[n]` the n-th word of a list of sets. A name
compiles to the same load as an offset; the constant of that name in `tables.py` says where the part starts.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending
from numba.core import types
from numba.core.datamodel import models
from numba.core.typing import templates

from genial.kernel import tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Array = NDArray[np.uint16]
else:
    _Array = object


class Rules(_Array):
    """The tables of one variant and seat count. At run time a plain array; this class names its parts."""

    # The game
    is_cards: int
    is_solo: int
    is_shared: int
    seats: int
    rack: int
    tiles_in_all: int
    swaps: int
    complete: int
    stuck: int
    stuck_at_once: int
    last_round_below: int
    state_size: int
    actions: int
    observation_size: int
    # Tracks
    span: int
    track_count: int
    order_matters: int
    regions: int
    track_of: Sequence[int]
    done: Sequence[int]
    open: Sequence[int]
    advance: Sequence[int]
    bonus_for: Sequence[int]
    region_of: Sequence[int]
    region_end: Sequence[int]
    # Tiles
    first_colour: Sequence[int]
    second_colour: Sequence[int]
    tile_at: Sequence[int]
    shows: Sequence[np.uint64]
    doubles: np.uint64
    two_coloured: np.uint64
    # Boards
    stacking: int
    every_start: int
    loose_stones: int
    round_one: int
    stride: int
    grid_size: int
    pairs: int
    words: int
    cells: int
    directed: int
    scan_begin: int
    scan_length: int
    start_at: Sequence[int]
    near: Sequence[int]
    pair_first: Sequence[int]
    pair_second: Sequence[int]
    pair_direction: Sequence[int]
    pair_at: Sequence[int]
    cell_at: Sequence[int]
    cell_of: Sequence[int]
    cell_pairs: Sequence[np.uint64]
    beside: Sequence[np.uint64]
    # Where the parts of a board start in the state
    heights: int
    halves: int
    spots: int
    planes: int
    # Cards
    open_cards: int


NAMES: dict[str, str] = dict(Rules.__annotations__)
"""What each name stands for."""
_LISTS = {"Sequence[int]", "Sequence[np.uint64]"}
_WORDS = {"np.uint64", "Sequence[np.uint64]"}
_numba: Any = extending
"""numba's extension API, which has no types."""
_templates: Any = templates
_ITEM, _WORD, _OFFSET = ir.IntType(16), ir.IntType(64), ir.IntType(64)


class _List(types.Type):
    """A part of the tables that is read by index."""

    def __init__(self, of_words: bool) -> None:
        self.result = types.uint64 if of_words else types.intp
        super().__init__(name=f"rules[{self.result}]")


@_numba.register_model(_List)
class _ListModel(models.PrimitiveModel):
    """Represented by its start."""

    def __init__(self, manager: Any, of: Any) -> None:
        begun: Any = super().__init__
        begun(manager, of, _ITEM.as_pointer())


def _loaded(builder: Any, pointer: Any, is_word: bool) -> Any:
    """A number or a word of the tables, marked as invariant so that it is read at most once."""
    if is_word:
        load = builder.load(builder.bitcast(pointer, _WORD.as_pointer()), align=8)
    else:
        load = builder.load(pointer)
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load if is_word else builder.zext(load, _OFFSET)


def _type_of(name: str) -> Any:
    kind = NAMES[name]
    if kind in _LISTS:
        return _List(kind in _WORDS)
    return types.uint64 if kind in _WORDS else types.intp


@_numba.infer_getattr
class _Named(templates.AttributeTemplate):
    """The names are attributes of the tables' array type: flat, of 16-bit numbers."""

    key = types.Array

    def generic_resolve(self, typ: Any, attr: str) -> Any:  # type: ignore[override]
        if attr in NAMES and typ.dtype == types.uint16 and typ.ndim == 1:
            return _type_of(attr)
        return None


def _lower(name: str) -> None:
    kind, begin = NAMES[name], getattr(tables, name.upper())

    def read(context: Any, builder: Any, of: Any, rules: Any) -> Any:
        data = context.make_array(of)(context, builder, rules).data
        place = builder.gep(data, [_OFFSET(begin)])
        if kind not in _LISTS:
            return _loaded(builder, place, kind in _WORDS)
        if begin >= tables.FIXED:
            return place
        return builder.gep(data, [_loaded(builder, place, False)])

    _numba.lower_getattr(types.Array, name)(read)


for _name in NAMES:
    _lower(_name)


def _type_item(context: Any) -> Any:
    def typed(numbers: Any, n: Any) -> Any:
        if isinstance(numbers, _List) and isinstance(n, types.Integer):
            return _templates.signature(numbers.result, numbers, types.intp)
        return None

    return typed


_numba.type_callable(operator.getitem)(_type_item)


def _item(context: Any, builder: Any, of: Any, arguments: Any) -> Any:
    numbers, n = arguments
    is_word = of.args[0].result == types.uint64
    return _loaded(builder, builder.gep(numbers, [builder.mul(n, _OFFSET(4)) if is_word else n]), is_word)


_numba.lower_builtin(operator.getitem, _List, types.intp)(_item)
