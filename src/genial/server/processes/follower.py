"""What a process does because there are others on its database.

It follows the tables in its memory as others write to them, takes over the games of a process that has ended,
and counts what is limited together with all others.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from typing import Any

from genial.core.errors import GenialError
from genial.server.calls.bans import Bans
from genial.server.calls.limiter import Limiter
from genial.server.calls.streams import BotStreams
from genial.server.processes.notices import Ears
from genial.server.processes.process import Processes
from genial.server.tables.hub import Hub, Live
from genial.server.tables.news import Waiting
from genial.server.tables.presence import Presence
from genial.server.tables.store_errors import StoreAway, StoreBusy

log = logging.getLogger("genial.server")

_TICK_SECONDS = 0.25
"""How far a limit may lag behind what other processes have spent of it."""
_GATHER_SECONDS = 0.02
"""After the first who comes or goes, how long to wait for more before the others are told of all of them."""
_SWEEP_SECONDS = 0.5
_SWEPT = 1000
"""Tables checked in one sweep. After a lost connection all are checked: notifications may be missing."""


class Follower:
    """One process's ears, and its regular rounds."""

    def __init__(
        self,
        hub: Hub,
        presence: Presence,
        limiter: Limiter,
        bots: BotStreams,
        bans: Bans,
        processes: Processes,
    ) -> None:
        self._hub = hub
        self._presence = presence
        self._limiter = limiter
        self._bots = bots
        self._bans = bans
        self._processes = processes
        self._behind: dict[str, int] = {}
        self._unread: set[str] = set()
        """Tables whose bots and clocks are ours, but which could not be read."""
        self._swept = 0
        self._orphans = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Listen, and check everything once: anything announced before went unheard."""
        self._processes.ears = Ears(
            follows=lambda table_id: table_id in self._hub.tables or self._processes.owns(table_id),
            wrote=self._wrote,
            moved=self._moved,
            waits=self._waits,
            put_out=self._bans.put_out,
            invited=self._bots.invited,
            sat=lambda device, table: self._spawn(self._sat(device, table)),
            owned=self._hub.go_on,
            gone=self._orphans.set,
            forgotten=self._limiter.sockets.forget_told,
            back=self._back,
        )
        self._orphans.set()
        # What is taken before the first round counts as well: all that others know is what we report.
        for buckets in self._limiter.buckets.values():
            buckets.share()
        self._spawn(self._sweep_all())
        # Separately: if one of them gets stuck, the others carry on.
        self._spawn(self._rounds(_TICK_SECONDS, self._processes.exchange, self._processes.stirred))
        self._spawn(self._rounds(_TICK_SECONDS, self._settle_buckets))
        self._spawn(self._rounds(_TICK_SECONDS, self._settle_sockets))
        self._spawn(self._rounds(_SWEEP_SECONDS, self._sweep))
        self._spawn(self._take_over())

    async def stop(self) -> None:
        """Stop following."""
        self._processes.ears = Ears()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("following failed", exc_info=error)

    async def _rounds(
        self, seconds: float, work: Callable[[], Awaitable[None]], stirred: asyncio.Event | None = None
    ) -> None:
        """Do some work again and again: after this many seconds, or sooner if the event says so."""
        failing = False
        while True:
            if stirred is None:
                await asyncio.sleep(seconds)
            else:
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await stirred.wait()
                await asyncio.sleep(_GATHER_SECONDS)
                stirred.clear()
            try:
                await work()
                failing = False
            except (StoreAway, StoreBusy):
                pass  # the heartbeat logs that
            except Exception:
                if not failing:  # log it once, not in every round
                    log.exception("following failed")
                failing = True

    def _back(self) -> None:
        self._limiter.sockets.forget_told()
        self._processes.see_again(self._hub.tables)
        self._spawn(self._sweep_all())

    # Tables

    def _wrote(self, table_id: str, seq: int) -> None:
        live = self._hub.tables.get(table_id)
        if live is None:
            # Nobody is at it here, but its bots and its clock are ours.
            if self._processes.owns(table_id):
                self._spawn(self._load(table_id))
        elif live.table.seq < seq:
            self._follow(live, seq)

    async def _load(self, table_id: str) -> None:
        try:
            await self._hub.live(table_id)
        except (StoreAway, StoreBusy):
            self._unread.add(table_id)
        except GenialError:
            pass  # it was deleted

    def _follow(self, live: Live, seq: int) -> None:
        under_way = live.table.id in self._behind
        self._behind[live.table.id] = max(seq, self._behind.get(live.table.id, 0))
        if not under_way:
            self._spawn(self._catch_up(live))

    async def _catch_up(self, live: Live) -> None:
        table_id = live.table.id
        try:
            # Whatever is announced meanwhile is read in the next iteration.
            while live.table.seq < (wanted := self._behind[table_id]):
                before = live.table.seq
                await self._hub.catch_up(live)
                if live.table.seq == before and self._behind[table_id] == wanted:
                    return  # it was deleted
        except GenialError:
            pass  # the database is away; the sweep will find the table again
        finally:
            del self._behind[table_id]

    async def _sweep(self) -> None:
        """Check some of the tables in memory, the next ones next time, and retry the unreadable ones."""
        unread, self._unread = self._unread, set()
        for table_id in unread:
            self._spawn(self._load(table_id))
        tables = self._hub.tables
        if self._swept >= len(tables):
            self._swept = 0
        some = list(islice(tables.items(), self._swept, self._swept + _SWEPT))
        self._swept += _SWEPT
        await self._look(some)

    async def _sweep_all(self) -> None:
        tables = list(self._hub.tables.items())
        with suppress(GenialError):
            for start in range(0, len(tables), _SWEPT):
                await self._look(tables[start : start + _SWEPT])

    async def _look(self, tables: list[tuple[str, Live]]) -> None:
        known = {table_id: live.table.seq for table_id, live in tables}
        for table_id in await self._processes.behind(known) if known else ():
            live = self._hub.tables.get(table_id)
            if live is not None and live.table.seq == known[table_id]:
                self._follow(live, known[table_id] + 1)

    # People

    def _moved(self, table_id: str) -> None:
        live, owns = self._hub.tables.get(table_id), self._processes.owns(table_id)
        if live is None:
            # Somebody may have come to watch bots that are ours.
            if owns:
                self._spawn(self._load(table_id))
            return
        self._hub.tell_presence(live)
        if owns:
            self._hub.go_on(table_id)
        # People connected to a process that ended may now be connected to none.
        self._presence.watch(live)

    def _waits(self, table_id: str, place: int, seq: int, line: int) -> None:
        if (live := self._hub.tables.get(table_id)) is not None:
            self._hub.tell_waiting(live, Waiting(place, seq, line))

    async def _sat(self, device: str, table: str) -> None:
        with suppress(GenialError):
            await self._bots.sat(device, table)

    # Games without an owner

    async def _take_over(self) -> None:
        while True:
            await self._orphans.wait()
            self._orphans.clear()
            try:
                while tables := await self._processes.take_over_orphans():
                    for table_id in tables:
                        await self._take_up(table_id)
                    log.info("took over", extra={"tables": len(tables)})
            except GenialError:
                await asyncio.sleep(_SWEEP_SECONDS)
                self._orphans.set()

    async def _take_up(self, table_id: str) -> None:
        if await self._hub.take_up(table_id) and (live := self._hub.tables.get(table_id)) is not None:
            with suppress(StoreAway, StoreBusy):  # presence checks again later; the other games must not wait
                await self._processes.look(table_id)
            self._presence.watch(live)

    # Limits

    async def _settle_buckets(self) -> None:
        taken = {
            _hashed(name, key): (buckets, key, count)
            for name, buckets in self._limiter.buckets.items()
            for key, count in buckets.spent().items()
        }
        spent = [(hashed, *buckets.size, float(count)) for hashed, (buckets, _, count) in taken.items()]
        try:
            for hashed, level in (await self._processes.counts.spend(spent)).items():
                buckets, key, _ = taken.pop(hashed)
                buckets.settle(key, level)
        finally:  # whatever went wrong, what is left was not counted
            for buckets, key, count in taken.values():
                buckets.report_again(key, count)

    async def _settle_sockets(self) -> None:
        sockets = self._limiter.sockets
        news = {_hashed("sockets", address): (address, count) for address, count in sockets.news().items()}
        others = await self._processes.counts.count({key: count for key, (_, count) in news.items()})
        for key, (address, _) in news.items():
            sockets.settle(address, others.get(key, 0))


def _hashed(name: str, key: Hashable) -> bytes:
    """How the database stores an address or a device."""
    return blake2b(repr((name, key)).encode(), digest_size=16, person=b"genial-limit/1").digest()
