"""Who asks: a device, known by a random token that it keeps and of which the server keeps only a hash.

A browser has its token in a cookie; a bot sends it in the Authorization header. No account stands behind it:
whoever brings the same token is the same device. `tokens` says which tokens were given out here.
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
"""Random text, after a dot a bot's name, after a tilde the seal, which tokens of earlier versions lack."""
_HASH_BYTES = 16


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


def device_of(token: str) -> Device | None:
    """The device that a token names; None if it is no token. Whether it was given out is another question.

    >>> device_of("0123456789abcdefghijkl.U2NobmFwcA").bot
    'Schnapp'
    """
    match = _TOKEN.fullmatch(token)
    # The seal is left out: with or without it, it is the same device.
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
    """The part of an address that stands for one household.

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
    """What bans know of an address."""
    return _hash(f"genial-address/1|{network_of(address)}")
