"""Two tabs of one browser on one store: both follow, one writes, and whoever acts takes over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, cast

import pytest
from tests.server.operations import listening, new_table
from tests.server.page.chromium import BridgedLink, BridgedVault, Chromium, Tab

from genial.bots.thinking import Choice, Thinkers
from genial.bots.workers import BotPool
from genial.server.calls.deeds import Stale
from genial.server.page.store import open_page_store
from genial.server.page.tabs import Tabs, join
from genial.server.tables import decisions
from genial.server.tables.entries import Acted, Body, Chatted
from genial.server.tables.hub import Hub
from genial.server.tables.log import entries_from
from genial.server.tables.presence import Presence
from genial.server.tables.settings import Limits, TableSettings
from genial.server.tables.table import Table

PATIENCE = 60.0
AT_ONCE = Limits(bot_pause=0.0, bot_ending=0.0)
SLOW = Limits(bot_pause=PATIENCE * 2, bot_ending=0.0)
"""Bots that don't finish thinking here."""


class Noted:
    """Notes which positions a pool is asked to think about."""

    def __init__(self, pool: BotPool) -> None:
        self.pool = pool
        self.tags: list[str] = []

    async def choose(self, *asked: Any, tag: str, **more: Any) -> Choice:
        self.tags.append(tag)
        return await self.pool.choose(*asked, tag=tag, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pool, name)


class Page:
    """The tables of one tab."""

    def __init__(self, tab: Tab, hub: Hub, tabs: Tabs, thoughts: list[str]) -> None:
        self.tab = tab
        self.hub = hub
        self.tabs = tabs
        self.thoughts = thoughts

    async def act(self, table_id: str) -> None:
        """Make the first allowed move for whoever's turn it is, as this tab's screen shows it."""
        table = self.hub.tables[table_id].table
        assert table.game is not None
        seen, place = table.game.seq, table.game.mover
        action = table.game.position.actions()[0]
        assert place is not None

        def decide(at: Table) -> list[Body]:
            if at.game is None or at.game.seq != seen:
                raise Stale("stale", got=seen, expected=at.game.seq if at.game else 0)
            return decisions.act(at, place, action)

        await self.hub.do(table_id, decide)


@asynccontextmanager
async def page(tab: Tab, scope: str, pool: BotPool, limits: Limits = AT_ONCE) -> AsyncIterator[Page]:
    store = await open_page_store(BridgedVault(tab, scope))
    tabs = await join(BridgedLink(tab, scope))
    noted = Noted(pool)
    hub = Hub(store, cast(Thinkers, noted), limits, peers=tabs)
    presence = Presence(hub)
    tabs.follow(hub, presence)
    try:
        yield Page(tab, hub, tabs, noted.tags)
    finally:
        presence.stop()
        await hub.stop()
        await tabs.stop()
        await store.close()


Two = Callable[[Page, Page], Awaitable[None]]


@pytest.fixture
def two(chromium: Chromium, request: pytest.FixtureRequest) -> Callable[..., None]:
    """Runs a test with two tabs."""

    def run(test: Two, first: Limits = AT_ONCE, second: Limits = AT_ONCE) -> None:
        pages = [chromium.tab(), chromium.tab()]

        async def body() -> None:
            async with AsyncExitStack() as stack, asyncio.timeout(3 * PATIENCE):
                pool = await stack.enter_async_context(BotPool(1))
                one, other = [
                    await stack.enter_async_context(page(tab, request.node.name, pool, limits))
                    for tab, limits in zip(pages, (first, second), strict=True)
                ]
                await until(lambda: one.tabs.living == other.tabs.living == {one.tabs.id, other.tabs.id})
                await test(one, other)

        asyncio.run(body())
        for tab in pages:
            chromium.here(tab.page.close())

    return run


async def until(check: Callable[[], object]) -> None:
    """Wait for something that the other tab brings about."""
    async with asyncio.timeout(PATIENCE):
        while not check():
            await asyncio.sleep(0.01)


