"""Who is calling over HTTP, and by what name they reached the server: what a request's headers say."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from genial.server.calls.conversation import CONVERSATION
from genial.server.calls.devices import network_of

_HOST = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
"""A name or an address, with or without a port."""
_PAGE = re.compile(r"application/json(?:; profile=([a-z0-9.]+))?")
"""What our own pages accept."""
_BROWSER = "Mozilla/"
"""How every browser names itself, whatever it is called, and hardly any other program."""
_MAX_AGE = 400 * 24 * 3600  # the longest that browsers keep a cookie


class Cookie(NamedTuple):
    """The cookie that holds a token: out of reach of scripts and other sites.

    For HTTPS, its name guarantees that only this very host can have set it, so that neither a neighbouring
    site nor a page without HTTPS can plant a token in a browser. No other cookie name is accepted then, not
    even to take over a device from before: that would reopen the same hole.
    """

    secure: bool

    @property
    def name(self) -> str:
        return "__Host-genial" if self.secure else "genial"

    def header(self, token: str) -> str:
        """The Set-Cookie header for a token."""
        attributes = f"{self.name}={token}; Max-Age={_MAX_AGE}; Path=/; HttpOnly; SameSite=Lax"
        return f"{attributes}; Secure" if self.secure else attributes


def token_from(connection: HTTPConnection, cookie: Cookie) -> tuple[str, bool]:
    """The token in a request, and whether it was sent deliberately, in the Authorization header."""
    header = connection.headers.get("authorization")
    if header is None:
        return connection.cookies.get(cookie.name, ""), False
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else "", True


def speaks(connection: HTTPConnection) -> bool:
    """True unless the caller indicates that it can't follow a table by our conversation.

    A socket has to offer it. Our pages name it in what they accept, except for those that speak the first
    version of the conversation: these accept only JSON, as programs may too, but browsers fetch it for them.
    """
    if connection.scope["type"] == "websocket":
        return CONVERSATION in connection.scope["subprotocols"]
    page = _PAGE.fullmatch(connection.headers.get("accept", ""))
    if page is None or "authorization" in connection.headers:
        return True
    if page[1] is None:
        return not connection.headers.get("user-agent", "").startswith(_BROWSER)
    return page[1] == CONVERSATION


def is_loopback(host: str) -> bool:
    """True if a name or address can only lead to this machine.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.168.1.5")
    (True, True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(connection: HTTPConnection) -> tuple[str, int | None]:
    """The host name and port by which the server was called; empty if unreadable."""
    try:
        called = urlsplit(f"//{connection.headers.get('host', '')}")
        return called.hostname or "", called.port
    except ValueError:
        return "", None


def origin_of(connection: HTTPConnection) -> str:
    """The origin by which the caller reached this server: `https://play.example.org`; empty if unreadable."""
    host = connection.headers.get("host", "")
    return f"{connection.scope['scheme']}://{host}" if _HOST.fullmatch(host) else ""


def address_of(connection: HTTPConnection) -> str:
    """The address that limits count by; an IPv6 caller has a whole 64-bit network to itself."""
    return network_of(connection.client.host) if connection.client else ""
