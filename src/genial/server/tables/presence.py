"""Who is at a table, and who has been gone too long from a game that waits for them (LEAVING).

Each process measures for itself how long somebody is gone, from when it notices; after a restart the count
starts again. The outcome is an entry of the table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass

from genial.core.errors import GenialError
from genial.server.tables import leaving
from genial.server.tables.entries import Body
from genial.server.tables.hub import Hub, Live
from genial.server.tables.table import Table

log = logging.getLogger("genial.server")

_SHORTEST = 0.1
"""Seconds that a page needs to reload."""


@dataclass(slots=True)
class _Gone:
    """A device with no connection to a table."""

    timer: asyncio.TimerHandle
    is_away: bool = False
    """True if it has been gone long enough to count as away."""


class Presence:
    """Keeps track of people whose last connection to a table has ended."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._seconds = max(_SHORTEST, hub.limits.away_seconds)
        self._patience = 1000 * hub.limits.abandon_seconds
        self._gone: dict[tuple[str, str], _Gone] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        hub.on_change = self.watch

    def watch_all(self) -> None:
        """After a start nobody is connected yet: give everybody the same time to come back."""
        for live in self._hub.tables.values():
            self.watch(live)

    def watch(self, live: Live) -> None:
        """Check who is connected to a running game, and start the timers of those who aren't."""
        if not live.table.is_running:
            return
        for device in {holder.device for holder in live.table.holders if holder.device}:
            if not self._connected(live, device):
                self.gone(live, device)
                continue
            self._forget(live, device)
            if _is_missed(live.table, device):
                self._spawn(self._welcome(live, device))

    async def came(self, live: Live, device: str) -> None:
        """A device has connected: give it its places back."""
        self._forget(live, device)
        if live.table.places_of(device) and not live.table.closed:
            # Always ask the hub, even if the device isn't missed yet: an entry saying so may be on its way.
            await self._hub.do(live.table.id, lambda table: leaving.back(table, device))

    def gone(self, live: Live, device: str) -> None:
        """A connection has ended; if it was the device's last one here, start its timer."""
        key = (live.table.id, device)
        if not live.table.places_of(device) or key in self._gone or self._connected(live, device):
            return
        self._gone[key] = _Gone(self._timer(live, device))

    def present(self, live: Live) -> frozenset[int]:
        """The places of people who are connected, or gone only briefly."""
        table = live.table
        return frozenset(place for place in table.people if self._is_present(live, place))

    def connected(self, live: Live) -> frozenset[int]:
        """The places of people who are connected at this moment."""
        table = live.table
        return frozenset(
            place for place in table.people if self._connected(live, table.holders[place].device or "")
        )

    async def crowd(self, live: Live) -> int:
        """The number of connections to a table: our own, plus one per player and spectator elsewhere."""
        there = await self._hub.peers.look(live.table.id)
        return len(live.listeners) + len(there.devices) + there.watching

    def stop(self) -> None:
        """Cancel all timers and tasks."""
        for gone in self._gone.values():
            gone.timer.cancel()
        self._gone.clear()
        for task in self._tasks:
            task.cancel()

    def _connected(self, live: Live, device: str) -> bool:
        here = any(listener.device == device for listener in live.listeners)
        return here or device in self._hub.peers.elsewhere(live.table.id).devices

    def _is_present(self, live: Live, place: int) -> bool:
        device = live.table.holders[place].device or ""
        if self._connected(live, device):
            return True
        # Another process may have noticed earlier than this one.
        gone = self._gone.get((live.table.id, device))
        return live.table.absence(place) is None and not (gone and gone.is_away)

    def _forget(self, live: Live, device: str) -> None:
        """Stop the timer of a device."""
        gone = self._gone.pop((live.table.id, device), None)
        if gone is not None:
            gone.timer.cancel()

    def _timer(self, live: Live, device: str) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        return loop.call_later(self._seconds, lambda: self._spawn(self._ring(live, device)))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ring(self, live: Live, device: str) -> None:
        """A device is still gone. Check again later: the game may start to wait for its person.

        Not for ever: a table that nobody uses is dropped from memory.
        """
        table_id = live.table.id
        gone = self._gone.get((table_id, device))
        if gone is None:
            return
        if live.table.closed or self._hub.tables.get(table_id) is not live:
            self._forget(live, device)
            return
        gone.timer = self._timer(live, device)
        gone.is_away = True

        def decide(table: Table) -> list[Body]:
            if self._connected(live, device):
                return []
            return leaving.missed(table, device, self.present(live), self._patience)

        try:
            await self._hub.peers.look(table_id)
            if self._connected(live, device):
                self._forget(live, device)
            elif decide(live.table):  # otherwise the table stays untouched, and can be dropped
                await self._hub.do(table_id, decide)
        except GenialError as error:
            log.info("nobody missed", extra={"code": error.code})

    async def _welcome(self, live: Live, device: str) -> None:
        """Somebody counted as missing has connected, here or through another process."""
        try:
            await self._hub.do(live.table.id, lambda table: leaving.back(table, device))
        except GenialError as error:
            log.info("nobody welcomed", extra={"code": error.code})


def _is_missed(table: Table, device: str) -> bool:
    return any(table.absence(place) is not None for place in table.places_of(device))
