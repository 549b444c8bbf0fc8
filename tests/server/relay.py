"""A network between a server and its database that can be cut: then nothing arrives, without notice."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

from tests.server.listener import Listener

from genial.server.store import Address


class Relay:
    """Passes bytes between a TCP port and the database's Unix socket."""

    def __init__(self, database: Address, host: str) -> None:
        split = urlsplit(database.url)
        self._path = f"{parse_qs(split.query)['host'][0]}/.s.PGSQL.5432"
        self._name = split.path
        self._open = asyncio.Event()
        self._open.set()
        self._listener = Listener(self._serve, host)

    def __enter__(self) -> Relay:
        self._listener.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    @property
    def address(self) -> Address:
        """The database, through this relay."""
        listener = self._listener
        return Address(f"postgresql://postgres@{listener.host}:{listener.port}{self._name}")

    def cut(self) -> None:
        """Let nothing through from now on, without closing connections or notifying anybody."""
        self._listener.soon(self._open.clear)

    def mend(self) -> None:
        """Let everything through again, including what was held back."""
        self._listener.soon(self._open.set)

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
