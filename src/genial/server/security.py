"""The outer wall: where requests come from, how long they may be, who is banned, what browsers are told."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from genial.server.auth import COOKIE, Device, address_hash, host_of, is_loopback
from genial.server.errors import Forbidden, Refused
from genial.server.hub import Hub

CONTENT_POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
RECORDS = "/api/records/"
"""Whole games are sent to these paths."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_BAN_SECONDS = 2.0
_PORTS = {"http": 80, "https": 443}


class TooLong(Refused):
    """A body of more bytes than are read."""

    status = 413


@dataclass(frozen=True, slots=True)
class Web:
    """How a server is reached."""

    secure: bool = True
    """Cookies for HTTPS alone, except on loopback. Off for `--lan`."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may play here, such as `https://play.example.org`."""
    hosts: tuple[str, ...] = ()
    """The names that the server answers to; empty: all. Guards a machine at home against rebound names."""

    def wants_secure_cookie(self, connection: HTTPConnection) -> bool:
        """Whether the token's cookie is for HTTPS alone."""
        encrypted = connection.scope["scheme"] in ("https", "wss")
        return encrypted or (self.secure and not is_loopback(connection))

    def check_host(self, connection: HTTPConnection) -> None:
        """Refuse a name that is not the server's."""
        if self.hosts and host_of(connection)[0] not in self.hosts:
            raise Forbidden("origin-wrong")

    def check_origin(self, connection: HTTPConnection) -> None:
        """Refuse what a page of another site sends. Who is no browser has no cookie, or names its token."""
        origin = connection.headers.get("origin")
        if origin is None:
            if "authorization" in connection.headers or COOKIE not in connection.cookies:
                return
            raise Forbidden("origin-wrong")
        if origin not in self.origins and not _same_host(origin, connection):
            raise Forbidden("origin-wrong")


def changes_something(connection: HTTPConnection) -> bool:
    """Whether a request may change anything: then its origin counts."""
    return connection.scope["type"] == "websocket" or connection.scope["method"] not in _SAFE


def _same_host(origin: str, connection: HTTPConnection) -> bool:
    try:
        found = urlsplit(origin)
        port = found.port or _PORTS.get(found.scheme)
    except ValueError:
        return False
    if found.scheme not in ("http", "https") or not found.hostname:
        return False
    host, host_port = host_of(connection)
    # Behind a proxy the scheme is not ours to know; its usual port is then left out.
    return found.hostname == host and port == (host_port or _PORTS[found.scheme])


class Bans:
    """Who is kept out, remembered for a moment so that not every request asks the store."""

    def __init__(self, hub: Hub, most_keys: int = 10_000) -> None:
        self._hub = hub
        self._most_keys = most_keys
        self._known: OrderedDict[bytes, tuple[float, bool]] = OrderedDict()

    async def check(self, device: Device | None, address: str) -> None:
        """Refuse a banned device or address."""
        for key in (address_hash(address), *([device.hash] if device else ())):
            if await self._banned(key):
                raise Forbidden("banned")

    async def _banned(self, key: bytes) -> bool:
        now = time.monotonic()
        since, banned = self._known.get(key, (-_BAN_SECONDS, False))
        if now - since >= _BAN_SECONDS:
            banned = await self._hub.store.banned(key, self._hub.clock())
            self._known[key] = (now, banned)
            if len(self._known) > self._most_keys:
                self._known.popitem(last=False)
        return banned


class Wall:
    """Adds the security headers to every answer, and stops reading bodies that are too long."""

    def __init__(self, app: ASGIApp, body_bytes: int, record_bytes: int) -> None:
        self._app = app
        self._body_bytes = body_bytes
        self._record_bytes = record_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begins = ("http.response.start", "websocket.http.response.start")
        is_api = scope["path"].startswith("/api/")

        async def walled(message: Message) -> None:
            if message["type"] in begins:
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if is_api:
                    headers.setdefault("cache-control", "no-store")
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        received = self._bounded(scope, receive) if scope["type"] == "http" else receive
        await self._app(scope, received, walled)

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        length = Headers(scope=scope).get("content-length", "")
        announced = int(length) if length.isascii() and length.isdecimal() and len(length) < 19 else 0
        most = self._record_bytes if scope["path"].startswith(RECORDS) else self._body_bytes
        read = 0

        async def bounded() -> Message:
            nonlocal read
            if announced > most:
                raise TooLong("message-long", limit=most)
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise TooLong("message-long", limit=most)
            return message

        return bounded
