"""The tokens that this server issues, and how it recognises them.

A token carries a seal, a keyed hash made with a secret of the server, so that nobody can pass off a token of
their own making. Leaking the key exposes nobody: a token's random part is known only to its holder.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from collections import OrderedDict

from genial.server.calls.devices import Device
from genial.server.tables.store import Store

_SEAL_BYTES = 16
_MOST_REMEMBERED = 10_000
_SECRET = "device-tokens"
"""The name of the key in the store."""


class Tokens:
    """Issues tokens and checks them. `tokens_of` gives those of a store."""

    def __init__(self, key: bytes, store: Store) -> None:
        self._key = key
        self._store = store
        self._unsealed: OrderedDict[bytes, bool] = OrderedDict()
        """Devices with tokens of earlier versions that were looked up, and whether they are known."""

    def new(self) -> str:
        """A token with 128 random bits, for a browser."""
        return self._sealed(secrets.token_urlsafe(16))

    def new_bot(self, name: str) -> str:
        """A bot's token. It contains the bot's name, so that no account has to be kept."""
        return self._sealed(f"{secrets.token_urlsafe(16)}.{_text(name.encode())}")

    def renewed(self, token: str) -> str:
        """The same device's token with a seal, which tokens of earlier versions lack."""
        return self._sealed(token.partition("~")[0])

    async def knows(self, token: str, device: Device) -> bool:
        """True if a token was issued here; `device` is the device it names."""
        body, _, seal = token.partition("~")
        if seal:
            return hmac.compare_digest(seal, self._seal(body))
        # Nobody loses a game over an older token. A new device can't sit down without a seal.
        known = self._unsealed.get(device.hash)
        if known is None:
            known = bool(await self._store.tables_of(device.hash, limit=1))
            self._unsealed[device.hash] = known
            if len(self._unsealed) > _MOST_REMEMBERED:
                self._unsealed.popitem(last=False)
        return known

    def _sealed(self, body: str) -> str:
        return f"{body}~{self._seal(body)}"

    def _seal(self, body: str) -> str:
        return _text(hmac.digest(self._key, f"genial-token/1|{body}".encode(), "sha256")[:_SEAL_BYTES])


async def tokens_of(store: Store) -> Tokens:
    """The tokens of a store, shared by all processes on it: the first one creates the key."""
    return Tokens(await store.keep_secret(_SECRET, secrets.token_bytes(32)), store)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
