"""Several processes on one database: any of them serves any table, and one that dies loses nothing."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.listener import free_port
from tests.server.operations import ADA, HOUR, listening, new_table
from tests.server.player import Player
from tests.server.postgres import Postgres
from tests.server.relay import Relay
from tests.server.store.samples import with_one_more
from tools.soak import Outcome, Server, compare, seated, soak

from genial.bots.workers import BotPool
from genial.core.errors import GenialError
from genial.server.calls.bans import Bans
from genial.server.calls.devices import Device, address_hash
from genial.server.calls.limiter import Limiter
from genial.server.calls.streams import BotStreams, StreamInvited
from genial.server.calls.table_quota import TableQuota
from genial.server.processes import process as processes
from genial.server.processes.follower import Follower
from genial.server.processes.process import BEAT_SECONDS, LEASE_SECONDS, Processes, join
from genial.server.store import Address
from genial.server.store.migrations import Migrated, Migration, newest
from genial.server.store.postgres import open_postgres
from genial.server.store.postgres_migration import migrate_postgres
from genial.server.tables import decisions
from genial.server.tables.entries import Body
from genial.server.tables.errors import Forbidden, TooMany
from genial.server.tables.hub import Hub, Live
from genial.server.tables.peers import Banned
from genial.server.tables.presence import Presence
from genial.server.tables.server_time import ServerTime, wall_clock
from genial.server.tables.settings import Clock, Limits, PlaceChoice, TableSettings
from genial.server.tables.store_errors import OtherBuild, StoreAway
from genial.server.tables.table import Table
from genial.server.tables.views import SPECTATOR, Viewer

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

    async def exchange(self) -> None:
        """The regular round, without waiting for it."""
        for shared in self.follower._shared:
            await shared()


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


def test_what_one_process_writes_the_other_tells_its_listeners(postgres: Postgres) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2))
            ear = listening()
            live = await other.hub.subscribe(table.id, ear)
            for _ in range(6):
                await act(one.hub, table.id)
            await until(lambda: live.table.seq == table.seq)
            heard = [await ear.next() or "" for _ in range(ear.waiting)]
            assert sum(message.count('"kind":"acted"') for message in heard) == 6
            # The other way, and in turns: nobody is refused because somebody else was faster.
            for hub in (other.hub, one.hub) * 3:
                await act(hub, table.id)
            await until(lambda: live.table.seq == table.seq)
            assert table.seq == len(await one.hub.store.read(table.id))

    run(body())


def test_two_who_decide_at_once_are_both_served_one_after_the_other(postgres: Postgres) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2))
            await other.hub.live(table.id)
            before = len(await one.hub.store.read(table.id))

            async def say(hub: Hub, text: str) -> None:
                limits = hub.limits
                await hub.do(table.id, lambda at: decisions.chat(at, 0, "Ada", text, "", limits))

            asked = [say(hub, f"{n}") for n in range(20) for hub in (one.hub, other.hub)]
            await asyncio.gather(*asked)
            stored = await one.hub.store.read(table.id, after=before)
            assert [entry.seq for entry in stored] == list(range(before + 1, before + 41))

    run(body())


def test_a_move_id_counts_once_whichever_process_it_is_sent_to(postgres: Postgres) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2))
            game = table.game
            assert game is not None
            action = game.position.actions()[0]
            place, seqs = game.mover, list[int | None]()
            assert place is not None
            await other.hub.live(table.id)
            for hub in (one.hub, other.hub, one.hub):
                done = await hub.do(table.id, lambda at: decisions.act(at, place, action), move_id="x:1")
                assert done.is_new is (not seqs)
                seqs.append(done.seq)
            assert len(set(seqs)) == 1

    run(body())


def test_bots_are_moved_by_one_process_and_taken_over_when_it_ends(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with member(database) as one:
            async with member(database) as other:
                table = await new_table(other.hub, TableSettings("classic", 2, clock=Clock(move=3600)), "bot")
                await until(lambda: other.processes.owns(table.id))
                begun = table.seq
                # Bots alone play for spectators, through another process too.
                await one.hub.subscribe(table.id, listening())
                await until(lambda: table.seq > begun + 4)
                assert not await one.processes.claim(table.id)
                await one.hub.live(table.id)
                assert isinstance(one.hub.pool, BotPool)
                assert one.hub.pool.stats.jobs == 0
                # One that comes and goes between two heartbeats would be missed only a minute later.
                await until(lambda: one.processes.others)
                await other.hub.stop()  # it falls silent first, and then leaves
            live = await one.hub.live(table.id)
            before = live.table.seq
            await until(lambda: live.table.seq > before + 4)
            assert one.processes.owns(table.id)
            assert one.hub.pool.stats.jobs > 0

    run(body())


def test_bots_that_nobody_watched_go_on_for_who_comes_to_another_process(postgres: Postgres) -> None:
    """Even if their owner has dropped the table from memory."""

    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(other.hub, TableSettings("classic", 2), "bot")
            await until(lambda: other.processes.owns(table.id))
            assert isinstance(other.hub.pool, BotPool)
            assert other.hub.pool.stats.jobs == 0
            assert other.hub.forget_idle(-1) == 1
            live = await one.hub.subscribe(table.id, listening())
            await until(lambda: live.table.seq > table.seq + 4)
            assert isinstance(one.hub.pool, BotPool)
            assert one.hub.pool.stats.jobs == 0

    run(body())


def test_who_waits_at_another_process_is_told(postgres: Postgres) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(other.hub, TableSettings("classic", 2))
            watcher = listening()
            await one.hub.subscribe(table.id, watcher)
            other.processes.waits(table.id, 1, 7, 3)
            async with asyncio.timeout(PATIENCE):
                while '"waiting"' not in (text := await watcher.next() or ""):
                    pass
            assert text == '{"type":"waiting","place":1,"seq":7,"line":3}'

    run(body())


def test_a_process_that_dies_is_known_by_the_end_of_its_connection(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "LEASE_SECONDS", 3600.0)

    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(other.hub, TableSettings("classic", 2, clock=Clock(move=3600)), "bot")
            await one.hub.subscribe(table.id, listening())
            await until(lambda: table.seq > 8)
            await other.hub.stop()
            for task in other.processes._tasks:
                task.cancel()
            assert other.processes._line is not None
            other.processes._line.terminate()
            await until(lambda: one.processes.owns(table.id))
            live = await one.hub.live(table.id)
            before = live.table.seq
            await until(lambda: live.table.seq > before + 4)

    run(body())


def test_who_is_connected_elsewhere_is_there(postgres: Postgres) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2))
            ada = listening(ADA.hex(), AT_BOTH)
            eve = listening()
            live = await one.hub.subscribe(table.id, ada)
            await other.hub.subscribe(table.id, eve)
            await until(lambda: other.processes.elsewhere(table.id).devices == {ADA.hex()})
            await until(lambda: one.processes.elsewhere(table.id).watching == 1)
            there = await other.hub.live(table.id)
            assert other.presence._connected(there, ADA.hex())
            one.hub.unsubscribe(live, ada)
            await until(lambda: not other.processes.elsewhere(table.id).devices)
            assert not other.presence._connected(there, ADA.hex())

    run(body())


def test_limits_hold_across_processes(postgres: Postgres) -> None:
    async def body() -> None:
        limits = Limits(tables_per_hour=6, sockets_per_address=4)
        async with two(postgres.database(), limits) as (one, other):
            await one.exchange()
            await other.exchange()
            for _ in range(4):
                one.limiter.tables.check("192.0.2.1")
            await one.exchange()
            other.limiter.tables.check("192.0.2.1")
            await other.exchange()  # one of six is left
            other.limiter.tables.check("192.0.2.1")
            with pytest.raises(TooMany):
                other.limiter.tables.check("192.0.2.1")
            other.limiter.tables.check("192.0.2.2")
            await other.exchange()
            one.limiter.tables.check("192.0.2.1")  # it doesn't know yet: this is a debt
            await one.exchange()
            for each in (one, other):
                with pytest.raises(TooMany):
                    each.limiter.tables.check("192.0.2.1")
            for _ in range(3):
                one.limiter.sockets.enter("192.0.2.1")
            await one.exchange()
            other.limiter.sockets.enter("192.0.2.1")
            await other.exchange()
            with pytest.raises(TooMany):
                other.limiter.sockets.enter("192.0.2.1")
            for _ in range(3):
                one.limiter.sockets.leave("192.0.2.1")
            await one.exchange()
            other.limiter.sockets.leave("192.0.2.1")
            await other.exchange()
            other.limiter.sockets.enter("192.0.2.1")

    run(body())


def test_tables_are_counted_across_processes(postgres: Postgres) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            old = await new_table(one.hub, TableSettings("classic", 2), "open")
            for each in (one, other):
                await new_table(each.hub, TableSettings("classic", 2))
            for each in (one, other):
                await TableQuota(each.hub, 4).take()
                room = TableQuota(each.hub, 3)
                with pytest.raises(TooMany):
                    await room.take()
            await other.hub.do(old.id, lambda table: decisions.close(table, "host"))
            room = TableQuota(one.hub, 3)
            await room.take()
            with pytest.raises(TooMany):  # the one just let in counts before it is stored
                await room.take()
            one.hub.clock = lambda: wall_clock() + 2 * HOUR
            await TableQuota(one.hub, 1).take()  # after an hour without a move a table takes no room

    run(body())


def test_connections_to_a_table_are_counted_across_processes(postgres: Postgres) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2))
            await one.hub.subscribe(table.id, listening(ADA.hex(), AT_BOTH))
            for _ in range(2):
                await one.hub.subscribe(table.id, listening())
            live = await other.hub.live(table.id)
            assert await one.presence.crowd(await one.hub.live(table.id)) == 3
            async with asyncio.timeout(PATIENCE):
                # Nobody is at the table through the other one yet: it isn't told, and looks when asked.
                while await other.presence.crowd(live) != 3:
                    await asyncio.sleep(0.01)
            await other.hub.subscribe(table.id, listening())
            assert await other.presence.crowd(live) == 4

    run(body())


async def read_to_the_end(stream: AsyncIterator[bytes]) -> None:
    async for _ in stream:
        pass


@pytest.mark.parametrize("banned", [Banned("device", ADA.hex()), Banned("address", "2001:db8:1:2::")])
def test_who_is_banned_is_put_out_everywhere(postgres: Postgres, banned: Banned) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2))
            ada = listening(ADA.hex(), AT_BOTH, address="2001:db8:1:2::")
            ben = listening(viewer=SPECTATOR, address="2001:db8:1:3::")
            bot = Device(ADA, "Schnapp")
            stream = other.bots.follow(bot, "2001:db8:1:2::")
            assert b"hello" in await anext(stream)
            following = asyncio.create_task(read_to_the_end(stream))
            for listener in (ada, ben):
                await other.hub.subscribe(table.id, listener)
            await other.bans.check(bot, "2001:db8:1:2::")
            key = ADA if banned.kind == "device" else address_hash(banned.key)
            await one.hub.store.ban(banned.kind, key, None)
            one.processes.put_out(banned)
            await until(lambda: ada.closed)
            assert not ben.closed
            async with asyncio.timeout(PATIENCE):
                await following
            with pytest.raises(Forbidden):  # the cache doesn't let them back in either
                await other.bans.check(bot, "2001:db8:1:2::")

    run(body())


def _sit(table: Table, place: int, device: str) -> list[Body]:
    return decisions.sit(table, device, "B", "00" * 16, place)


def test_a_bot_that_listens_to_one_process_is_invited_through_another(postgres: Postgres) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            bot = Device(bytes(16), "Schnapp")
            stream = other.bots.follow(bot, "")
            assert b"hello" in await anext(stream)
            await until(lambda: [name for _, name in one.bots.listening()] == ["Schnapp"])
            one.bots.invite("Schnapp", StreamInvited("t1", "classic", 2, 1))
            assert b'"table":"t1"' in await anext(stream)
            assert other.bots.invited_place(bot, "t1") == 1
            assert one.bots.invited_place(bot, "t1") == 1
            # It sits down through one process, and hears of its turn from the other.
            table = await new_table(one.hub, TableSettings("classic", 2, first=1), "open")
            for place, who in enumerate((ADA, bot.hash)):
                await one.hub.do(table.id, partial(_sit, place=place, device=who.hex()))
            await one.bots.attach(bot, table.id)
            while b'"type":"turn"' not in await anext(stream):
                pass
            await stream.aclose()  # type: ignore[attr-defined]
            await until(lambda: one.bots.listening() == [])

    run(body())


@pytest.mark.parametrize("name", ["a\x00b", "a\ud800b"])
def test_a_name_that_the_database_refuses_stops_nothing_else(
    postgres: Postgres, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def body() -> None:
        async with two(postgres.database(), Limits(tables_per_hour=6)) as (one, other):
            one.processes.listens("c" * 32, name)
            one.processes.listens("d" * 32, "Schnapp")
            await until(lambda: other.bots.listening() == [("d" * 12, "Schnapp")])
            for _ in range(6):
                one.limiter.tables.check("192.0.2.1")
            await until(lambda: other.limiter.tables.wait("192.0.2.1") > 0)
            assert "listener not shared" in caplog.text

    run(body())


def test_what_keeps_failing_stops_nothing_else_and_is_said_once(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rounds: Counter[int] = Counter()

    async def broken(processes: Processes) -> None:
        rounds[id(processes)] += 1
        raise RuntimeError("cannot be shared")

    async def body() -> None:
        monkeypatch.setattr(Processes, "exchange", broken)
        async with two(postgres.database(), Limits(tables_per_hour=6)) as (one, other):
            for _ in range(6):
                one.limiter.tables.check("192.0.2.1")
            await until(lambda: other.limiter.tables.wait("192.0.2.1") > 0)
            await until(lambda: len(rounds) == 2 and min(rounds.values()) > 2)

    run(body())
    assert caplog.text.count("following failed") == 2, "once for each process"


def test_wake_ups_that_got_lost_are_made_good(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with two(database) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2))
            live = await other.hub.live(table.id)
            one.processes.others = frozenset()  # it believes it is alone, and tells nobody
            await act(one.hub, table.id)
            await until(lambda: live.table.seq == table.seq)
            # A listener whose connection ends listens again, and checks at once.
            kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'genial'"
            postgres.execute(kill, database)
            refused: set[str] = set()
            while not await acted(one.hub, table.id, refused):
                pass
            assert refused <= {"store-away"}
            await until(lambda: live.table.seq == table.seq)
            await until(lambda: one.processes.others and other.processes.others)
            await act(other.hub, table.id)
            await until(lambda: live.table.seq == table.seq)

    run(body())


async def against_a_bot(hub: Hub, clock: Clock | None = None) -> str:
    """A table where Ada begins against a bot."""
    settings = TableSettings("classic", 2, first=0, clock=clock)
    places = [PlaceChoice("me"), PlaceChoice("bot", "greedy")]

    def bodies(code: str) -> list[Body]:
        return decisions.create(settings, places, ADA.hex(), "Ada", "00" * 16, code)

    return (await hub.create(bodies, ADA)).table.id


async def end_turn(hub: Hub, table_id: str) -> Live:
    """Ada plays until it is the bot's turn."""
    while (live := await hub.fresh(table_id)).table.game is None or not live.table.bot_to_move():
        await act(hub, table_id)
    return live


