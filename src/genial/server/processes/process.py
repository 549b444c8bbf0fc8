"""This process among others on one PostgreSQL database: heartbeats, notifications, and ownership of games.

Notifications are sent after the commit, never inside it: there they would serialise all commits of the
database. They may be lost with a connection, so processes that follow a table also check it regularly.

Nothing that processes tell each other has to survive a crash of the database: its tables are unlogged, and
writes to them don't wait for the disk. Each heartbeat also shows whose connection has ended, which is known
at once if a process dies and the network doesn't.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from genial.server.processes.builds import build, is_ours
from genial.server.processes.notices import Ears, JobEars, Outbox, banned_of, banned_word, invitation
from genial.server.processes.shared_counts import SharedCounts
from genial.server.processes.whereabouts import Listeners, Pending, Whereabouts
from genial.server.store.address import Address
from genial.server.store.postgres_driver import Connection, Connections, connect, ended_if_it_fails, failure
from genial.server.tables.peers import Banned, Elsewhere, Invitation, Peers
from genial.server.tables.server_time import ServerTime
from genial.server.tables.store_errors import OtherBuild, StoreAway, StoreBusy

log = logging.getLogger("genial.server")

BEAT_SECONDS = 0.5
LEASE_SECONDS = 3.0
"""A process whose last heartbeat is older counts as dead, and its games get another owner. Usually the end of
its connection shows that sooner; this is for when the network or the whole machine is gone.
"""
_TIDY_BEATS = 120
_PAGE = 100

_CHANNEL = "genial"
_THEIR_TIME = """
SELECT max(time + greatest(0, least($2::float8, extract(epoch FROM clock_timestamp() - until) + $2::float8)
    * 1000)::bigint)
FROM processes WHERE id <> $1 AND line IN (SELECT pid FROM pg_stat_get_activity(NULL))
"""
"""The other processes' time: as of their last heartbeats, plus what has passed since. A jump of the
database's clock adds at most the length of a lease to that.
"""
_TIME = f"""
SELECT coalesce(({_THEIR_TIME}), greatest(extract(epoch FROM clock_timestamp()) * 1000,
    (SELECT max(updated) FROM tables WHERE status IN ('open', 'running')))::bigint)
"""
"""The same; without others, the database's time, but no earlier than what is in progress there."""
_BEAT = f"""
WITH me AS (
    INSERT INTO processes (id, until, line, time)
    VALUES ($1, clock_timestamp() + make_interval(secs => $2::float8), pg_backend_pid(), $3)
    ON CONFLICT (id) DO UPDATE SET until = excluded.until, line = excluded.line, time = excluded.time
    RETURNING xmax = 0 AS born
)
SELECT me.born, ARRAY(
    SELECT id FROM living WHERE id <> $1 AND line IN (SELECT pid FROM pg_stat_get_activity(NULL))
), ({_THEIR_TIME}) FROM me
"""
"""Whether our row had to be created, the others that are alive, and their time."""

_LEAVE = (
    *(
        f"DELETE FROM {what} WHERE process = ANY($1::text[])"
        for what in ("presence", "tallies", "listeners", "jobs")
    ),
    "DELETE FROM processes WHERE id = ANY($1::text[])",
)
"""Removes what ended processes left behind, except for their games, which are taken over one by one."""

_DEAD = "SELECT id FROM processes WHERE line NOT IN (SELECT pid FROM pg_stat_get_activity(NULL))"
"""Processes that ended with nobody left to notice. If the database's clock was set back since, their leases
may last for a long time.
"""

_CLAIM = """
INSERT INTO owners (table_id, process) SELECT table_id, $2 FROM unnest($1::text[]) AS table_id
ON CONFLICT (table_id) DO UPDATE SET process = excluded.process WHERE owners.process = excluded.process
RETURNING table_id
"""
"""Claims games that nobody has owned yet."""

_TAKE_OVER = """
INSERT INTO owners (table_id, process) SELECT table_id, $2 FROM unnest($1::text[]) AS table_id
ON CONFLICT (table_id) DO UPDATE SET process = excluded.process
WHERE owners.process = excluded.process OR owners.process NOT IN (SELECT id FROM living)
RETURNING table_id
"""
"""The same, including games of owners that no longer exist."""

