"""What a page's store asks of the browser: rows of bytes under keys, and transactions that expect something.

`web/src/page/vault.ts` is it, over IndexedDB. It knows nothing of what it keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

Key: TypeAlias = Sequence[object]
"""Texts and numbers, compared one after the other; an empty list stands after both, for the end of a span."""
Place: TypeAlias = tuple[str, Key]
"""Where a row stands: its kind and its key."""
Row: TypeAlias = tuple[str, Key, bytes | None]
"""A row, or what is expected of it: None is no row."""
Span: TypeAlias = tuple[str, Key, Key]
"""All rows of a kind, from one key to another."""


class Vault(Protocol):
    """Each method is one transaction. What fails raises an exception that has one of these as its `name`:

    `newer` (of a later shape), `blocked` (a tab of an earlier version does not let go), `renewed` (a later
    version has taken it over), `full` (no more room), `closed`, or anything else.
    """

    async def open(self, shape: int, kinds: Sequence[str]) -> None:
        """Open it; one of an earlier shape gets the kinds of rows that it lacks."""

    async def get(self, places: Sequence[Place]) -> Sequence[bytes | None]:
        """What stands at these places, all of it at one moment."""

    async def read(self, span: Span, limit: int) -> Sequence[bytes]:
        """The values of a span, in order of their keys."""

    async def write(self, expected: Sequence[Row], puts: Sequence[Row], deletes: Sequence[Span]) -> bool:
        """Delete spans, then put rows, durably, all or nothing; False where a row is not as expected."""

    def close(self) -> None:
        """Close it; what is under way is still written."""


def under(kind: str, *key: str) -> Span:
    """All rows of a kind whose keys begin like this.

    >>> under("log", "t1")
    ('log', ['t1'], ['t1', []])
    """
    return kind, [*key], [*key, []]
