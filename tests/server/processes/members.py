"""Processes on one database, each with a hub of its own, all of them inside one test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from genial.bots.workers import BotPool
from genial.core.errors import GenialError
from genial.server.calls.bans import Bans
from genial.server.calls.limiter import Buckets, Limiter
from genial.server.calls.streams import BotStreams
from genial.server.processes.follower import Follower
from genial.server.processes.process import Processes, join
from genial.server.store import Address
from genial.server.store.postgres import open_postgres
from genial.server.tables import decisions
from genial.server.tables.hub import Hub
from genial.server.tables.presence import Presence
from genial.server.tables.settings import Limits
from genial.server.tables.views import Viewer

PATIENCE = 60.0

AT_BOTH = Viewer(frozenset(), frozenset({0, 1}), True)
"""A device that holds both places, behind its curtain."""


class Member:
    """Stands for one process: a hub, with everything that follows the others."""

    def __init__(self, hub: Hub, processes: Processes, limits: Limits) -> None:
        self.hub = hub
        self.processes = processes
        self.limiter = Limiter(limits)
        self.presence = Presence(hub)
        self.bots = BotStreams(hub, self.presence)
        self.bans = Bans(hub, self.bots)
        self.follower = Follower(hub, self.presence, self.limiter, self.bots, self.bans, processes)
        self._round = asyncio.Lock()
        self.follower._settle_buckets = self._alone(self.follower._settle_buckets)  # type: ignore[method-assign]
        self.follower._settle_sockets = self._alone(self.follower._settle_sockets)  # type: ignore[method-assign]

    def _alone(
        self, settle: Callable[[], Coroutine[Any, Any, None]]
    ) -> Callable[[], Coroutine[Any, Any, None]]:
        async def alone() -> None:
            async with self._round:
                await settle()

        return alone

    async def settle(self) -> None:
        """Report what was taken from limits, and whatever a regular round is reporting just now."""
        await self.follower._settle_buckets()
        await self.follower._settle_sockets()


@asynccontextmanager
async def member(database: Address, limits: Limits | None = None) -> AsyncIterator[Member]:
    limits = limits or Limits(bot_pause=0.0, bot_ending=0.0)
    store = await open_postgres(database, migrate=True)
    processes = await join(database)
    async with BotPool(1) as pool:
        hub = Hub(store, pool, limits, peers=processes)
        found = Member(hub, processes, limits)
        found.follower.start()
        try:
            yield found
        finally:
            await found.follower.stop()
            found.presence.stop()
            await hub.stop()
            await processes.stop()
            await store.close()


@asynccontextmanager
async def two(database: Address, limits: Limits | None = None) -> AsyncIterator[tuple[Member, Member]]:
    async with member(database, limits) as one, member(database, limits) as other:
        while not one.processes.others:
            await asyncio.sleep(0.01)
        yield one, other


async def until(check: object) -> None:
    """Wait for something that another process, or a notification, brings about."""
    assert callable(check)
    async with asyncio.timeout(PATIENCE):
        while not check():
            await asyncio.sleep(0.01)


async def until_refused(buckets: Buckets, key: str) -> int:
    """Take from a limit until nothing is left. Returns how often that worked."""
    taken = 0
    async with asyncio.timeout(PATIENCE):
        while not buckets.wait(key):
            taken += 1
            await asyncio.sleep(0.01)
    return taken


def run(work: object) -> None:
    asyncio.run(asyncio.wait_for(work, 3 * PATIENCE))  # type: ignore[arg-type]


async def act(hub: Hub, game: str) -> None:
    """Make the first allowed move for whoever's turn it is."""
    table = (await hub.fresh(game)).table
    assert table.game is not None
    place = table.game.mover
    assert place is not None
    action = table.game.position.actions()[0]
    await hub.do(game, lambda at: decisions.act(at, place, action))


async def acted(hub: Hub, game: str, refused: set[str]) -> bool:
    try:
        await act(hub, game)
    except GenialError as error:
        refused.add(error.code)
        return False
    return True
