"""The tables of a page, in this process: the same suite talks to its port as to a server.

With GENIAL_PAGE=1 the contract suite runs like this (`make page-tables`). Several people then share one page,
each with their own port, and with what they need for that: links, the lobby, spectators.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import Future
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from genial.bots.search import Question, Rows
from genial.kernel import engine, library
from genial.kernel.lent import Lent
from genial.server.calls.answering import preferred
from genial.server.calls.capabilities import PAGE, Capability
from genial.server.calls.devices import device_of
from genial.server.page.port import Port
from genial.server.page.start import Tables, open_tables
from genial.server.store import open_store
from genial.server.tables.peers import Peers
from genial.server.tables.settings import Limits
from genial.server.tables.store import Store

IN_PAGE = bool(os.environ.get("GENIAL_PAGE"))
"""True if the suite runs against a page's port."""
CAN: frozenset[Capability] = PAGE | {"links", "lobby", "spectators"}
over_http = pytest.mark.skipif(IN_PAGE, reason="about HTTP, which a page has none of")

_T = TypeVar("_T")
_PATIENCE = 60.0
Message = dict[str, Any]


async def searched(question: Question) -> Rows:
    """A search by the library, without blocking the loop."""
    return await asyncio.to_thread(question.run)


def lend_library() -> None:
    """Use the library as a page uses its kernel."""
    native = library.load()
    engine.give(Lent(lambda name, arguments: getattr(native, name)(*arguments)))


class InPage:
    """The tables of a page in a separate thread, on a file."""

    port = 0
    origin = "http://page"
    can = CAN

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path, self._limits = path, limits
        self.tables: Tables
        self._loop: asyncio.AbstractEventLoop
        self._ready, self._end = threading.Event(), Future[None]()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()))

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        lend_library()
        store = open_store(self._path, migrate=True)
        self.tables = await open_tables(store, Peers(), searched, self._limits, CAN)
        self._ready.set()
        await asyncio.wrap_future(self._end)
        await self.tables.close()
        await store.close()

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(_PATIENCE), "the page did not start"

    def stop(self) -> None:
        self._end.set_result(None)
        self._thread.join(_PATIENCE)

    def on_loop(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run something in the page's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    def in_store(self, work: Callable[[Store], Awaitable[_T]]) -> _T:
        async def done() -> _T:
            return await work(self.tables.services.hub.store)

        return self.on_loop(done())

    def say(self, port: Port, message: Message) -> None:
        """Pass on a copy of a message."""
        self._loop.call_soon_threadsafe(port.take, deepcopy(message))


class PortTransport(httpx.AsyncBaseTransport):
    """Acts for one device: requests become calls on a port; also opens conversations about tables."""

    def __init__(self, page: InPage) -> None:
        self._page = page
        self._numbers = count(1)
        self._heard: dict[int, Callable[[Message], None]] = {}
        self._loop = asyncio.get_running_loop()
        self._be(page.tables.services.tokens.new())

    def _be(self, token: str) -> None:
        device = device_of(token)
        assert device is not None
        self._cookie = f"genial={token}"
        self._port = self._page.tables.port(device, self._told)

    def _look_at(self, cookie: str) -> None:
        """Switch to the device with this cookie, which may be one that has come back."""
        if cookie not in ("", self._cookie):
            self._be(cookie.removeprefix("genial="))

    def _told(self, message: Message) -> None:
        self._loop.call_soon_threadsafe(self._hear, message)

    def _hear(self, message: Message) -> None:
        self._heard[message["id"]](message)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._look_at(request.headers.get("cookie", ""))
        number, done = next(self._numbers), asyncio.get_running_loop().create_future()
        self._heard[number] = done.set_result
        body, url = (await request.aread()).decode(), request.url
        call = {
            "type": "call",
            "id": number,
            "method": request.method,
            "path": url.raw_path.decode().partition("?")[0],
            "query": dict(url.params),
            "body": body or None,
            "language": preferred(request.headers.get("accept-language", "")),
        }
        self._page.say(self._port, call)
        answer = await done
        del self._heard[number]
        headers = {"content-type": answer["kind"], "set-cookie": f"{self._cookie}; Path=/"}
        if answer["name"] is not None:
            headers["content-disposition"] = f'attachment; filename="{answer["name"]}"'
        return httpx.Response(answer["status"], headers=headers, content=answer["body"])

    async def open(self, table: str, query: dict[str, Any], cookie: str) -> PortConnection | None:
        """A table's conversation; None if it is refused."""
        self._look_at(cookie)
        number, heard = next(self._numbers), asyncio.Queue[Message]()
        self._heard[number] = heard.put_nowait
        asked = {name: str(value) for name, value in query.items()}
        path = f"/api/tables/{table}/socket"
        self._page.say(self._port, {"type": "open", "id": number, "path": path, "query": asked})
        first = await heard.get()
        if first["type"] == "closed":
            return None
        return PortConnection(lambda message: self._page.say(self._port, {"id": number, **message}), heard)


class PortConnection:
    """A client's side of a conversation, with the interface of `websockets`."""

    def __init__(self, say: Callable[[Message], None], heard: asyncio.Queue[Message]) -> None:
        self._say = say
        self._heard = heard

    async def recv(self) -> str:
        message = await self._heard.get()
        if message["type"] == "closed":
            raise ConnectionClosedError(Close(message["code"], ""), None)
        return str(message["text"])

    async def send(self, text: str | bytes | Iterable[str]) -> None:
        assert isinstance(text, str | bytes), "a port carries no fragments"
        self._say({"type": "say", "text": text})

    async def close(self) -> None:
        self._say({"type": "close"})
