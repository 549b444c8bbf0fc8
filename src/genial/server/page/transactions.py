"""Transactions in a vault: decided on what was seen, and written on condition that it is still so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import msgspec

from genial.server.page.vault import Place, Row, Span, Vault
from genial.server.tables.store_errors import NotKept, StoreError

_T = TypeVar("_T")
_ALL = 2**31 - 1
"""A limit that nothing reaches; the browser takes none above 32 bits."""
_FAILURES = {
    "newer": "store-page-newer",
    "blocked": "store-blocked",
    "renewed": "store-renewed",
    "full": "store-full",
}


async def asked(answer: Awaitable[_T]) -> _T:
    """What a vault answers; what it raises is ours."""
    try:
        return await answer
    except Exception as error:
        raise NotKept(_FAILURES.get(getattr(error, "name", ""), "store-page-failed")) from error


class Draft:
    """A transaction that is being thought of: what it has seen has to be still so when it is written."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._seen: dict[tuple[str, tuple[object, ...]], Row] = {}
        self._puts: list[Row] = []
        self._deletes: list[Span] = []

    async def see(self, *places: Place) -> Sequence[bytes | None]:
        """What stands at these places."""
        found = await asked(self._vault.get(places))
        for (kind, key), value in zip(places, found, strict=True):
            self._seen[kind, tuple(key)] = kind, key, value
        return found

    def seen(self, place: Place) -> bytes | None:
        """What stood there when it was looked at."""
        kind, key = place
        return self._seen[kind, tuple(key)][-1]

    async def look_through(self, span: Span) -> Sequence[bytes]:
        """All values of a span. Nothing is expected of them: `see` what matters."""
        return await asked(self._vault.read(span, _ALL))

    def put(self, place: Place, value: object) -> None:
        """A row is to stand there."""
        self._puts.append((*place, msgspec.msgpack.encode(value)))

    def put_once(self, place: Place, value: object) -> None:
        """The same, unless one was seen there already."""
        if self.seen(place) is None:
            self.put(place, value)

    def delete(self, span: Span) -> None:
        """All of this is to go, before anything is put."""
        self._deletes.append(span)

    def drop(self, place: Place) -> None:
        """One row is to go."""
        kind, key = place
        self._deletes.append((kind, key, key))

    async def write(self) -> bool:
        """Do it, or nothing; False if what was seen is not so any more."""
        if not (self._puts or self._deletes):
            return True
        return await asked(self._vault.write(list(self._seen.values()), self._puts, self._deletes))


class Transactions:
    """Runs drafts, one after the other, until what they saw is still so when they are written."""

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
        """Do it in its turn, and durably; a caller who gives up does not take it back."""
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
