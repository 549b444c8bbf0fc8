"""Analyses are kept in the store: any process can report them, and another continues where one ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from tests.play import walk
from tests.server.operations import HOUR
from tests.server.postgres import Postgres

from genial.bots.workers import BotPool
from genial.core.record import dump, record_of
from genial.server.operate import retention
from genial.server.operate.serve import among_peers
from genial.server.store import Address, opened
from genial.server.study.advice import Analysis
from genial.server.study.analyses import Analyses
from genial.server.study.reading import DONE, Order, answered
from genial.server.tables.errors import NotFound, TooMany
from genial.server.tables.hub import Hub
from genial.server.tables.server_time import ServerTime, wall_clock
from genial.server.tables.settings import Limits

PATIENCE = 120.0


class Process:
    """Stands for one process, as far as it analyses finished games."""

    def __init__(self, hub: Hub, limits: Limits) -> None:
        self.hub = hub
        self.analyses = Analyses(hub, limits)

    @property
    def jobs(self) -> int:
        assert isinstance(self.hub.pool, BotPool)
        return self.hub.pool.stats.jobs

    async def start(self, record: bytes) -> Analysis:
        """Begin to analyse a game."""
        kind, found = answered(Order("analysis", record, events=2000, deadline=5.0))
        assert kind == DONE
        return await self.analyses.start(*cast("tuple[int, bytes, bytes]", found))

    async def told(self, number: str, *, done: int | None = None) -> Analysis:
        """The state of an analysis, once this much of it is done, or all."""
        async with asyncio.timeout(PATIENCE):
            while True:
                told = await self.analyses.told(number)
                if told.done >= (told.of if done is None else done):
                    return told
                await asyncio.sleep(0.02)


@asynccontextmanager
async def process(db: Path | Address, kept: int = 10) -> AsyncIterator[Process]:
    store = await opened(db, migrate=True)
    try:
        clock = ServerTime()
        async with BotPool(1) as pool, among_peers(store, clock) as peers:
            limits = Limits(analyses_kept=kept)
            found = Process(Hub(store, pool, limits, clock=clock, peers=peers), limits)
            try:
                yield found
            finally:
                await found.analyses.stop()
    finally:
        await store.close()


def a_game(seed: int = 3, moves: int = 5) -> bytes:
    """The beginning of a game: each of its moves takes a while to think about."""
    return dump(record_of(walk(("travel", 2), seed, greedily=True)[2 * moves])).encode()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, PATIENCE))


def is_whole(told: Analysis, of: int) -> bool:
    """True if every choice was judged, in order, none twice."""
    plies = [move.ply for move in told.moves]
    return (told.state, told.done, len(plies)) == ("done", of, of) and plies == sorted(set(plies))


def test_an_analysis_continues_after_a_restart(tmp_path: Path) -> None:
    async def body() -> None:
        path = tmp_path / "genial.db"
        async with process(path) as first:
            begun = await first.start(a_game())
            before = await first.told(begun.id, done=2)
            assert before.state == "running"
        async with process(path) as second:
            # If several ask at once, it is analysed once.
            asked = await asyncio.gather(*(second.analyses.told(begun.id) for _ in range(3)))
            assert all(each.done >= 2 and each.moves[:2] == before.moves[:2] for each in asked)
            told = await second.told(begun.id)
            assert is_whole(told, begun.of)
            assert 0 < second.jobs <= begun.of - before.done
            again = await second.start(a_game())
            assert again == told
        async with process(path) as third:
            assert await third.analyses.told(begun.id) == told
            assert third.jobs == 0

    run(body())


def test_an_analysis_made_by_one_process_can_be_read_through_another(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with process(database) as one, process(database) as other:
            begun = await one.start(a_game())
            while not other.hub.peers.living >= one.hub.peers.living:
                await asyncio.sleep(0.01)
            assert (await other.start(a_game())).id == begun.id
            assert is_whole(await other.told(begun.id), begun.of)
            assert await one.analyses.told(begun.id) == await other.analyses.told(begun.id)
            assert (one.jobs, other.jobs) == (begun.of, 0)

    run(body())


def test_another_process_continues_an_analysis_whose_process_ended(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with process(database) as other:
            async with process(database) as one:
                begun = await one.start(a_game())
                await one.told(begun.id, done=2)
            told = await other.told(begun.id)
            assert is_whole(told, begun.of)
            assert 0 < other.jobs <= begun.of - 2

    run(body())


def test_a_process_presumed_dead_stops_once_another_takes_over(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with process(database) as one, process(database) as other:
            begun = await one.start(a_game(moves=8))
            await other.hub.store.take_analysis(begun.id, one.hub.peers.id, other.hub.peers.id)
            while begun.id in one.analyses._works:
                await asyncio.sleep(0.01)
            assert one.jobs < begun.of
            assert is_whole(await other.told(begun.id), begun.of)

    run(body())


def test_analyses_are_limited_and_the_oldest_finished_one_makes_room(tmp_path: Path) -> None:
    async def body() -> None:
        async with process(tmp_path / "genial.db", kept=2) as one:
            first = await one.start(a_game(1, moves=1))
            await one.told(first.id)
            running = [await one.start(a_game(seed)) for seed in (2, 3)]
            with pytest.raises(NotFound):
                await one.analyses.told(first.id)
            with pytest.raises(TooMany):
                await one.start(a_game(4))
            assert (await one.start(a_game(2))).id == running[0].id

    run(body())


def test_an_analysis_by_another_version_is_unknown(tmp_path: Path) -> None:
    async def body() -> None:
        async with process(tmp_path / "genial.db") as one:
            told = await one.start(a_game(moves=1))
            await one.told(told.id)
            while told.id in one.analyses._works:  # it is reported as soon as it is thought, then stored
                await asyncio.sleep(0.01)
            await one.hub.store.put_opinions(told.id, one.hub.peers.id, told.of, b'{"moves": [{"odd": 1}]}')
            with pytest.raises(NotFound):
                await one.analyses.told(told.id)

    run(body())


def test_analyses_are_kept_as_long_as_finished_tables(tmp_path: Path) -> None:
    async def body() -> None:
        async with process(tmp_path / "genial.db") as one:
            told = await one.start(a_game(moves=1))
            await one.told(told.id)
            assert (await retention.sweep(one.hub)).analyses == 0
            days = one.hub.limits.finished_days
            one.hub.clock = lambda: wall_clock() + (24 * days + 1) * HOUR
            assert (await retention.sweep(one.hub)).analyses == 1
            with pytest.raises(NotFound):
                await one.analyses.told(told.id)

    run(body())
