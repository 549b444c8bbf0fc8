"""While the database is away games stand still, and when it is back they go on by themselves."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.listener import free_port
from tests.server.operations import ADA, listening, new_table
from tests.server.postgres import Postgres
from tests.server.processes.members import (
    PATIENCE,
    Member,
    act,
    acted,
    member,
    run,
    two,
    until,
    until_refused,
)
from tests.server.relay import Relay
from tools.soak import Outcome, Server, compare, seated

from genial.server.calls.devices import Device
from genial.server.processes.process import Processes
from genial.server.store import Address
from genial.server.tables import decisions
from genial.server.tables.entries import Body
from genial.server.tables.hub import Hub, Live
from genial.server.tables.settings import Clock, Limits, PlaceChoice, TableSettings
from genial.server.tables.store_errors import StoreAway

MANY = 1000
"""A limit so high that nobody who takes one at a time gets there before the others are heard."""


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
        self,
        work: Callable[..., Awaitable[Any]],
        concerns: str = "",
        *,
        done: bool = False,
        error: type[Exception] = StoreAway,
    ) -> None:
        self._work = work
        self._concerns = concerns
        self._done = done
        self._error = error
        self.lasts = True
        self.failures = 0

    async def __call__(self, *asked: Any, **more: Any) -> Any:
        if not self.lasts or self._concerns not in str(asked[0]):
            return await self._work(*asked, **more)
        if self._done:
            await self._work(*asked, **more)
        self.failures += 1
        raise self._error


async def bot_moves_after(begin: Callable[[Member, Member], Outage], database: Address) -> None:
    """Ada ends her turn during an outage, and the process that plays the bot has dropped the table."""
    async with two(database) as (one, other):
        table_id = await against_a_bot(other.hub)
        await until(lambda: other.processes.owns(table_id))
        assert other.hub.forget_idle(-1) == 1
        outage = begin(one, other)
        live = await end_turn(one.hub, table_id)
        before = outage.failures
        await until(lambda: outage.failures > before + 2)
        outage.lasts = False
        await until(lambda: not live.table.bot_to_move())


def test_lost_wake_ups_do_no_harm(postgres: Postgres) -> None:
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


def test_whoever_comes_elsewhere_while_the_connection_is_lost_is_seen_afterwards(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with two(database) as (one, other):
            table = await new_table(one.hub, TableSettings("classic", 2))
            await one.hub.subscribe(table.id, listening())
            listen, came = one.processes._listen_again, asyncio.Event()

            async def listen_later() -> Any:
                await came.wait()
                return await listen()

            one.processes._listen_again = listen_later  # type: ignore[method-assign]
            one.processes._hear = lambda *notice: None  # type: ignore[method-assign]
            cut = "SELECT pg_terminate_backend(line) FROM processes WHERE id = "
            postgres.execute(f"{cut}'{one.processes.id}'", database)
            await other.hub.subscribe(table.id, listening())
            stream = other.bots.follow(Device(bytes(16), "Schnapp"), "")
            assert b"hello" in await anext(stream)
            for what in ("presence", "listeners"):
                stored = f"SELECT count(*) FROM {what} WHERE process = '{other.processes.id}'"
                await until(lambda stored=stored: postgres.execute(stored, database) == [(1,)])
            came.set()
            await until(lambda: one.processes.elsewhere(table.id).watching == 1)
            await until(lambda: [name for _, name in one.bots.listening()] == ["Schnapp"])
            await stream.aclose()  # type: ignore[attr-defined]

    run(body())


@pytest.mark.parametrize("name", ["a\x00b", "a\ud800b"])
def test_a_name_that_the_database_refuses_stops_nothing_else(
    postgres: Postgres, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def body() -> None:
        async with two(postgres.database(), Limits(tables_per_hour=MANY)) as (one, other):
            one.processes.listens("c" * 32, name)
            one.processes.listens("d" * 32, "Schnapp")
            await until(lambda: other.bots.listening() == [("d" * 12, "Schnapp")])
            for _ in range(MANY):
                one.limiter.tables.check("192.0.2.1")
            assert await until_refused(other.limiter.tables, "192.0.2.1") < MANY / 2
            assert "listener not shared" in caplog.text

    run(body())


@pytest.mark.parametrize("error", [StoreAway, RuntimeError])
def test_what_could_not_be_reported_of_a_limit_is_reported_later(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    async def body() -> None:
        async with two(postgres.database(), Limits(tables_per_hour=MANY)) as (one, other):
            outage = Outage(one.processes.counts.spend, error=error)
            monkeypatch.setattr(one.processes.counts, "spend", outage)
            for _ in range(MANY):
                one.limiter.tables.check("192.0.2.1")
            await until(lambda: outage.failures > 1)
            outage.lasts = False
            assert await until_refused(other.limiter.tables, "192.0.2.1") < MANY / 2

    run(body())


def test_a_repeated_failure_is_logged_once_and_blocks_nothing_else(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rounds: Counter[int] = Counter()

    async def broken(processes: Processes) -> None:
        rounds[id(processes)] += 1
        raise RuntimeError("cannot be shared")

    async def body() -> None:
        monkeypatch.setattr(Processes, "exchange", broken)
        async with two(postgres.database(), Limits(tables_per_hour=MANY)) as (one, other):
            for _ in range(MANY):
                one.limiter.tables.check("192.0.2.1")
            assert await until_refused(other.limiter.tables, "192.0.2.1") < MANY / 2
            await until(lambda: len(rounds) == 2 and min(rounds.values()) > 2)

    run(body())
    assert caplog.text.count("following failed") == 2, "once for each process"


def test_a_bots_turn_is_announced_once_the_database_is_back(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If its owner has dropped the table from memory, nobody else would look."""

    def cannot_notify(one: Member, _: Member) -> Outage:
        outage = Outage(one.processes.fetch, "pg_notify")
        monkeypatch.setattr(one.processes, "fetch", outage)
        return outage

    run(bot_moves_after(cannot_notify, postgres.database()))


def test_a_table_that_could_not_be_read_is_read_later(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot_read(_: Member, other: Member) -> Outage:
        outage = Outage(other.hub.store.read)
        monkeypatch.setattr(other.hub.store, "read", outage)
        return outage

    run(bot_moves_after(cannot_read, postgres.database()))


@pytest.mark.parametrize(
    "away_at", ["DELETE FROM presence", "NOT IN (SELECT id FROM living)", "FROM presence JOIN", "append"]
)
def test_a_database_outage_during_a_takeover_stops_no_game(
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
def test_a_server_without_its_database_says_so_and_recovers_by_itself(
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
