"""A real server on loopback, several on one database, or a page's port, and real clients for them."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

import httpx
import msgspec
import pytest
from tests.server.operations import SPOKEN
from tests.server.paged import IN_PAGE, InPage, PortConnection, PortTransport
from tests.server.several import PROCESSES, SERVE, Several, several
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from genial.bots.workers import BotPool
from genial.server.calls.capabilities import SERVER, Capability
from genial.server.calls.tokens import tokens_of
from genial.server.http.app import build_app
from genial.server.http.doors import Doors
from genial.server.http.security import Web
from genial.server.http.server import GuardedServer
from genial.server.store import open_store, opened
from genial.server.tables.hub import Hub
from genial.server.tables.settings import Limits
from genial.server.tables.store import Store

log = logging.getLogger("tests.server")

_T = TypeVar("_T")
PATIENCE = 60.0

_open: list[Callable[[], Awaitable[None]]] = []
"""What a test has to close at the end."""

GENEROUS: dict[str, Any] = {
    "bot_pause": 0.0,
    "bot_ending": 0.0,
    "requests_per_minute": 100_000,
    "tables_per_hour": 100_000,
    "devices_per_hour": 100_000,
    "address_chat_per_minute": 100_000,
    "spectator_chat_per_minute": 100_000,
    "messages_per_20s": 100_000,
    "watcher_messages_per_20s": 100_000,
    "sockets_per_address": 1000,
}


class Server(Protocol):
    """What tests know of a server, in a thread or in several processes, or of the tables of a page."""

    port: int
    origin: str
    can: frozenset[Capability]

    def in_store(self, work: Callable[[Store], Awaitable[_T]]) -> _T:
        """Query or change the store, as the operator's commands do."""


