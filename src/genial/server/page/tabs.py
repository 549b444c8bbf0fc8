"""Several tabs of one browser on one store, as `processes` are on one database.

Only one tab writes a game: the one that holds its name, which the browser grants to one tab at a time, and to
the next when that one is gone, however it went. The others follow. When somebody acts in another tab, that
tab takes the name over, and the one that had it stops thinking for the game's bots. If two tabs still write
at the same moment, the store lets one of them (`page/store.py`), and the other catches up and decides again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from genial.core.errors import GenialError
from genial.server.tables.hub import Hub, Live
from genial.server.tables.news import Waiting
from genial.server.tables.peers import NOWHERE, Elsewhere, Peers
from genial.server.tables.presence import Presence

log = logging.getLogger("genial.server")

_TAB, _TABLE = "tab:", "table:"
"""What the names stand for: a tab itself, for as long as it exists, or a game."""


class Link(Protocol):
    """What connects the tabs: `web/src/page/tabs.ts`."""

    def listen(self, told: Callable[[str, str], None]) -> None:
        """Call `told` with `heard` and a text, or with `gained` or `lost` and a name."""

    def say(self, text: str) -> None:
        """Tell all other tabs."""

    async def claim(self, name: str) -> bool:
        """Take a name if no tab holds it. Returns whether it is ours."""

    async def take(self, name: str) -> None:
        """Take a name from any tab that holds it, which is told that it has lost it."""

    def want(self, name: str) -> None:
        """Take a name as soon as no other tab holds it; we are told when we have gained it."""

    def release(self, name: str) -> None:
        """Give up a name, or stop waiting for it."""

    async def held(self) -> Sequence[str]:
        """All names that any tab holds."""

    def close(self) -> None:
        """Give up all names, and stop sending and listening."""


class _Came(Struct, frozen=True, tag="came", array_like=True):
    """A tab has arrived, and wants to know who is where."""

    tab: str


class _Wrote(Struct, frozen=True, tag="wrote", array_like=True):
    """A table's log goes up to this entry."""

    table: str
    seq: int


class _Here(Struct, frozen=True, tag="here", array_like=True):
    """Who is at a table through a tab."""

    tab: str
    table: str
    devices: list[str]
    watching: int


class _Waits(Struct, frozen=True, tag="waits", array_like=True):
    """A bot has to wait before it can think."""

    table: str
    place: int
    seq: int
    line: int


_heard = msgspec.json.Decoder(_Came | _Wrote | _Here | _Waits)


