"""Transactions in a vault: decided on what was seen, and written on condition that it hasn't changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import msgspec

from genial.server.page.vault import Place, Row, Span, Vault
from genial.server.tables.store_errors import NotKept, StoreError

_T = TypeVar("_T")
_ALL = 2**31 - 1
"""More than any limit; the browser accepts none above 32 bits."""
_FAILURES = {
    "newer": "store-page-newer",
    "blocked": "store-blocked",
    "renewed": "store-renewed",
    "full": "store-full",
}


async def asked(answer: Awaitable[_T]) -> _T:
    """A vault's answer, with its errors translated into ours."""
    try:
        return await answer
    except Exception as error:
        raise NotKept(_FAILURES.get(getattr(error, "name", ""), "store-page-failed")) from error


class Draft:
    """A transaction in preparation: what it has seen must be unchanged when it is written."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._seen: dict[tuple[str, tuple[object, ...]], Row] = {}
        self._puts: list[Row] = []
        self._deletes: list[Span] = []

    async def see(self, *places: Place) -> Sequence[bytes | None]:
        """The values at these places."""
        found = await asked(self._vault.get(places))
        for (kind, key), value in zip(places, found, strict=True):
            self._seen[kind, tuple(key)] = kind, key, value
        return found

    def seen(self, place: Place) -> bytes | None:
        """The value that was seen there."""
        kind, key = place
        return self._seen[kind, tuple(key)][-1]

    async def look_through(self, span: Span) -> Sequence[bytes]:
        """All values in a span. They may change before the write: `see` those that matter."""
        return await asked(self._vault.read(span, _ALL))

    def put(self, place: Place, value: object) -> None:
        """Put a row there."""
        self._puts.append((*place, msgspec.msgpack.encode(value)))

    def put_once(self, place: Place, value: object) -> None:
        """Put a row there, unless one was seen there."""
        if self.seen(place) is None:
            self.put(place, value)

    def delete(self, span: Span) -> None:
        """Delete a span, before anything is put."""
        self._deletes.append(span)

    def drop(self, place: Place) -> None:
        """Delete one row."""
        kind, key = place
        self._deletes.append((kind, key, key))

    async def write(self) -> bool:
        """Write everything, or nothing; False if something seen has changed."""
        if not (self._puts or self._deletes):
            return True
        return await asked(self._vault.write(list(self._seen.values()), self._puts, self._deletes))


class Transactions:
    """Runs drafts, one after the other, until what they saw is unchanged when they are written."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._turn = asyncio.Lock()
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def close(self) -> None:
        """Write what is waiting, then close. A second call does nothing."""
        self._closed = True
        await asyncio.gather(*self._under_way, return_exceptions=True)
        self._vault.close()

    async def _change(self, change: Callable[[Draft], Awaitable[_T]]) -> _T:
        """Run a change in its turn, durably; it is finished even if the caller gives up."""
        self._check_open()
        task = asyncio.ensure_future(self._changed(change))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def _changed(self, change: Callable[[Draft], Awaitable[_T]]) -> _T:
        async with self._turn:
            while True:
                draft = Draft(self._vault)
                answer = await change(draft)
                if await draft.write():
                    return answer

    async def _put(self, place: Place, value: object) -> None:
        async def change(draft: Draft) -> None:
            draft.put(place, value)

        await self._change(change)

    async def _get(self, place: Place) -> bytes | None:
        self._check_open()
        (kept,) = await asked(self._vault.get([place]))
        return kept

    async def _read(self, span: Span, limit: int | None = None) -> Sequence[bytes]:
        self._check_open()
        return await asked(self._vault.read(span, _ALL if limit is None else limit))

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("store-closed")