class InThread:
    """A server in its own thread, on a file; tests can look inside it."""

    can = SERVER

    def __init__(self, path: Path, limits: Limits, web: Web, workers: int) -> None:
        self._path, self._limits, self._web, self._workers = path, limits, web, workers
        # With its protocol named; otherwise asyncio leaves Nagle on, and every second message waits 40 ms.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen()
        self.port: int = self._socket.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.hub: Hub
        self._loop: asyncio.AbstractEventLoop
        self.doors = Doors(limits)
        self._server: GuardedServer
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()))

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        store = open_store(self._path, migrate=True)
        async with BotPool(self._workers) as pool:
            self.hub = Hub(store, pool, self._limits)
            await self.hub.resume()
            app = build_app(self.hub, await tokens_of(store), web=self._web)
            self._server = GuardedServer(app, self._limits, self.doors)
            self._server.config.timeout_graceful_shutdown = 2
            self._ready.set()
            await self._server.serve([self._socket])
            await self.hub.stop()
        await store.close()

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the server did not start"

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self._socket.close()

    def on_loop(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run something in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def in_store(self, work: Callable[[Store], Awaitable[_T]]) -> _T:
        async def done() -> _T:
            return await work(self.hub.store)

        return self.on_loop(done())


class Processes:
    """Server processes on one database, behind a balancer."""

    can = SERVER

    def __init__(self, servers: Several) -> None:
        self._database = servers.database
        self.port, self.origin = servers.port, servers.url

    def in_store(self, work: Callable[[Store], Awaitable[_T]]) -> _T:
        async def done() -> _T:
            store = await opened(self._database)
            try:
                return await work(store)
            finally:
                await store.close()

        return asyncio.run(done())


@contextmanager
def running(path: Path, *, web: Web | None = None, workers: int = 1, **limits: Any) -> Iterator[Server]:
    """A server with these limits; several processes, or a page, if the suite runs that way."""
    if IN_PAGE:
        page = InPage(path, Limits(**(GENEROUS | limits)))
        page.start()
        try:
            yield page
        finally:
            page.stop()
        return
    if PROCESSES > 1:
        with _processes(web, workers, limits) as several_servers:
            yield several_servers
        return
    server = InThread(path, Limits(**(GENEROUS | limits)), web or Web(), workers)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def _processes(web: Web | None, workers: int, limits: dict[str, Any]) -> Iterator[Server]:
    if web is not None:
        pytest.skip("a server that trusts a proxy answers to every name: what it does without is for one")
    arguments = ["--bot-workers", str(workers), "--log-level", "debug"]
    for name, value in (GENEROUS | limits).items():
        arguments += ["--limit", f"{name}={value}"]
    with several(SERVE, *arguments) as found:
        yield Processes(found)
    log.debug("the servers said: %s", found.log)


class Denied(Exception):
    """A socket that was refused before it opened, and why."""

    def __init__(self, answer: httpx.Response) -> None:
        self.status = answer.status_code
        self.code = code(answer.json())


def bits() -> str:
    """A client's random bits."""
    return secrets.token_hex(16)


class Player:
    """A device: its cookie, its requests, its sockets."""

    def __init__(self, server: Server, name: str, *, token: str | None = None) -> None:
        self.server = server
        self.name = name
        self.token = token
        headers = {"authorization": f"Bearer {token}"} if token else {"origin": server.origin}
        self._port = PortTransport(server) if isinstance(server, InPage) else None
        self.http = httpx.AsyncClient(
            base_url=server.origin, headers=headers, timeout=PATIENCE, transport=self._port
        )
        _open.append(self.http.aclose)

    async def hello(self) -> Player:
        """Register with the server."""
        await self.post("/api/hello")
        return self

    async def __aenter__(self) -> Player:
        return self if self.token else await self.hello()

    async def __aexit__(self, *error: object) -> None:
        await self.http.aclose()

    async def get(self, path: str, expect: int = 200, **query: Any) -> Any:
        answer = await self.http.get(path, params=query or None)
        assert answer.status_code == expect, answer.text
        return answer.json()

    async def post(self, path: str, body: object = None, expect: int | None = None, **query: Any) -> Any:
        answer = await self.http.post(path, content=msgspec.json.encode(body or {}), params=query)
        assert answer.status_code in ((200, 201) if expect is None else (expect,)), answer.text
        return answer.json()

    async def create(self, variant: str, places: str, **settings: Any) -> Any:
        """Create a table. `places` has a letter for each: m for me, o for open, b, g and r for bots."""
        kinds: dict[str, dict[str, Any]] = {
            "m": {"kind": "me"},
            "o": {"kind": "open"},
            "b": {"kind": "bot", "bot": "balanced"},
            "g": {"kind": "bot", "bot": "greedy"},
            "r": {"kind": "bot", "bot": "random"},
        }
        body = {
            "settings": {"variant": variant, "seats": len(places), **settings},
            "places": [kinds[letter] for letter in places],
            "name": self.name,
            "bits": bits(),
        }
        return await self.post("/api/tables", body)

    async def join(self, code: str, place: int | None = None) -> Any:
        return await self.post("/api/join", {"code": code, "name": self.name, "bits": bits(), "place": place})

    def headers(self) -> dict[str, str]:
        """The headers of this device's sockets."""
        if self.token:
            return {"authorization": f"Bearer {self.token}"}
        return {"cookie": "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())}

    def connect(
        self,
        table: str,
        *,
        origin: str | None = None,
        offered: Sequence[Subprotocol] | None = SPOKEN,
        max_queue: int | None = 16,
        **query: Any,
    ) -> connect:
        wanted = "&".join(f"{name}={value}" for name, value in query.items())
        url = f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/socket?{wanted}"
        shown = None if self.token else Origin(origin or self.server.origin)
        return connect(
            url,
            additional_headers=self.headers(),
            origin=shown,
            subprotocols=offered,
            proxy=None,
            compression=None,
            max_size=None,
            max_queue=max_queue,
        )

    async def wire(self, table: str, **query: Any) -> Wire:
        """A socket that keeps track of the table; raises Denied if this device may not have one."""
        connection: ClientConnection | PortConnection | None
        if self._port is not None:
            connection = await self._port.open(table, query, self.headers()["cookie"])
            if connection is None:  # a page's client finds out why by looking at the table
                seen = {name: value for name, value in query.items() if name != "after"}
                raise Denied(await self.http.get(f"/api/tables/{table}", params=seen))
        else:
            try:
                connection = await self.connect(table, **query)
            except InvalidStatus as error:
                raise Denied(
                    httpx.Response(error.response.status_code, content=bytes(error.response.body))
                ) from None
        return Wire(connection, query.get("after"))


class Wire:
    """A socket that follows a table, and notices any gap or repetition in the numbers at once."""

    def __init__(self, connection: ClientConnection | PortConnection, after: int | None = None) -> None:
        self.connection = connection
        _open.append(connection.close)
        self.seq: Any = after
        self.state: Any = None
        self.now: Any = None
        self.entries: list[Any] = []
        self.heard: list[Any] = []
        self.may_miss = False
        """True if it reads so slowly that updates may be dropped."""
        self._left: list[Any] = []
        """Entries of the last update that nobody has asked for yet."""
        self._ids = iter(range(10**9))
        self._salt = secrets.token_hex(4)

    async def __aenter__(self) -> Wire:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.connection.close()

    async def hear(self) -> Any:
        """Receive and process the next message."""
        message = msgspec.json.decode(await asyncio.wait_for(self.connection.recv(), PATIENCE))
        self.heard.append(message)
        self._left = []
        if message["type"] == "update":
            self._take(message["entries"], message["state"])
        return message

    def _take(self, entries: list[Any], state: Any) -> None:
        for entry in entries:
            follows = self.seq is None or entry["seq"] == self.seq + 1
            assert follows or self.may_miss, (self.seq, entry["seq"])
            self.seq = entry["seq"]
        self.entries += entries
        self._left = list(entries)
        if state is None:  # nothing but chat
            assert {entry["kind"] for entry in entries} == {"chatted"}
            return
        assert not entries or state["seq"] == self.seq
        self._recall(entries, state)
        self.state, self.seq = state, state["seq"]
        game = state["game"]
        self.now = {
            "status": state["status"],
            "game_seq": game["seq"] if game else None,
            "mover": game["mover"] if game else None,
            "legal": state["legal"],
        }

    def _recall(self, entries: list[Any], state: Any) -> None:
        """Add the past events to a state that was sent without them, as a client does (net/follow.ts)."""
        game, before = state["game"], self.state and self.state["game"]
        if game is None or len(game["view"]["events"]) == game["told"]:
            return
        known = before["view"]["events"] if before and before["number"] == game["number"] else []
        added: list[Any] = []
        for entry in entries:
            if entry["kind"] in ("started", "taken-back"):
                added = []
            added += entry["data"].get("events", [])
        kept = game["told"] - len(added)
        assert 0 <= kept <= len(known), "a part of the game's past was never told"
        game["view"]["events"] = known[:kept] + added

    async def until(self, wanted: Callable[[Any], Any]) -> Any:
        """The next message for which this holds."""
        while True:
            message = await self.hear()
            if wanted(message):
                return message

    async def until_type(self, kind: str) -> Any:
        return await self.until(lambda message: message["type"] == kind)

    async def until_entry(self, kind: str) -> Any:
        """The next entry of this kind; one update may contain several."""
        while True:
            while self._left:
                entry = self._left.pop(0)
                if entry["kind"] == kind:
                    return entry
            await self.hear()

    async def until_state(self) -> Any:
        """The whole state, when sent on its own."""
        found = await self.until(lambda m: m["type"] == "update" and not m["entries"])
        return found["state"]

    async def until_seq(self, seq: int) -> None:
        """Wait until entry `seq`, and everything written with it, has arrived."""
        while self.seq < seq:
            await self.hear()

    async def until_closed(self) -> int:
        """Wait until the server ends the connection. Returns the close code."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0

    async def settled(self) -> None:
        """Wait until everything in transit has arrived."""
        n = next(self._ids)
        await self.send("ping", n=n)
        await self.until(lambda m: m["type"] == "pong" and m["n"] == n)

    def new_id(self) -> str:
        return f"{self._salt}-{next(self._ids)}"

    async def send(self, kind: str, **fields: Any) -> None:
        await self.connection.send(msgspec.json.encode({"type": kind, **fields}).decode())

    async def ask(self, kind: str, **fields: Any) -> Any:
        """Send something with a move id, and wait for its acknowledgement or refusal."""
        move_id = fields.setdefault("move_id", self.new_id())
        await self.send(kind, **fields)
        answer = await self.until(lambda m: move_id in (m.get("done"), m.get("move_id")))
        if answer["type"] == "update":  # done just now: the acknowledgement comes with the update
            return {"type": "ack", "move_id": move_id, "seq": answer["entries"][0]["seq"]}
        return answer

    async def act(self, place: int, action: str, **fields: Any) -> Any:
        fields.setdefault("seq", self.seq)
        return await self.ask("act", place=place, action=action, **fields)


def lawful(legal: Any, board: Any, rng: Random) -> str:
    """Any allowed action, read from the legal moves as a client reads them."""
    if legal["phase"] == "end-turn":
        return "swap" if legal["swap"] else "refill"
    if legal["cards"]:
        return str(rng.choice(legal["cards"])["tile"])
    tile, pair = rng.choice(legal["tiles"])["tile"], rng.choice(legal["pairs"])
    first, second = board["pairs"][pair]
    return f"{tile}@{board['names'][first]},{board['names'][second]}"


def code(answer: Any) -> str:
    return str(answer["error"]["code"])


async def play_on(wire: Wire, places: set[int], board: Any, rng: Random) -> None:
    """Play these places until the game is over."""
    while wire.now["status"] == "running":
        legal = wire.now["legal"]
        if wire.now["mover"] in places and legal:
            answer = await wire.act(wire.now["mover"], lawful(legal, board, rng))
            assert answer["type"] == "ack", answer
        else:
            await wire.hear()


async def eventually(ask: Callable[[], Awaitable[_T]], holds: Callable[[_T], object]) -> _T:
    """Ask until it holds at every process: news reaches some of them a moment later."""
    while True:
        answers = [await ask() for _ in range(PROCESSES)]  # they take turns
        if all(holds(answer) for answer in answers):
            return answers[-1]
        await asyncio.sleep(0.02)


def play(work: Awaitable[_T], patience: float = 2 * PATIENCE) -> _T:
    """Run a test in its own loop, with a timeout, and close what its players opened."""

    async def patiently() -> _T:
        try:
            return await asyncio.wait_for(work, patience)
        finally:
            while _open:
                await _open.pop()()

    return asyncio.run(patiently())