_ORPHANS = """
SELECT table_id FROM tables WHERE status = 'running' AND NOT EXISTS (
    SELECT FROM owners JOIN living ON living.id = owners.process WHERE owners.table_id = tables.table_id
) ORDER BY table_id LIMIT $1
"""
"""Running games whose owner is gone, or that never had one."""

_BEHIND = """
SELECT table_id FROM unnest($1::text[], $2::integer[]) AS known (table_id, seq) JOIN tables USING (table_id)
WHERE tables.last_seq > known.seq
"""
"""Tables whose logs go beyond what we know."""

_TELL = f"SELECT pg_notify('{_CHANNEL}', told) FROM unnest($1::text[]) AS told"

_TIDY = (
    "DELETE FROM buckets WHERE since < clock_timestamp() - interval '1 hour'",
    "DELETE FROM tallies WHERE count = 0",
    "DELETE FROM owners WHERE NOT EXISTS (SELECT FROM tables"
    " WHERE tables.table_id = owners.table_id AND tables.status = 'running')",
    "DELETE FROM presence WHERE process NOT IN (SELECT id FROM processes)",
    "DELETE FROM jobs WHERE process NOT IN (SELECT id FROM processes)",
    "DELETE FROM processes WHERE until < clock_timestamp() - interval '1 minute'",
)


