"""Bots' jobs among several processes: workers may ask one, send heartbeats to another and answer a third."""

from __future__ import annotations

import asyncio
import urllib.error
from collections.abc import AsyncIterator, Collection, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.operate.test_worker import BAD, TOKEN, a_view, busy, set_up
from tests.server.operations import watching
from tests.server.postgres import Postgres
from tests.server.relay import Relay
from tests.server.several import SERVE
from tests.server.several import several as servers

from genial.bots import bot_named
from genial.bots.lending import SILENCE_SECONDS, Lending
from genial.bots.thinking import ADVICE, ANALYSIS, MOVE, Choice, Opinion
from genial.bots.workers import DIED, BotPool
from genial.core.notation import move_text
from genial.server.operate import worker as remote
from genial.server.processes import jobs as jobs_module
from genial.server.processes.job_table import JobTable, NewJob
from genial.server.processes.jobs import Jobs, Offer, SharedJobs, jobs_of
from genial.server.processes.process import Processes, join
from genial.server.processes.work_data import AnswerBody, advice_data, job_from
from genial.server.store import Address
from genial.server.store.postgres_migration import migrate_postgres

PATIENCE = 60.0
WAIT = 20.0


class Process:
    """Stands for one process: its only bot worker is busy, so all other jobs wait."""

    def __init__(self, processes: Processes, pool: BotPool, lending: Lending, jobs: Jobs) -> None:
        self.processes, self.pool, self.lending, self.jobs = processes, pool, lending, jobs
        self.busy: asyncio.Task[Any] | None = None

    def move(self, seed: str = "1", deadline: float = 40) -> asyncio.Task[Choice]:
        """A move that a table is waiting for."""
        return asyncio.create_task(
            self.pool.choose("greedy", a_view(), seed=seed, deadline=deadline, tag=seed)
        )

    def opinion(self, priority: int, seed: str = "1") -> asyncio.Task[Opinion]:
        return asyncio.create_task(
            self.pool.advise("balanced", a_view(), seed=seed, deadline=40, tag=seed, priority=priority)
        )

    async def acquired(self) -> Offer:
        found = await self.jobs.acquire(WAIT)
        assert found is not None
        return found


@asynccontextmanager
async def process(database: Address, silence: float = SILENCE_SECONDS) -> AsyncIterator[Process]:
    processes = await join(database)
    try:
        async with BotPool(1, setup=BAD) as pool:
            lending = Lending(pool, silence=silence)
            async with jobs_of(lending, processes) as jobs:
                found = Process(processes, pool, lending, jobs)
                found.busy = await busy(pool)
                yield found
                found.busy.cancel()
    finally:
        await processes.stop()


@asynccontextmanager
async def several(
    database: Address, count: int, silence: float = SILENCE_SECONDS
) -> AsyncIterator[list[Process]]:
    await migrate_postgres(database)
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(process(database, silence)) for _ in range(count)]
        await until(lambda: all(len(each.processes.others) == count - 1 for each in found))
        yield found


async def until(holds: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.02)


def run(work: Coroutine[Any, Any, None], patience: float = 2 * PATIENCE) -> None:
    asyncio.run(asyncio.wait_for(work, patience))


@pytest.mark.parametrize("steps", range(4))
def test_a_process_stops_even_if_a_job_changes_at_that_moment(postgres: Postgres, steps: int) -> None:
    async def body() -> None:
        async with several(postgres.database(), 1) as (one,):
            one.move()
            await one.acquired()  # only with a job to look after does it wait for a limited time
            await asyncio.sleep(0.1)
            assert isinstance(one.jobs, SharedJobs)
            one.jobs.offered.look_soon()
            for _ in range(steps):
                await asyncio.sleep(0)
            async with asyncio.timeout(PATIENCE):
                await one.jobs.offered.stop()

    run(body())


