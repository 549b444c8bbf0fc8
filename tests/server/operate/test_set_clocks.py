"""Clocks set forwards and backwards, under a running server and between two runs: no game is lost by it.

A wrong date deletes nothing. On PostgreSQL the database's clock is set as well.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from tests.server.operations import HOUR, LiveTable, hub_on, new_table, play
from tests.server.postgres import Postgres

from genial.bots.workers import BotPool
from genial.server.operate import retention
from genial.server.operate.dates import Dates
from genial.server.operate.serve import among_peers
from genial.server.processes.process import BEAT_SECONDS, LEASE_SECONDS, Processes
from genial.server.store import Address, opened
from genial.server.tables import decisions
from genial.server.tables.hub import Hub
from genial.server.tables.server_time import ServerTime
from genial.server.tables.settings import Clock, Limits, TableSettings

DAY = 24 * HOUR
JUMPS = {"+1h": HOUR, "-1h": -HOUR, "+400d": 400 * DAY, "-400d": -400 * DAY}
MOVE_SECONDS = 30
CLOCKED = TableSettings("cards", 2, clock=Clock(move=MOVE_SECONDS))


class Machine:
    """A machine and its database, whose clocks tests move: time passes for all, the wall clock may jump."""

    def __init__(self, db: Path | Address, postgres: Postgres | None = None) -> None:
        self.db = db
        self._postgres = postgres
        self._jumped = self._passed = 0
        self._set_database()

    def wall(self) -> int:
        return time.time_ns() // 1_000_000 + self._jumped + self._passed

    def ticks(self) -> int:
        return time.monotonic_ns() // 1_000_000 + self._passed

    def jump(self, ms: int) -> None:
        self._jumped += ms
        self._set_database()

    def wait(self, ms: int) -> None:
        self._passed += ms
        self._set_database()

    def _set_database(self) -> None:
        """Define a function of that name which our statements find first."""
        if self._postgres is None:
            return
        assert isinstance(self.db, Address)
        seconds = (self._jumped + self._passed) / 1000
        self._postgres.execute(
            "CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS"
            f" 'SELECT pg_catalog.clock_timestamp() + make_interval(secs => {seconds})'",
            self.db,
        )


@pytest.fixture
def shared(postgres: Postgres) -> Machine:
    """A machine with a database, which several processes may use."""
    database = postgres.database()
    name = database.url.partition("?")[0].rpartition("/")[2]
    postgres.execute(f"ALTER DATABASE {name} SET search_path = public, pg_catalog")
    return Machine(database, postgres)


@pytest.fixture(params=["file", pytest.param("database", marks=pytest.mark.slow)])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    if request.param == "file":
        return Machine(tmp_path / "genial.db")
    found: Machine = request.getfixturevalue("shared")
    return found


class Served:
    """A server in this process, assembled as `genial serve` does it."""

    def __init__(self, hub: Hub, clock: ServerTime) -> None:
        self.hub = hub
        self.clock = clock
        self.dates = Dates(clock)

    async def swept(self) -> retention.Swept | None:
        """One round of the sweeper; None if it deletes nothing because the date is in doubt."""
        now = await self.dates.to_delete_by(self.hub.store)
        return None if now is None else await retention.sweep(self.hub, idle=-1, now=now)


@asynccontextmanager
async def served(machine: Machine) -> AsyncIterator[Served]:
    store = await opened(machine.db, migrate=True)
    clock = ServerTime(machine.wall, machine.ticks)
    async with among_peers(store, clock) as peers:
        hub = Hub(store, BotPool(1), Limits(), clock=clock, peers=peers)
        try:
            await hub.resume()
            yield Served(hub, clock)
        finally:
            await hub.stop()
    await store.close()


async def filled(hub: Hub) -> tuple[LiveTable, list[str]]:
    """A running game with a clock, and one table of every other kind; and the names of all."""
    over = await new_table(hub, TableSettings("cards", 2))
    await play(hub, over, Random(1))
    closed = await new_table(hub, TableSettings("cards", 2))
    await hub.do(closed.id, lambda table: decisions.close(table, "host"))
    waiting = await new_table(hub, TableSettings("cards", 2), "open")
    game = await new_table(hub, CLOCKED)
    await play(hub, game, Random(2), moves=2)
    return game, sorted(table.id for table in (over, closed, waiting, game))


async def goes_on(server: Served, game: str, moves: int = 2) -> None:
    """The game isn't lost, the mover has the time of a move, and the log's time never went back."""
    live = await server.hub.live(game)
    await play(server.hub, LiveTable(live), Random(3), moves)
    await asyncio.sleep(0.05)  # for an alarm that rings at once
    table = live.table
    assert table.is_running
    deadline = table.clock.deadline()
    assert deadline is not None
    assert 0 < deadline - server.clock() <= 1000 * MOVE_SECONDS
    assert live.alarm is not None
    assert 0 < live.alarm.when() - asyncio.get_running_loop().time() <= MOVE_SECONDS + 1
    times = [entry.time for entry in await server.hub.store.read(game)]
    assert times == sorted(times)


async def tables_of(server: Served) -> list[str]:
    return sorted(row.table_id for row in await server.hub.store.tables())


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(60):
            await work()

    asyncio.run(bounded())


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[str]]]:
    """What was logged about dates."""
    with caplog.at_level(logging.INFO, "genial.server"):
        yield lambda: [
            str(getattr(record, "reason", record.msg)) for record in caplog.records if "settled" in record.msg
        ]


@pytest.mark.parametrize("jump", JUMPS)
def test_a_clock_jump_under_a_running_server_loses_no_game(
    machine: Machine, jump: str, told: Callable[[], list[str]]
) -> None:
    async def body() -> None:
        async with served(machine) as server:
            game, everything = await filled(server.hub)
            before = server.clock()
            assert await server.swept() is not None
            machine.jump(JUMPS[jump])
            assert server.clock() - before < HOUR
            await goes_on(server, game.id)
            for _ in range(3):
                assert await server.swept() is None
            assert told() == ["the clock jumped"]
            machine.jump(-JUMPS[jump])
            assert await server.swept() is not None
            assert told() == ["the clock jumped", "the date is settled"]
            await goes_on(server, game.id)
            assert await tables_of(server) == everything

    run(body)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_lasting_clock_jump_is_believed_after_a_day_and_deletes_no_game(
    machine: Machine, jump: str
) -> None:
    async def body() -> None:
        async with served(machine) as server:
            _, everything = await filled(server.hub)
            machine.jump(JUMPS[jump])
            assert await server.swept() is None
            machine.wait(23 * HOUR)
            assert await server.swept() is None
            machine.wait(3 * HOUR)
            swept = await server.swept()
            assert swept is not None
            # The table that nobody started has had its day, but not by a wall clock that was set back that
            # far.
            assert swept.expired == (jump != "-400d")
            assert (swept.deleted, swept.abandoned) == (0, 0)
            assert len(await tables_of(server)) == len(everything) - swept.expired

    run(body)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_clock_jump_between_two_runs_loses_no_game(
    machine: Machine, jump: str, told: Callable[[], list[str]]
) -> None:
    async def body() -> None:
        async with served(machine) as server:
            game, everything = await filled(server.hub)
            last = game.time
        machine.jump(JUMPS[jump])
        for _ in range(2):  # playing at a wrong date doesn't make it right
            async with served(machine) as server:
                assert server.clock() >= last
                await goes_on(server, game.id)
                swept = await server.swept()
                # An hour looks as if the server had been down for an hour.
                assert (swept is None) == (jump != "+1h")
                assert await tables_of(server) == everything
                last = (await server.hub.live(game.id)).table.time
        assert len(told()) == 2 * (jump != "+1h")
        machine.jump(-JUMPS[jump])
        async with served(machine) as server:
            assert server.clock() >= last
            await goes_on(server, game.id)
            await server.swept()
            assert await tables_of(server) == everything

    run(body)


def test_old_tables_are_deleted_once_the_date_is_settled(
    machine: Machine, told: Callable[[], list[str]]
) -> None:
    """A server that really was off for more than a year deletes once it has run for a day."""

    async def body() -> None:
        async with served(machine) as server:
            game, everything = await filled(server.hub)
        machine.wait(400 * DAY)
        async with served(machine) as server:
            await goes_on(server, game.id)
            assert await server.swept() is None
            machine.wait(12 * HOUR)
        async with served(machine) as server:
            assert await server.swept() is None
            machine.wait(DAY)
            swept = await server.swept()
            assert swept is not None
            assert (swept.expired, swept.deleted, swept.abandoned) == (1, 2, 0)
            assert await tables_of(server) == [game.id]
        assert told().count("nothing happened for weeks") == 2
        assert len(everything) == 4

    run(body)


def test_a_server_in_use_deletes_from_its_first_sweep(
    machine: Machine, told: Callable[[], list[str]]
) -> None:
    async def body() -> None:
        async with served(machine) as server:
            await new_table(server.hub, TableSettings("cards", 2), "open")
            for _ in range(3):
                machine.wait(20 * DAY)
                await new_table(server.hub, TableSettings("cards", 2))
        machine.wait(20 * DAY)
        async with served(machine) as server:
            swept = await server.swept()
            assert swept is not None
            assert swept.expired == 1
        assert told() == []

    run(body)


def test_a_hub_does_not_follow_jumps_of_the_wall_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very clock that a server uses."""
    real, ahead = time.time_ns, [0]
    monkeypatch.setattr(time, "time_ns", lambda: real() + ahead[0] * 1_000_000)

    async def body() -> None:
        async with hub_on(tmp_path / "a.db") as hub:
            game = await new_table(hub, CLOCKED)
            await play(hub, game, Random(1), moves=3)
            for jump in JUMPS.values():
                ahead[0] += jump
                hub.go_on(game.id)
                await asyncio.sleep(0.05)
                assert game.is_running
                await play(hub, game, Random(1), moves=1)
            assert game.is_running

    run(body)


