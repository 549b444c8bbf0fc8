"""Connections that are held but not used: slow headers, slow bodies, silence, and as many as possible."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from time import perf_counter

from benchmarks.load_clients import HOST, Door
from tools.attack.result import Outcome
from tools.attack.scene import World
from tools.attack.siege import Aim, siege

SOME, MANY = 400, 1500
MOST_HELD = 256
"""The most connections one address may have open at the end of an attack."""
DESCRIPTORS = 640
"""For a server that fills up easily; the bystanders and the server itself take some 250."""
_TOGETHER = 50
_DRIP_SECONDS = 1.0
_LAST_SECONDS = 2.0
"""Nothing new is opened at the end: what the server has not looked at yet is not held."""
_GET = f"GET /api/variants HTTP/1.1\r\nHost: {HOST}\r\n".encode()
_POST = f"POST /api/join HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 4000\r\n\r\n".encode()


class Held:
    """A connection that the attacker keeps for as long as possible."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._hearing = asyncio.create_task(_until_ended(reader))

    @property
    def is_open(self) -> bool:
        return not self._hearing.done()

    def drip(self, data: bytes) -> None:
        """Send a little more, if anybody is there."""
        if self.is_open:
            self._writer.write(data)

    def close(self) -> None:
        self._hearing.cancel()
        self._writer.transport.abort()


async def _until_ended(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 12):
            pass


async def _open(door: Door, opening: bytes) -> Held | None:
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(2.0):
            reader, writer = await asyncio.open_connection(HOST, door.port, local_addr=door.local)
        writer.write(opening)
        return Held(reader, writer)
    return None


async def _hold(aim: Aim, count: int, opening: bytes, drip: bytes = b"") -> Outcome:
    """Keep this many open, each with a little data now and then; those that are closed are opened again."""
    until = perf_counter() + aim.seconds
    held: list[Held] = []
    opened = 0
    try:
        while perf_counter() < until:
            begun = perf_counter()
            held = [one for one in held if one.is_open]
            while len(held) < count and perf_counter() < min(until - _LAST_SECONDS, begun + _DRIP_SECONDS):
                wanted = range(min(_TOGETHER, count - len(held)))
                found = await asyncio.gather(*(_open(aim.door(number), opening) for number in wanted))
                held += [one for one in found if one is not None]
                opened += len(wanted)
                await asyncio.sleep(0.02)
            for one in held:
                one.drip(drip)
            await asyncio.sleep(max(0.0, begun + _DRIP_SECONDS - perf_counter()))
        left = sum(one.is_open for one in held)
    finally:
        for one in held:
            one.close()
    return Outcome(f"{opened:,} opened, {left} held at the end", left <= MOST_HELD * len(aim.doors))


async def slow_headers(aim: Aim) -> Outcome:
    return await _hold(aim, SOME, _GET, b"X-More: x\r\n")


async def slow_bodies(aim: Aim) -> Outcome:
    return await _hold(aim, SOME, _POST, b" ")


async def silence(aim: Aim) -> Outcome:
    return await _hold(aim, SOME, b"")


async def as_many_as_possible(aim: Aim) -> Outcome:
    return await _hold(aim, MANY, _GET + b"\r\n")


async def all_silent(aim: Aim) -> Outcome:
    return await _hold(aim, MANY, b"")


_held = partial(siege, besides=f"{MOST_HELD} held at most at each process")

ATTACKS = [
    _held("slow-headers", f"{SOME} requests whose headers come a line a second", slow_headers),
    _held("slow-bodies", f"{SOME} requests whose bodies come a byte a second", slow_bodies),
    _held("idle", f"{SOME} connections that say nothing", silence),
    _held("connections", f"{MANY:,} connections that ask once and stay", as_many_as_possible),
    _held(
        "descriptors",
        f"{MANY:,} silent connections to a server that may have {DESCRIPTORS} files open",
        all_silent,
        World(descriptors=DESCRIPTORS),
    ),
]
