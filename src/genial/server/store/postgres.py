"""The store in a PostgreSQL database, which several server processes may share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from genial.core.errors import GenialError
from genial.server.store import backup, transfer
from genial.server.store.address import Address
from genial.server.store.append_queue import AppendQueue, Waiting
from genial.server.store.migrations import require_newest
from genial.server.store.postgres_driver import (
    Connection,
    Connections,
    connected,
    failure,
    is_lost_race,
    run,
)
from genial.server.store.postgres_migration import migrate_postgres, version_of
from genial.server.store.postgres_moves import MOVES, values
from genial.server.store.programs import Make
from genial.server.store.read_only import ReadOnlyStore
from genial.server.store.sql_store import SqlStore, appended
from genial.server.store.sqlite import open_store
from genial.server.tables.store import Append
from genial.server.tables.store_errors import StoreAway, StoreBusy, StoreError

_T = TypeVar("_T")

_TRIES = 20
# Writers only look up keys. A plan made while the tables were empty would scan them.
_BY_KEY = {"enable_seqscan": "off"}


async def open_postgres(
    address: Address,
    *,
    migrate: bool = False,
    queue_limit: int = 4096,
    batch_limit: int = 256,
    writers: int = 2,
    readers: int = 4,
) -> PostgresStore:
    """Open a database. With `migrate` it is brought up to date first; without, it must be already."""
    if migrate:
        await migrate_postgres(address)
    async with connected(address) as connection:
        require_newest(address.shown, await run(connection, version_of(address)), "postgres")
    return PostgresStore(address, queue_limit, batch_limit, writers, readers)


class PostgresStore(SqlStore):
    """A store in a database, for one event loop. Use `open_postgres` to get one."""

    def __init__(
        self, address: Address, queue_limit: int, batch_limit: int, writers: int, readers: int
    ) -> None:
        self.address = address
        self._reading = Connections(address, readers)
        self._moving = Connections(address, writers, **_BY_KEY)
        self._writing = Connections(address, 1, **_BY_KEY)
        self._closed = False
        self.queue = AppendQueue(
            self._write_batch, writers=writers, queue_limit=queue_limit, batch_limit=batch_limit
        )
        """Counts what it writes."""

    async def append(self, append: Append) -> None:
        await self.queue.append(append)

    async def _read(self, make: Make[_T]) -> _T:
        self._check_open()
        try:
            async with self._reading.one() as connection:
                return await run(connection, make())
        except Exception as error:
            raise failure(error, self.address) from None

    async def _write(self, make: Make[_T]) -> _T:
        self._check_open()
        # The work is finished even if the caller gives up.
        task = asyncio.create_task(self._changed(make))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(task)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("store-closed")

    async def _changed(self, make: Make[_T]) -> _T:
        try:
            async with self._writing.one() as connection:
                return await _transacted(connection, make)
        except Exception as error:
            raise failure(error, self.address) from None

    async def _write_batch(self, batch: list[Waiting]) -> None:
        try:
            async with self._moving.one() as connection:
                moves = [waiting.append for waiting in batch if waiting.append.is_move]
                moved = await self._moved(connection, moves) if moves else set()
                for waiting in batch:
                    if waiting.append.table_id in moved:
                        waiting.settle()
                for waiting in batch:
                    if waiting.append.table_id not in moved:
                        await self._written_alone(connection, waiting)
        except Exception as error:
            raise failure(error, self.address) from None

    async def _moved(self, connection: Connection, moves: list[Append]) -> set[str]:
        """Write the moves that fit, all in one statement. Returns their tables."""
        try:
            return {table_id for (table_id,) in await connection.fetch(MOVES, *values(moves))}
        except Exception as error:
            if isinstance(failure(error, self.address), StoreAway):
                raise
            return set()  # something is wrong with one of them; alone, it fails without the others

    async def _written_alone(self, connection: Connection, waiting: Waiting) -> None:
        try:
            await _transacted(connection, partial(appended, waiting.append))
            waiting.settle()
        except Exception as error:
            waiting.settle(failure(error, self.address))
            if connection.is_closed():
                raise

    async def backup(self, path: str | Path) -> None:
        """Back up into an SQLite file, which can be served or copied back as it is."""
        self._check_open()
        with backup.placed(Path(path)) as part:
            target = open_store(part, migrate=True)
            try:
                async with self.moment() as source:
                    await transfer.copy(source, target)
            finally:
                await target.close()
            backup.make_single(part)

    @asynccontextmanager
    async def moment(self) -> AsyncIterator[SqlStore]:
        """The store as it is now; readers here see no later changes, while others carry on."""
        async with (
            connected(self.address, idle_in_transaction_session_timeout="0") as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield ReadOnlyStore(partial(run, connection), lambda: None)

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self.queue.close()
            await self._moving.close()
            await self._writing.close()
            await self._reading.close()


async def _transacted(connection: Connection, make: Make[_T]) -> _T:
    """Run a program in a transaction; if another process was faster, run it again from the start."""
    for _ in range(_TRIES):
        try:
            # All its statements see the same moment, so that the first of several reasons to refuse is
            # reported.
            async with connection.transaction(isolation="repeatable_read"):
                return await run(connection, make())
        except GenialError:
            raise
        except Exception as error:
            if not is_lost_race(error):
                raise
    raise StoreBusy
