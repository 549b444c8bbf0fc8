"""The kernel where somebody else runs it: a page has it as WebAssembly, in a memory that Python cannot see.

Whoever lends it copies the arrays of a call there and back. The entries are the same, and so are the games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from genial.kernel.engine import LENT, Engine
from genial.kernel.entries import ENTRIES

Lender = Callable[[str, Sequence[Any]], Any]
"""Calls an entry by its name. Of its arguments, whole numbers are ints, and arrays anything with a buffer,
which is as the entry leaves it when this returns."""


class Lent(Engine):
    """Every entry, by calling whoever has the kernel."""

    name = LENT

    def __init__(self, lender: Lender) -> None:
        self._lender = lender
        for entry in ENTRIES:
            setattr(self, entry.name, partial(self._call, entry.name))

    def _call(self, name: str, *arguments: Any) -> Any:
        return self._lender(name, arguments)
