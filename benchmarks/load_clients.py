"""Tools for making load: raw frames and requests on asyncio, which cost little, and servers to talk to."""

from __future__ import annotations

import asyncio
import http.client
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from benchmarks.checkout import ROOT

from genial.server.calls.conversation import CONVERSATION

_TICKS = os.sysconf("SC_CLK_TCK")
_START_SECONDS = 30.0
_KEPT_SECONDS = 3.0
"""A connection that was quiet for longer is not reused: the server may be closing it."""
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_PING, _PONG, _CLOSE = 0x9, 0xA, 0x8
Take = Callable[[bytes], None]
HOST = "127.0.0.1"


def frame(payload: bytes, opcode: int = 0x1) -> bytes:
    """One client frame: masked, as it has to be, with a mask that changes nothing."""
    size = len(payload)
    if size < 126:
        head = bytes((0x80 | opcode, 0x80 | size))
    else:
        head = bytes((0x80 | opcode, 0x80 | 126)) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class Socket(asyncio.Protocol):
    """A WebSocket without a library: a client must not cost more than the server it measures."""

    def __init__(self, request: bytes, take: Take, opening: bytes = b"") -> None:
        self.take = take
        self._opening = opening
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
            if self._opening:
                self.send(self._opening)
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


class Calls(asyncio.Protocol):
    """One connection for plain requests, one after another, kept open as a browser does."""

    def __init__(self, host: str, cookie: str) -> None:
        self._transport: Any = None
        self._take: Callable[[int, int], None] | None = None
        self._left = b""
        accepted = ("Accept-Encoding: gzip", f"Accept: application/json; profile={CONVERSATION}")
        lines = (f"Host: {host}", f"Cookie: {cookie}", *accepted)
        self._headers = (" HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n\r\n").encode()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def ask(self, path: str, take: Callable[[int, int], None]) -> None:
        """GET a path; pass on the status and the length of the answer."""
        self._take = take
        self._transport.write(b"GET " + path.encode() + self._headers)

    def data_received(self, data: bytes) -> None:
        data = self._left + data
        head, found, body = data.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not found or length is None or len(body) < int(length[1]):
            self._left = data
            return
        self._left = b""
        assert self._take is not None
        self._take(int(head[9:12]), len(body))

    def close(self) -> None:
        self._transport.abort()


@dataclass(frozen=True, slots=True)
class Door:
    """The way into a server on loopback, for somebody with one address there."""

    port: int
    source: str | None = None
    """The caller's own address, if it matters; all of 127.0.0.0/8 is this machine."""

    @property
    def local(self) -> tuple[str, int] | None:
        """The local address that a connection is bound to."""
        return (self.source, 0) if self.source else None

    def socket_request(self, path: str, cookie: str = "") -> bytes:
        """The handshake for a path."""
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {HOST}:{self.port}",
            f"Origin: http://{HOST}:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Protocol: {CONVERSATION}",
            f"Sec-WebSocket-Key: {'A' * 21}A==",
            *([f"Cookie: {cookie}"] if cookie else []),
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def connect(self, path: str, take: Take, cookie: str = "", opening: bytes = b"") -> Socket:
        """An open socket; `opening` is what it sends first, as soon as it may."""
        loop, request = asyncio.get_running_loop(), self.socket_request(path, cookie)
        _, made = await loop.create_connection(
            lambda: Socket(request, take, opening), HOST, self.port, local_addr=self.local
        )
        async with asyncio.timeout(_START_SECONDS):
            await made.opened
        return made

    async def calls(self, cookie: str = "") -> Calls:
        """A connection for plain requests."""
        loop, host = asyncio.get_running_loop(), f"{HOST}:{self.port}"
        _, made = await loop.create_connection(
            lambda: Calls(host, cookie), HOST, self.port, local_addr=self.local
        )
        return made


