"""Several processes on one database: any of them serves any table, and one that dies loses nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random

import httpx
import pytest
from tests.server.listener import free_port
from tests.server.operations import ADA, HOUR, listening, new_table
from tests.server.player import Player
from tests.server.postgres import Postgres
from tests.server.processes.members import AT_BOTH, PATIENCE, act, member, run, two, until
from tools.soak import Outcome, Server, compare, soak

from genial.bots.workers import BotPool
from genial.server.calls.devices import Device, address_hash
from genial.server.calls.streams import StreamInvited
from genial.server.calls.table_quota import TableQuota
from genial.server.processes import follower
from genial.server.processes import process as processes
from genial.server.processes.process import BEAT_SECONDS, LEASE_SECONDS
from genial.server.store.postgres_driver import connect
from genial.server.tables import decisions, hub
from genial.server.tables.entries import Body
from genial.server.tables.errors import Forbidden, TooMany
from genial.server.tables.hub import Hub
from genial.server.tables.peers import Banned
from genial.server.tables.server_time import wall_clock
from genial.server.tables.settings import Clock, Limits, TableSettings
from genial.server.tables.table import Table
from genial.server.tables.views import SPECTATOR

BEN = bytes(15) + b"B"


def test_what_one_process_writes_reaches_the_others_listeners(postgres: Postgres) -> None:
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


def test_simultaneous_decisions_at_two_processes_are_all_stored(postgres: Postgres) -> None:
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


def test_bots_are_run_by_one_process_and_taken_over_when_it_ends(postgres: Postgres) -> None:
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
            pool = one.hub.pool
            await until(lambda: one.processes.owns(table.id) and pool.stats.jobs > 0)
            live = await one.hub.live(table.id)
            before = live.table.seq
            await until(lambda: live.table.seq > before + 4)

    run(body())


def test_unwatched_bots_resume_for_a_visitor_at_another_process(postgres: Postgres) -> None:
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


def test_a_bots_place_in_the_queue_is_announced_at_other_processes(postgres: Postgres) -> None:
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


def test_a_dead_process_is_recognised_by_its_lost_connection(
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


def test_a_player_connected_to_another_process_counts_as_present(postgres: Postgres) -> None:
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


def test_a_player_who_connects_or_sits_down_is_known_elsewhere_without_waiting_for_a_round(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "_TICK_SECONDS", 2 * PATIENCE)
    monkeypatch.setattr(hub, "_PRESENCE_SECONDS", 2 * PATIENCE)

    async def body() -> None:
        async with two(postgres.database()) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2), "open")
            ada, ben = ADA.hex(), BEN.hex()
            await one.hub.do(table.id, lambda at: decisions.sit(at, ada, "Ada", ""))
            there = await other.hub.subscribe(table.id, listening())
            for device in (ada, ben):
                await one.hub.subscribe(table.id, listening(device))
            await until(lambda: other.processes.elsewhere(table.id).devices == {ada})
            await other.hub.do(table.id, lambda at: decisions.sit(at, ben, "Ben", ""))
            await until(lambda: other.processes.elsewhere(table.id).devices == {ada, ben})
            assert other.presence.connected(there) == {0, 1}

    run(body())


def test_limits_hold_across_processes(postgres: Postgres) -> None:
    async def body() -> None:
        limits = Limits(tables_per_hour=6, sockets_per_address=4)
        async with two(postgres.database(), limits) as (one, other):
            for _ in range(4):
                one.limiter.tables.check("192.0.2.1")
            await one.settle()
            other.limiter.tables.check("192.0.2.1")
            await other.settle()  # one of six is left
            other.limiter.tables.check("192.0.2.1")
            with pytest.raises(TooMany):
                other.limiter.tables.check("192.0.2.1")
            other.limiter.tables.check("192.0.2.2")
            await other.settle()
            one.limiter.tables.check("192.0.2.1")  # it doesn't know yet: this is a debt
            await one.settle()
            for each in (one, other):
                with pytest.raises(TooMany):
                    each.limiter.tables.check("192.0.2.1")
            for _ in range(3):
                one.limiter.sockets.enter("192.0.2.1")
            await one.settle()
            other.limiter.sockets.enter("192.0.2.1")
            await other.settle()
            with pytest.raises(TooMany):
                other.limiter.sockets.enter("192.0.2.1")
            for _ in range(3):
                one.limiter.sockets.leave("192.0.2.1")
            await one.settle()
            other.limiter.sockets.leave("192.0.2.1")
            await other.settle()
            other.limiter.sockets.enter("192.0.2.1")

    run(body())


def test_a_process_that_joins_is_known_to_the_others_before_their_next_heartbeat(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "BEAT_SECONDS", 2 * PATIENCE)

    async def body() -> None:
        database = postgres.database()
        async with member(database) as one, member(database) as other:
            await until(lambda: one.processes.others == {other.processes.id})
            assert other.processes.others == {one.processes.id}

    run(body())


def test_a_process_that_joins_during_a_heartbeat_of_another_is_not_taken_for_dead(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "BEAT_SECONDS", 2 * PATIENCE)

    async def body() -> None:
        database = postgres.database()
        async with member(database) as one, AsyncExitStack() as joined:
            connection = await connect(database)

            class JoinedMeanwhile:
                async def fetchrow(self, sql: str, *values: object) -> object:
                    answer = await connection.fetchrow(sql, *values)
                    await joined.enter_async_context(member(database))
                    await until(lambda: one.processes.others)
                    return answer

            await one.processes._beat(JoinedMeanwhile())
            assert len(one.processes.others) == 1
            assert postgres.execute("SELECT count(*) FROM processes", database) == [(2,)]
            connection.terminate()

    run(body())


def test_a_process_that_was_taken_for_dead_says_everything_again(postgres: Postgres) -> None:
    """As after a pause of its machine, during which the others removed what it had in the database."""

    async def body() -> None:
        database = postgres.database()
        async with two(database) as (one, other):

            def known() -> list[int]:
                stored = f"SELECT count(*) FROM {{}} WHERE process = '{other.processes.id}'"
                return [
                    postgres.execute(stored.format(what), database)[0][0]
                    for what in ("presence", "tallies", "listeners")
                ]

            table = await new_table(one.hub, TableSettings("classic", 2))
            await other.hub.subscribe(table.id, listening())
            other.limiter.sockets.enter("192.0.2.1")
            stream = other.bots.follow(Device(bytes(16), "Schnapp"), "")
            assert b"hello" in await anext(stream)
            await until(lambda: known() == [1, 1, 1])
            await one.processes._each(processes._LEAVE, [other.processes.id])
            await until(lambda: known() == [1, 1, 1])
            await until(lambda: [name for _, name in one.bots.listening()] == ["Schnapp"])
            await stream.aclose()  # type: ignore[attr-defined]

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


@pytest.mark.parametrize("steps", range(4))
def test_a_process_stops_even_if_somebody_comes_at_that_moment(postgres: Postgres, steps: int) -> None:
    async def body() -> None:
        async with member(postgres.database()) as one:
            await asyncio.sleep(0.1)  # until it waits for somebody
            one.processes.stirred.set()
            for _ in range(steps):
                await asyncio.sleep(0)
            async with asyncio.timeout(PATIENCE):
                await one.follower.stop()

    run(body())


async def read_to_the_end(stream: AsyncIterator[bytes]) -> None:
    async for _ in stream:
        pass


@pytest.mark.parametrize("banned", [Banned("device", ADA.hex()), Banned("address", "2001:db8:1:2::")])
def test_a_ban_takes_effect_at_every_process(postgres: Postgres, banned: Banned) -> None:
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


def test_a_bot_listening_to_one_process_can_be_invited_through_another(postgres: Postgres) -> None:
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


@pytest.mark.slow
def test_killing_one_of_two_processes_loses_and_duplicates_nothing(
    postgres: Postgres, tmp_path: Path
) -> None:
    database = postgres.database()
    outcome = asyncio.run(soak(tmp_path, games=14, kills=4, seconds=240, db=database, processes=2))
    assert outcome.problems == []
    assert outcome.kills == 4
    assert outcome.moves > 300
    assert len(outcome.variants) == 8


def test_a_player_and_the_bots_carry_on_at_the_other_process(postgres: Postgres, tmp_path: Path) -> None:
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


def test_a_lease_outlasts_a_few_missed_heartbeats() -> None:
    assert BEAT_SECONDS * 4 < LEASE_SECONDS < 5
