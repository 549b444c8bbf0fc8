"""The store in one SQLite file: one writer thread, and a few connections that read beside it."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from genial.server.store import backup
from genial.server.store.connect import (
    BUSY_TIMEOUT,
    configure,
    connect,
    failure,
    run,
    version_of,
)
from genial.server.store.connect import migrate as bring_up_to_date
from genial.server.store.errors import MigrationNeeded, StoreError
from genial.server.store.migrations import known, refuse_newer
from genial.server.store.programs import ProgramStore
from genial.server.store.statements import Program
from genial.server.store.writer import Writer

_P = ParamSpec("_P")
_T = TypeVar("_T")


def open_store(
    path: str | Path,
    *,
    migrate: bool = False,
    queue_limit: int = 4096,
    batch_limit: int = 512,
    readers: int = 2,
    busy_timeout: int = BUSY_TIMEOUT,
) -> SqliteStore:
    """Open a store's file. With `migrate` it is made or brought up to date first; without, it has to be."""
    path = Path(path)
    if migrate:
        bring_up_to_date(path)
    expected = len(known("sqlite"))
    if not path.exists():
        raise MigrationNeeded(str(path), 0, expected)
    with ExitStack() as opened:
        try:
            connections = [
                opened.enter_context(closing(connect(path, busy_timeout))) for _ in range(1 + readers)
            ]
            version = run(connections[0], version_of(path))
            refuse_newer(str(path), version, expected)
            if version < expected:
                raise MigrationNeeded(str(path), version, expected)
            for connection in connections:
                configure(connection, path)
            for connection in connections[1:]:
                connection.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            raise failure(error, path) from error
        opened.pop_all()
    return SqliteStore(path, connections[0], connections[1:], queue_limit, batch_limit)


class SqliteStore(ProgramStore):
    """A `Store` in a file. Made by `open_store`."""

    def __init__(
        self,
        path: Path,
        writing: sqlite3.Connection,
        reading: Sequence[sqlite3.Connection],
        queue_limit: int,
        batch_limit: int,
    ) -> None:
        self.path = path
        self._connections = [writing, *reading]
        self._free: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        for connection in reading:
            self._free.put(connection)
        self._readers = ThreadPoolExecutor(len(reading), thread_name_prefix="genial-store-reader")
        self._closed = False
        self.writer = Writer(writing, self._translate, queue_limit, batch_limit)
        """Counts what it commits, for the metrics."""

    def _translate(self, error: Exception) -> Exception:
        return failure(error, self.path) if isinstance(error, sqlite3.Error) else error

    async def _write(self, make: Callable[_P, Program[_T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await self.writer.write(lambda connection: run(connection, make(*args, **kwargs)))

    async def _read(self, make: Callable[_P, Program[_T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        if self._closed:
            raise StoreError("store-closed")
        work = partial(self._read_here, lambda connection: run(connection, make(*args, **kwargs)))
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def _read_here(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        # There are as many connections as threads, so this never waits.
        connection = self._free.get()
        try:
            return work(connection)
        except sqlite3.Error as error:
            raise failure(error, self.path) from error
        finally:
            self._free.put(connection)

    async def backup(self, path: str | Path) -> None:
        if self._closed:
            raise StoreError("store-closed")
        # A thread of its own: a backup may take seconds, and readers are few.
        await asyncio.to_thread(backup.write, self.path, Path(path))

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self.writer.close()
        self._readers.shutdown()
        # The writer's last: closing the last connection of a file tidies up its write-ahead log.
        for connection in reversed(self._connections):
            connection.close()
