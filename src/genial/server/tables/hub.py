"""The live tables: decide one thing at a time, store it, then tell each viewer what that viewer may know.

    decide -> append (durable) -> tell

A table in memory is a cache of its log. Another process may write to the same store; the primary key (table,
seq) decides who was first. The loser catches up and decides again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from genial.bots.thinking import Thinkers
from genial.core.errors import GenialError
from genial.server.tables import decisions
from genial.server.tables.bot_turns import RETRY_SECONDS, BotTurns, until
from genial.server.tables.decisions import Decide
from genial.server.tables.entries import Body, Entry
from genial.server.tables.errors import Forbidden, NotFound, Refused
from genial.server.tables.log import append_of, entries_from, table_from
from genial.server.tables.news import News, Presence, Waiting, update_text
from genial.server.tables.peers import Banned, Peers
from genial.server.tables.server_time import ServerTime
from genial.server.tables.settings import Limits
from genial.server.tables.store import Store
from genial.server.tables.store_errors import (
    CodeTaken,
    DuplicateMove,
    SequenceConflict,
    StoreAway,
    StoreBusy,
    StoreError,
)
from genial.server.tables.subscribers import Listener, Subscriber
from genial.server.tables.table import Table, table_mark
from genial.server.tables.views import Told, Viewer, viewer_of

log = logging.getLogger("genial.server")

_TRIES = 20
_PRESENCE_SECONDS = 0.1


class Stored(NamedTuple):
    """The outcome of a deed."""

    seq: int | None
    """The first entry it wrote; None if there was nothing to do."""
    is_new: bool = False
    """True if it was done just now, and so every listener has been told."""


@dataclass(slots=True)
class Live:
    """A table in memory: its state, its lock, and its listeners."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: set[Listener] = field(default_factory=set)
    told: Told = field(default_factory=Told)
    bot: asyncio.Task[None] | None = None
    alarm: asyncio.TimerHandle | None = None
    presence: asyncio.TimerHandle | None = None
    touched: float = 0.0
    moved: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    """Loop time at which listeners last heard of a move or a change of seats."""
    address: str = ""
    """The network address that last did something here."""

    def state(self, viewer: Viewer, now: int, missed: Sequence[Entry] = ()) -> str:
        """The whole table for one viewer, with the entries that viewer missed."""
        return update_text(self.table, missed, viewer, now, self.told)


