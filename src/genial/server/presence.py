"""Who is gone too long from a game with others is replaced by a bot, and takes the place back on return."""

from __future__ import annotations

import asyncio
import logging

from genial.core.errors import GenialError
from genial.server import decisions
from genial.server.entries import Body
from genial.server.hub import Hub, Live
from genial.server.table import Table

log = logging.getLogger("genial.server")

_SHORTEST = 0.1
"""Seconds that a page takes to load again."""


class Presence:
    """Timers for people whose last connection to a table has ended."""

    def __init__(self, hub: Hub, seconds: float) -> None:
        self._hub = hub
        self._seconds = max(_SHORTEST, seconds)
        self._timers: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def watch_all(self) -> None:
        """After a start nobody is connected yet: everybody has the same time to come back."""
        for live in self._hub.tables.values():
            self.watch(live)

    def watch(self, live: Live) -> None:
        """Whoever is not connected to a running game has a time to come back."""
        if live.table.is_running:
            for device in {holder.device for holder in live.table.holders if holder.device}:
                self.gone(live, device)

    async def here(self, live: Live, device: str) -> None:
        """A device is connected: its places are its own again."""
        timer = self._timers.pop((live.table.id, device), None)
        if timer is not None:
            timer.cancel()
        away = any(live.table.holders[place].away for place in live.table.places_of(device))
        if away and not live.table.closed:
            await self._hub.do(live.table.id, lambda table: _back(table, device))

    def gone(self, live: Live, device: str) -> None:
        """A connection has ended; if it was the device's last one here, its time runs."""
        key = (live.table.id, device)
        if not live.table.places_of(device) or key in self._timers or self._connected(live, device):
            return
        loop = asyncio.get_running_loop()
        self._timers[key] = loop.call_later(self._seconds, self._ring, live, device)

    async def crowd(self, live: Live) -> int:
        """How many connections a table has: ours, and of other processes one a player and one a spectator."""
        there = await self._hub.peers.look(live.table.id)
        return len(live.subscribers) + len(there.devices) + there.watching

    def stop(self) -> None:
        """No more timers."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for task in self._tasks:
            task.cancel()

    def _connected(self, live: Live, device: str) -> bool:
        here = any(subscriber.device == device for subscriber in live.subscribers)
        return here or device in self._hub.peers.elsewhere(live.table.id).devices

    def _ring(self, live: Live, device: str) -> None:
        self._timers.pop((live.table.id, device), None)
        task = asyncio.get_running_loop().create_task(self._replace(live, device))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _replace(self, live: Live, device: str) -> None:
        if not live.table.is_running:
            # The next game may begin without them. Not for ever: a table that nobody uses leaves the memory.
            if not live.table.closed and self._hub.tables.get(live.table.id) is live:
                self.gone(live, device)
            return

        def decide(table: Table) -> list[Body]:
            return [] if self._connected(live, device) else _away(table, device)

        try:
            await self._hub.peers.look(live.table.id)
            await self._hub.do(live.table.id, decide)
        except GenialError as error:
            log.info("nobody replaced", extra={"code": error.code})


def _away(table: Table, device: str) -> list[Body]:
    """LEAVING: a bot plays on, if others wait. Who plays alone is waited for."""
    mine = table.places_of(device)
    if not table.is_running or not set(table.people) - mine:
        return []
    return [body for place in sorted(mine) for body in decisions.leave(table, device, place)]


def _back(table: Table, device: str) -> list[Body]:
    mine = [] if table.closed else sorted(table.places_of(device))
    return [body for place in mine for body in decisions.come_back(table, device, place)]