class Tabs(Peers):
    """`Peers` that are tabs. Use `join` to get one."""

    alone = False

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link = link
        self._others: set[str] = set()
        self._owned: set[str] = set()
        self._here: dict[str, _Here] = {}
        self._elsewhere: dict[str, dict[str, Elsewhere]] = {}
        """By table and tab."""
        self._hub: Hub | None = None
        self._presence: Presence | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Join the other tabs: get known to them, and know them."""
        self._link.listen(self._told)
        await self._link.claim(_TAB + self.id)
        for name in await self._link.held():
            if name.startswith(_TAB):
                self._meet(name.removeprefix(_TAB))
        self._say(_Came(self.id))

    def follow(self, hub: Hub, presence: Presence) -> None:
        """From now on, tell the tables in memory what other tabs do."""
        self._hub, self._presence = hub, presence

    async def stop(self) -> None:
        """Leave: the others take over our games."""
        self._hub = self._presence = None
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._link.close()

    # Living

    @property
    def living(self) -> frozenset[str]:
        return frozenset({self.id, *self._others})

    def _meet(self, tab: str) -> None:
        """Another tab is there. Wait for its name: getting it means that the tab is gone."""
        if tab != self.id:
            self._others.add(tab)
            self._link.want(_TAB + tab)

    def _gone(self, tab: str) -> None:
        self._link.release(_TAB + tab)
        self._others.discard(tab)
        for table_id, by_tab in list(self._elsewhere.items()):
            if by_tab.pop(tab, None) is not None:
                self._moved(table_id)

    # Telling and hearing

    def wrote(self, table_id: str, seq: int) -> None:
        self._say(_Wrote(table_id, seq))

    def waits(self, table_id: str, place: int, seq: int, line: int) -> None:
        self._say(_Waits(table_id, place, seq, line))

    def _say(self, message: Struct) -> None:
        self._link.say(msgspec.json.encode(message).decode())

    def _told(self, what: str, text: str) -> None:
        if what == "heard":
            with suppress(msgspec.MsgspecError):  # a tab of another version may send more
                self._hear(_heard.decode(text))
        elif text.startswith(_TAB):
            self._gone(text.removeprefix(_TAB))
        elif what == "gained":
            self._gained(text.removeprefix(_TABLE))
        else:
            self._lost(text.removeprefix(_TABLE))

    def _hear(self, message: _Came | _Wrote | _Here | _Waits) -> None:
        match message:
            case _Came(tab):
                self._meet(tab)
                for here in self._here.values():
                    self._say(here)
            case _Wrote(table_id, seq):
                live = self._live(table_id)
                if self._hub is not None and live is not None and live.table.seq < seq:
                    self._spawn(self._catch_up(self._hub, live))
            case _Here(tab, table_id, devices, watching):
                by_tab = self._elsewhere.setdefault(table_id, {})
                by_tab[tab] = Elsewhere(frozenset(devices), watching)
                self._moved(table_id)
            case _Waits(table_id, place, seq, line):
                if self._hub is not None and (live := self._live(table_id)) is not None:
                    self._hub.tell_waiting(live, Waiting(place, seq, line))

    def _live(self, table_id: str) -> Live | None:
        return self._hub.tables.get(table_id) if self._hub is not None else None

    async def _catch_up(self, hub: Hub, live: Live) -> None:
        with suppress(GenialError):  # viewing the table, or acting at it, will read it again
            await hub.catch_up(live)

    async def _go_on(self, hub: Hub, live: Live) -> None:
        await self._catch_up(hub, live)  # the former owner's last message may be lost
        hub.go_on(live.table.id)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("following failed", exc_info=error)

    # Owning

    def owns(self, table_id: str) -> bool:
        return table_id in self._owned

    async def claim(self, table_id: str) -> bool:
        if table_id not in self._owned and await self._link.claim(_TABLE + table_id):
            self._owned.add(table_id)
        return table_id in self._owned  # it may have been gained in the meantime

    def want(self, table_id: str) -> None:
        if table_id not in self._owned:
            self._link.want(_TABLE + table_id)

    async def take_over(self, table_ids: Sequence[str]) -> list[str]:
        return [each for each in table_ids if each not in self._owned and await self.claim(each)]

    def release(self, table_id: str) -> None:
        self._owned.discard(table_id)
        self._link.release(_TABLE + table_id)

    async def may_write(self, table_id: str, *, person: bool) -> bool:
        if person and table_id not in self._owned:
            await self._link.take(_TABLE + table_id)
            self._owned.add(table_id)
        return table_id in self._owned

    def _gained(self, table_id: str) -> None:
        """The tab that wrote this game has gone, or no longer needs it."""
        self._owned.add(table_id)
        if (live := self._live(table_id)) is None or self._hub is None:
            self.release(table_id)
        else:
            self._spawn(self._go_on(self._hub, live))

    def _lost(self, table_id: str) -> None:
        """Somebody acted in another tab."""
        self._owned.discard(table_id)
        if self._hub is not None and self._live(table_id) is not None:
            self._spawn(self._hub.leave_off(table_id))
            self.want(table_id)

    # Presence

    def tell_present(self, table_id: str, devices: Iterable[str], watching: int) -> None:
        now = _Here(self.id, table_id, sorted(devices), watching)
        if now == self._here.get(table_id, _Here(self.id, table_id, [], 0)):
            return
        self._here[table_id] = now
        self._say(now)

    def elsewhere(self, table_id: str) -> Elsewhere:
        by_tab = self._elsewhere.get(table_id)
        if not by_tab:
            return NOWHERE
        devices = frozenset(device for each in by_tab.values() for device in each.devices)
        return Elsewhere(devices, sum(each.watching for each in by_tab.values()))

    async def look(self, table_id: str) -> Elsewhere:
        return self.elsewhere(table_id)  # messages arrive at once and in order

    def _moved(self, table_id: str) -> None:
        """Somebody came or went elsewhere."""
        if (
            self._hub is not None
            and self._presence is not None
            and (live := self._live(table_id)) is not None
        ):
            self._hub.tell_presence(live)
            if table_id in self._owned:
                self._hub.go_on(table_id)
            self._presence.watch(live)


async def join(link: Link) -> Tabs:
    """This tab, known to the others."""
    tabs = Tabs(link)
    await tabs.start()
    return tabs
