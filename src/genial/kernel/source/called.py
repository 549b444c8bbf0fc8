"""The entry points as Python calls them: any kind of buffer becomes an array, without a copy."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

import numba
import numpy as np

from genial.kernel.engine import NUMBA, Engine
from genial.kernel.entries import ENTRIES, Entry, Kind
from genial.kernel.source import compiled
from genial.kernel.source.compiled import State
from genial.kernel.source.rules import Rules
from genial.kernel.tables import Tables

_ITEMS: dict[Kind, Any] = {
    Kind.RULES: np.dtype(np.uint16),
    Kind.BYTES: np.dtype(np.uint8),
    Kind.SHORTS: np.dtype(np.uint16),
    Kind.INTS: np.dtype(np.int32),
    Kind.FLOATS: np.dtype(np.float32),
    Kind.DOUBLES: np.dtype(np.float64),
}
"""The item types of arrays."""
_NUMBERS: dict[Kind, type[Any]] = {Kind.WHOLE: int, Kind.REAL: float}


def rules_of(found: Tables) -> Rules:
    """The tables of a game in the form compiled code needs."""
    return cast(Rules, np.frombuffer(found.rules, np.uint16))


def state_of(buffer: Any) -> State:
    """A state in the form compiled code needs; what is written goes into the buffer."""
    return np.frombuffer(buffer, np.uint8)


class Numba(Engine):
    """numba's functions."""

    name = NUMBA

    def __init__(self) -> None:
        for entry in ENTRIES:
            setattr(self, entry.name, _on_buffers(entry))


def load() -> Numba:
    """All entry points; raises RuntimeError if numba cannot compile."""
    usable, reason = compiled.works()
    if not usable:
        raise RuntimeError(reason)
    return Numba()


def source_of(entry: Entry) -> Any:
    """The compiled function of an entry."""
    module, name = entry.source.split(".")
    return getattr(import_module(f"genial.kernel.source.{module}"), name)


def compile_entry(entry: Entry) -> None:
    """Compile an entry for the types it is called with, or load it from the cache."""
    typeof: Any = numba.typeof
    types: dict[Kind, Any] = {kind: typeof(np.zeros(0, item)) for kind, item in _ITEMS.items()}
    types |= {kind: typeof(number()) for kind, number in _NUMBERS.items()}
    source_of(entry).compile(tuple(types[kind] for kind in entry.parameters.values()))


def _on_buffers(entry: Entry) -> Callable[..., Any]:
    function = source_of(entry)
    kinds = entry.parameters.values()
    taken: list[tuple[bool, Any]] = [(kind in _ITEMS, _ITEMS.get(kind) or _NUMBERS[kind]) for kind in kinds]
    frombuffer: Any = np.frombuffer

    def call(*arguments: Any) -> Any:
        # Always the same types: numba compiles a function again for each combination it is called with.
        return function(
            *[
                frombuffer(given, kind) if is_array else kind(given)
                for (is_array, kind), given in zip(taken, arguments, strict=True)
            ]
        )

    return call
