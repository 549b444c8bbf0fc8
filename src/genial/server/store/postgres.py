"""The store in a PostgreSQL database, which several server processes may share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from genial.core.errors import GenialError
from genial.server.store import backup, statements, transfer
from genial.server.store.address import Address
from genial.server.store.driver import Connection, Connections, connect, failure, is_lost_race, run
from genial.server.store.errors import MigrationNeeded, StoreAway, StoreBusy, StoreError
from genial.server.store.interface import Credential, NewEntry, Result, Store, TableRow
from genial.server.store.lanes import Append, Lanes
from genial.server.store.migrations import Ground, Migration, climb, known, refuse_newer
from genial.server.store.moves import MOVES, values
from genial.server.store.programs import ProgramStore
from genial.server.store.sqlite import open_store
from genial.server.store.statements import Ask, Program

_P = ParamSpec("_P")
_T = TypeVar("_T")

_MARK = "genial"
"""The comment on our table of versions: it tells our databases from other programs'."""
_LOCK = 0x47454E49
"""Held by whoever changes the schema."""
_TRIES = 20
# Writers look up keys and nothing else. A plan made while the tables were empty would read them whole.
_BY_KEY = {"enable_seqscan": "off"}


async def open_postgres(
    address: Address,
    *,
    migrate: bool = False,
    queue_limit: int = 4096,
    batch_limit: int = 256,
    lanes: int = 2,
    readers: int = 4,
) -> PostgresStore:
    """Open a database. With `migrate` it is brought up to date first; without, it has to be."""
    if migrate:
        await migrate_postgres(address)
    expected = len(known("postgres"))
    async with _connected(address) as connection:
        version = await run(connection, _version_of(address))
    refuse_newer(address.shown, version, expected)
    if version < expected:
        raise MigrationNeeded(address.shown, version, expected)
    return PostgresStore(address, queue_limit, batch_limit, lanes, readers)


async def migrate_postgres(address: Address, steps: Sequence[Migration] | None = None) -> list[str]:
    """Bring a database up to date; gives the names of the migrations applied."""
    steps = known("postgres") if steps is None else steps
    ground = Ground(
        lambda: _version_of(address), Ask(f"COMMENT ON TABLE schema_version IS '{_MARK}'"), _nothing
    )
    async with _connected(address, statement_timeout="0", lock_timeout="0") as connection:
        refuse_newer(address.shown, await run(connection, _version_of(address)), len(steps))
        return [step.name for step in steps if await _climb(connection, address, ground, step)]


async def _climb(connection: Connection, address: Address, ground: Ground, step: Migration) -> bool:
    try:
        async with connection.transaction():
            await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
            return await run(connection, climb(ground, step))
    except Exception as error:
        told = failure(error, address)
        if isinstance(told, StoreError) and told.code == "store-failed":
            problem = told.params["problem"]
            raise StoreError("store-migration-failed", name=step.name, problem=problem) from None
        raise told from None


def _version_of(address: Address) -> Program[int]:
    """The schema of a database, 0 if it is empty. Refuses what is not ours."""
    (found,) = yield Ask(
        "SELECT obj_description(to_regclass('schema_version'), 'pg_class'),"
        " (SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        " AND relkind IN ('r', 'p'))"
    )
    mark, tables = found
    if mark is None and tables == 0:
        return 0
    if mark != _MARK:
        raise StoreError("store-foreign", path=address.shown)
    ((version,),) = yield Ask("SELECT coalesce(max(version), 0) FROM schema_version")
    return int(version)


def _nothing() -> Program[None]:
    """The database itself looks after references."""
    yield from ()


@asynccontextmanager
async def _connected(address: Address, **settings: str) -> AsyncIterator[Connection]:
    try:
        connection = await connect(address, **settings)
    except StoreAway as away:
        raise StoreError("store-unopened", path=address.shown, problem=away.reason) from None
    try:
        yield connection
    except Exception as error:
        raise failure(error, address) from None
    finally:
        connection.terminate()


