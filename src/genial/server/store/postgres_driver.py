"""asyncpg, if installed: our connections, programs that run on them, and its errors as ours."""

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
"""asyncpg has no type hints."""
Fetch: TypeAlias = Callable[..., Awaitable[list[Any]]]
"""Runs one statement with its parameters, and returns its rows."""

CONNECT_SECONDS = 3.0
COMMAND_SECONDS = 5.0
"""A database that hasn't answered by then counts as away."""
_PAUSE_SECONDS = 0.5
"""How long after a failure no new connection is tried."""

_SETTINGS = {
    "application_name": "genial",
    # Our statements are short, and planning is most of their cost.
    "jit": "off",
    # A process that was cut off must not lock a table's row for longer than its players will wait.
    "lock_timeout": "3s",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "5s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
_LOST_RACES = ("23503", "23505", "40001", "40P01")
"""Somebody else was faster: a key is taken or gone, or there was a deadlock. A second try shows which."""
_AWAY = ("08", "57", "53300", "25006")
_BUSY = ("55P03",)


async def connect(address: Address, **settings: str) -> Connection:
    """A connection whose commits are durable. With no statement timeout, we wait for as long as it takes."""
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
    except asyncpg.ClientConfigurationError as error:  # a setting in the address, or a missing certificate
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
    """End a new connection if something here fails or is cancelled: nobody else knows of it yet."""
    try:
        yield
    except BaseException:
        connection.terminate()
        raise


async def run(connection: Connection, program: Program[_T]) -> _T:
    """Run a program, statement by statement."""
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
    """The same statement with numbered parameters.

    >>> numbered("SELECT ? < ?")
    'SELECT $1 < $2'
    """
    first, *rest = sql.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


def is_lost_race(error: Exception) -> bool:
    """True if somebody else's change caused this, and it should be tried again."""
    return getattr(error, "sqlstate", None) in _LOST_RACES


def failure(error: Exception, address: Address) -> Exception:
    """Translate an error of the driver or the database into one of ours."""
    state = getattr(error, "sqlstate", None)
    if isinstance(error, GenialError):
        return error
    if isinstance(error, OSError):
        # asyncio words a refused connection as a system call; an unknown name has a negative number.
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
    if str(state).startswith(("28", "3D")):  # wrong credentials or database
        return StoreError("store-unopened", path=address.shown, problem=_words(error))
    return StoreError("store-failed", path=address.shown, problem=_words(error))


def _is_drivers(error: Exception) -> bool:
    """True for the driver's own errors, mostly a closed connection. ValueErrors are the caller's fault."""
    return type(error).__module__.startswith("asyncpg") and not isinstance(error, ValueError)


def _words(error: Exception) -> str:
    """The database's message, without the details, which quote rows."""
    return str(getattr(error, "message", None) or type(error).__name__)


class Connections:
    """A few connections, opened when needed and dropped when they fail."""

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
            raise StoreAway  # otherwise every caller would wait as long as the last one
        try:
            return await connect(self._address, **self._settings)
        except StoreAway:
            self._failed = time.monotonic()
            raise

    def _put_back(self, connection: Connection, whole: bool) -> None:
        # One left in the middle of something would answer the next caller with the rest of it.
        if whole and not (self._closed or connection.is_closed() or connection.is_in_transaction()):
            self._idle.append(connection)
        else:
            connection.terminate()

    async def close(self) -> None:
        """Close the idle connections now, and those in use when they come back."""
        self._closed = True
        while self._idle:
            connection = self._idle.pop()
            with suppress(Exception):
                await connection.close(timeout=CONNECT_SECONDS)