def test_both_tabs_follow_and_the_one_that_acts_writes(two: Callable[..., None]) -> None:
    async def body(one: Page, other: Page) -> None:
        table = await new_table(one.hub, TableSettings("classic", 2))
        await until(lambda: one.tabs.owns(table.id))
        ear = listening()
        live = await other.hub.subscribe(table.id, ear)
        for _ in range(4):
            await one.act(table.id)
        await until(lambda: live.table.seq == table.seq)
        heard = [await ear.next() or "" for _ in range(ear.waiting)]
        assert sum(message.count('"kind":"acted"') for message in heard) == 4
        assert not other.tabs.owns(table.id), "who only looks on takes nothing over"
        for writer in (other, one, other):
            await writer.act(table.id)
            assert writer.tabs.owns(table.id)
            await until(lambda: one.hub.tables[table.id].table.seq == live.table.seq)
            await until(lambda: one.tabs.owns(table.id) != other.tabs.owns(table.id))

    two(body)


def test_when_both_tabs_act_at_once_one_wins_and_the_other_is_told(two: Callable[..., None]) -> None:
    async def body(one: Page, other: Page) -> None:
        table = await new_table(one.hub, TableSettings("classic", 2))
        live = await other.hub.live(table.id)
        for _ in range(8):
            await until(lambda: live.table.seq == table.seq)
            before = live.table.seq
            outcomes = await asyncio.gather(one.act(table.id), other.act(table.id), return_exceptions=True)
            assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "Stale"]
            assert {one.hub.tables[table.id].table.seq, live.table.seq} == {before + 1}, "both see what is"
        stored = await one.hub.store.read(table.id)
        assert [each.seq for each in stored] == list(range(1, live.table.seq + 1))
        assert sum(isinstance(each.body, Acted) for each in entries_from(Table(table.id), stored)) == 8

    two(body)


def test_when_the_first_tab_is_closed_the_other_takes_over(two: Callable[..., None]) -> None:
    """Bots alone, watched from both tabs: the second thinks for them once the first has gone."""

    async def body(one: Page, other: Page) -> None:
        table = await new_table(one.hub, TableSettings("classic", 2), "bot")
        ears = [listening(), listening()]
        await one.hub.subscribe(table.id, ears[0])
        await until(lambda: one.tabs.owns(table.id))
        live = await other.hub.subscribe(table.id, ears[1])
        begun = live.table.seq
        assert not other.tabs.owns(table.id)
        await one.tab.close()
        await until(lambda: other.tabs.owns(table.id))
        await until(lambda: one.tabs.id not in other.tabs.living)
        await until(lambda: live.table.seq > begun)
        stored = await other.hub.store.read(table.id)
        assert [each.seq for each in stored] == list(range(1, len(stored) + 1))

    two(body, SLOW)


def test_only_one_tab_at_a_time_thinks_for_the_bots(two: Callable[..., None]) -> None:
    """Somebody acts in the second tab while a bot thinks in the first: it stops there, and thinks here."""

    async def body(one: Page, other: Page) -> None:
        table = await new_table(one.hub, TableSettings("classic", 2), "bot")
        await one.hub.subscribe(table.id, listening())
        await until(lambda: one.tabs.owns(table.id) and one.hub.tables[table.id].bot)
        thinking = one.hub.tables[table.id].bot
        assert thinking is not None
        live = await other.hub.subscribe(table.id, listening())
        await until(lambda: live.bot is None or live.bot.done())
        assert not thinking.done()
        said = live.table.seq + 1
        await other.hub.do(table.id, lambda _: [Chatted(None, "Ada", phrase="hello")])
        await until(thinking.cancelled)
        assert not one.tabs.owns(table.id)
        await until(lambda: live.table.seq > said + 3)
        assert len(one.thoughts) == 1, "it has begun no other one"
        assert len(other.thoughts) == len(set(other.thoughts)), "each position is thought about once"
        await until(lambda: one.hub.tables[table.id].table.seq > said + 3)

    two(body, SLOW)
