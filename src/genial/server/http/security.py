"""The first checks: where requests come from, how long and how frequent they are; and security headers."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from genial.server.calls.limiter import Buckets
from genial.server.http.callers import Cookie, address_of, host_of, is_loopback
from genial.server.tables.errors import Forbidden, Refused
from genial.server.tables.settings import Limits

CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'"
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
"""The paths that take whole games."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_PORTS = {"http": 80, "https": 443}
_MORE_REQUESTS = 10
"""A caller with this many times the API's request limit, files and probes included, is answered slowly."""
_SLOW_SECONDS = 1.0


class TooLong(Refused):
    """A body with too many bytes."""

    status = 413


class TooSlow(Refused):
    """A request that takes too long to arrive."""

    status = 408


@dataclass(frozen=True, slots=True)
class Web:
    """How a server is reached."""

    secure: bool = True
    """Cookies only over HTTPS, except on loopback. Off for `--lan`."""
    hosts: tuple[str, ...] = ()
    """The host names the server answers to; empty for all. Protects a home machine from DNS rebinding."""
    proxied: bool = False
    """Behind a proxy that is trusted to say how callers reached it."""

    def cookie(self, connection: HTTPConnection) -> Cookie:
        """The token's cookie for this connection."""
        encrypted = connection.scope["scheme"] in ("https", "wss")
        return Cookie(encrypted or (self.secure and not is_loopback(host_of(connection)[0])))

    def check_host(self, connection: HTTPConnection) -> None:
        """Refuse a host name that isn't the server's."""
        if self.hosts and host_of(connection)[0] not in self.hosts:
            raise Forbidden("origin-wrong")

    def check_origin(self, connection: HTTPConnection) -> None:
        """Refuse requests from another site's pages. Other clients have no cookie, or send their token."""
        origin = connection.headers.get("origin")
        if origin is None:
            has_cookie = self.cookie(connection).name in connection.cookies
            if has_cookie and "authorization" not in connection.headers:
                raise Forbidden("origin-wrong")
            return
        if not self._is_own(origin, connection):
            raise Forbidden("origin-wrong")

    def _is_own(self, origin: str, connection: HTTPConnection) -> bool:
        try:
            page = urlsplit(origin)
            port = page.port
        except ValueError:
            return False
        if page.scheme not in self._schemes(connection) or not page.hostname:
            return False
        usual = _PORTS[page.scheme]
        host, host_port = host_of(connection)
        # A proxy leaves out the default port, which depends on the scheme.
        return page.hostname == host and (port or usual) == (host_port or usual)

    def _schemes(self, connection: HTTPConnection) -> tuple[str, ...]:
        """The schemes under which our page may have been loaded by whoever sends this."""
        if connection.scope["scheme"] in ("https", "wss"):
            return ("https",)
        if self.proxied and connection.headers.get("x-forwarded-proto", "").strip() in ("http", "ws"):
            return ("http",)
        # An undeclared proxy, or one that sends no headers, may terminate HTTPS.
        return ("http", "https")


def changes_something(connection: HTTPConnection) -> bool:
    """True if a request may change anything, so that its origin matters."""
    return connection.scope["type"] == "websocket" or connection.scope["method"] not in _SAFE


class Wall:
    """Adds the security headers to every answer, and stops reading bodies that are too long or too slow.

    A caller with far too many requests has to wait for each answer.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        rate = limits.requests_per_minute
        self._all_requests = Buckets(2 * rate, 60 * 2 / _MORE_REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._all_requests.wait(address_of(HTTPConnection(scope))):
            # Refusing costs as much as answering. The connection waits, and so does whatever it would send
            # next.
            await asyncio.sleep(_SLOW_SECONDS)
        begins = ("http.response.start", "websocket.http.response.start")
        is_api = scope["path"].startswith("/api/")

        def walled(message: Message) -> Awaitable[None]:
            if message["type"] in begins:
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if is_api:
                    headers.setdefault("cache-control", "no-store")
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            return send(message)

        received = self._bounded(scope, receive) if scope["type"] == "http" else receive
        await self._app(scope, received, walled)

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        limits = self._limits
        length = Headers(scope=scope).get("content-length", "")
        announced = int(length) if length.isascii() and length.isdecimal() and len(length) < 19 else 0
        most = limits.record_bytes if scope["path"].startswith(RECORDS) else limits.body_bytes
        until = asyncio.get_running_loop().time() + limits.body_seconds
        read, complete = 0, False

        async def bounded() -> Message:
            nonlocal read, complete
            if announced > most:
                raise TooLong("message-long", limit=most)
            if complete:  # only a stream calls this again, and waits for its reader to go
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise TooSlow("request-slow", seconds=math.ceil(limits.body_seconds)) from None
            complete = not message.get("more_body", False)
            read += len(message.get("body", b""))
            if read > most:
                raise TooLong("message-long", limit=most)
            return message

        return bounded
