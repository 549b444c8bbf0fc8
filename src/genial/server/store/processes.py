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
from dataclasses import dataclass
from typing import Any

from genial.server.peers import NOWHERE, Elsewhere, Invitation, new_id
from genial.server.store import together
from genial.server.store.address import Address
from genial.server.store.driver import Connection, Connections, connect, ended_if_it_fails, failure
from genial.server.store.wakeups import Ears, JobEars, Outbox, invitation

log = logging.getLogger("genial.server")

BEAT_SECONDS = 0.5
LEASE_SECONDS = 3.0
"""A process whose last beat is older counts as dead: its games get another owner. Mostly it is known sooner,
by the end of its connection; this is for when the network, or the whole machine, is gone."""
_TIDY_BEATS = 120
_PAGE = 100


@dataclass(slots=True)
class _Present:
    devices: tuple[str, ...] = ()
    watching: int = 0


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
        self._wanted: dict[str, None] = {}
        self._released: dict[str, None] = {}
        self._present: dict[str, _Present] = {}
        self._published: dict[str, None] = {}
        self._look: dict[str, None] = {}
        self._elsewhere: dict[str, dict[str, Elsewhere]] = {}
        self._listening: dict[str, str | None] = {}
        self._listeners: dict[str, str] = {}
        self._listeners_changed = True
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
            self._wanted.update(dict.fromkeys(self._owned))
            self._owned.clear()
            # The others forgot who is here.
            self._published.update(dict.fromkeys(self._present))
        gone, self.others = self.others - frozenset(others), frozenset(others)
        self._beaten = time.monotonic()
        self._beats += 1
        if gone:
            self._listeners_changed = True
            self._forget(gone)
            await self._each(together.LEAVE, list(gone))
        if self._beats % _TIDY_BEATS == 0:
            await self._each(together.TIDY)
        if gone or taken_for_dead or self._beats % _TIDY_BEATS == 0:
            self.ears.gone()

    def _forget(self, gone: Iterable[str]) -> None:
        for game, found in list(self._elsewhere.items()):
            if any(found.pop(process, None) is not None for process in gone):
                self.ears.moved(game)

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
            elif kind == "m" and self.ears.follows(text):
                self._look[text] = None
            elif kind == "m":
                self._elsewhere.pop(text, None)
            elif kind == "o":
                self.ears.put_out(text)
            elif kind == "i":
                self.ears.invited(invitation(text))
            elif kind == "s":
                device, _, table = text.partition(":")
                self.ears.sat(device, table)
            elif kind == "l":
                self._listeners_changed = True
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
            self._wanted[game] = None

    def release(self, game: str) -> None:
        if game in self._owned:
            self._owned.discard(game)
            self._released[game] = None

    # Presence

    def here(self, game: str, devices: Iterable[str], watching: int) -> None:
        now = _Present(tuple(sorted(devices)), watching)
        if self._present.get(game, _Present()) == now:
            return
        self._published[game] = None
        self._look[game] = None
        if now == _Present():
            self._present.pop(game, None)
        else:
            self._present[game] = now

    def elsewhere(self, game: str) -> Elsewhere:
        found = self._elsewhere.get(game)
        if not found:
            return NOWHERE
        devices = frozenset(device for each in found.values() for device in each.devices)
        return Elsewhere(devices, sum(each.watching for each in found.values()))

    async def look(self, game: str) -> Elsewhere:
        await self._see([game])
        return self.elsewhere(game)

    async def exchange(self) -> None:
        """Say who is here and listens, see who is elsewhere, claim what is wanted, release what is over."""
        for name, work in (
            ("_wanted", self._claim),
            ("_released", self._release),
            ("_published", self._publish),
            ("_look", self._see),
        ):
            games: dict[str, None] = getattr(self, name)
            if games:
                setattr(self, name, {})
                try:
                    await work(list(games))
                except BaseException:
                    setattr(self, name, games | getattr(self, name))
                    raise
        await self._exchange_listeners()

    async def _release(self, games: list[str]) -> None:
        await self.fetch(together.RELEASE, games, self.id)

    async def _publish(self, games: list[str]) -> None:
        gone = [game for game in games if game not in self._present]
        if gone:
            await self.fetch(together.ABSENT, gone, self.id)
        for game in games:
            if (now := self._present.get(game)) is not None:
                await self.fetch(together.PRESENT, game, self.id, list(now.devices), now.watching)
        if self.others:
            self._outbox.moved.update(dict.fromkeys(games))
            self._news.set()

    async def _see(self, games: list[str]) -> None:
        found: dict[str, dict[str, Elsewhere]] = {game: {} for game in games}
        for game, process, devices, watching in await self.fetch(
            together.LOOK, games, self.id, LEASE_SECONDS
        ):
            found[game][process] = Elsewhere(frozenset(devices), watching)
        for game, there in found.items():
            if self._elsewhere.get(game, {}) == there:
                continue
            if there:
                self._elsewhere[game] = there
            else:
                self._elsewhere.pop(game, None)
            self.ears.moved(game)

    # Bots that listen

    def listens(self, device: str, name: str | None) -> None:
        self._listening[device] = name

    def listening(self) -> dict[str, str]:
        return self._listeners

    def invite(self, invitation: Invitation) -> None:
        self._outbox.invited.append(invitation)
        self._news.set()

    def sat(self, device: str, table: str) -> None:
        self._outbox.sat.append((device, table))
        self._news.set()

    async def _exchange_listeners(self) -> None:
        while self._listening:
            device, name = next(iter(self._listening.items()))
            if name is None:
                await self.fetch(together.DEAFEN, device, self.id)
            else:
                await self.fetch(together.LISTEN, device, self.id, name)
            if self._listening.get(device) == name:
                del self._listening[device]
            self._outbox.listeners = True
            self._news.set()
        if self._listeners_changed:
            self._listeners_changed = False
            self._listeners = dict(await self.fetch(together.LISTENERS, self.id, LEASE_SECONDS))

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