# Several processes


@pytest.mark.parametrize("jump", JUMPS)
def test_a_later_process_adopts_the_time_of_the_others(shared: Machine, jump: str) -> None:
    """The machine's clock and the database's are set between the starts of two processes."""

    async def body() -> None:
        async with served(shared) as one:
            game = await new_table(one.hub, CLOCKED)
            await play(one.hub, game, Random(1), moves=2)
            shared.jump(JUMPS[jump])
            async with served(shared) as other:
                assert abs(other.clock() - one.clock()) < 1000 * LEASE_SECONDS
                live = await other.hub.fresh(game.id)
                for hub in (other.hub, one.hub, other.hub, one.hub):
                    live = await hub.fresh(game.id)
                    await play(hub, LiveTable(live), Random(2), moves=1)
                await asyncio.sleep(0.05)
                table = (await other.hub.fresh(game.id)).table
                assert table.is_running
                deadline = table.clock.deadline()
                assert deadline is not None
                for each in (one, other):
                    left = deadline - each.clock()
                    assert 0 < left <= 1000 * (MOVE_SECONDS + LEASE_SECONDS)
                assert await other.swept() is None

    run(body)


def test_a_process_whose_clock_fell_behind_catches_up(shared: Machine) -> None:
    async def body() -> None:
        async with served(shared) as one, served(shared) as other:
            assert isinstance(other.hub.peers, Processes)
            other.clock.set(other.clock() - 2000)
            while one.clock() - other.clock() > 1000:
                await asyncio.sleep(BEAT_SECONDS / 5)
            # Nobody follows a clock that is far ahead: it was set, and games here go on.
            other.clock.set(other.clock() + HOUR)
            await asyncio.sleep(4 * BEAT_SECONDS)
            assert other.clock() - one.clock() > HOUR / 2

    run(body)


def test_setting_the_clock_back_keeps_no_dead_process_alive(shared: Machine, postgres: Postgres) -> None:
    """All processes are killed, then the database's clock is set back: leases seem to last for an hour."""
    db = shared.db
    assert isinstance(db, Address)

    async def body() -> None:
        async with served(shared) as one:
            game = await new_table(one.hub, CLOCKED)
            assert await one.hub.peers.claim(game.id)
            postgres.execute("UPDATE owners SET process = 'dead'", db)
        lease = "'dead', clock_timestamp() + interval '1 hour', 0, 0"
        postgres.execute(f"INSERT INTO processes (id, until, line, time) VALUES ({lease})", db)
        async with served(shared) as other:
            assert other.hub.peers.owns(game.id)
            await goes_on(other, game.id)

    run(body)
