"""The live tables: one decision at a time, stored before it is told, told to each viewer as it may know it.

    decide -> append (durable) -> acknowledge -> broadcast

A table in memory is a cache of its log: another process may write to the same store, and the primary key
(game, seq) says who was first. The loser reads on and decides again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from genial.bots.job_queue import Choice
from genial.bots.workers import BotPool
from genial.core.errors import GenialError
from genial.core.notation import move_text
from genial.server import decisions
from genial.server.entries import (
    Body,
    Entry,
    decode,
    encode,
    kind_of,
)
from genial.server.errors import NotFound, Refused
from genial.server.index import solo_result, table_row
from genial.server.peers import Alone, Peers
from genial.server.settings import Limits
from genial.server.store.errors import CodeTaken, DuplicateMove, SequenceConflict, StoreError
from genial.server.store.interface import Credential, NewEntry, Store, StoredEntry
from genial.server.subscribers import Subscriber
from genial.server.table import Table, rebuilt
from genial.server.views import CURTAIN, EntryMessage, Viewer, entry_view, now_view

log = logging.getLogger("genial.server")

Decide = Callable[[Table], list[Body]]
Acknowledge = Callable[[Entry], None]
_TRIES = 20
_BOT_RETRY_SECONDS = 1.0
_PRESENCE_SECONDS = 0.1


def wall_clock() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Live:
    """A table that somebody is at: its state, its lock, and who listens."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    subscribers: set[Subscriber] = field(default_factory=set)
    bot: asyncio.Task[None] | None = None
    alarm: asyncio.TimerHandle | None = None
    presence: asyncio.TimerHandle | None = None
    touched: float = 0.0


