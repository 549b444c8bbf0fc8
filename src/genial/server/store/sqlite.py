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
from typing import Concatenate, ParamSpec, TypeVar

from genial.server.store import backup, migrations, statements
from genial.server.store.connect import BUSY_TIMEOUT, configure, connect, failure, refuse_newer, version_of
from genial.server.store.errors import MigrationNeeded, StoreError
from genial.server.store.interface import (
    Ban,
    BanKind,
    Credential,
    NewEntry,
    Result,
    Status,
    StoredEntry,
    TableRow,
)
from genial.server.store.writer import Writer

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Statement = Callable[Concatenate[sqlite3.Connection, _P], _T]


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
        migrations.migrate(path)
    expected = len(migrations.known())
    if not path.exists():
        raise MigrationNeeded(str(path), 0, expected)
    with ExitStack() as opened:
        try:
            connections = [
                opened.enter_context(closing(connect(path, busy_timeout))) for _ in range(1 + readers)
            ]
            version = version_of(connections[0], path)
            refuse_newer(path, version, expected)
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


class SqliteStore:
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

    async def _write(self, statement: _Statement[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await self.writer.write(lambda connection: statement(connection, *args, **kwargs))

    async def _read(self, statement: _Statement[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        if self._closed:
            raise StoreError("store-closed")
        work = partial(self._read_here, lambda connection: statement(connection, *args, **kwargs))
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

    async def append(
        self,
        game: str,
        first_seq: int,
        entries: Sequence[NewEntry],
        row: TableRow | None = None,
        credentials: Sequence[Credential] = (),
    ) -> None:
        if any(part.game != game for part in (*credentials, *([row] if row else ()))):
            raise ValueError(f"a row or credential of another table than {game}")
        await self._write(statements.append, game, first_seq, entries, row, credentials)

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[StoredEntry]:
        return await self._read(statements.read, game, after, limit)

    async def move(self, game: str, move_id: str) -> int | None:
        return await self._read(statements.move, game, move_id)

    async def table(self, game: str) -> TableRow | None:
        return await self._read(statements.table, game)

    async def table_by_code(self, code: str) -> TableRow | None:
        return await self._read(statements.table_by_code, code)

    async def tables(
        self,
        status: Status | None = None,
        public: bool | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
    ) -> list[TableRow]:
        return await self._read(statements.tables, status, public, limit, before)

    async def games_of(self, device_hash: bytes, limit: int = 100) -> list[TableRow]:
        return await self._read(statements.games_of, device_hash, limit)

    async def stale(self, status: Status, updated_before: int, limit: int = 100) -> list[TableRow]:
        return await self._read(statements.stale, status, updated_before, limit)

    async def delete(self, game: str) -> None:
        await self._write(statements.delete, game)

    async def credential(self, token_hash: bytes) -> list[Credential]:
        return await self._read(statements.credential, token_hash)

    async def credentials_of(self, game: str) -> list[Credential]:
        return await self._read(statements.credentials_of, game)

    async def revoke(self, token_hash: bytes, game: str) -> None:
        await self._write(statements.revoke, token_hash, game)

    async def ban(self, kind: BanKind, key_hash: bytes, until: int | None) -> None:
        await self._write(statements.ban, kind, key_hash, until)

    async def unban(self, kind: BanKind, key_hash: bytes) -> None:
        await self._write(statements.unban, kind, key_hash)

    async def banned(self, key_hash: bytes, now: int) -> bool:
        return await self._read(statements.banned, key_hash, now)

    async def bans(self) -> list[Ban]:
        return await self._read(statements.bans)

    async def add_result(self, result: Result) -> None:
        await self._write(statements.add_result, result)

    async def results(self, device_hash: bytes, variant: str, limit: int = 100) -> list[Result]:
        return await self._read(statements.results, device_hash, variant, limit)

    async def all_results(self, after: Result | None = None, limit: int = 1000) -> list[Result]:
        return await self._read(statements.all_results, after, limit)

    async def put_snapshot(self, game: str, seq: int, data: bytes) -> None:
        await self._write(statements.put_snapshot, game, seq, data)

    async def snapshot(self, game: str) -> tuple[int, bytes] | None:
        return await self._read(statements.snapshot, game)

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
