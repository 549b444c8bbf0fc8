"""The store in one SQLite file: one writer thread, and a few connections that read alongside it."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TypeVar

from genial.server.store import backup
from genial.server.store.migrations import require_newest
from genial.server.store.programs import Make
from genial.server.store.sql_store import MOVE_ON, PUT_ENTRY, SqlStore, appended, numbered_entries
from genial.server.store.sqlite_file import (
    BUSY_TIMEOUT,
    configure,
    connect,
    failure,
    run,
    version_of,
)
from genial.server.store.sqlite_migration import migrate as bring_up_to_date
from genial.server.store.sqlite_writer import Writer, undo
from genial.server.tables.store import Append
from genial.server.tables.store_errors import StoreError

_T = TypeVar("_T")

_MOVE_ON = f"{MOVE_ON} AND last_seq = ?"


def open_store(
    path: str | Path,
    *,
    migrate: bool = False,
    queue_limit: int = 4096,
    batch_limit: int = 512,
    readers: int = 2,
    busy_timeout: int = BUSY_TIMEOUT,
) -> SqliteStore:
    """Open a store's file. With `migrate` it is created or brought up to date first; without, it must be."""
    path = Path(path)
    if migrate:
        bring_up_to_date(path)
    if not path.exists():
        require_newest(str(path), 0, "sqlite")
    with ExitStack() as opened:
        try:
            connections = [
                opened.enter_context(closing(connect(path, busy_timeout))) for _ in range(1 + readers)
            ]
            require_newest(str(path), run(connections[0], version_of(path)), "sqlite")
            for connection in connections:
                configure(connection, path)
            for connection in connections[1:]:
                connection.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            raise failure(error, path) from error
        opened.pop_all()
    return SqliteStore(path, connections[0], connections[1:], queue_limit, batch_limit)


class SqliteStore(SqlStore):
    """A store in a file. Use `open_store` to get one."""

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
        self._file = _identity(path)
        self.writer = Writer(writing, self._translate, queue_limit, batch_limit)
        """Counts commits, for the metrics."""

    def _translate(self, error: Exception) -> Exception:
        return failure(error, self.path) if isinstance(error, sqlite3.Error) else error

    async def append(self, append: Append) -> None:
        await self.writer.write(partial(_append, append))

    async def _write(self, make: Make[_T]) -> _T:
        return await self.writer.write(lambda connection: run(connection, make()))

    async def _read(self, make: Make[_T]) -> _T:
        if self._closed:
            raise StoreError("store-closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read_here, make)

    def _read_here(self, make: Make[_T]) -> _T:
        # There are as many connections as threads, so this never waits.
        connection = self._free.get()
        try:
            return run(connection, make())
        except sqlite3.Error as error:
            raise failure(error, self.path) from error
        finally:
            self._free.put(connection)

    async def probe(self, key: str, now: int) -> bool:
        # If the file is removed or replaced under us, everything still gets written, but nobody will find it.
        file = await asyncio.get_running_loop().run_in_executor(self._readers, _identity, self.path)
        return file == self._file and await super().probe(key, now)

    async def backup(self, path: str | Path) -> None:
        if self._closed:
            raise StoreError("store-closed")
        # A separate thread: a backup may take seconds, and there are few readers.
        await asyncio.to_thread(backup.write, self.path, Path(path))

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self.writer.close()
        self._readers.shutdown()
        # The writer's connection last: closing a file's last connection cleans up its write-ahead log.
        for connection in reversed(self._connections):
            connection.close()


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file has this name now; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _append(append: Append, connection: sqlite3.Connection) -> None:
    """A move takes two statements if it fits; the program handles everything else."""
    if append.is_move:
        expected = append.first_seq - 1
        try:
            values = append.updated, append.last_seq, append.table_id, expected
            if connection.execute(_MOVE_ON, values).rowcount:
                connection.executemany(PUT_ENTRY, numbered_entries(append))
                return
        except sqlite3.IntegrityError:
            undo(connection)
    run(connection, appended(append))
