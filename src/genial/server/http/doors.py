"""Who may connect to the server, how many at a time, and what happens when there is no room.

We accept connections ourselves: when the process can't open any more files, asyncio's own server retries
thousands of times a second, and logs a whole page each time.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from itertools import count

from uvicorn.protocols.http.h11_impl import H11Protocol

from genial.core.errors import GenialError
from genial.server.calls.answering import JSON, told_error
from genial.server.calls.devices import network_of
from genial.server.calls.limiter import Buckets, Open
from genial.server.http.guard import LINGER_SECONDS, Guard, Watch
from genial.server.http.security import HEADERS, TooSlow
from genial.server.tables.errors import TooMany
from genial.server.tables.settings import Limits

log = logging.getLogger("genial.server")

_BATCH = 4
"""How many connections are accepted or refused before other tasks get their turn."""
_FULL_SECONDS = 1.0
"""How long accepting pauses when the process can't open any more files."""
_LOOKS = 4
"""How often a connection is checked within its shortest time limit."""
_RETRY_SECONDS = 5
_ARRIVAL_SECONDS = 20
"""Per address, as many connections as may be open may arrive in this time; twice as many at first."""
_STOP_SECONDS = 0.05
_READ_BYTES = 64 * 1024


class Full(TooMany):
    """No room for one more, whoever it is."""

    status = 503


class Doors:
    """Counts connections from their first moment on, by address and in total, and enforces time limits."""

    def __init__(self, limits: Limits, *, most: int | None = None, trusted: Sequence[str] = ()) -> None:
        self._limits = limits
        self._most = limits.connections if most is None else min(most, limits.connections)
        each = limits.sockets_per_address + limits.connections_per_address
        self._addresses = Open(each)
        self._arrivals = Buckets(2 * each, 2 * _ARRIVAL_SECONDS)
        self._trusted = [ip_network(each, strict=False) for each in trusted]
        self._open: dict[Guard, str | None] = {}
        self._accepting: list[asyncio.Task[None]] = []
        self._beginning: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None
        self.refused: Counter[str] = Counter()
        """Connections that found no room, by reason."""
        self._answers = {
            "all": _plain(Full("too-many-open", limit=self._most)),
            "address": _plain(TooMany("too-many-open", limit=each)),
            "rate": _plain(TooMany("rate-limit", seconds=_RETRY_SECONDS)),
        }
        slow = TooSlow("request-slow", seconds=math.ceil(limits.header_seconds))
        self.watch = Watch(limits, _plain(slow))

    def __len__(self) -> int:
        return len(self._open)

    def open(self, listening: Sequence[socket.socket], make: Callable[[], H11Protocol], backlog: int) -> None:
        """Accept connections from now on; `make` makes the protocol for each."""
        for each in listening:
            each.setblocking(False)
            each.listen(backlog)
            self._accepting.append(asyncio.create_task(self._accept(each, make)))
        self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Accept no more connections. Existing ones stay, and their time limits with them."""
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, *self._beginning, return_exceptions=True)

    async def stop(self) -> None:
        """End the remaining connections, after a short wait for unsent data."""
        loop = asyncio.get_running_loop()
        until = loop.time() + LINGER_SECONDS
        while any(guard.has_unsent for guard in self._open) and loop.time() < until:
            await asyncio.sleep(_STOP_SECONDS)
        for guard in list(self._open):
            guard.abort()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _accept(self, listening: socket.socket, make: Callable[[], H11Protocol]) -> None:
        loop = asyncio.get_running_loop()
        for turn in count(1):
            try:
                connection, peer = await loop.sock_accept(listening)
                self._meet(connection, str(peer[0]), make)
            except ConnectionError:  # gone before we could accept it
                pass
            except OSError as error:
                self.refused["files"] += 1
                reason = errno.errorcode.get(error.errno or 0, "unknown")
                log.error("nobody can connect", extra={"reason": reason})
                await asyncio.sleep(_FULL_SECONDS)
            if turn % _BATCH == 0:
                await asyncio.sleep(0)  # accepting a waiting connection never yields by itself

    def _meet(self, connection: socket.socket, peer: str, make: Callable[[], H11Protocol]) -> None:
        address = self._counted(peer)
        if reason := self._full(address):
            self.refused[reason] += 1
            _send_away(connection, self._answers[reason])
            return
        if address is not None:
            self._addresses.enter(address)
        guard = Guard(self.watch, make(), self._leave)
        self._open[guard] = address
        beginning = asyncio.create_task(self._begin(connection, guard))
        self._beginning.add(beginning)
        beginning.add_done_callback(self._beginning.discard)

    async def _begin(self, connection: socket.socket, guard: Guard) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: guard, connection)
        except OSError:  # gone before it began
            self._leave(guard)
            connection.close()

    def _counted(self, peer: str) -> str | None:
        """The address that a connection counts towards; None for a trusted proxy, which speaks for others."""
        try:
            parsed = ip_address(peer)
        except ValueError:
            return peer
        return None if any(parsed in network for network in self._trusted) else network_of(peer)

    def _full(self, address: str | None) -> str | None:
        """Why there is no room for one more. Cheap, because some clients ask thousands of times a second."""
        if len(self._open) >= self._most:
            return "all"
        if address is None:
            return None
        if not self._addresses.has_room(address):
            return "address"
        return "rate" if self._arrivals.wait(address) else None

    def _leave(self, guard: Guard) -> None:
        address = self._open.pop(guard, None)
        if address is not None:
            self._addresses.leave(address)

    async def _look(self) -> None:
        limits, loop = self._limits, asyncio.get_running_loop()
        shortest = min(limits.header_seconds, limits.body_seconds, LINGER_SECONDS)
        while True:
            await asyncio.sleep(shortest / _LOOKS)
            now = loop.time()
            for guard in list(self._open):
                guard.look(now)


def _plain(error: GenialError) -> bytes:
    """A final answer, in English, to somebody whose request we haven't read."""
    told, file = told_error(error, "en")
    body, status = file.body, HTTPStatus(told)
    headers = {
        **HEADERS,
        "content-type": JSON,
        "content-length": str(len(body)),
        "retry-after": str(_RETRY_SECONDS),
        "connection": "close",
    }
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _send_away(connection: socket.socket, answer: bytes) -> None:
    with connection, suppress(OSError):
        connection.setblocking(False)
        connection.send(answer)
        connection.recv(_READ_BYTES)  # if we closed with data unread, our answer would be lost
