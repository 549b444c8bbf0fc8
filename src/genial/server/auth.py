"""Who asks: a device, known by a random token that it keeps and of which the server keeps only a hash.

A browser has its token in a cookie; a bot sends it in the Authorization header. No account stands behind it:
whoever brings the same token is the same device.
"""

from __future__ import annotations

import base64
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from genial.server.errors import Refused

COOKIE = "genial"
_MAX_AGE = 400 * 24 * 3600  # the longest that browsers keep a cookie
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}(\.[A-Za-z0-9_-]{1,140})?")
_HASH_BYTES = 16
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class NotSignedIn(Refused):
    """A device is needed here, and none was named."""

    status = 401


@dataclass(frozen=True, slots=True)
class Device:
    """Whoever holds a token."""

    hash: bytes
    """All that is stored of the token."""
    bot: str | None = None
    """The name of a bot, which is part of its token."""

    @property
    def id(self) -> str:
        """The device as entries and operators name it."""
        return self.hash.hex()


def new_token() -> str:
    """A token of 128 random bits."""
    return secrets.token_urlsafe(16)


def new_bot_token(name: str) -> str:
    """A bot's token. It carries the bot's name, so that no account has to be kept.

    >>> device_of(new_bot_token("Schnapp")).bot
    'Schnapp'
    """
    return f"{new_token()}.{base64.urlsafe_b64encode(name.encode()).decode().rstrip('=')}"


def device_of(token: str) -> Device | None:
    """The device that holds this token; None if it is no token."""
    found = _TOKEN.fullmatch(token)
    if found is None:
        return None
    return Device(
        sha256(f"genial-device/1|{token}".encode("ascii")).digest()[:_HASH_BYTES], _bot_name(found[1])
    )


def _bot_name(part: str | None) -> str | None:
    if part is None:
        return None
    try:
        name = base64.urlsafe_b64decode(part[1:] + "=" * (-len(part[1:]) % 4)).decode()
    except ValueError:
        return None
    return " ".join(name.split())[:24] or None


def device_from(connection: HTTPConnection) -> Device | None:
    """The device that a request names. A header that names none is refused; a cookie that does is ignored."""
    header = connection.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        device = device_of(token.strip()) if scheme.lower() == "bearer" else None
        if device is None:
            raise NotSignedIn("not-signed-in")
        return device
    return device_of(connection.cookies.get(COOKIE, ""))


def cookie_header(token: str, *, secure: bool) -> str:
    """The cookie that keeps a token: out of reach of scripts and of other sites."""
    attributes = f"{COOKIE}={token}; Max-Age={_MAX_AGE}; Path=/; HttpOnly; SameSite=Lax"
    return f"{attributes}; Secure" if secure else attributes


def is_loopback(connection: HTTPConnection) -> bool:
    """Whether a browser calls this machine by a name that never leaves it."""
    return host_of(connection)[0] in _LOOPBACK


def host_of(connection: HTTPConnection) -> tuple[str, int | None]:
    """The name and port by which the server was called; an unreadable name is none."""
    try:
        found = urlsplit(f"//{connection.headers.get('host', '')}")
        return found.hostname or "", found.port
    except ValueError:
        return "", None


def address_of(connection: HTTPConnection) -> str:
    """The address that limits count by: an IPv6 caller has a whole network of 64 bits to itself."""
    return network_of(connection.client.host) if connection.client else ""


def network_of(address: str) -> str:
    """The part of an address that stands for one household.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> 64 << 64))


def address_hash(address: str) -> bytes:
    """What bans know of an address."""
    return sha256(f"genial-address/1|{network_of(address)}".encode()).digest()[:_HASH_BYTES]