class Hub:
    """All live tables of this process."""

    def __init__(
        self,
        store: Store,
        pool: BotPool,
        limits: Limits,
        *,
        clock: Callable[[], int] = wall_clock,
        peers: Peers | None = None,
    ) -> None:
        self.store = store
        self.pool = pool
        self.limits = limits
        self.clock = clock
        self.peers = peers or Alone()
        self.moves = 0
        """Entries stored by this process, for the metrics."""
        self._live: dict[str, Live] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Lock] = {}
        self._stopping = False

    # Tables

    async def create(self, bodies: Callable[[str], list[Body]], device_hash: bytes) -> Table:
        """Store a new table under a fresh id and join code."""
        while True:
            table = Table(secrets.token_urlsafe(12))
            code = decisions.new_code()
            if await self.store.table_by_code(code) is not None:
                continue
            live, first = Live(table), bodies(code)
            async with live.lock:
                try:
                    await self._commit(live, first, None, device_hash)
                except CodeTaken:
                    continue  # somebody was faster
                self._live[table.id] = live
                await self._start_if_full(live)
            self._after(live)
            return table

    async def live(self, game: str) -> Live:
        """A table, from memory or from its log."""
        found = self._live.get(game)
        if found is not None:
            return found
        try:
            async with self._loading.setdefault(game, asyncio.Lock()):
                found = self._live.get(game)
                if found is None:
                    stored = await self.store.read(game)
                    if not stored:
                        raise NotFound("table-unknown")
                    found = Live(rebuilt(game, [_entry(entry) for entry in stored]), touched=time.monotonic())
                    self._live[game] = found
                    self._after(found)
        finally:
            self._loading.pop(game, None)
        return found

    async def fresh(self, game: str) -> Live:
        """A table, with all that other processes have written to it: for who wants to see it."""
        live = await self.live(game)
        if not self.peers.alone:
            await self.catch_up(live)
        return live

    async def catch_up(self, live: Live) -> None:
        """Take in what other processes wrote to a table, and tell its listeners."""
        async with live.lock:
            news = await self._catch_up(live)
        if news:
            self._after(live)

    async def do(
        self,
        game: str,
        decide: Decide,
        *,
        move_id: str | None = None,
        device_hash: bytes | None = None,
        acknowledge: Acknowledge | None = None,
    ) -> Entry | None:
        """Decide, store durably, broadcast. Returns the first entry written; None if there was nothing to do.

        A move id that is stored already is acknowledged again, by its entry. `acknowledge` is called when the
        entry is stored, before anybody is told of it.
        """
        live = await self.live(game)
        async with live.lock:
            entry = await self._decided(live, decide, move_id, device_hash, acknowledge)
            await self._start_if_full(live)
        self._after(live)
        return entry

    async def _decided(
        self,
        live: Live,
        decide: Decide,
        move_id: str | None,
        device_hash: bytes | None,
        acknowledge: Acknowledge | None = None,
    ) -> Entry | None:
        for _ in range(_TRIES):
            try:
                bodies = decide(live.table)
                if not bodies:
                    return None
                return (await self._commit(live, bodies, move_id, device_hash, acknowledge))[0]
            except SequenceConflict:
                await self._catch_up(live)
            except DuplicateMove as error:
                await self._catch_up(live)
                return await self._stored(live, error.seq, acknowledge)
            except GenialError:
                if not self.peers.alone and await self._catch_up(live):
                    continue  # it was decided on what had passed
                # What is done already is mostly refused the second time; the store knows whether it was done.
                seq = await self.store.move(live.table.id, move_id) if move_id is not None else None
                if seq is None:
                    raise
                return await self._stored(live, seq, acknowledge)
        raise Refused("server-busy")

    async def _stored(self, live: Live, seq: int, acknowledge: Acknowledge | None) -> Entry:
        entry = _entry((await self.store.read(live.table.id, after=seq - 1, limit=1))[0])
        if acknowledge is not None:
            acknowledge(entry)
        return entry

    async def _start_if_full(self, live: Live) -> None:
        if _starts_itself(live.table):
            # Through another process the last two may sit down at once, and both start the game.
            await self._decided(
                live, lambda table: decisions.start(table, None) if _starts_itself(table) else [], None, None
            )

    async def _commit(
        self,
        live: Live,
        bodies: Sequence[Body],
        move_id: str | None,
        device_hash: bytes | None,
        acknowledge: Acknowledge | None = None,
    ) -> list[Entry]:
        # Clocks of several machines differ a little; a log's time never goes back.
        table, now = live.table, max(self.clock(), live.table.time)
        entries = [
            Entry(table.seq + 1 + n, now, body, move_id if n == 0 else None) for n, body in enumerate(bodies)
        ]
        row = table_row(table, entries)
        credentials = [_credential(table.id, device_hash, now)] if device_hash else []
        new = [NewEntry(e.time, kind_of(e.body), e.move_id, encode(e.body)) for e in entries]
        result = solo_result(table, entries)
        await self.store.append(table.id, table.seq + 1, new, row, credentials, result)
        for entry in entries:
            table.evolve(entry)
        self.moves += len(entries)
        self.peers.wrote(table.id, table.seq)
        if acknowledge is not None:
            acknowledge(entries[0])
        self._broadcast(live, entries)
        return entries

    async def _catch_up(self, live: Live) -> bool:
        """Take in what another process wrote, if it wrote anything."""
        stored = await self.store.read(live.table.id, after=live.table.seq)
        entries = [_entry(entry) for entry in stored]
        for entry in entries:
            live.table.evolve(entry)
        self._broadcast(live, entries)
        return bool(entries)

    # Telling

    def _broadcast(self, live: Live, entries: Iterable[Entry]) -> None:
        """Each viewer gets every number; equal viewers share one encoding."""
        self._check_viewers(live)
        for entry in entries:
            encoded: dict[Viewer, bytes] = {}
            for subscriber in list(live.subscribers):
                viewer = subscriber.viewer
                if viewer not in encoded:
                    encoded[viewer] = entry_message(live.table, entry, viewer)
                subscriber.send(encoded[viewer])

    async def subscribe(self, game: str, subscriber: Subscriber) -> Live:
        """Add a listener; it has been sent everything up to the table's number when this returns."""
        live = await self.live(game)
        live.subscribers.add(subscriber)
        self._check_viewers(live)
        self._tell_presence_soon(live)
        return live

    def _check_viewers(self, live: Live) -> None:
        """Who lost a place, to a bot or to the host's wish, sees no rack from there any more."""
        table = live.table
        for subscriber in list(live.subscribers):
            mine = table.places_of(subscriber.device)
            if subscriber.viewer <= (mine | CURTAIN if mine else mine):
                continue
            subscriber.viewer = frozenset()
            if not table.settings.spectators and subscriber.device != table.host:
                subscriber.close()

    def unsubscribe(self, live: Live, subscriber: Subscriber) -> None:
        """Remove a listener."""
        live.subscribers.discard(subscriber)
        self._tell_presence_soon(live)

    def put_out(self, device: str) -> None:
        """Close the sockets of a device that was banned."""
        for live in self._live.values():
            for subscriber in [found for found in live.subscribers if found.device == device]:
                subscriber.close()

    def _tell_presence_soon(self, live: Live) -> None:
        # Many who come at once are told of in one message, or they would fill each other's queues.
        if live.presence is None and not self._stopping:
            loop = asyncio.get_running_loop()
            live.presence = loop.call_later(_PRESENCE_SECONDS, self._presence, live)

    def _presence(self, live: Live) -> None:
        live.presence = None
        seated = {s.device for s in live.subscribers if live.table.places_of(s.device)}
        watching = sum(1 for s in live.subscribers if s.device not in seated)
        self.peers.here(live.table.id, seated, watching)
        self.tell_presence(live)

    def tell_presence(self, live: Live) -> None:
        """Tell everybody at a table who is there, through this process and others."""
        there = self.peers.elsewhere(live.table.id)
        devices = {s.device for s in live.subscribers} | there.devices
        present = sorted({place for device in devices for place in live.table.places_of(device)})
        own = sum(1 for s in live.subscribers if not live.table.places_of(s.device))
        watching = own + there.watching
        message = msgspec.json.encode({"type": "presence", "places": present, "watching": watching})
        for subscriber in list(live.subscribers):
            subscriber.send(message)

    # Bots and clocks

    def go_on(self, game: str) -> None:
        """This process has become the owner of a game: its bots and its clock wait for it."""
        if (live := self._live.get(game)) is not None:
            self._after(live)

    def _after(self, live: Live) -> None:
        """Set going what follows from the new state: a bot's thought, the alarm of the clock."""
        live.touched = time.monotonic()
        if self._stopping:
            return
        if live.table.is_running:
            self.peers.want(live.table.id)
        elif live.table.status != "between":
            self.peers.release(live.table.id)
        self._set_alarm(live)
        if live.table.bot_to_move() and (live.bot is None or live.bot.done()):
            live.bot = self._spawn(self._bots_play(live))

    async def _bots_play(self, live: Live) -> None:
        while (name := live.table.bot_to_move()) and not self._stopping:
            game = live.table.game
            assert game is not None
            seq, tag = game.seq, f"{live.table.id}:{game.seq}"
            view = game.position.view({game.position.seat})
            try:
                if not await self.peers.claim(live.table.id):
                    return  # another process thinks for this bot, and if it dies, its games are taken over
                pause = asyncio.sleep(self.limits.bot_pause)
                choice, _ = await asyncio.gather(
                    self.pool.choose(name, view, seed=tag, deadline=self.limits.bot_seconds, tag=tag), pause
                )
                await self._bot_acts(live, name, seq, choice)
            except (
                GenialError
            ) as error:  # a busy store, say: the bot tries again, or its table would stand still
                log.warning("a bot waits", extra={"error": error.code})
                await asyncio.sleep(_BOT_RETRY_SECONDS)

    async def _bot_acts(self, live: Live, name: str, seq: int, choice: Choice) -> None:
        async with live.lock:
            game = live.table.game
            if game is None or game.seq != seq or live.table.bot_to_move() != name or game.mover is None:
                return  # the position has passed, and with it the bot's thought
            text, place = move_text(game.series.setup, choice.action), game.mover

            def decide(table: Table) -> list[Body]:
                if table.game is None or table.game.seq != seq:
                    return []  # another process was faster
                return decisions.act(table, place, text, bot=name, fallback=choice.fallback)

            await self._decided(live, decide, None, None)
        self._set_alarm(live)

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
            live.alarm = loop.call_later(_BOT_RETRY_SECONDS, lambda: self._spawn(self._ring(live)))

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
        """After a start: go on with every running game that no other process has in hand."""
        rows = await self.store.tables(status="running", limit=self.limits.tables_open)
        mine = await self.peers.take_over([row.game for row in rows])
        return sum([await self.take_up(game) for game in mine])

    async def take_up(self, game: str) -> bool:
        """Go on with a game whose server was away; downtime is charged to nobody."""
        try:
            await self.do(game, decisions.resume)
        except (GenialError, msgspec.MsgspecError) as error:
            # One table of another version's must not keep the others from going on.
            log.error("table not resumed", extra={"table": game[:6]}, exc_info=error)
            return False
        return True

    async def stop(self) -> None:
        """Let no bot move any more, and wait for what is being written."""
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
                for subscriber in list(live.subscribers):
                    subscriber.close()

    def forget_idle(self, seconds: float) -> int:
        """Drop tables from memory that nobody listens to and nothing happens at; their logs stay."""
        now = time.monotonic()
        idle = [
            game
            for game, live in self._live.items()
            if not live.subscribers
            and not live.lock.locked()
            and live.alarm is None
            and (live.bot is None or live.bot.done())
            and now - live.touched > seconds
        ]
        for game in idle:
            del self._live[game]
        return len(idle)

    @property
    def tables(self) -> dict[str, Live]:
        """The tables in memory."""
        return self._live


def entry_message(table: Table, entry: Entry, viewer: Viewer) -> bytes:
    """An entry as it goes out to one viewer; with the last one, what now holds, legal moves included."""
    now = now_view(table, viewer, entry.time) if entry.seq == table.seq else None
    return msgspec.json.encode(EntryMessage(entry_view(table, entry, viewer), now))


def _starts_itself(table: Table) -> bool:
    return table.settings.start == "full" and decisions.is_ready(table)


def _entry(stored: StoredEntry) -> Entry:
    return Entry(stored.seq, stored.time, decode(stored.data), stored.move_id)


def _credential(game: str, device_hash: bytes, now: int) -> Credential:
    return Credential(device_hash, game, "seat", None, device_hash, now)
