"""This process among others on one PostgreSQL database: it beats, listens, tells, and claims games.

Wake-ups go by NOTIFY after the commit, never inside it: there they would make all commits of the database
wait for each other. They may get lost with a connection; whoever follows a table also looks by itself.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from genial.server.peers import Elsewhere, Invitation, new_id
from genial.server.store import together
from genial.server.store.address import Address
from genial.server.store.driver import Connection, Connections, connect, ended_if_it_fails, failure
from genial.server.store.listeners import Listeners
from genial.server.store.pending import Pending
from genial.server.store.wakeups import Ears, JobEars, Outbox, invitation
from genial.server.store.whereabouts import Whereabouts

log = logging.getLogger("genial.server")

BEAT_SECONDS = 0.5
LEASE_SECONDS = 3.0
"""A process whose last beat is older counts as dead: its games get another owner. Mostly it is known sooner,
by the end of its connection; this is for when the network, or the whole machine, is gone."""
_TIDY_BEATS = 120
_PAGE = 100


class Processes:
    """`Peers` over a database. Made by `join`."""

    alone = False

    def __init__(self, address: Address) -> None:
        self.id = new_id()
        self.ears = Ears()
        self.job_ears = JobEars()
        self.others: frozenset[str] = frozenset()
        """The other processes that live, as of the last beat."""
        self._address = address
        # None of this needs the disk; a wake-up that waited for it would come late.
        self._connections = Connections(address, 3, synchronous_commit="off")
        self._owned: set[str] = set()
        self._wanted = Pending()
        self._released = Pending()
        self._whereabouts = Whereabouts(
            self.id,
            LEASE_SECONDS,
            self.fetch,
            moved=lambda game: self.ears.moved(game),
            tell=self._tell_moved,
        )
        self._listeners = Listeners(self.id, LEASE_SECONDS, self.fetch, self._tell_listeners)
        self._outbox = Outbox()
        self._news = asyncio.Event()
        self._beaten = 0.0
        self._beats = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._line: Connection | None = None

    # Living

    @property
    def living(self) -> frozenset[str]:
        return self.others | {self.id}

    async def start(self) -> None:
        """Be known to the others; they hear of us and we of them when this returns."""
        try:
            self._line = listening = await self._listen()
            with ended_if_it_fails(listening):
                await self._beat(listening)
        except Exception as error:
            raise failure(error, self._address) from None
        self._tasks = [
            asyncio.create_task(self._live(listening)),
            asyncio.create_task(self._tell()),
        ]

    async def stop(self) -> None:
        """Leave: the others take our games over at once."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._line is not None:  # a task that is cancelled before it began ends nothing
            self._line.terminate()
        with suppress(Exception):
            await self._each(together.LEAVE, [self.id])
        await self._connections.close()

    async def _listen(self) -> Connection:
        connection = await connect(self._address, synchronous_commit="off")
        with ended_if_it_fails(connection):
            await connection.add_listener(together.CHANNEL, self._hear)
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
            self.ears.back()

    async def _listen_again(self) -> Connection:
        while True:
            try:
                return await self._listen()
            except Exception:
                await asyncio.sleep(BEAT_SECONDS)

    async def _beat(self, connection: Connection) -> None:
        sent = time.monotonic()
        born, others = await connection.fetchrow(together.BEAT, self.id, LEASE_SECONDS)
        taken_for_dead = self._beats > 0 and (born or sent - self._beaten > LEASE_SECONDS)
        if taken_for_dead:
            # What nobody took over meanwhile is ours again.
            self._wanted.add(self._owned)
            self._owned.clear()
            self._whereabouts.say_again()
        gone, self.others = self.others - frozenset(others), frozenset(others)
        self._beaten = time.monotonic()
        self._beats += 1
        if gone:
            self._listeners.look_soon()
            self._whereabouts.forget(gone)
            await self._each(together.LEAVE, list(gone))
        if self._beats % _TIDY_BEATS == 0:
            await self._each(together.TIDY)
        if gone or taken_for_dead or self._beats % _TIDY_BEATS == 0:
            self.ears.gone()

    # Telling and hearing

    def wrote(self, game: str, seq: int) -> None:
        if self.others:
            self._outbox.wrote[game] = seq
            self._news.set()

    def put_out(self, device: str) -> None:
        self._outbox.put_out.append(device)
        self._news.set()

    async def _tell(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            outbox, self._outbox = self._outbox, Outbox()
            try:
                await self.fetch(together.TELL, outbox.payloads(self.id))
            except Exception:
                # Whoever missed it looks by itself before long.
                await asyncio.sleep(BEAT_SECONDS)

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        sender, *words = payload.split(" ")
        if sender == self.id:
            return
        for word in words:
            kind, text = word[:1], word[1:]
            if kind == "w":
                game, _, seq = text.rpartition(":")
                self.ears.wrote(game, int(seq))
            elif kind == "m":
                self._whereabouts.heard(text, follows=self.ears.follows(text))
            elif kind == "o":
                self.ears.put_out(text)
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

    def owns(self, game: str) -> bool:
        return game in self._owned

    async def claim(self, game: str) -> bool:
        if game not in self._owned:
            await self._claim([game])
        return game in self._owned

    async def _claim(self, games: list[str]) -> None:
        """Become the owner where there is none, and go on with what that brings."""
        for (game,) in await self.fetch(together.CLAIM, sorted(games), self.id):
            if game not in self._owned:
                self._owned.add(game)
                self.ears.owned(game)

    async def take_over(self, games: Sequence[str]) -> list[str]:
        found = await self.fetch(together.TAKE_OVER, sorted(games), self.id, LEASE_SECONDS)
        taken = [game for (game,) in found if game not in self._owned]
        self._owned.update(taken)
        return taken

    async def take_over_orphans(self) -> list[str]:
        """Some of the running games without a living owner, which are now this process's."""
        found = await self.fetch(together.ORPHANS, LEASE_SECONDS, _PAGE)
        return await self.take_over([game for (game,) in found])

    def want(self, game: str) -> None:
        if game not in self._owned:
            self._wanted.add([game])

    def release(self, game: str) -> None:
        if game in self._owned:
            self._owned.discard(game)
            self._released.add([game])

    # Presence: see whereabouts.py

    def here(self, game: str, devices: Iterable[str], watching: int) -> None:
        self._whereabouts.here(game, devices, watching)

    def elsewhere(self, game: str) -> Elsewhere:
        return self._whereabouts.elsewhere(game)

    async def look(self, game: str) -> Elsewhere:
        return await self._whereabouts.look(game)

    async def exchange(self) -> None:
        """Claim what is wanted, release what is over, say who is here and listens, see who is elsewhere."""
        await self._wanted.settle(self._claim)
        await self._released.settle(self._release)
        await self._whereabouts.exchange()
        await self._listeners.exchange()

    async def _release(self, games: list[str]) -> None:
        await self.fetch(together.RELEASE, games, self.id)

    def _tell_moved(self, games: list[str]) -> None:
        if self.others:
            self._outbox.moved.update(dict.fromkeys(games))
            self._news.set()

    # Bots that listen: see listeners.py

    def listens(self, device: str, name: str | None) -> None:
        self._listeners.here(device, name)

    def listening(self) -> dict[str, str]:
        return self._listeners.elsewhere

    def _tell_listeners(self) -> None:
        self._outbox.listeners = True
        self._news.set()

    def invite(self, invitation: Invitation) -> None:
        self._outbox.invited.append(invitation)
        self._news.set()

    def sat(self, device: str, table: str) -> None:
        self._outbox.sat.append((device, table))
        self._news.set()

    # Bots' jobs: see jobs.py

    def asks_for_jobs(self, count: int) -> None:
        """Tell the others that so many workers wait here for a job."""
        if self.others:
            self._outbox.asking = count
            self._news.set()

    def gave_jobs(self) -> None:
        """Tell the others that there are jobs to take."""
        self._outbox.given = True
        self._news.set()

    def changed_job(self, process: str) -> None:
        """Tell a process that one of its jobs was taken, answered or returned."""
        if process == self.id:
            self.job_ears.changed()
        else:
            self._outbox.changed[process] = None
            self._news.set()

    # What all count together

    async def behind(self, known: Mapping[str, int]) -> list[str]:
        """Of these tables, with the last number that is known of each, those that have gone on."""
        found = await self.fetch(together.BEHIND, list(known), list(known.values()))
        return [game for (game,) in found]

    async def spend(self, spent: Sequence[tuple[bytes, float, float, float]]) -> dict[bytes, float]:
        """Take from shared buckets (key, size, rate, taken); gives what is left in each."""
        # In one order everywhere, or two processes could wait for each other.
        columns = [list(column) for column in zip(*sorted(spent), strict=True)]
        return dict(await self.fetch(together.SPEND, *columns)) if spent else {}

    async def count(self, own: Mapping[bytes, int]) -> dict[bytes, int]:
        """Say how many we have open of each; gives how many all others have."""
        if not own:
            return {}
        keys = sorted(own)
        await self.fetch(together.COUNT, keys, [own[key] for key in keys], self.id)
        return dict(await self.fetch(together.OTHERS, keys, self.id, LEASE_SECONDS))

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Run one statement; what it raises is ours."""
        try:
            async with self._connections.one() as connection:
                return list(await connection.fetch(sql, *values))
        except Exception as error:
            raise failure(error, self._address) from None

    async def _each(self, statements: Iterable[str], *values: Any) -> None:
        for sql in statements:
            await self.fetch(sql, *values)


async def join(address: Address) -> Processes:
    """This process, known to the others on a database."""
    found = Processes(address)
    await found.start()
    return found