def answered(offer: Offer) -> AnswerBody:
    """A good worker's answer."""
    job = job_from(offer[1])
    if job.wants_advice:
        advice = bot_named(job.bot).advise(job.view, Random(job.seed))
        return AnswerBody(advice=advice_data(job.view.setup, advice))
    return AnswerBody(action=move_text(job.view.setup, bot_named(job.bot).choose(job.view, Random(job.seed))))


def stored(postgres: Postgres, database: Address) -> int:
    return int(postgres.execute("SELECT count(*) FROM jobs", database)[0][0])


@pytest.mark.parametrize("asked", [0, 1], ids=["asks where the job is", "asks elsewhere"])
def test_a_worker_may_talk_to_a_different_process_each_time(postgres: Postgres, asked: int) -> None:
    async def body() -> None:
        database = postgres.database()
        async with several(database, 3) as processes:
            first, others = processes[0], processes[1:]
            waits = asyncio.create_task(processes[asked].acquired())
            move = first.move()
            offer = await waits
            for each in (*others, first, *others):
                assert await each.jobs.heartbeat(offer[0])
            assert await processes[2].jobs.submit(offer[0], answered(offer))
            choice = await move
            assert (choice.fallback, choice.problem) == (False, None)
            assert first.lending.returned == 0
            for each in processes:  # only the first answer counts, wherever the second one arrives
                assert not await each.jobs.submit(offer[0], answered(offer))
                assert not await each.jobs.heartbeat(offer[0])
            await until(lambda: stored(postgres, database) == 0)

    run(body())


