"""A person at a table, for tests that need many: makes any allowed move, and survives a server's death.

It remembers what was acknowledged, so that a test can ask the store for every acknowledged move.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
import msgspec
from tests.server.operations import SPOKEN
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from genial.core.cellnames import cell_name
from genial.core.title import setup
from genial.core.titles import title_of

_WAIT = 5.0
"""Seconds without an answer after which a player reconnects."""


_AWAY = ("store-away", "store-busy", "server-busy", "server-unstored")


class GaveUp(Exception):
    """The table did not finish in time."""


@dataclass(slots=True)
class Player:
    """One device, in one place at one table."""

    address: str
    """`127.0.0.1:8000`"""
    rng: Random
    name: str = "Ada"
    cookie: str = ""
    table: str = ""
    place: int = 0
    acknowledged: dict[str, int] = field(default_factory=dict)
    """Move ids, with the numbers of the entries they were acknowledged as."""
    seqs: list[int] = field(default_factory=list)
    """The numbers of all entries received, in order."""
    variant: str = "classic"
    seats: int = 2
    others: tuple[str, ...] = ()
    """Other servers with the same tables, to be tried after a lost connection."""
    think: float = 0.0
    """The most seconds that a move takes."""
    reconnects: int = 0
    longest_wait: float = 0.0
    """The longest time, in seconds, from a lost connection to the next message from a server."""
    longest_pause: float = 0.0
    """The same to the table's next entry, which shows that whoever's turn it was, or a bot, has moved."""
    over: bool = False
    _lost: float = 0.0
    """When the connection was lost; 0 while connected."""
    _paused: float = 0.0
    """When the last connection was lost; cleared once the game has moved on."""
    _pending: tuple[str, str] | None = None
    """The move that was sent but not acknowledged yet: its id and its text."""

    async def hello(self, client: httpx.AsyncClient) -> None:
        """Get a device key."""
        client.cookies.clear()  # one client serves many players, and each is a separate device
        origin = {"Origin": f"http://{self.address}"}
        answer = await client.post(f"http://{self.address}/api/hello", json={}, headers=origin)
        answer.raise_for_status()
        ((name, token),) = answer.cookies.items()  # with HTTPS, or where it is expected, it has another name
        self.cookie = f"{name}={token}"
        client.cookies.clear()

    async def create(self, client: httpx.AsyncClient, settings: dict[str, Any], places: list[Any]) -> Any:
        """Set up a table and sit at it."""
        body = {"settings": settings, "places": places, "name": self.name, "bits": secrets.token_hex(16)}
        answer = await client.post(f"http://{self.address}/api/tables", json=body, headers=self.headers)
        answer.raise_for_status()
        view = answer.json()
        self.table, self.variant, self.seats = view["id"], settings["variant"], settings["seats"]
        return view

    async def join(self, client: httpx.AsyncClient, code: str, place: int) -> None:
        """Sit down at a table by its code."""
        body = {"code": code, "name": self.name, "bits": secrets.token_hex(16), "place": place}
        answer = await client.post(f"http://{self.address}/api/join", json=body, headers=self.headers)
        answer.raise_for_status()
        self.table, self.place = answer.json()["id"], place

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": self.cookie, "Origin": f"http://{self.address}"}

    async def play(self, *, until: float) -> None:
        """Play until the table is over, reconnecting as often as necessary; `until` is loop time."""
        loop = asyncio.get_running_loop()
        while not self.over:
            if loop.time() > until:
                raise GaveUp(f"{self.table} place {self.place}, {self.reconnects} reconnects")
            try:
                await self._sit_and_play()
            except (OSError, WebSocketException, TimeoutError):
                self.reconnects += 1
                if not self._lost:
                    self._lost = self._paused = loop.time()
                self._go_elsewhere()
                await asyncio.sleep(0.1 + 0.4 * self.rng.random())

    def _go_elsewhere(self) -> None:
        if self.others:
            following, *rest = self.others
            self.others, self.address = (*rest, self.address), following

    async def _sit_and_play(self) -> None:
        after = self.seqs[-1] if self.seqs else 0
        url = f"ws://{self.address}/api/tables/{self.table}/socket?place={self.place}&after={after}"
        async with connect(
            url,
            additional_headers={"Cookie": self.headers["Cookie"]},
            origin=Origin(self.headers["Origin"]),
            subprotocols=SPOKEN,
            compression=None,
            open_timeout=_WAIT,
            max_size=1 << 20,
        ) as socket:
            if self._pending:
                await self._send(socket)
            while not self.over:
                await self._take_in(socket, msgspec.json.decode(await asyncio.wait_for(socket.recv(), _WAIT)))

    async def _take_in(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        if self._lost:
            self.longest_wait = max(self.longest_wait, asyncio.get_running_loop().time() - self._lost)
            self._lost = 0.0
        match message["type"]:
            case "ack":
                self._done(message["move_id"], message["seq"])
            case "error" if message["error"]["code"] in _AWAY:
                raise OSError("the store is away")  # the same move is sent again, with its id, later
            case "error":
                # The move was overtaken: the state that follows says what to do now.
                assert message["error"]["code"] in ("stale", "not-your-turn", "table-not-running"), message
                self._pending = None
            case "update":
                for entry in message["entries"]:
                    self._seen(entry["seq"])
                if "done" in message:
                    self._done(message["done"], message["entries"][0]["seq"])
                if (state := message["state"]) is not None:
                    self._seen(state["seq"], resync=True)
                    self.over = state["status"] in ("over", "closed")
                    game = state["game"]
                    await self._act(socket, state["legal"], game["mover"] if game else None)

    def _done(self, move_id: str, seq: int | None) -> None:
        if seq is not None:
            assert self.acknowledged.setdefault(move_id, seq) == seq
        if self._pending and move_id == self._pending[0]:
            self._pending = None

    def _seen(self, seq: int, *, resync: bool = False) -> None:
        if not resync and self.seqs:
            assert seq == self.seqs[-1] + 1, f"entry {seq} after {self.seqs[-1]}"
        if not self.seqs or seq > self.seqs[-1]:
            self.seqs.append(seq)
            if self._paused:
                self.longest_pause = max(self.longest_pause, asyncio.get_running_loop().time() - self._paused)
                self._paused = 0.0

    async def _act(self, socket: ClientConnection, legal: Any, mover: int | None) -> None:
        if mover != self.place or legal is None or self._pending or self.over:
            return
        self._pending = (secrets.token_hex(8), self._chosen(legal))
        if self.think:
            with suppress(TimeoutError):  # a connection lost while thinking is noticed at once
                await asyncio.wait_for(socket.wait_closed(), self.think * self.rng.random())
        await self._send(socket)

    async def _send(self, socket: ClientConnection) -> None:
        assert self._pending is not None
        move_id, action = self._pending
        seq = self.seqs[-1] if self.seqs else 0
        act = {"type": "act", "seq": seq, "move_id": move_id, "place": self.place, "action": action}
        await socket.send(msgspec.json.encode(act))

    def _chosen(self, legal: dict[str, Any]) -> str:
        if legal["phase"] == "end-turn":
            return "swap" if legal["swap"] and self.rng.random() < 0.7 else "refill"
        if legal["cards"]:
            return str(self.rng.choice(legal["cards"])["tile"])
        tile = self.rng.choice(legal["tiles"])["tile"]
        board = setup(title_of(self.variant), self.seats).board
        assert board is not None
        pair = board.pairs[self.rng.choice(legal["pairs"])]
        first, second = self.rng.choice((pair.cells, pair.turned))
        return f"{tile}@{cell_name(board, first)},{cell_name(board, second)}"