class Processes(Peers):
    """`Peers` over a database. Use `join` to get one."""

    alone = False

    def __init__(self, address: Address, clock: ServerTime) -> None:
        super().__init__()
        self.id = f"{self.id}.{build()}"
        self.clock = clock
        self.ears = Ears()
        self.job_ears = JobEars()
        self.others: frozenset[str] = frozenset()
        """The other processes alive at the last heartbeat, and those that have joined since."""
        self._ended: frozenset[str] = frozenset()
        """Processes that have ended, until the database knows it too."""
        self._address = address
        # None of this needs the disk; a notification that waited for it would be late.
        self._connections = Connections(address, 3, synchronous_commit="off")
        self._owned: set[str] = set()
        self._wanted = Pending()
        self._released = Pending()
        self._taking: set[str] = set()
        """Games we have tried to take over, without knowing yet whether they are ours."""
        self.stirred = asyncio.Event()
        """Set when somebody has come or gone, so that the next exchange needn't wait for its time."""
        self._whereabouts = Whereabouts(
            self.id,
            self.fetch,
            moved=lambda table_id: self.ears.moved(table_id),
            tell=self._tell_moved,
            stir=self.stirred.set,
        )
        self._listeners = Listeners(self.id, self.fetch, lambda: self._put("l"))
        self.counts = SharedCounts(self.id, self.fetch)
        self._outbox = Outbox()
        self._news = asyncio.Event()
        self._beaten = 0.0
        self._beats = 0
        self._differs = False
        self._tasks: list[asyncio.Task[None]] = []
        self._line: Connection | None = None

    # Living

    @property
    def living(self) -> frozenset[str]:
        return self.others | {self.id}

    async def start(self) -> None:
        """Join the others: we know of them when this returns, and they hear of us at once."""
        try:
            self._line = listening = await self._listen()
            with ended_if_it_fails(listening):
                self.clock.set(await listening.fetchval(_TIME, self.id, LEASE_SECONDS))
                await self._each(_LEAVE, [process for (process,) in await listening.fetch(_DEAD)])
                await self._beat(listening)
                await self._beat(listening)  # of two that start at once, at least one now sees the other
        except Exception as error:
            raise failure(error, self._address) from None
        if not all(map(is_ours, self.others)):
            await self.stop()
            raise OtherBuild(self._address.shown)
        # Others divide limits by how many there are, so they must not wait for their next heartbeat.
        self._put("h")
        self._tasks = [
            asyncio.create_task(self._live(listening)),
            asyncio.create_task(self._tell()),
        ]

    async def stop(self) -> None:
        """Leave: the others take over our games at once."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._line is not None:  # a task cancelled before it began closes nothing
            self._line.terminate()
        with suppress(Exception):
            await self._each(_LEAVE, [self.id])
        await self._connections.close()

    async def _listen(self) -> Connection:
        connection = await connect(self._address, synchronous_commit="off")
        with ended_if_it_fails(connection):
            await connection.add_listener(_CHANNEL, self._hear)
        return connection

    async def _live(self, connection: Connection) -> None:
        while True:
            try:
                while True:
                    await asyncio.sleep(BEAT_SECONDS)
                    await self._beat(connection)
            except Exception as error:
                log.warning("database away", extra={"error": type(failure(error, self._address)).__name__})
            finally:
                connection.terminate()
            connection = await self._listen_again()
            log.info("database back")
            self._listeners.look_soon()
            self.ears.back()

    async def _listen_again(self) -> Connection:
        while True:
            try:
                return await self._listen()
            except Exception:
                await asyncio.sleep(BEAT_SECONDS)

    async def _beat(self, connection: Connection) -> None:
        sent, before = time.monotonic(), self.others
        born, others, time_there = await connection.fetchrow(_BEAT, self.id, LEASE_SECONDS, self.clock())
        taken_for_dead = self._beats > 0 and (born or sent - self._beaten > LEASE_SECONDS)
        if taken_for_dead:
            # Whatever nobody has taken over is ours again.
            self._wanted.add(self._owned)
            self._owned.clear()
            self._whereabouts.say_again()
            self._listeners.say_again()
            self.ears.forgotten()
        self._keep_time(time_there or 0, taken_for_dead)
        gone = before - frozenset(others)
        self.others = self.others - gone | frozenset(others)  # also those of whom we have heard meanwhile
        self._beaten = time.monotonic()
        self._beats += 1
        if gone:
            self._listeners.look_soon()
            self._whereabouts.forget(gone)
        # Until the database knows that a process has ended, nobody can take its games.
        self._ended = (self._ended | gone) - self.others
        ended = bool(self._ended)
        if ended:
            await self._each(_LEAVE, list(self._ended))
            self._ended = frozenset()
        if self._beats % _TIDY_BEATS == 0:
            await self._each(_TIDY)
        if ended or taken_for_dead or self._beats % _TIDY_BEATS == 0:
            self.ears.gone()

    def _keep_time(self, time_there: int, taken_for_dead: bool) -> None:
        """Follow whichever clock is ahead: a machine that was paused is behind, and clocks drift."""
        ahead = time_there - self.clock()
        # Nobody is far ahead, unless we were away; then our games have a new owner, and nothing is charged.
        if ahead <= 1000 * LEASE_SECONDS or taken_for_dead:
            self.clock.not_before(time_there)
        elif not self._differs:
            log.warning("clocks of processes differ")
        self._differs = ahead > 1000 * LEASE_SECONDS

    # Telling and hearing

    def wrote(self, table_id: str, seq: int) -> None:
        if self.others:
            self._put("w", table_id, f":{seq}")

    def waits(self, table_id: str, place: int, seq: int, line: int) -> None:
        if self.others:
            self._put("q", table_id, f":{place}:{seq}:{line}")

    def put_out(self, banned: Banned) -> None:
        self._put("o", banned_word(banned))

    def _put(self, kind: str, subject: str = "", news: str = "") -> None:
        self._outbox.put(kind, subject, news)
        self._news.set()

    async def _tell(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            outbox, self._outbox = self._outbox, Outbox()
            try:
                await self.fetch(_TELL, outbox.payloads(self.id))
            except (StoreAway, StoreBusy):
                # Processes with a table in memory also check it themselves; the owner of its bots has to be
                # told.
                self._outbox.put_back(outbox)
                await asyncio.sleep(BEAT_SECONDS)
                self._news.set()
            except Exception:
                log.exception("not told")

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        sender, *words = payload.split(" ")
        if sender == self.id:
            return
        for word in words:
            kind, text = word[:1], word[1:]
            if kind == "h":
                self.others |= {sender}
            elif kind == "w":
                table_id, _, seq = text.rpartition(":")
                self.ears.wrote(table_id, int(seq))
            elif kind == "m":
                self._whereabouts.heard(text, follows=self.ears.follows(text))
            elif kind == "q":
                table_id, *numbers = text.rsplit(":", 3)
                place, number, line = map(int, numbers)
                self.ears.waits(table_id, place, number, line)
            elif kind == "o":
                self.ears.put_out(banned_of(text))
            elif kind == "i":
                self.ears.invited(invitation(text))
            elif kind == "s":
                device, _, table = text.partition(":")
                self.ears.sat(device, table)
            elif kind == "l":
                self._listeners.look_soon()
            elif kind == "a":
                self.job_ears.asked(sender, int(text))
            elif kind == "g":
                self.job_ears.given()
            elif kind == "j" and text == self.id:
                self.job_ears.changed()

    # Owning

    def owns(self, table_id: str) -> bool:
        return table_id in self._owned

    async def claim(self, table_id: str) -> bool:
        if table_id not in self._owned:
            await self._claim([table_id])
        return table_id in self._owned

    async def _claim(self, tables: list[str]) -> None:
        """Claim games that have no owner, and start what that involves."""
        for (table_id,) in await self.fetch(_CLAIM, sorted(tables), self.id):
            if table_id not in self._owned:
                self._owned.add(table_id)
                self.ears.owned(table_id)

    async def take_over(self, table_ids: Sequence[str]) -> list[str]:
        rows = await self.fetch(_TAKE_OVER, sorted(table_ids), self.id)
        taken = [table_id for (table_id,) in rows if table_id not in self._owned]
        self._owned.update(taken)
        return taken

    async def take_over_orphans(self) -> list[str]:
        """Take over some of the running games that have no living owner. Returns them."""
        orphans = await self.fetch(_ORPHANS, _PAGE)
        # If the answer is lost, they may be ours and no longer orphans: then we ask for the same ones again.
        self._taking.update(table_id for (table_id,) in orphans)
        taken = await self.take_over(list(self._taking))
        self._taking.clear()
        return taken

    def want(self, table_id: str) -> None:
        if table_id not in self._owned:
            self._wanted.add([table_id])

    def release(self, table_id: str) -> None:
        if table_id in self._owned:
            self._owned.discard(table_id)
            self._released.add([table_id])

    # Presence: see whereabouts.py

    def tell_present(self, table_id: str, devices: Iterable[str], watching: int) -> None:
        self._whereabouts.tell_present(table_id, devices, watching)

    def elsewhere(self, table_id: str) -> Elsewhere:
        return self._whereabouts.elsewhere(table_id)

    async def look(self, table_id: str) -> Elsewhere:
        return await self._whereabouts.look(table_id)

    def see_again(self, tables: Iterable[str]) -> None:
        """Look at these tables, and at those whose games are ours: notifications may have been missed."""
        self._whereabouts.see_again([*tables, *self._owned])

    async def exchange(self) -> None:
        """Claim wanted games, release finished ones, say who is here and listening, see who is elsewhere."""
        await self._wanted.settle(self._claim)
        await self._released.settle(self._release)
        await self._whereabouts.exchange()
        await self._listeners.exchange()

    async def _release(self, tables: list[str]) -> None:
        release = "DELETE FROM owners WHERE table_id = ANY($1::text[]) AND process = $2"
        await self.fetch(release, tables, self.id)

    def _tell_moved(self, tables: list[str]) -> None:
        for table_id in tables if self.others else ():
            self._put("m", table_id)

    # Bots that listen: see whereabouts.py

    def listens(self, device: str, name: str | None) -> None:
        self._listeners.tell_present(device, name)

    def listening(self) -> dict[str, str]:
        return self._listeners.elsewhere

    def invite(self, invitation: Invitation) -> None:
        self._put("i", ":".join(map(str, invitation)))

    def sat(self, device: str, table_id: str) -> None:
        self._put("s", f"{device}:{table_id}")

    # Bots' jobs: see jobs.py

    def asks_for_jobs(self, count: int) -> None:
        """Tell the others that this many workers are waiting here for a job."""
        if self.others:
            self._put("a", news=str(count))

    def gave_jobs(self) -> None:
        """Tell the others that there are jobs to take."""
        self._put("g")

    def changed_job(self, process: str) -> None:
        """Tell a process that one of its jobs was taken, answered or returned."""
        if process == self.id:
            self.job_ears.changed()
        else:
            self._put("j", process)

    async def behind(self, known: Mapping[str, int]) -> list[str]:
        """Those of these tables, each with its last known number, whose logs go further."""
        behind = await self.fetch(_BEHIND, list(known), list(known.values()))
        return [table_id for (table_id,) in behind]

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Run one statement; errors are translated into ours."""
        try:
            async with self._connections.one() as connection:
                return list(await connection.fetch(sql, *values))
        except Exception as error:
            raise failure(error, self._address) from None

    async def _each(self, statements: Iterable[str], *values: Any) -> None:
        for sql in statements:
            await self.fetch(sql, *values)


async def join(address: Address, clock: ServerTime | None = None) -> Processes:
    """This process, known to the others on a database, with its clock set to theirs."""
    processes = Processes(address, clock or ServerTime())
    await processes.start()
    return processes
