"""A client of a page's port in this very loop, and the tables behind it, on a file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.server.desk import ADA
from tests.server.paged import searched

from genial.server.calls.devices import Device
from genial.server.page.port import Port
from genial.server.page.start import Tables, open_tables
from genial.server.store import open_store
from genial.server.tables.peers import Peers

Message = dict[str, Any]


class Client:
    """Holds one port, and keeps the messages it receives."""

    def __init__(self, tables: Tables, device: str = ADA) -> None:
        self.heard: list[Message] = []
        self._changed = asyncio.Event()
        self._last = 0
        self.port: Port = tables.port(Device(bytes.fromhex(device)), self._hear)

    def _hear(self, message: Message) -> None:
        self.heard.append(message)
        self._changed.set()

    def say(self, kind: str, number: int | None = None, **more: Any) -> int:
        if number is None:
            self._last += 1
            number = self._last
        self.port.take({"type": kind, "id": number, **more})
        return number

    def ask(self, method: str, path: str, body: object = None, /, **query: str) -> int:
        text = None if body is None else json.dumps(body)
        return self.say("call", method=method, path=path, query=query, body=text, language="nl")

    def open(self, table: str, **query: str) -> int:
        return self.say("open", path=f"/api/tables/{table}/socket", query=query)

    async def next(self, wanted: Callable[[Message], object]) -> Message:
        """The first message received for which this holds."""
        while not (found := [message for message in self.heard if wanted(message)]):
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), 60)
        return found[0]

    async def answer(self, method: str, path: str, body: object = None, **query: str) -> Any:
        number = self.ask(method, path, body, **query)
        answer = await self.next(lambda message: message["id"] == number)
        return json.loads(answer["body"])


def in_page(path: Path, work: Callable[[Tables], Awaitable[None]]) -> None:
    """Do something with the tables of a page."""

    async def done() -> None:
        store = open_store(path, migrate=True)
        tables = await open_tables(store, Peers(), searched)
        try:
            await work(tables)
        finally:
            await tables.close()
            await store.close()

    asyncio.run(done())
