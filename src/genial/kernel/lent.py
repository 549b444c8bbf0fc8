"""A kernel run by somebody else: a page has it as WebAssembly, in memory that Python cannot see.

The lender copies the arrays of a call there and back. The entries are the same, and so are the games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from genial.kernel.engine import LENT, Engine
from genial.kernel.entries import ENTRIES

Lender = Callable[[str, Sequence[Any]], Any]
"""Calls an entry by name. Whole numbers among its arguments are ints, and arrays are anything with a buffer,
updated in place by the time this returns.
"""


class Lent(Engine):
    """Calls every entry through the lender of the kernel."""

    name = LENT

    def __init__(self, lender: Lender) -> None:
        self._lender = lender
        for entry in ENTRIES:
            setattr(self, entry.name, partial(self._call, entry.name))

    def _call(self, name: str, *arguments: Any) -> Any:
        return self._lender(name, arguments)
