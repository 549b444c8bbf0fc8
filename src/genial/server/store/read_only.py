"""A read-only store: the moment that a transaction sees."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from genial.server.store.programs import Make, Program
from genial.server.store.sql_store import SqlStore
from genial.server.tables.store import Append
from genial.server.tables.store_errors import StoreError

_T = TypeVar("_T")


class ReadOnlyStore(SqlStore):
    """What one connection sees, one query at a time. `run` runs a program on it, `end` closes it."""

    def __init__(self, run: Callable[[Program[Any]], Awaitable[Any]], end: Callable[[], None]) -> None:
        self._run = run
        self._end = end
        self._turn = asyncio.Lock()

    async def _read(self, make: Make[_T]) -> _T:
        async with self._turn:
            answer: _T = await self._run(make())
            return answer

    async def _write(self, make: Make[_T]) -> _T:
        raise StoreError("store-closed")

    async def append(self, append: Append) -> None:
        raise StoreError("store-closed")

    async def backup(self, path: str | Path) -> None:
        raise StoreError("store-closed")

    async def close(self) -> None:
        self._end()