def test_heartbeats_at_another_process_keep_a_loan_alive(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with several(database, 2, silence=PATIENCE) as (one, other):
            move = one.move()
            offer = await one.acquired()
            loan, loop = one.lending._loans[offer[0]], asyncio.get_running_loop()
            for _ in range(3):
                await asyncio.sleep(0.3)
                beat = loop.time()
                assert await other.jobs.heartbeat(offer[0])
                await until(lambda beat=beat: loan.heard >= beat)
                assert loan.timer.when() == loan.heard + PATIENCE
            assert await other.jobs.submit(offer[0], answered(offer))
            assert not (await move).fallback
            assert one.lending.returned == 0

    run(body())


def test_no_job_is_shared_until_another_process_asks(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with several(database, 2) as (one, other):
            moves = [one.move(str(number)) for number in range(3)]
            await asyncio.sleep(0.5)
            assert stored(postgres, database) == 0
            offers = [await other.acquired()]
            await until(lambda: len(one.lending) == 1)
            assert stored(postgres, database) >= 1
            offers += [await one.acquired(), await other.acquired()]
            for offer in offers:
                assert await other.jobs.submit(offer[0], answered(offer))
            assert {choice.fallback for choice in await asyncio.gather(*moves)} == {False}

    run(body())


async def falls_silent(owner: Process, asked: Process) -> tuple[Offer, Offer]:
    """The loan of a worker of which nothing more is heard, and that of the next, who has all the time."""
    lending = owner.lending
    patient, lending._silence = lending._silence, 0.3
    silent = await asked.acquired()
    await until(lambda: len(lending) == 1 or lending.returned == 1)
    lending._silence = patient
    return silent, await asked.acquired()


def test_a_job_returns_when_its_worker_at_another_process_falls_silent(postgres: Postgres) -> None:
    async def body() -> None:
        async with several(postgres.database(), 2) as (one, other):
            move = one.move()
            silent, again = await falls_silent(one, other)
            assert again[0] != silent[0]
            assert again[1] == silent[1]
            assert not await other.jobs.heartbeat(silent[0])
            assert not await other.jobs.submit(silent[0], answered(silent))
            assert await other.jobs.submit(again[0], answered(again))
            assert not (await move).fallback
            assert one.lending.returned == 1
            one.lending._silence = 0.3
            deadly = one.move("2")
            for _ in range(3):
                await other.acquired()
            choice = await deadly
            assert (choice.fallback, choice.problem) == (True, DIED)

    run(body())


def test_a_silent_worker_is_refused_everywhere_before_its_job_is_offered_again(postgres: Postgres) -> None:
    async def body() -> None:
        async with several(postgres.database(), 2) as (one, other):
            assert isinstance(one.jobs, SharedJobs)
            table = one.jobs.offered._table
            end = table.end

            async def slow_end(jobs: Collection[str]) -> None:
                await asyncio.sleep(0.3)
                await end(jobs)

            table.end = slow_end  # type: ignore[method-assign]
            move = one.move()
            silent, again = await falls_silent(one, other)
            assert not await other.jobs.heartbeat(silent[0])
            assert await other.jobs.submit(again[0], answered(again))
            assert not (await move).fallback

    run(body())


@pytest.mark.slow
def test_moves_come_before_hints_and_hints_before_analysis_across_processes(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "_GRACE_SECONDS", 2.0)  # this machine may be slow

    async def body() -> None:
        async with several(postgres.database(), 2, silence=PATIENCE) as (one, other):
            analyses = [other.opinion(ANALYSIS, str(number)) for number in range(2)]
            hint, move = one.opinion(ADVICE, "hint"), one.move("move")
            offers = [await other.acquired() for _ in range(4)]
            assert [offer[1]["seed"] for offer in offers] == ["move", "hint", "0", "1"]
            for offer in offers:
                assert await one.jobs.submit(offer[0], answered(offer))
            assert not (await move).fallback
            assert all(each.advice for each in await asyncio.gather(hint, *analyses))

    run(body())


def stored_jobs(process: Process) -> int:
    """The number of jobs that a process has offered."""
    assert isinstance(process.jobs, SharedJobs)
    return process.jobs.offered.given


def test_the_oldest_of_the_most_urgent_jobs_goes_first_whoever_gave_it(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        await migrate_postgres(database)
        one, other, idle = [JobTable(await join(database)) for _ in range(3)]
        await one.give(
            [NewJob("c", MOVE, 3, b"{}"), NewJob("a", MOVE, 1, b"{}"), NewJob("lent", MOVE, 0, None)]
        )
        await other.give([NewJob("d", ADVICE, 0, b"{}"), NewJob("b", MOVE, 2, b"{}")])
        tables = (idle, one, idle, idle, idle)
        taken = [await table.take(ADVICE if number < 4 else ANALYSIS) for number, table in enumerate(tables)]
        assert [found and found.id for found in taken] == ["a", "b", "c", None, "d"]
        assert await one.take_back(["a", "c"]) == []
        for table in (one, other, idle):
            await table.processes.stop()
        assert stored(postgres, database) == 0

    run(body())


def test_a_worker_learns_that_its_job_is_no_longer_needed(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with several(database, 2) as (one, other):
            move = one.move()
            offer = await other.acquired()
            await until(lambda: len(one.lending) == 1)
            assert await other.jobs.heartbeat(offer[0])
            move.cancel()
            while await other.jobs.heartbeat(offer[0]):
                await asyncio.sleep(0.01)
            assert not await other.jobs.submit(offer[0], answered(offer))
            assert (len(one.lending), one.pool.queued) == (0, 0)
            await until(lambda: stored(postgres, database) == 0)

    run(body())


def test_the_owning_process_may_do_a_job_it_has_shared(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with several(database, 2) as (one, other):
            assert isinstance(one.jobs, SharedJobs)
            given = list[None]()
            one.processes.gave_jobs = lambda: given.append(None)  # type: ignore[method-assign]
            one.jobs.offered.asked("somebody who never comes", 1)
            move = one.move()
            await until(lambda: stored_jobs(one) == 1)
            assert one.busy is not None
            one.busy.cancel()
            assert not (await move).fallback
            assert len(given) == 1, "and not again and again"
            assert one.lending.returned == 0
            await until(lambda: stored(postgres, database) == 0)
            assert await other.jobs.acquire(0.2) is None

    run(body())


def test_a_released_job_goes_to_the_next_worker(postgres: Postgres) -> None:
    async def body() -> None:
        async with several(postgres.database(), 2) as (one, other):
            move = one.move()
            offer = await other.acquired()
            await until(lambda: len(one.lending) == 1)
            await other.jobs.release(offer[0])
            again = await other.acquired()
            assert again[1] == offer[1]
            assert one.lending.returned == 0, "nobody fell silent"
            for waiting in [asyncio.create_task(other.jobs.acquire(WAIT)) for _ in range(3)]:
                waiting.cancel()
            assert await other.jobs.submit(again[0], answered(again))
            assert not (await move).fallback

    run(body())


def test_the_jobs_of_a_dead_process_are_removed(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with several(database, 2) as (one, other):
            move = one.move()
            offer = await other.acquired()
            assert await other.jobs.heartbeat(offer[0])
            for task in one.processes._tasks:  # as by `kill -9`: no more heartbeats, and no goodbye
                task.cancel()
            await until(lambda: not other.processes.others)
            while await other.jobs.heartbeat(offer[0]):
                await asyncio.sleep(0.05)
            assert not await other.jobs.submit(offer[0], answered(offer))
            assert stored(postgres, database) == 0
            move.cancel()

    run(body())


def test_a_lost_wake_up_does_no_harm(postgres: Postgres) -> None:
    async def body() -> None:
        async with several(postgres.database(), 2) as (one, other):
            move = one.move()
            offer = await other.acquired()
            other.processes.changed_job = lambda process: None  # type: ignore[method-assign]
            assert await other.jobs.submit(offer[0], answered(offer))
            assert not (await move).fallback

    run(body())


@pytest.mark.slow
def test_without_the_database_a_process_lends_its_own_jobs(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        await migrate_postgres(database)
        with Relay(database, "127.0.0.1") as relay:
            async with process(relay.address) as one:
                assert isinstance(one.jobs, SharedJobs)
                one.jobs.offered.asked("somebody who never comes", 1)
                move = one.move()
                await until(lambda: stored_jobs(one) == 1)
                relay.cut()
                await until(lambda: one.pool.queued == 1)
                offer = await one.acquired()
                assert await one.jobs.heartbeat(offer[0])
                assert await one.jobs.submit(offer[0], answered(offer))
                assert not (await move).fallback
                relay.mend()
                await until(lambda: stored(postgres, database) == 0)

    run(body())


@pytest.mark.slow
def test_real_workers_work_behind_a_balancer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two real servers, and workers whose every request may reach either."""
    token, submit = tmp_path / "token", remote.Remote.submit
    token.write_text(TOKEN)
    handed_in: list[bool] = []

    async def watched(self: remote.Remote, number: str, answer: AnswerBody) -> None:
        try:
            await submit(self, number, answer)
            handed_in.append(True)
        except urllib.error.HTTPError:
            handed_in.append(False)
            raise

    monkeypatch.setattr(remote.Remote, "submit", watched)

    async def body() -> None:
        limits = ("bot_pause=0", "bot_ending=0", "tables_per_hour=10000")
        quick = [word for limit in limits for word in ("--limit", limit)]
        arguments = ("--worker-token-file", str(token), "--bot-workers", "1", *quick)
        with servers(SERVE, *arguments, count=2) as found:
            helping = asyncio.create_task(remote.work([found.url], TOKEN, 2))
            async with httpx.AsyncClient(
                base_url=found.url, headers={"Origin": found.url}, timeout=PATIENCE
            ) as client:
                await client.post("/api/hello")
                # They get what the servers' own workers leave: little of one table, but something of six.
                while handed_in.count(True) <= 20:
                    tables = [await set_up(client) for _ in range(6)]
                    with watching(client, *tables):
                        for table in tables:
                            while (await client.get(f"/api/tables/{table}")).json()["status"] != "over":
                                await asyncio.sleep(0.2)
            helping.cancel()
            await asyncio.gather(helping, return_exceptions=True)
        assert handed_in.count(False) * 20 < len(handed_in)

    run(body(), 5 * PATIENCE)
