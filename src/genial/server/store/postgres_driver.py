"""asyncpg, where it is installed: our connections, programs that run on them, and its errors as ours."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from typing import Any, TypeAlias, TypeVar

from genial.core.errors import GenialError
from genial.server.store.address import Address
from genial.server.store.programs import Program
from genial.server.tables.errors import WrongSetup
from genial.server.tables.store_errors import StoreAway, StoreBusy, StoreError

_T = TypeVar("_T")
Connection: TypeAlias = Any
"""asyncpg has no types."""
Fetch: TypeAlias = Callable[..., Awaitable[list[Any]]]
"""Runs one statement with its parameters, and gives its rows."""

CONNECT_SECONDS = 3.0
COMMAND_SECONDS = 5.0
"""A database that has not answered by then counts as away."""
_PAUSE_SECONDS = 0.5
"""So long after a failure no new connection is tried."""

_SETTINGS = {
    "application_name": "genial",
    # Our statements are short, and planning them is most of their cost.
    "jit": "off",
    # A process that was cut off must not hold a table's row for longer than its players wait.
    "lock_timeout": "3s",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "5s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
_LOST_RACES = ("23503", "23505", "40001", "40P01")
"""Somebody else was faster: a key is taken or gone, or two waited for each other. Asked again, it is told."""
_AWAY = ("08", "57", "53300", "25006")
_BUSY = ("55P03",)


async def connect(address: Address, **settings: str) -> Connection:
    """A connection whose commits are durable. Where a statement may take any time, it is waited for."""
    try:
        import asyncpg  # type: ignore[import-untyped]  # only who uses it pays for it
    except ImportError:
        raise WrongSetup("store-driver") from None
    try:
        connection = await asyncpg.connect(
            address.url,
            password=address.password,
            timeout=CONNECT_SECONDS,
            command_timeout=None if settings.get("statement_timeout") == "0" else COMMAND_SECONDS,
            server_settings={**_SETTINGS, **settings},
        )
        with ended_if_it_fails(connection):
            lax = await connection.fetchval("SHOW synchronous_commit") == "off"
            if lax and "synchronous_commit" not in settings:
                await connection.execute("SET synchronous_commit = on")
        return connection
    except asyncpg.ClientConfigurationError as error:  # a setting in the address, or a certificate it wants
        raise StoreError("store-unopened", path=address.shown, problem=str(error).splitlines()[0]) from None
    except Exception as error:
        raise failure(error, address) from None


@asynccontextmanager
async def connected(address: Address, **settings: str) -> AsyncIterator[Connection]:
    """A connection for one piece of work, before there is a store or beside it."""
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


@contextmanager
def ended_if_it_fails(connection: Connection) -> Iterator[None]:
    """Nobody else knows a new connection yet: what fails or is cancelled here has to end it."""
    try:
        yield
    except BaseException:
        connection.terminate()
        raise


async def run(connection: Connection, program: Program[_T]) -> _T:
    """Carry a program out, statement by statement."""
    try:
        ask = next(program)
        while True:
            if ask.many:
                await connection.executemany(numbered(ask.sql), ask.values)
                ask = program.send(())
            else:
                ask = program.send(await connection.fetch(numbered(ask.sql), *ask.values))
    except StopIteration as done:
        answer: _T = done.value
        return answer


@cache
def numbered(sql: str) -> str:
    """The same statement with its parameters numbered.

    >>> numbered("SELECT ? < ?")
    'SELECT $1 < $2'
    """
    first, *rest = sql.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


def is_lost_race(error: Exception) -> bool:
    """Whether it was somebody else's doing, and is to be tried again."""
    return getattr(error, "sqlstate", None) in _LOST_RACES


def failure(error: Exception, address: Address) -> Exception:
    """An error of the driver, or of the database, as one of ours."""
    state = getattr(error, "sqlstate", None)
    if isinstance(error, GenialError):
        return error
    if isinstance(error, OSError):
        # asyncio words a refused connection as a call; a name that is not found has a number below zero.
        number = error.errno or 0
        return StoreAway(os.strerror(number) if number > 0 else error.strerror)
    if state is None and _is_drivers(error):
        return StoreAway()
    if state is None:
        return error
    if state in _BUSY or state in _LOST_RACES:
        return StoreBusy()
    if str(state).startswith(_AWAY):
        return StoreAway()
    if str(state).startswith(("28", "3D")):  # who we are, and which database
        return StoreError("store-unopened", path=address.shown, problem=_words(error))
    return StoreError("store-failed", path=address.shown, problem=_words(error))


def _is_drivers(error: Exception) -> bool:
    """The driver's own errors: mostly a connection that is closed. One that quotes data is the caller's."""
    return type(error).__module__.startswith("asyncpg") and not isinstance(error, ValueError)


def _words(error: Exception) -> str:
    """What the database says, without the details, which quote rows."""
    return str(getattr(error, "message", None) or type(error).__name__)


class Connections:
    """A few connections, opened when they are needed and given up when they fail."""

    def __init__(self, address: Address, most: int, **settings: str) -> None:
        self._address = address
        self._settings = settings
        self._room = asyncio.Semaphore(most)
        self._idle: deque[Connection] = deque()
        self._closed = False
        self._failed = -_PAUSE_SECONDS

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Connection]:
        """One connection for one caller."""
        async with asyncio.timeout(COMMAND_SECONDS):
            await self._room.acquire()
        try:
            connection = await self._open()
            try:
                yield connection
            except BaseException as error:
                self._put_back(connection, isinstance(error, GenialError) or hasattr(error, "sqlstate"))
                raise
            self._put_back(connection, True)
        finally:
            self._room.release()

    async def _open(self) -> Connection:
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
        if time.monotonic() - self._failed < _PAUSE_SECONDS:
            raise StoreAway  # everybody who waits would wait as long as the last one
        try:
            return await connect(self._address, **self._settings)
        except StoreAway:
            self._failed = time.monotonic()
            raise

    def _put_back(self, connection: Connection, whole: bool) -> None:
        # One that was left in the middle of something would answer the next caller with the rest of it.
        if whole and not (self._closed or connection.is_closed() or connection.is_in_transaction()):
            self._idle.append(connection)
        else:
            connection.terminate()

    async def close(self) -> None:
        """Close those that are idle now, and those in use when they come back."""
        self._closed = True
        while self._idle:
            connection = self._idle.pop()
            with suppress(Exception):
                await connection.close(timeout=CONNECT_SECONDS)
