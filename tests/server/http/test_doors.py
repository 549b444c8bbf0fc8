"""Connections: how many, how slow, and how much useless data; with raw bytes, as an attacker sends them."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_server
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from tests.server.harness import InThread, Player, play, running
from tests.server.operations import serving, wait_for
from tests.server.several import PROCESSES
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from genial.server.calls.conversation import CONVERSATION
from genial.server.http.doors import Doors
from genial.server.http.frames import frame_size
from genial.server.http.server import GuardedServer
from genial.server.tables.settings import Limits

pytestmark = pytest.mark.skipif(PROCESSES > 1, reason="a balancer stands before those servers")

PING = Frame(Opcode.PING, b"").serialize(mask=True)
PONG = Frame(Opcode.PONG, b"").serialize(mask=True)
BEGIN = Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
GO_ON = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
FLOOD = 20_000
PIECES = 100


@contextmanager
def inside(path: Path, **limits: Any) -> Iterator[InThread]:
    """A server that tests can look inside."""
    with running(path, **limits) as server:
        assert isinstance(server, InThread)
        yield server


class Raw:
    """A connection that sends any bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def to(cls, port: int, **options: Any) -> Raw:
        return cls(*await asyncio.open_connection("127.0.0.1", port, **options))

    async def send(self, data: bytes) -> Raw:
        self.writer.write(data)
        await self.writer.drain()
        return self

    async def head(self) -> bytes:
        return await self.reader.readuntil(b"\r\n\r\n")

    async def answer(self) -> tuple[int, Any]:
        """The status and content of a JSON answer."""
        head = await self.head()
        sizes = [
            line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
        ]
        return int(head.split()[1]), json.loads(await self.reader.readexactly(int(sizes[0])))

    async def rest(self) -> bytes:
        """Everything that arrives until the other side ends it."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""

    async def gone(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


async def raw_socket(player: Player, table: str) -> Raw:
    """A socket that follows a table, after its handshake."""
    raw = await Raw.to(player.server.port)
    head = [
        f"GET /api/tables/{table}/socket HTTP/1.1",
        f"Host: 127.0.0.1:{player.server.port}",
        f"Origin: {player.server.origin}",
        f"Cookie: {player.headers()['cookie']}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: {CONVERSATION}",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    await raw.send("\r\n".join([*head, "", ""]).encode())
    assert b" 101 " in await raw.head()
    return raw


def message(kind: str, **fields: Any) -> bytes:
    return Frame(Opcode.TEXT, json.dumps({"type": kind, **fields}).encode()).serialize(mask=True)


async def until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


def get(path: str = "/api/variants") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


# Frames


@pytest.mark.parametrize("kind", ["ping", "pong", "fragments", "after the end"])
def test_useless_frames_are_read_slowly(tmp_path: Path, kind: str) -> None:
    first, again = {
        "ping": (b"", PING),
        "pong": (b"", PONG),
        "fragments": (BEGIN, GO_ON),
        "after the end": (message("nonsense") * 30, message("nonsense")),
    }[kind]

    async def asked(server: InThread) -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            table = await ada.create("travel", "mo")
            await ben.join(table["code"])
            flooding = await raw_socket(ada, table["id"])
            told = asyncio.create_task(flooding.rest())
            flooding.writer.write(first + again * FLOOD)
            async with await ben.wire(table["id"]) as wire:
                await until(lambda: server.doors.watch.held)
                for _ in range(20):
                    await wire.settled()
                # One more each time it had to wait, and no more than that.
                assert server.doors.watch.held < PIECES
            await flooding.gone()
            if kind == "ping":
                assert 0 < (await told).count(b"\x8a\x00") < 2 * PIECES

    with inside(tmp_path / "flood.db", pieces_per_20s=PIECES) as server:
        play(asked(server))


def test_a_client_that_stops_flooding_is_heard_again(tmp_path: Path) -> None:
    async def asked(server: InThread) -> None:
        async with Player(server, "Ada") as ada:
            flooding = await raw_socket(ada, (await ada.create("travel", "mo"))["id"])
            await flooding.send(PING * 215 + message("ping", n=7))
            told = b""
            while b'"n":7' not in told:
                told += await flooding.reader.read(65536)
            assert server.doors.watch.held
            await flooding.gone()

    with inside(tmp_path / "after.db", pieces_per_20s=200) as server:
        play(asked(server))


def test_many_messages_at_once_are_handled_in_order(tmp_path: Path) -> None:
    """Nothing is lost or reordered when the application is slower than its peer."""

    async def asked(server: InThread) -> None:
        async with Player(server, "Ada") as ada:
            raw = await raw_socket(ada, (await ada.create("travel", "mo"))["id"])
            await raw.send(b"".join(message("ping", n=n) for n in range(2000)))
            told = b""
            while b'"n":1999}' not in told:
                told += await raw.reader.read(65536)
            places = [told.index(f'"n":{n}}}'.encode()) for n in range(2000)]
            assert places == sorted(places)
            assert not server.doors.watch.held
            await raw.gone()

    with inside(tmp_path / "many.db") as server:
        play(asked(server))


def test_a_client_that_sends_on_while_its_message_is_handled_has_to_wait(tmp_path: Path) -> None:
    """Otherwise the server would keep in memory whatever a client sends while, say, the disk is slow."""

    async def asked(server: InThread) -> None:
        async with Player(server, "Ada") as ada:
            table = (await ada.create("travel", "mo"))["id"]
            raw = await raw_socket(ada, table)
            lock = server.on_loop(server.hub.live(table)).lock
            server.on_loop(lock.acquire())
            raw.writer.write(message("chat", move_id="hello", phrase="hello"))
            # Far more than the operating system keeps between the two.
            raw.writer.write(PING * 4_000_000)
            left = -1
            while left != (left := raw.writer.transport.get_write_buffer_size()):
                await asyncio.sleep(0.5)
            assert left > 0
            server.on_loop(_release(lock))
            told = b""
            while b'"done":"hello"' not in told:
                told += await raw.reader.read(65536)
            raw.writer.transport.abort()  # the rest of its pings would be read slowly

    with inside(tmp_path / "on.db") as server:
        play(asked(server))


async def _release(lock: asyncio.Lock) -> None:
    lock.release()


def test_a_message_sent_byte_by_byte_is_understood(tmp_path: Path) -> None:
    async def asked(server: InThread) -> None:
        async with Player(server, "Ada") as ada:
            raw = await raw_socket(ada, (await ada.create("travel", "mo"))["id"])
            for number in range(3):
                for byte in message("ping", n=number):
                    await raw.send(bytes([byte]))
                    await asyncio.sleep(0)
            told = b""
            while b'"n":2' not in told:
                told += await raw.reader.read(65536)
            await raw.gone()

    with inside(tmp_path / "crumbs.db", pieces_per_20s=1000) as server:
        play(asked(server))


@pytest.mark.parametrize("size", [0, 1, 125, 126, 300, 65_535, 65_536])
def test_a_frame_ends_where_the_next_begins(size: int) -> None:
    for mask in (True, False):
        frame = Frame(Opcode.BINARY, bytes(size)).serialize(mask=mask)
        assert frame_size(frame + PING, 65_536) == len(frame)
        assert frame_size(frame[:-1], 65_536) is None
        if size > 100:
            assert frame_size(frame[:10], 100) == 10  # too long, as its head says


# Time


def test_a_slow_request_head_is_answered_and_disconnected(tmp_path: Path) -> None:
    async def asked(server: InThread) -> None:
        slow = await Raw.to(server.port)
        await slow.send(b"GET /api/variants HTTP/1.1\r\nHost: ")
        status, said = await slow.answer()
        assert (status, said["error"]["code"]) == (408, "request-slow")
        assert await slow.rest() == b""
        # A browser that only opens a spare connection isn't sent anything.
        silent = await Raw.to(server.port)
        assert await silent.rest() == b""
        again = await Raw.to(server.port)
        await again.send(get())
        assert (await again.answer())[0] == 200
        await again.send(get()[:20])
        assert (await again.answer())[0] == 408
        assert server.doors.watch.ended == {"header": 2, "silent": 1}
        for raw in (slow, silent, again):
            await raw.gone()

    with inside(tmp_path / "head.db", header_seconds=1.0) as server:
        play(asked(server))


def test_a_slow_request_body_is_answered_and_disconnected(tmp_path: Path) -> None:
    async def asked(server: InThread) -> None:
        slow = await Raw.to(server.port)
        head = f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100\r\n\r\n{{"
        await slow.send(head.encode())
        status, said = await slow.answer()
        assert (status, said["error"]["code"]) == (408, "request-slow")
        assert await slow.rest() == b""
        await slow.gone()
        # Refused before its body was requested, and then a byte now and then.
        drip = await Raw.to(server.port)
        await drip.send(head.replace("/api/tables", "/nowhere").encode())
        assert (await drip.answer())[0] == 404
        for _ in range(200):
            drip.writer.write(b" ")
            await asyncio.sleep(0.05)
            if drip.reader.at_eof():
                break
        assert await drip.rest() == b""
        assert server.doors.watch.ended == {"body": 1}
        await drip.gone()

    with inside(tmp_path / "body.db", body_seconds=1.0) as server:
        play(asked(server))


def test_an_idle_connection_is_closed(tmp_path: Path) -> None:
    async def asked(server: InThread) -> None:
        idle = await Raw.to(server.port)
        for _ in range(2):
            await idle.send(get())
            assert (await idle.answer())[0] == 200
        assert await idle.rest() == b""
        await idle.gone()

    with inside(tmp_path / "idle.db", idle_seconds=1) as server:
        play(asked(server))


def test_a_socket_that_does_not_answer_is_closed(tmp_path: Path) -> None:
    async def asked(server: InThread) -> None:
        async with Player(server, "Ada") as ada:
            table = (await ada.create("travel", "mo"))["id"]
            dead = await raw_socket(ada, table)
            async with await ada.wire(table) as alive:
                told = await dead.rest()
                assert b"keepalive ping timeout" in told
                await alive.settled()
            await dead.gone()

    with inside(tmp_path / "dead.db", ping_seconds=0.2) as server:
        play(asked(server))


def test_a_client_that_reads_none_of_the_answer_is_disconnected(tmp_path: Path) -> None:
    async def asked(server: InThread) -> None:
        with socket.socket() as small:
            small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            small.setblocking(False)
            await asyncio.get_running_loop().sock_connect(small, ("127.0.0.1", server.port))
            small.send(get("/api/openapi.json") * 150)
            await until(lambda: server.doors.watch.ended["unread"])
            await until(lambda: not len(server.doors))

    with inside(tmp_path / "unread.db", body_seconds=0.3) as server:
        play(asked(server))


def test_a_client_that_leaves_mid_request_is_not_an_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def asked(server: InThread) -> None:
        for _ in range(3):
            raw = await Raw.to(server.port)
            await raw.send(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{")
            await until(lambda: len(server.doors))
            await raw.gone()
            await until(lambda: not len(server.doors))

    with inside(tmp_path / "away.db") as server:
        play(asked(server))
    assert [record.msg for record in caplog.records if record.name.startswith("uvicorn")] == []


# Room


async def refused_by(port: int) -> tuple[int, str]:
    raw = await Raw.to(port)
    status, said = await raw.answer()
    assert await raw.rest() == b""
    await raw.gone()
    return status, said["error"]["code"]


@pytest.mark.parametrize(
    ("limits", "status"),
    [({"connections_per_address": 2, "sockets_per_address": 1}, 429), ({"connections": 3}, 503)],
)
def test_connections_are_capped(tmp_path: Path, limits: dict[str, int], status: int) -> None:
    async def asked(server: InThread) -> None:
        kept = [await Raw.to(server.port) for _ in range(3)]
        await until(lambda: len(server.doors) == 3)
        for _ in range(5):
            assert await refused_by(server.port) == (status, "too-many-open")
        assert (server.doors.refused, len(server.doors)) == ({"address" if status == 429 else "all": 5}, 3)
        for raw in kept[1:]:  # existing connections are served
            await raw.send(get())
            assert (await raw.answer())[0] == 200
        for raw in kept:
            await raw.gone()
        await until(lambda: not len(server.doors))
        again = await Raw.to(server.port)
        await again.send(get())
        assert (await again.answer())[0] == 200
        await again.gone()

    with inside(tmp_path / "cap.db", **limits) as server:
        play(asked(server))


def test_a_client_that_reconnects_too_often_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("genial.server.http.doors._ARRIVAL_SECONDS", 3600)  # however long this test takes

    async def asked(server: InThread) -> None:
        for _ in range(2 * 50):
            raw = await Raw.to(server.port)
            await raw.send(get())
            await raw.answer()  # by then it was accepted, and is counted
            await raw.gone()
            await until(lambda: not len(server.doors))
        assert await refused_by(server.port) == (429, "rate-limit")
        assert server.doors.refused["rate"] >= 1

    with inside(tmp_path / "often.db", connections_per_address=49, sockets_per_address=1) as server:
        play(asked(server))


def test_a_client_that_sends_far_too_many_requests_is_slowed_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files and probes too, which have no other limit; other callers are answered as before."""
    monkeypatch.setattr("genial.server.http.security._SLOW_SECONDS", 3600.0)

    async def asked(server: InThread) -> None:
        flooding = await Raw.to(server.port)
        flooding.writer.write(get("/nowhere") * 200)
        told = b""
        while told.count(b"HTTP/1.1 404") < 20:
            told += await flooding.reader.read(65536)
        other = await Raw.to(server.port, local_addr=("127.0.0.2", 0))
        for _ in range(3):
            await other.send(get())
            assert (await other.answer())[0] == 200
        other.writer.close()
        flooding.writer.transport.abort()
        assert told.count(b"HTTP/1.1 404") < 50

    with inside(tmp_path / "asks.db", requests_per_minute=10) as server:
        play(asked(server))