class Process:
    """A server that we start and end; its memory and CPU time are read from /proc."""

    def __init__(self, command: list[str], port: int, log: Path, source: Path = ROOT) -> None:
        self.door = Door(port)
        self.log = log
        environment = {**os.environ, "PYTHONPATH": str(source / "src")}
        with log.open("wb") as out:
            self._process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                self.stop()
                raise RuntimeError(f"it did not start: {log.read_text()[-500:]}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with closing(Http(self.door)) as asking:
                return asking.get("/healthz") is not None
        except OSError:
            return False

    def stop(self, patience: float = 15.0) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(patience)
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


GENIAL = (sys.executable, "-m", "genial")
_LIFTED = {
    "requests_per_minute": 10_000_000,
    "messages_per_20s": 10_000_000,
    "tables_per_hour": 10_000_000,
    "sockets_per_address": 100_000,
}
_LIFTED_SINCE = {"devices_per_hour": 10_000_000, "address_chat_per_minute": 10_000_000}


def lifted(source: Path) -> dict[str, int]:
    """A checkout's limits for when everybody shares one address."""
    settings = source / "src/genial/server/tables/settings.py"
    knows_devices = settings.exists() and "devices_per_hour" in settings.read_text(encoding="utf-8")
    return _LIFTED | (_LIFTED_SINCE if knows_devices else {})


def genial_server(
    folder: Path,
    port: int,
    db: str | None = None,
    source: Path = ROOT,
    *,
    limits: Mapping[str, float] | None = None,
    begin: Sequence[str] = GENIAL,
    more: Sequence[str] = (),
) -> Process:
    """`genial serve` of a checkout, by default on a new file; its limits are lifted if none are given."""
    command = [*begin, "serve", "--port", str(port), "--bot-workers", "1", *more]
    limits = lifted(source) if limits is None else limits
    command += ["--db", db or str(folder / f"{secrets.token_hex(4)}.db")]
    command += [f"--limit={name}={value}" for name, value in limits.items()]
    return Process(command, port, folder / f"{port}.log", source)


def echo_server(folder: Path, port: int) -> Process:
    """The bare echo on the same stack."""
    script = Path(__file__).with_name("echo_server.py")
    return Process([sys.executable, str(script), str(port)], port, folder / f"{port}.log")


class Http:
    """One device's plain requests."""

    def __init__(self, door: Door, patience: float = 30.0) -> None:
        self._connection = http.client.HTTPConnection(
            HOST, door.port, timeout=patience, source_address=door.local
        )
        self._origin = f"http://{HOST}:{door.port}"
        self.cookie = ""
        self._answered = time.monotonic()

    def get(self, path: str) -> Any:
        return self._ask("GET", path, None)

    def post(self, path: str, body: object) -> Any:
        return self._ask("POST", path, msgspec.json.encode(body))

    def _ask(self, method: str, path: str, body: bytes | None) -> Any:
        status, answer = self.request(method, path, body)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {answer!r:.300}")
        return answer

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """The status and the answer, decoded if it is JSON. `headers` are added to those of a page."""
        own = {"Origin": self._origin, **({"Cookie": self.cookie} if self.cookie else {})}
        if time.monotonic() - self._answered > _KEPT_SECONDS:
            self._connection.close()  # the next request opens it again
        self._connection.request(method, path, body, {**own, **(headers or {})})
        answer = self._connection.getresponse()
        data = answer.read()
        self._answered = time.monotonic()
        if found := answer.headers["Set-Cookie"]:
            self.cookie = found.partition(";")[0]
        return answer.status, msgspec.json.decode(data) if data.startswith((b"{", b"[")) else data

    def hello(self) -> Http:
        self.post("/api/hello", {})
        return self

    def close(self) -> None:
        self._connection.close()


class Tables:
    """Three devices, and as many tables for two of them as are needed; the third may watch."""

    def __init__(self, door: Door) -> None:
        self.ada, self.ben, self.cleo = (Http(door).hello() for _ in range(3))
        board = self.ada.get("/api/boards/classic/2")
        names = board["names"]
        self.pairs = [f"{names[first]},{names[second]}" for first, second in board["pairs"]]

    def create(self) -> tuple[str, str]:
        """The id and the watch code of a table where both sit and a game is running."""
        view = self._new({"kind": "open"})
        join = {"code": view["code"], "name": "Ben", "bits": secrets.token_hex(16), "place": 1}
        self.ben.post("/api/join", join)
        return view["id"], view["watch"]

    def against(self, bot: str) -> tuple[str, str]:
        """The same for a table where the first of them plays against a bot."""
        view = self._new({"kind": "bot", "bot": bot})
        return view["id"], view["watch"]

    def _new(self, other: dict[str, str]) -> Any:
        settings = {"variant": "classic", "seats": 2, "first": 0}
        body = {"settings": settings, "places": [{"kind": "me"}, other], "name": "Ada"}
        return self.ada.post("/api/tables", {**body, "bits": secrets.token_hex(16)})

    def device(self, place: int) -> Http:
        return (self.ada, self.ben)[place]

    def close(self) -> None:
        for device in (self.ada, self.ben, self.cleo):
            device.close()
