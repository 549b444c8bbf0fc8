"""Connections to a database: none is left open, whatever happens to the caller."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from tests.server.postgres import Postgres

from genial.server.processes.process import Processes
from genial.server.store import Address
from genial.server.store.postgres_driver import Connections, connect
from genial.server.tables.server_time import ServerTime


@pytest.fixture
def database(postgres: Postgres) -> Address:
    return postgres.database()


@contextmanager
def none_left_open() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
        gc.collect()
    assert [str(warning.message) for warning in told] == []


async def cancelled_at_any_moment(work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    for moment in range(30):
        task = asyncio.create_task(work())
        await asyncio.sleep(moment / 2000)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def test_a_connection_cancelled_while_opening_is_closed(database: Address) -> None:
    async def opened() -> None:
        (await connect(database)).terminate()

    with none_left_open():
        asyncio.run(cancelled_at_any_moment(opened))


def test_a_connection_in_use_when_its_pool_closes_is_closed_on_return(database: Address) -> None:
    async def body() -> None:
        connections = Connections(database, 2)
        async with connections.one() as connection:
            await connections.close()
            assert await connection.fetchval("SELECT 1") == 1
        assert connection.is_closed()

    with none_left_open():
        asyncio.run(body())


def test_a_process_that_joins_and_leaves_at_once_leaves_no_connection(
    postgres: Postgres, database: Address
) -> None:
    postgres.execute("CREATE TABLE unrelated ()", database)  # none of our tables: every heartbeat fails

    async def joined() -> None:
        processes = Processes(database, ServerTime())
        with suppress(Exception):
            await processes.start()
        await processes.stop()

    with none_left_open():
        asyncio.run(cancelled_at_any_moment(joined))
