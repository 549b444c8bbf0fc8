"""The limit on the number of tables at once, whichever processes they were set up through."""

from __future__ import annotations

import time

from genial.server.tables.errors import TooMany
from genial.server.tables.hub import Hub

_HOUR_MS = 3600 * 1000
"""A table at which nothing has happened for this many milliseconds rests in the store and takes no room."""
_COUNT_SECONDS = 1.0


class TableQuota:
    """Counts the tables in the store, at most once a second; in between, it adds the new ones here."""

    def __init__(self, hub: Hub, most: int) -> None:
        self._hub = hub
        self._most = most
        self._count = 0
        self._until = 0.0

    async def take(self) -> None:
        """Take room for one more table; raises TooMany if there is none."""
        now = time.monotonic()
        if now >= self._until:
            # Callers that come while we count go by the earlier count.
            self._until = now + _COUNT_SECONDS
            self._count = await self._hub.store.count_live(self._hub.clock() - _HOUR_MS)
        if self._count >= self._most:
            raise TooMany("server-busy")
        self._count += 1
