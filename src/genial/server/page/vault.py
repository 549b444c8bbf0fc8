"""What a page's store needs from the browser: rows of bytes under keys, and conditional transactions.

`web/src/page/vault.ts` provides it, over IndexedDB. It knows nothing about what it stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

Key: TypeAlias = Sequence[object]
"""Texts and numbers, compared one by one; an empty list sorts after both, and marks the end of a span."""
Place: TypeAlias = tuple[str, Key]
"""The place of a row: its kind and its key."""
Row: TypeAlias = tuple[str, Key, bytes | None]
"""A row, or what is expected of it: None for no row."""
Span: TypeAlias = tuple[str, Key, Key]
"""All rows of a kind, from one key to another."""


class Vault(Protocol):
    """Each method is one transaction. Failures raise an exception with one of these as its `name`:

    `newer` (a later shape), `blocked` (a tab of an earlier version won't let go), `renewed` (a later version
    has taken it over), `full` (no more room), `closed`, or anything else.
    """

    async def open(self, shape: int, kinds: Sequence[str]) -> None:
        """Open the vault; one with an earlier shape gets the kinds of rows that it lacks."""

    async def get(self, places: Sequence[Place]) -> Sequence[bytes | None]:
        """The values at these places, all as of one moment."""

    async def read(self, span: Span, limit: int) -> Sequence[bytes]:
        """The values in a span, in order of their keys."""

    async def write(self, expected: Sequence[Row], puts: Sequence[Row], deletes: Sequence[Span]) -> bool:
        """Delete spans, then put rows, durably, all or nothing; False if a row isn't as expected."""

    def close(self) -> None:
        """Close the vault; writes in progress are completed."""


def under(kind: str, *key: str) -> Span:
    """All rows of a kind whose keys start like this.

    >>> under("log", "t1")
    ('log', ['t1'], ['t1', []])
    """
    return kind, [*key], [*key, []]
