"""A balancer on loopback: every request goes to the next server in turn, as nginx would send it.

Nothing is sticky. One connection carries one request: the servers are asked to close it after the answer, so
that a page, its calls and its socket are spread over all processes. A server that refuses connections is
skipped.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from tests.server.listener import Listener

_HEAD_BYTES = 1 << 20
"""More than any server reads: refusing what is too long is up to them."""
_END = b"\r\n"
_SET_ANEW = (b"x-forwarded-for", b"x-forwarded-proto")
"""Headers in which a caller could make claims about itself."""
_NOBODY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Balancer:
    """Passes requests on to `servers`, which are ports on loopback."""

    def __init__(self) -> None:
        self.servers: Sequence[int] = ()
        self.sockets: Counter[int] = Counter()
        """Open WebSockets, by server."""
        self._turns: Counter[bool] = Counter()
        self._listener = Listener(self._serve, limit=_HEAD_BYTES)

    @property
    def port(self) -> int:
        return self._listener.port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Balancer:
        self._listener.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request and, for a socket, everything after it."""
        try:
            head = await reader.readuntil(_END * 2)
            found = await self._connect(_is_socket(head))
            if found is None:
                writer.write(_NOBODY)
                return
            server, inner, outer = found
            outer.write(_passed_on(head, writer.get_extra_info("peername")[0]))
            self.sockets[server] += _is_socket(head)
            try:
                await asyncio.gather(
                    _pass(reader, outer, outer.close), _pass(inner, writer, writer.write_eof)
                )
            finally:
                self.sockets[server] -= _is_socket(head)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass  # browsers open spare connections that they never use
        finally:
            writer.close()

    async def _connect(
        self, is_socket: bool
    ) -> tuple[int, asyncio.StreamReader, asyncio.StreamWriter] | None:
        """The next server that accepts. Sockets take turns separately: two players get different servers."""
        for _ in self.servers:
            server = self.servers[self._turns[is_socket] % len(self.servers)]
            self._turns[is_socket] += 1
            with suppress(OSError):
                return server, *await asyncio.open_connection("127.0.0.1", server)
        return None


async def _pass(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, end: Callable[[], object]
) -> None:
    """Copy everything to the end. Data that nobody takes any longer is still read: a connection closed with
    unread data is reset, and the last answer may be lost with it.
    """
    try:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                with suppress(OSError):
                    writer.write(data)
                    await writer.drain()
    finally:
        with suppress(OSError, RuntimeError):
            end()


def _is_socket(head: bytes) -> bool:
    return any(_name(line) == b"upgrade" for line in head.split(_END)[1:])


def _name(line: bytes) -> bytes:
    return line.partition(b":")[0].strip().lower()


def _passed_on(head: bytes, caller: str) -> bytes:
    """The head of a request as the server gets it: with the caller's address, without keep-alive.

    >>> head = b"GET / HTTP/1.1\\r\\nX-Forwarded-For: me\\r\\n\\r\\n"
    >>> _passed_on(head, "192.0.2.7").split()[3:7]
    [b'X-Forwarded-For:', b'192.0.2.7', b'X-Forwarded-Proto:', b'http']
    """
    request, *lines = head.removesuffix(_END * 2).split(_END)
    dropped = _SET_ANEW if _is_socket(head) else (*_SET_ANEW, b"connection")
    kept = [line for line in lines if _name(line) not in dropped]
    added = [b"X-Forwarded-For: " + caller.encode(), b"X-Forwarded-Proto: http"]
    if not _is_socket(head):
        added.append(b"Connection: close")
    return _END.join([request, *kept, *added]) + _END * 2