def test_a_trusted_proxy_is_exempt_from_the_connection_limits(tmp_path: Path) -> None:
    async def asked(port: int) -> None:
        raws = [await Raw.to(port) for _ in range(10)]
        for raw in raws:
            await raw.send(get("/healthz"))
            assert (await raw.answer())[0] == 200
        for raw in raws:
            await raw.gone()

    few = ("--limit", "connections_per_address=1", "--limit", "sockets_per_address=1")
    with serving(tmp_path / "proxy.db", "--trusted-proxy", "127.0.0.0/8", *few) as server:
        asyncio.run(asyncio.wait_for(asked(int(server.url.rpartition(":")[2])), 90))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux changes another process's limits")
def test_a_server_out_of_file_handles_stays_up_and_recovers(tmp_path: Path) -> None:
    async def asked(port: int, pid: int) -> None:
        known = await Raw.to(port)
        await known.send(get("/healthz"))
        assert (await known.answer())[0] == 200
        files = len(os.listdir(f"/proc/{pid}/fd"))
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (files + 3, before[1]))
        raws = [await Raw.to(port) for _ in range(30)]
        for _ in range(30):
            await known.send(get("/healthz"))
            assert (await known.answer())[0] == 200
        wait_for(lambda: "nobody can connect reason=EMFILE" in server.log)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        for raw in raws:
            await raw.send(get("/healthz"))
            assert (await raw.answer())[0] == 200
        for raw in [known, *raws]:
            await raw.gone()

    with serving(tmp_path / "files.db", "--limit", "idle_seconds=60") as server:
        asyncio.run(asyncio.wait_for(asked(int(server.url.rpartition(":")[2]), server.process.pid), 60))
        assert server.stop() == 0
    assert 1 <= server.log.count("nobody can connect") < 10
    assert "asyncio" not in server.log


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_the_connection_limit_leaves_file_handles_for_everything_else() -> None:
    async def run(limit: int) -> str:
        script = (
            f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, {limit}));"
            "from genial.server.operate.serve import _most_connections as most;"
            "print(most(1), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
        )
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE
        )
        return (await process.communicate())[0].decode().strip()

    async def both() -> None:
        assert await run(1024) == "920 1024"
        assert await run(100) == "25 100"

    asyncio.run(both())


def test_a_server_ends_cleanly_even_if_somebody_closes_a_socket_at_that_moment() -> None:
    async def stays(websocket: WebSocket) -> None:
        await websocket.accept()
        with pytest.raises(WebSocketDisconnect):
            await websocket.receive_text()

    async def body() -> None:
        server = GuardedServer(Starlette(routes=[WebSocketRoute("/", stays)]), Limits(), Doors(Limits()))
        with create_server(("127.0.0.1", 0)) as listening:
            serving = asyncio.create_task(server.serve([listening]))
            async with connect(f"ws://127.0.0.1:{listening.getsockname()[1]}", proxy=None) as mine:
                closing = asyncio.create_task(mine.close())
                (socket,) = server.server_state.connections
                assert isinstance(socket, WebSocketsSansIOProtocol)
                while socket.conn.state is State.OPEN:
                    await asyncio.sleep(0)
                assert socket in server.server_state.connections  # its connection is lost a moment later
                socket.shutdown()
                await closing
            server.should_exit = True
            await serving

    asyncio.run(asyncio.wait_for(body(), 60))
