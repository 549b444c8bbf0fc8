"""Banned devices and addresses."""

from __future__ import annotations

import time
from collections import OrderedDict

from genial.server.calls.devices import Device, address_hash
from genial.server.calls.streams import BotStreams
from genial.server.tables.errors import Forbidden
from genial.server.tables.hub import Hub
from genial.server.tables.peers import Banned

_BAN_SECONDS = 2.0


class Bans:
    """Checks bans, and caches the answers briefly so that not every request asks the store."""

    def __init__(self, hub: Hub, bots: BotStreams, most_keys: int = 10_000) -> None:
        self._hub = hub
        self._bots = bots
        self._most_keys = most_keys
        self._known: OrderedDict[bytes, tuple[float, bool]] = OrderedDict()

    async def check(self, device: Device | None, address: str) -> None:
        """Refuse a banned device or address."""
        for key in (address_hash(address), *([device.hash] if device else ())):
            if await self._banned(key):
                raise Forbidden("banned")

    def put_out(self, banned: Banned) -> None:
        """Somebody was banned, here or elsewhere: close their sockets and streams, and keep them out."""
        self._known.clear()  # or the cache would let them back in at once
        self._hub.put_out(banned)
        self._bots.put_out(banned)

    async def _banned(self, key: bytes) -> bool:
        now = time.monotonic()
        since, banned = self._known.get(key, (-_BAN_SECONDS, False))
        if now - since >= _BAN_SECONDS:
            banned = await self._hub.store.banned(key, self._hub.clock())
            self._known[key] = (now, banned)
            if len(self._known) > self._most_keys:
                self._known.popitem(last=False)
        return banned