class PostgresStore(ProgramStore):
    """A `Store` in a database. Made by `open_postgres`, for one event loop."""

    def __init__(
        self, address: Address, queue_limit: int, batch_limit: int, lanes: int, readers: int
    ) -> None:
        self.address = address
        self._reading = Connections(address, readers)
        self._moving = Connections(address, lanes, **_BY_KEY)
        self._writing = Connections(address, 1, **_BY_KEY)
        self._closed = False
        self.lanes = Lanes(self._write_batch, lanes=lanes, queue_limit=queue_limit, batch_limit=batch_limit)

    async def _read(self, make: Callable[_P, Program[_T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        self._check_open()
        try:
            async with self._reading.one() as connection:
                return await run(connection, make(*args, **kwargs))
        except Exception as error:
            raise failure(error, self.address) from None

    async def _write(self, make: Callable[_P, Program[_T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        self._check_open()
        # What was asked for is done, also when the caller gives up.
        task = asyncio.create_task(self._changed(lambda: make(*args, **kwargs)))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(task)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("store-closed")

    async def _changed(self, make: Callable[[], Program[_T]]) -> _T:
        try:
            async with self._writing.one() as connection:
                return await _transacted(connection, make)
        except Exception as error:
            raise failure(error, self.address) from None

    async def _append(
        self,
        game: str,
        first_seq: int,
        entries: Sequence[NewEntry],
        row: TableRow | None,
        credentials: Sequence[Credential],
        result: Result | None,
    ) -> None:
        await self.lanes.append(Append(game, first_seq, entries, row, credentials, result))

    async def _write_batch(self, batch: list[Append]) -> None:
        try:
            async with self._moving.one() as connection:
                await self._written(connection, batch)
        except Exception as error:
            raise failure(error, self.address) from None

    async def _written(self, connection: Connection, batch: list[Append]) -> None:
        moves = [append for append in batch if append.is_move]
        games = await self._moved(connection, moves) if moves else set()
        for append in batch:
            if append.game in games:
                append.settle()
        for append in batch:
            if append.game not in games:
                await self._written_alone(connection, append)

    async def _moved(self, connection: Connection, moves: list[Append]) -> set[str]:
        """Write the moves that fit, all in one statement; gives their tables."""
        for _ in range(_TRIES):
            try:
                return {game for (game,) in await connection.fetch(MOVES, *values(moves))}
            except Exception as error:
                if isinstance(failure(error, self.address), StoreAway):
                    raise
                if not is_lost_race(error):
                    break  # something is wrong with one of them; alone it fails without the others
                # A second look no longer counts a move whose number was taken among those that fit.
        return set()

    async def _written_alone(self, connection: Connection, append: Append) -> None:
        def make() -> Program[None]:
            return statements.append(
                append.game, append.first_seq, append.entries, append.row, append.credentials, append.result
            )

        try:
            await _transacted(connection, make)
            append.settle()
        except Exception as error:
            append.settle(failure(error, self.address))
            if connection.is_closed():
                raise

    async def backup(self, path: str | Path) -> None:
        """Into a file of SQLite's: it can be served, or copied back, as it is."""
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
    async def moment(self) -> AsyncIterator[Store]:
        """The store as it is now, and stays for who reads it here, while others go on."""
        async with (
            _connected(self.address, idle_in_transaction_session_timeout="0") as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield _Moment(connection)

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self.lanes.close()
            await self._moving.close()
            await self._writing.close()
            await self._reading.close()


class _Moment(ProgramStore):
    """What one transaction sees."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._turn = asyncio.Lock()

    async def _read(self, make: Callable[_P, Program[_T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        async with self._turn:
            return await run(self._connection, make(*args, **kwargs))

    async def _write(self, make: Callable[_P, Program[_T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        raise StoreError("store-closed")

    async def backup(self, path: str | Path) -> None:
        raise StoreError("store-closed")

    async def close(self) -> None:
        """Its transaction is its owner's."""


async def _transacted(connection: Connection, make: Callable[[], Program[_T]]) -> _T:
    """Run a program in a transaction; where another process was faster, look again and decide anew."""
    for _ in range(_TRIES):
        try:
            # All its statements see the same moment, so that of several reasons to refuse the first is told.
            async with connection.transaction(isolation="repeatable_read"):
                return await run(connection, make())
        except GenialError:
            raise
        except Exception as error:
            if not is_lost_race(error):
                raise
    raise StoreBusy
