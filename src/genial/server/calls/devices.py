"""The caller: a device, known by a random token that it keeps; the server stores only a hash of it.

A browser keeps its token in a cookie; a bot sends it in the Authorization header. There are no accounts:
whoever presents the same token is the same device. `tokens` knows which tokens were issued here.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from genial.core.shown import shown
from genial.server.tables.errors import Refused

_TOKEN = re.compile(r"([A-Za-z0-9_-]{22,64}(\.[A-Za-z0-9_-]{1,140})?)(~[A-Za-z0-9_-]{22})?")
"""Random text, a bot's name after a dot, and a seal after a tilde, which earlier versions lack."""
_HASH_BYTES = 16


class NotSignedIn(Refused):
    """This needs a device, and the caller named none."""

    status = 401


@dataclass(frozen=True, slots=True)
class Device:
    """The holder of a token."""

    hash: bytes
    """All that is stored of the token."""
    bot: str | None = None
    """A bot's name, which is part of its token."""

    @property
    def id(self) -> str:
        """The device as entries and operators name it."""
        return self.hash.hex()


def device_of(token: str) -> Device | None:
    """The device that a token names; None if it isn't a token. Doesn't check that the token was issued here.

    >>> device_of("0123456789abcdefghijkl.U2NobmFwcA").bot
    'Schnapp'
    """
    match = _TOKEN.fullmatch(token)
    # The seal is left out: a device is the same with and without it.
    return Device(_hash(f"genial-device/1|{match[1]}"), _bot_name(match[2])) if match else None


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()[:_HASH_BYTES]


def _bot_name(part: str | None) -> str | None:
    if part is None:
        return None
    try:
        name = base64.urlsafe_b64decode(part[1:] + "=" * (-len(part[1:]) % 4)).decode()
    except ValueError:
        return None
    return shown(name) or None


def network_of(address: str) -> str:
    """The part of an address that identifies one household.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:64]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 64 << 64))


def address_hash(address: str) -> bytes:
    """The form in which bans store an address."""
    return _hash(f"genial-address/1|{network_of(address)}")