class Hub:
    """All live tables of this process."""

    def __init__(
        self,
        store: Store,
        pool: Thinkers,
        limits: Limits,
        *,
        clock: Callable[[], int] | None = None,
        peers: Peers | None = None,
    ) -> None:
        self.store = store
        self.pool = pool
        self.limits = limits
        self.clock = clock or ServerTime()
        """Milliseconds since the epoch; every timestamp and measurement uses it."""
        self.peers = peers or Peers()
        self.moves = 0
        """Entries stored by this process, for the metrics."""
        self._live: dict[str, Live] = {}
        self._bot_turns = BotTurns(self, pool)
        self._tasks: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Lock] = {}
        self._stopping = False
        self.on_change: Callable[[Live], None] = lambda live: None
        """Called when something has been done at a table in memory; must not block."""

    # Tables

    async def create(
        self, bodies: Callable[[str], list[Body]], device_hash: bytes, *, address: str = ""
    ) -> Live:
        """Store a new table under a fresh id and join code; `address` is the creator's network address."""
        while True:
            code = decisions.new_code()
            if await self.store.table_by_code(code) is not None:
                continue
            live = Live(Table(secrets.token_urlsafe(12)), address=address)
            async with live.lock:
                try:
                    await self._commit(live, bodies(code), device_hash=device_hash)
                except CodeTaken:
                    continue  # another table took the code first
                self._live[live.table.id] = live
                await self._start_if_full(live)
            self._after(live)
            return live

    async def live(self, table_id: str) -> Live:
        """A table, from memory or from its log."""
        live = self._live.get(table_id)
        if live is not None:
            return live
        try:
            async with self._loading.setdefault(table_id, asyncio.Lock()):
                live = self._live.get(table_id)
                if live is None:
                    kept = await self.store.read(table_id)
                    if not kept:
                        raise NotFound("table-unknown")
                    live = Live(table_from(table_id, kept), touched=time.monotonic())
                    self._live[table_id] = live
                    self._after(live)
        finally:
            self._loading.pop(table_id, None)
        return live

    async def fresh(self, table_id: str) -> Live:
        """A table, up to date with what other processes have written. Use this to show it to somebody."""
        live = await self.live(table_id)
        if not self.peers.alone:
            await self.catch_up(live)
        return live

    async def catch_up(self, live: Live) -> None:
        """Catch up with what other processes wrote to a table, and tell its listeners."""
        async with live.lock:
            news = await self._catch_up(live)
        if news:
            self._after(live)

    async def do(
        self,
        table_id: str,
        decide: Decide,
        *,
        move_id: str | None = None,
        device_hash: bytes | None = None,
        doer: tuple[Listener, str] | None = None,
        address: str = "",
    ) -> Stored:
        """Decide, store durably, tell every listener.

        A move id that is already stored is acknowledged again with its entry. `doer` is the listener who does
        this, with the name under which it is acknowledged. `address` is the doer's network address.
        """
        live = await self.live(table_id)
        live.address = address or live.address
        async with live.lock:
            done = await self._decided(live, decide, move_id, device_hash, doer)
            await self._start_if_full(live)
        self._after(live)
        return done

    async def _decided(
        self,
        live: Live,
        decide: Decide,
        move_id: str | None = None,
        device_hash: bytes | None = None,
        doer: tuple[Listener, str] | None = None,
        told_at: float | None = None,
        person: bool = True,
    ) -> Stored:
        for _ in range(_TRIES):
            try:
                bodies = decide(live.table)
                if not bodies or not await self.peers.may_write(live.table.id, person=person):
                    return Stored(None)
                return Stored(await self._commit(live, bodies, move_id, device_hash, doer, told_at), True)
            except SequenceConflict:
                await self._catch_up(live)
            except DuplicateMove as error:
                await self._catch_up(live)
                return Stored(error.seq)
            except GenialError:
                if not self.peers.alone and await self._catch_up(live):
                    continue  # the decision was based on an outdated table
                # A repeated deed is usually refused the second time; the store knows whether it was done
                # before.
                seq = await self.store.move(live.table.id, move_id) if move_id is not None else None
                if seq is None:
                    raise
                return Stored(seq)
        raise Refused("server-busy")

    async def _start_if_full(self, live: Live) -> None:
        if _starts_itself(live.table):
            # Two people may take the last places through different processes, and both would start the game.
            await self._decided(
                live, lambda table: decisions.start(table, None) if _starts_itself(table) else []
            )

    async def _commit(
        self,
        live: Live,
        bodies: Sequence[Body],
        move_id: str | None = None,
        device_hash: bytes | None = None,
        doer: tuple[Listener, str] | None = None,
        told_at: float | None = None,
    ) -> int:
        """Store what was decided and tell the listeners, not before `told_at`. Returns its first entry."""
        written = live.table.writing(bodies, self.clock(), move_id)
        await self.store.append(append_of(live.table, written, device_hash))
        entries, after = written
        news = News(after, entries, after.time, live.told, doer)
        if told_at is not None:
            for listener in live.listeners:
                news.text(listener)  # encode now, so that sending is instant
            await until(told_at)
        self._take(live, after, news)
        self.moves += len(entries)
        self.peers.wrote(after.id, after.seq)
        return entries[0].seq

    async def _catch_up(self, live: Live) -> bool:
        """Apply what other processes wrote. Returns whether there was anything."""
        kept = await self.store.read(live.table.id, after=live.table.seq)
        if not kept:
            return False
        entries = entries_from(live.table, kept)
        after = live.table.after(entries)
        self._take(live, after, News(after, entries, after.time, live.told))
        return True

    # Telling

    def _take(self, live: Live, after: Table, news: News) -> None:
        """Replace the table by its next state, and send every listener one message."""
        before, live.table = live.table, after
        if before.holders is not after.holders:
            _look_again(live)
        if before.removed is not after.removed:
            for listener in [each for each in live.listeners if after.has_removed(each.device)]:
                listener.close()
        for listener in list(live.listeners):
            listener.tell(news)
        if before.holders is not after.holders or before.game is not after.game:
            live.moved = asyncio.get_running_loop().time()
        if before.holders is not after.holders and live.listeners:
            # Who was watching may have sat down, or the other way round.
            self._tell_peers(live)
            self._tell_presence_soon(live)

    async def subscribe(self, table_id: str, listener: Listener) -> Live:
        """Add a listener, which hears of everything from now on."""
        live = await self.live(table_id)
        if live.table.has_removed(listener.device):
            raise Forbidden("removed")
        live.listeners.add(listener)
        _look_again(live)
        if listener.viewer.own:
            self._tell_peers(live)  # at once: what is decided through another process may depend on it
        self._tell_presence_soon(live)
        self._let_bots_play(live)  # they may have waited for somebody to watch
        return live

    def unsubscribe(self, live: Live, listener: Listener) -> None:
        """Remove a listener."""
        live.listeners.discard(listener)
        self._tell_presence_soon(live)

    def put_out(self, banned: Banned) -> None:
        """Close the sockets of a device or an address that was banned."""
        for live in self._live.values():
            for listener in [each for each in live.listeners if banned.is_meant(each.device, each.address)]:
                listener.close()

    def _tell_presence_soon(self, live: Live) -> None:
        # One message covers many arrivals at once; otherwise they would fill each other's queues.
        if live.presence is None and not self._stopping:
            loop = asyncio.get_running_loop()
            live.presence = loop.call_later(_PRESENCE_SECONDS, self._presence, live)

    def _presence(self, live: Live) -> None:
        live.presence = None
        self._tell_peers(live)
        self.tell_presence(live)

    def _tell_peers(self, live: Live) -> None:
        seated = {listener.device for listener in live.listeners if listener.viewer.own}
        watching = sum(listener.device not in seated for listener in live.listeners)
        self.peers.tell_present(live.table.id, seated, watching)

    def tell_presence(self, live: Live) -> None:
        """Tell everybody at a table who is present, through this process and others."""
        there = self.peers.elsewhere(live.table.id)
        present = {place for device in there.devices for place in live.table.places_of(device)}
        present = present.union(*(listener.viewer.own for listener in live.listeners))
        watching = sum(not listener.viewer.own for listener in live.listeners) + there.watching
        text = msgspec.json.encode(Presence(sorted(present), watching)).decode()
        _send(live, text)

    def tell_waiting(self, live: Live, waiting: Waiting) -> None:
        """Tell everybody at a table that its bot is queueing for time to think."""
        _send(live, msgspec.json.encode(waiting).decode())

    # Bots and clocks

    def go_on(self, table_id: str) -> None:
        """Start a game's bots and clock: this process has become its owner."""
        if (live := self._live.get(table_id)) is not None:
            self._after(live)

    async def leave_off(self, table_id: str) -> None:
        """Stop thinking for a game's bots: another process has become its owner."""
        if (live := self._live.get(table_id)) is None:
            return
        async with live.lock:  # let a bot finish what it is writing
            if live.bot is not None and not self.peers.owns(table_id):
                live.bot.cancel()

    def _after(self, live: Live) -> None:
        """Start whatever the new state calls for: a bot's thinking, the clock's alarm."""
        live.touched = time.monotonic()
        if self._stopping:
            return
        if live.table.is_running:
            self.peers.want(live.table.id)
        elif live.table.status != "between":
            self.peers.release(live.table.id)
        self._set_alarm(live)
        self._let_bots_play(live)
        self.on_change(live)

    def _let_bots_play(self, live: Live) -> None:
        if self._stopping or not live.table.bot_to_move() or not (live.bot is None or live.bot.done()):
            return
        if self._bot_turns.is_awaited(live):
            live.bot = self._spawn(self._bot_turns.play(live))

    async def bot_acts(self, live: Live, decide: Decide, told_at: float | None = None) -> int | None:
        """Do what a bot decided, and tell it no sooner than `told_at`. Returns its entry, if it was done."""
        async with live.lock:
            done = await self._decided(live, decide, told_at=told_at, person=False)
        self._set_alarm(live)
        return done.seq

    def _set_alarm(self, live: Live) -> None:
        if live.alarm:
            live.alarm.cancel()
            live.alarm = None
        deadline = live.table.clock.deadline() if live.table.is_running else None
        if deadline is not None and not live.table.bot_to_move():
            delay = max(0, deadline - self.clock()) / 1000 + 0.01
            loop = asyncio.get_running_loop()
            live.alarm = loop.call_later(delay, lambda: self._spawn(self._ring(live)))

    async def _ring(self, live: Live) -> None:
        try:
            if await self.peers.claim(live.table.id):
                await self.do(live.table.id, lambda table: decisions.run_out(table, self.clock()))
        except StoreError as error:
            log.warning("a clock waits", extra={"error": error.code})
            loop = asyncio.get_running_loop()
            live.alarm = loop.call_later(RETRY_SECONDS, lambda: self._spawn(self._ring(live)))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("background work failed", extra={"error": type(error).__name__}, exc_info=error)

    # Starting and stopping

    async def resume(self) -> int:
        """After a start: resume every running game that no other process is handling."""
        rows = await self.store.tables(status="running", limit=self.limits.tables_open)
        mine = await self.peers.take_over([row.table_id for row in rows])
        return sum([await self.take_up(table_id) for table_id in mine])

    async def take_up(self, table_id: str) -> bool:
        """Resume a game after its server was down; the downtime is charged to nobody.

        If the store is away or busy, keep trying until it answers: nobody else will.
        """
        try:
            await self.do(table_id, decisions.resume)
        except (StoreAway, StoreBusy):
            self._spawn(self._take_up_later(table_id))
            return False
        except (GenialError, msgspec.MsgspecError) as error:
            # One table from another version must not keep the others from resuming.
            log.error("table not resumed", extra={"table": table_mark(table_id)}, exc_info=error)
            return False
        return True

    async def _take_up_later(self, table_id: str) -> None:
        await asyncio.sleep(RETRY_SECONDS)
        await self.take_up(table_id)

    async def stop(self) -> None:
        """Stop all bots, and wait for writes in progress."""
        self._stopping = True
        for live in self._live.values():
            for timer in (live.alarm, live.presence):
                if timer:
                    timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for live in self._live.values():
            async with live.lock:
                for listener in list(live.listeners):
                    listener.close()

    def forget_idle(self, seconds: float) -> int:
        """Drop idle tables without listeners from memory; their logs stay. Returns how many were dropped."""
        now = time.monotonic()
        idle = [
            table_id
            for table_id, live in self._live.items()
            if not live.listeners
            and not live.lock.locked()
            and live.alarm is None
            and (live.bot is None or live.bot.done())
            and now - live.touched > seconds
        ]
        for table_id in idle:
            del self._live[table_id]
        return len(idle)

    @property
    def tables(self) -> dict[str, Live]:
        """The tables in memory."""
        return self._live


def _send(live: Live, text: str) -> None:
    """Send a text to all of a table's sockets; event streams don't get it."""
    for listener in list(live.listeners):
        if isinstance(listener, Subscriber):
            listener.send(text)


def _look_again(live: Live) -> None:
    """Update all viewers after a change of seats: somebody who lost a place no longer sees its rack."""
    table = live.table
    for listener in list(live.listeners):
        had = listener.viewer.own
        listener.viewer = viewer_of(table, listener.device, listener.viewer)
        if had and not listener.viewer.own and not (table.settings.spectators or listener.viewer.host):
            listener.close()


def _starts_itself(table: Table) -> bool:
    return table.settings.start == "full" and decisions.is_ready(table)
