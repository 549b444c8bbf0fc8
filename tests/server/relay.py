"""A network between a server and its database that can be cut: then nothing arrives, and nobody is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from genial.server.store import Address

_T = TypeVar("_T")
_PATIENCE = 20.0


class Relay:
    """Passes bytes between a TCP port and the database's Unix socket, in a thread of its own."""

    def __init__(self, database: Address, host: str) -> None:
        split = urlsplit(database.url)
        self._path = f"{parse_qs(split.query)['host'][0]}/.s.PGSQL.5432"
        self._host = host
        self._name = split.path
        self._open: asyncio.Event
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.port = 0

    def __enter__(self) -> Relay:
        self._thread.start()
        self._run(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def address(self) -> Address:
        """The database, by way of this relay."""
        return Address(f"postgresql://postgres@{self._host}:{self.port}{self._name}")

    def cut(self) -> None:
        """Let nothing through from now on; no connection is closed, nobody is told."""
        self._loop.call_soon_threadsafe(self._open.clear)

    def mend(self) -> None:
        """Let everything through again, what waited included."""
        self._loop.call_soon_threadsafe(self._open.set)

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    async def _start(self) -> None:
        self._open = asyncio.Event()
        self._open.set()
        self._server = await asyncio.start_server(self._accept, self._host, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        try:
            inner, outer = await asyncio.open_unix_connection(self._path)
        except OSError:
            writer.close()
            return
        both = (self._pass(reader, outer), self._pass(inner, writer))
        await asyncio.gather(*both)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while data := await reader.read(1 << 16):
                    await self._open.wait()
                    writer.write(data)
                    await writer.drain()
        finally:
            writer.close()
