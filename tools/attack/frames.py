"""WebSocket frames that say nothing: pings, empty messages, messages in endless pieces."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from dataclasses import dataclass
from time import perf_counter

from benchmarks.load_clients import HOST, Door, frame
from tools.attack.result import Outcome
from tools.attack.scene import ME, OPEN, device, new_table
from tools.attack.siege import Aim, siege

SOCKETS = 8
BYTES_PER_SECOND = 3_000_000
"""Of all sockets together."""
_TICK = 0.05
_AGAIN_SECONDS = 0.5
"""How long a client that was cut off waits before it returns."""
_TEXT, _PING = 0x1, 0x9
EMPTY_PIECE = b"\x00\x80\0\0\0\0"
"""A masked frame that continues a message without ending it."""
FIRST_PIECE = b"\x01\x80\0\0\0\0"


@dataclass(slots=True)
class Sent:
    """The totals of all of an attacker's sockets."""

    megabytes: float = 0.0
    ended: int = 0

    def outcome(self) -> Outcome:
        return Outcome(f"{self.megabytes:,.0f} MB sent, cut off {self.ended} times", True)


async def _flood(aim: Aim, piece: bytes, opening: bytes = b"") -> Outcome:
    """The same frame again and again, on all sockets."""
    sent, until = Sent(), perf_counter() + aim.seconds
    with closing(device(aim.door(0))) as host:
        path = f"/api/tables/{new_table(host, ME, OPEN)['id']}/socket"
        chunk = piece * int(BYTES_PER_SECOND * _TICK / SOCKETS / len(piece))
        requests = [aim.door(number).socket_request(path, host.cookie) for number in range(SOCKETS)]
    doors = [aim.door(number) for number in range(SOCKETS)]
    await asyncio.gather(
        *(
            _socket(door, request, opening, chunk, sent, until)
            for door, request in zip(doors, requests, strict=True)
        )
    )
    return sent.outcome()


async def _socket(door: Door, request: bytes, opening: bytes, chunk: bytes, sent: Sent, until: float) -> None:
    """One socket, reopened whenever the server closes it."""
    while perf_counter() < until:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(max(0.0, until - perf_counter())):
                reader, writer = await asyncio.open_connection(HOST, door.port, local_addr=door.local)
                try:
                    writer.write(request)
                    await reader.readuntil(b"\r\n\r\n")
                    writer.write(opening)
                    await _pour(reader, writer, chunk, sent)
                finally:
                    writer.transport.abort()
            sent.ended += 1
        await asyncio.sleep(_AGAIN_SECONDS)


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chunk: bytes, sent: Sent) -> None:
    """Send at the given rate, until the server has had enough."""
    hearing = asyncio.create_task(_hear(reader))
    try:
        while not hearing.done():
            begun = perf_counter()
            writer.write(chunk)
            await writer.drain()
            sent.megabytes += len(chunk) / 1e6
            await asyncio.sleep(max(0.0, begun + _TICK - perf_counter()))
    finally:
        hearing.cancel()


async def _hear(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


async def pings(aim: Aim) -> Outcome:
    return await _flood(aim, frame(b"", _PING))


async def empty_messages(aim: Aim) -> Outcome:
    return await _flood(aim, frame(b"", _TEXT))


async def pieces(aim: Aim) -> Outcome:
    return await _flood(aim, EMPTY_PIECE, FIRST_PIECE)


_AT = f"at {BYTES_PER_SECOND / 1e6:.0f} MB/s on {SOCKETS} sockets"

ATTACKS = [
    siege("pings", f"WebSocket pings {_AT}", pings),
    siege("empty-messages", f"empty WebSocket messages {_AT}", empty_messages),
    siege("fragments", f"WebSocket messages in endless empty pieces {_AT}", pieces),
]