class Outage:
    """Fails like a database that is away: before it has done what it was asked, or before it answers."""

    def __init__(
        self, work: Callable[..., Awaitable[Any]], concerns: str = "", *, done: bool = False
    ) -> None:
        self._work = work
        self._concerns = concerns
        self._done = done
        self.lasts = True
        self.failures = 0

    async def __call__(self, *asked: Any, **more: Any) -> Any:
        if not self.lasts or self._concerns not in str(asked[0]):
            return await self._work(*asked, **more)
        if self._done:
            await self._work(*asked, **more)
        self.failures += 1
        raise StoreAway


def test_a_bots_turn_is_told_of_when_the_database_is_back(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If its owner has dropped the table from memory, nobody else would look."""

    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table_id = await against_a_bot(other.hub)
            await until(lambda: other.processes.owns(table_id))
            assert other.hub.forget_idle(-1) == 1
            outage = Outage(one.processes.fetch, "pg_notify")
            monkeypatch.setattr(one.processes, "fetch", outage)
            live = await end_turn(one.hub, table_id)
            before = outage.failures
            await until(lambda: outage.failures > before)
            outage.lasts = False
            await until(lambda: not live.table.bot_to_move())

    run(body())


def test_a_table_that_could_not_be_read_is_read_later(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table_id = await against_a_bot(other.hub)
            await until(lambda: other.processes.owns(table_id))
            assert other.hub.forget_idle(-1) == 1
            outage = Outage(other.hub.store.read)
            monkeypatch.setattr(other.hub.store, "read", outage)
            live = await end_turn(one.hub, table_id)
            before = outage.failures
            await until(lambda: outage.failures > before + 2)
            outage.lasts = False
            await until(lambda: not live.table.bot_to_move())

    run(body())


@pytest.mark.parametrize(
    "away_at", ["DELETE FROM presence", "NOT IN (SELECT id FROM living)", "FROM presence JOIN", "append"]
)
def test_games_of_a_process_that_ended_go_on_whenever_the_database_is_away(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, away_at: str
) -> None:
    """While its leftovers are removed, its games taken over, their people looked for, an entry written."""

    async def body() -> None:
        database = postgres.database()
        async with member(database) as one:
            async with member(database) as other:
                await until(lambda: one.processes.others)
                tables = [await against_a_bot(other.hub, Clock(move=3600)) for _ in range(3)]
                await until(lambda: all(map(other.processes.owns, tables)))
                await other.hub.stop()  # it falls silent first, and then leaves
                lives = [await end_turn(one.hub, table_id) for table_id in tables]
                await until(lambda: all(live.bot is not None and live.bot.done() for live in lives))
                if away_at == "append":
                    outage = Outage(one.hub.store.append)
                    monkeypatch.setattr(one.hub.store, "append", outage)
                else:  # the worst case: done, and nobody knows
                    outage = Outage(one.processes.fetch, away_at, done=True)
                    monkeypatch.setattr(one.processes, "fetch", outage)
                    monkeypatch.setattr(one.processes._whereabouts, "_fetch", outage)
            await until(lambda: outage.failures)
            outage.lasts = False
            await until(lambda: not any(live.table.bot_to_move() for live in lives))

    run(body())


@pytest.mark.slow
def test_killing_one_of_two_loses_nothing_and_doubles_nothing(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.database()
    outcome = asyncio.run(soak(tmp_path, games=14, kills=4, seconds=240, db=database, processes=2))
    assert outcome.problems == []
    assert outcome.kills == 4
    assert outcome.moves > 300
    assert len(outcome.variants) == 8


def test_a_player_goes_on_at_the_other_process_bots_included(postgres: Postgres, tmp_path: Path) -> None:
    async def body() -> None:
        database = postgres.database()
        servers = [Server(tmp_path, free_port(), database) for _ in range(2)]
        for server in servers:
            await server.start()
        try:
            addresses = [server.address for server in servers]
            async with httpx.AsyncClient() as client:
                ada = Player(addresses[0], Random(1), others=(addresses[1],))
                await ada.hello(client)
                bot = {"kind": "bot", "bot": "greedy"}
                await ada.create(client, {"variant": "classic", "seats": 3}, [{"kind": "me"}, bot, bot])
            loop = asyncio.get_running_loop()
            playing = asyncio.create_task(ada.play(until=loop.time() + 2 * PATIENCE))
            await until(lambda: len(ada.acknowledged) > 3)
            await servers[0].kill()
            await playing
            outcome = Outcome()
            await compare(database, [ada], outcome)
            assert outcome.problems == []
            assert ada.reconnects
        finally:
            for server in servers[1:]:
                await server.kill()

    run(body())


@pytest.mark.slow
def test_without_its_database_a_server_says_so_and_goes_on_by_itself(
    postgres: Postgres, tmp_path: Path
) -> None:
    """A cut network: nothing is acknowledged that isn't stored, and no operator is needed."""

    async def body() -> None:
        database = postgres.database()
        with Relay(database, "127.0.0.1") as relay:
            server = Server(tmp_path, free_port(), relay.address)
            await server.start()
            try:
                players = await seated([server.address], 3, Random(5))
                loop = asyncio.get_running_loop()
                playing = [
                    asyncio.create_task(player.play(until=loop.time() + 2 * PATIENCE)) for player in players
                ]
                for _ in range(2):
                    told = sum(len(player.acknowledged) for player in players)
                    await until(lambda told=told: sum(len(p.acknowledged) for p in players) > told + 5)
                    before = sum(player.reconnects for player in players)
                    relay.cut()
                    assert await ready(server, 503)
                    # Somebody moves, and is refused with an explanation instead of being left waiting.
                    await until(lambda before=before: sum(p.reconnects for p in players) > before)
                    relay.mend()
                    assert await ready(server, 200)
                await asyncio.gather(*playing)
                outcome = Outcome()
                await compare(database, players, outcome)
                assert outcome.problems == []
                assert outcome.reconnects
            finally:
                await server.kill()

    run(body())


async def ready(server: Server, status: int) -> bool:
    async with httpx.AsyncClient(timeout=PATIENCE) as client, asyncio.timeout(PATIENCE):
        while (await client.get(f"http://{server.address}/readyz")).status_code != status:
            await asyncio.sleep(0.1)
    return True


def test_a_lease_outlasts_a_few_missed_beats() -> None:
    assert BEAT_SECONDS * 4 < LEASE_SECONDS < 5


@contextmanager
def another_build() -> Iterator[None]:
    """A program that is not quite this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "build", lambda: "another")
        patch.setattr(processes, "is_ours", lambda process: process.endswith(".another"))
        yield


def test_processes_of_different_builds_refuse_to_share_tables(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with member(database) as one:
            with another_build(), pytest.raises(OtherBuild):
                await join(database)
            # It has left nothing behind, and processes of the same build are let in.
            async with member(database) as other:
                await until(lambda: one.processes.others == {other.processes.id})
        with another_build():  # the others have stopped
            await (await join(database)).stop()

    run(body())


def test_a_server_that_may_not_start_says_what_to_do(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        with another_build():
            async with member(database):
                command = (sys.executable, "-m", "genial", "serve", "--port", "0", "--db", database.url)
                server = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
                _, said = await server.communicate()
        assert server.returncode == 2
        assert b"Stop all of its processes first" in said

    run(body())


def test_of_two_builds_that_start_at_once_one_at_least_refuses(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "is_ours", lambda process: False)

    async def body() -> None:
        database = postgres.database()
        await migrate_postgres(database)
        both = [Processes(database, ServerTime()) for _ in range(2)]
        came = await asyncio.gather(*(process.start() for process in both), return_exceptions=True)
        assert any(isinstance(error, OtherBuild) for error in came)
        for process in both:
            await process.stop()

    run(body())


def test_a_schema_that_is_in_use_is_not_changed(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        database = postgres.database()
        async with member(database):
            assert await migrate_postgres(database) == Migrated(())
            later = Migration(newest("postgres") + 1, "later", "CREATE TABLE late (x TEXT);")
            with_one_more(monkeypatch, later, "postgres")
            with pytest.raises(OtherBuild):
                await migrate_postgres(database)
        assert (await migrate_postgres(database)).applied == ("later",)

    run(body())
