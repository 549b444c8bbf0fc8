"""Clients that cost little: raw WebSocket frames on asyncio, and the processes that they talk to."""

from __future__ import annotations

import asyncio
import http.client
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

_TICKS = os.sysconf("SC_CLK_TCK")
_START_SECONDS = 30.0
_PING, _PONG, _CLOSE = 0x9, 0xA, 0x8
Take = Callable[[bytes], None]


def frame(payload: bytes, opcode: int = 0x1) -> bytes:
    """One frame of a client: masked, as it has to be, with a mask that changes nothing."""
    size = len(payload)
    if size < 126:
        head = bytes((0x80 | opcode, 0x80 | size))
    else:
        head = bytes((0x80 | opcode, 0x80 | 126)) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class Socket(asyncio.Protocol):
    """A WebSocket without a library: a client must not cost more than the server that it measures."""

    def __init__(self, request: bytes, take: Take) -> None:
        self.take = take
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost = False
        self.transport: Any = None
        self._request = request
        self._open = False
        self._left = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        data = self._left + data if self._left else data
        if not self._open:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._left = head
                return
            if b" 101 " not in head[:20]:
                self.opened.set_exception(OSError(head.partition(b"\r\n")[0].decode()))
                return
            self._open = True
            self.opened.set_result(None)
        self._left = self._frames(data)

    def _frames(self, data: bytes) -> bytes:
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if end < start + size:
                break
            self._frame(data[at] & 15, data[start : start + size])
            at = start + size
        return data[at:]

    def _frame(self, opcode: int, payload: bytes) -> None:
        if opcode == _PING:
            self.transport.write(frame(payload, _PONG))
        elif opcode == _CLOSE:
            self.lost = True
        else:
            self.take(payload)

    def send(self, payload: bytes) -> None:
        self.transport.write(frame(payload))

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True

    def close(self) -> None:
        self.transport.abort()


class Process:
    """A server that we started, and end; its memory and its CPU time are read from /proc."""

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        self.port = port
        with log.open("wb") as out:
            self._process = subprocess.Popen(command, stdout=out, stderr=out)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                self.stop()
                raise RuntimeError(f"it did not start: {log.read_text()[-500:]}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return Http(self.port).get("/healthz") is not None
        except OSError:
            return False

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    @property
    def mib(self) -> float:
        """Resident memory."""
        text = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0]) / 1024

    @property
    def cpu(self) -> float:
        """Seconds of CPU time so far, all threads together."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def socket_request(self, path: str, cookie: str = "") -> bytes:
        """The handshake for a path."""
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: http://127.0.0.1:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {'A' * 21}A==",
            *([f"Cookie: {cookie}"] if cookie else []),
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def connect(self, path: str, take: Take, cookie: str = "") -> Socket:
        """An open socket."""
        loop, request = asyncio.get_running_loop(), self.socket_request(path, cookie)
        _, made = await loop.create_connection(lambda: Socket(request, take), "127.0.0.1", self.port)
        await asyncio.wait_for(made.opened, _START_SECONDS)
        return made


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def genial_server(folder: Path, port: int, db: str | None = None) -> Process:
    """`genial serve`, on a new file if no store is named. One address is everybody: its limits are lifted."""
    limits = {
        "requests_per_minute": 10_000_000,
        "messages_per_20s": 10_000_000,
        "tables_per_hour": 10_000_000,
        "sockets_per_address": 100_000,
    }
    command = [sys.executable, "-m", "genial", "serve", "--port", str(port), "--bot-workers", "1"]
    command += ["--db", db or str(folder / f"{secrets.token_hex(4)}.db")]
    command += [f"--limit={name}={value}" for name, value in limits.items()]
    return Process(command, port, folder / f"{port}.log")


def echo_server(folder: Path, port: int) -> Process:
    """The bare echo on the same stack."""
    script = Path(__file__).with_name("echo_server.py")
    return Process([sys.executable, str(script), str(port)], port, folder / f"{port}.log")


class Http:
    """One device's plain requests."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._origin = f"http://127.0.0.1:{port}"
        self.cookie = ""

    def get(self, path: str) -> Any:
        return self._ask("GET", path, None)

    def post(self, path: str, body: object) -> Any:
        return self._ask("POST", path, msgspec.json.encode(body))

    def _ask(self, method: str, path: str, body: bytes | None) -> Any:
        headers = {"Origin": self._origin, **({"Cookie": self.cookie} if self.cookie else {})}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        data = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:300]!r}")
        if found := answer.headers["Set-Cookie"]:
            self.cookie = found.partition(";")[0]
        return msgspec.json.decode(data) if data.startswith((b"{", b"[")) else data

    def hello(self) -> Http:
        self.post("/api/hello", {})
        return self


class Tables:
    """Two devices, and as many tables for two as are needed."""

    def __init__(self, port: int) -> None:
        self.ada, self.ben = Http(port).hello(), Http(port).hello()
        board = self.ada.get("/api/boards/classic/2")
        names = board["names"]
        self.pairs = [f"{names[first]},{names[second]}" for first, second in board["pairs"]]

    def create(self) -> tuple[str, str]:
        """The id and the watch code of a table where both sit and a game runs."""
        settings = {"variant": "classic", "seats": 2, "first": 0}
        body = {"settings": settings, "places": [{"kind": "me"}, {"kind": "open"}], "name": "Ada"}
        view = self.ada.post("/api/tables", {**body, "bits": secrets.token_hex(16)})
        join = {"code": view["code"], "name": "Ben", "bits": secrets.token_hex(16), "place": 1}
        self.ben.post("/api/join", join)
        return view["id"], view["watch"]

    def device(self, place: int) -> Http:
        return (self.ada, self.ben)[place]


# The few fields of the protocol that a player without rules needs


class TileIn(Struct):
    tile: str


class LegalIn(Struct):
    phase: str
    places: list[int]
    tiles: list[TileIn]


class NowIn(Struct):
    status: str
    mover: int | None
    legal: LegalIn | None


class SeqIn(Struct):
    seq: int


class GameIn(Struct):
    mover: int | None


class TableIn(Struct):
    seq: int
    status: str
    game: GameIn | None
    legal: LegalIn | None


class EntryIn(Struct, tag="entry"):
    entry: SeqIn
    now: NowIn | None


class StateIn(Struct, tag="state"):
    state: TableIn


class AckIn(Struct, tag="ack"):
    seq: int | None


class ErrorIn(Struct, tag="error"):
    error: Any


class PresenceIn(Struct, tag="presence"):
    pass


class PongIn(Struct, tag="pong"):
    pass


decoder = msgspec.json.Decoder(EntryIn | StateIn | AckIn | ErrorIn | PresenceIn | PongIn)
