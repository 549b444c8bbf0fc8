"""Bots in worker processes: lawful whatever a bot does, killed at the deadline, never blocking the loop."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from tests.bots import bad_bots

import genial
from genial.bots import bot_named
from genial.bots.thinking import Choice
from genial.bots.workers import BotPool
from genial.core.position import Position
from genial.core.view import View

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")

ROOT = Path(__file__).resolve().parents[2]
BAD = f"{bad_bots.__name__}:install"
LONG = 60.0
"""A deadline that no test reaches."""

T = TypeVar("T")


def run(test: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(test, 30))


def first_view(variant: str = "classic", seats: int = 2) -> View:
    return genial.new(variant, seats=seats, seed=7).view({0})


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.01)


def is_alive(pid: int) -> bool:
    """True if some thread of it is running; not if it has ended and only its parent has not noticed."""
    try:
        threads = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/stat")]
    except (FileNotFoundError, ProcessLookupError):
        return (Path("/proc") / str(pid)).exists() and is_alive(pid)
    return any(thread.rpartition(")")[2].split()[0] not in ("Z", "X") for thread in threads)


def children() -> set[int]:
    """The processes that this one has started and not yet seen end."""
    tasks = Path("/proc/self/task").glob("*/children")
    try:
        return {int(pid) for task in tasks for pid in task.read_text().split()}
    except (FileNotFoundError, ProcessLookupError):
        return children()  # a thread has ended meanwhile, and its children are another's now


def cpu_ticks(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


def assert_fallback(choice: Choice, view: View, problem: str, *, seed: str = "s", tag: str = "t") -> None:
    assert choice.action == bot_named("greedy").choose(view, Random(seed))
    assert (choice.tag, choice.fallback, choice.problem) == (tag, True, problem)


async def assert_healthy(pool: BotPool, workers: int) -> None:
    """Check that there are as many warm workers as asked for, and that they play."""
    await until(lambda: pool.running == 0 and len(pool.pids) == workers and all(map(is_alive, pool.pids)))
    view = first_view()
    choices = await asyncio.gather(
        *(pool.choose("balanced", view, seed="s", deadline=LONG, tag=str(n)) for n in range(2 * workers))
    )
    assert [choice.tag for choice in choices] == [str(n) for n in range(2 * workers)]
    assert not any(choice.fallback for choice in choices)


# Play


async def play(pool: BotPool, game: tuple[str, int], bot: str) -> Position:
    variant, seats = game
    position = genial.new(variant, seats=seats, seed=11)
    while not position.is_over:
        tag = f"{variant}-{seats} {len(position.events)}"
        view = position.view({position.seat})
        choice = await pool.choose(bot, view, seed=tag, deadline=LONG, tag=tag)
        assert (choice.tag, choice.fallback, choice.problem) == (tag, False, None)
        assert choice.action == bot_named(bot).choose(view, Random(tag))
        position, _ = position.apply(choice.action)
    return position


def test_whole_games_are_played_as_the_bot_would_in_this_process() -> None:
    games = [("classic", 2), ("classic-team", 4), ("classic-solo", 1), ("travel", 2), ("3d", 3)]
    games += [("3d-solo", 1), ("cards", 4), ("duel", 2)]

    async def test() -> None:
        async with BotPool() as pool:
            ends = await asyncio.gather(*(play(pool, game, "balanced") for game in games))
            assert all(end.is_over for end in ends)
            assert not pool.stats.fallbacks
            assert pool.stats.restarts == 0
            assert pool.stats.jobs > 100
            assert pool.stats.busy_seconds > 0

    run(test())


def test_the_same_seed_gives_the_same_choice_in_every_pool() -> None:
    view = first_view()

    async def choices(bot: str) -> list[object]:
        async with BotPool(setup=BAD) as pool:
            made = [pool.choose(bot, view, seed=str(n % 4), deadline=LONG, tag="t") for n in range(8)]
            return [choice.action for choice in await asyncio.gather(*made)]

    random = run(choices("random"))
    assert random[:4] == random[4:] == [bot_named("random").choose(view, Random(str(n))) for n in range(4)]
    assert len(set(random)) > 1
    assert run(choices("hash")) == run(choices("hash"))


def test_many_jobs_at_once_are_all_answered() -> None:
    view = first_view("cards")

    async def test() -> None:
        async with BotPool() as pool:
            made = [pool.choose("random", view, seed=str(n), deadline=LONG, tag=str(n)) for n in range(300)]
            choices = await asyncio.gather(*made)
            assert [choice.tag for choice in choices] == [str(n) for n in range(300)]
            assert not pool.stats.fallbacks
            assert (pool.queued, pool.running) == (0, 0)

    run(test())


def test_first_come_is_first_served_within_a_priority() -> None:
    view = first_view("cards")
    order: list[str] = []

    async def job(pool: BotPool, tag: str, priority: int) -> None:
        await pool.choose("random", view, seed="s", deadline=LONG, tag=tag, priority=priority)
        order.append(tag)

    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool, asyncio.TaskGroup() as group:
            group.create_task(pool.choose("sleep", view, seed="s", deadline=0.2, tag="first"))
            await until(lambda: pool.running == 1)
            for tag, priority in [("analysis", 1), ("a", 0), ("b", 0), ("urgent", -1), ("c", 0)]:
                group.create_task(job(pool, tag, priority))

    run(test())
    assert order == ["urgent", "a", "b", "c", "analysis"]


def test_quick_jobs_never_wait_for_long_ones() -> None:
    view = first_view("cards")

    async def test() -> None:
        async with BotPool(1, quick_workers=1, setup=BAD) as pool:
            long = [
                asyncio.create_task(pool.choose("sleep", view, seed="s", deadline=LONG, tag=f"long {n}"))
                for n in range(3)
            ]
            await until(lambda: (pool.running, pool.queued) == (1, 2))
            for level in ("level-1", "level-2", "level-3"):
                choice = await pool.choose(level, view, seed="s", deadline=LONG, tag=level)
                assert not choice.fallback
                assert choice.then is not None
            assert [pool.ahead(f"long {n}") for n in range(3)] == [None, 0, 1]
            await until(lambda: pool.under_way("") == 3)
            for task in long:
                task.cancel()
            await asyncio.wait(long)

    run(test())


def test_one_callers_running_jobs_never_exceed_its_limit() -> None:
    view = first_view("cards")

    async def test() -> None:
        async with BotPool(3, each=2, queue_limit=3, setup=BAD) as pool:
            greedy = [
                asyncio.create_task(
                    pool.choose("sleep", view, seed="s", deadline=LONG, tag=f"greedy {n}", caller="greedy")
                )
                for n in range(30)
            ]
            # The caller's other jobs wait, and are neither refused nor played by a fallback.
            await until(lambda: (pool.running, pool.queued) == (2, 28))
            choice = await pool.choose("balanced", view, seed="s", deadline=LONG, tag="t", caller="ada")
            assert not choice.fallback
            assert not pool.stats.fallbacks
            for task in greedy:
                task.cancel()
            await asyncio.wait(greedy)

    run(test())


# Bots that fail


@pytest.mark.parametrize("bot", ["sleep", "spin", "spin-alone", "children"])
def test_at_the_deadline_a_bot_is_killed_and_the_fallback_plays(bot: str) -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            (overrun,) = pool.pids
            choice = await pool.choose(bot, view, seed="s", deadline=0.2, tag="t")
            assert_fallback(choice, view, "deadline")
            assert choice.seconds >= 0.2
            await assert_healthy(pool, 1)
            assert overrun not in pool.pids
            assert not is_alive(overrun)
            assert (pool.stats.fallbacks, pool.stats.restarts) == ({"deadline": 1}, 1)

    run(test())


FAILURES = [
    # bot, what is reported about it, whether its worker is replaced
    ("exit", "died: exit 3", True),
    ("raise", "raised: ValueError", False),
    ("quit", "raised: SystemExit", False),
    ("hog", "raised: MemoryError", True),
    ("unlawful", "unlawful: Refill", False),
    ("nothing", "unlawful: NoneType", False),
    ("strange", "unlawful: _Strange", False),
    ("strange-tile", "died: unreadable answer", True),
    ("nobody", "raised: bot-unknown", False),
]


def test_whatever_a_bot_does_the_choice_is_lawful_and_reveals_no_tiles() -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1, setup=BAD, memory=1 << 28) as pool:
            for bot, problem, replaced in FAILURES:
                pids = pool.pids
                choice = await pool.choose(bot, view, seed="s", deadline=LONG, tag="t")
                assert_fallback(choice, view, problem)
                await assert_healthy(pool, 1)
                assert (pool.pids != pids) == replaced, bot
            assert pool.stats.fallbacks == {"died": 2, "raised": 4, "unlawful": 3}
            assert pool.stats.restarts == 3

    run(test())


def test_what_a_bot_prints_or_reads_does_not_disturb_its_answer() -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            choice = await pool.choose("chatter", view, seed="s", deadline=LONG, tag="t")
            assert (choice.action, choice.fallback) == (view.actions()[0], False)
            await assert_healthy(pool, 1)

    run(test())


def test_if_even_the_fallback_fails_the_first_action_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = first_view()
    monkeypatch.setattr("genial.bots.driver.GREEDY", None)

    async def test() -> Choice:
        async with BotPool(1, setup=BAD) as pool:
            return await pool.choose("raise", view, seed="s", deadline=LONG, tag="t")

    choice = run(test())
    assert (choice.action, choice.problem) == (view.actions()[0], "raised: ValueError")


def test_a_worker_that_died_idle_costs_nobody_a_choice() -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1) as pool:
            (pid,) = pool.pids
            os.kill(pid, signal.SIGKILL)
            await until(lambda: not is_alive(pid))
            choice = await pool.choose("random", view, seed="s", deadline=LONG, tag="t")
            assert not choice.fallback
            assert pool.stats.restarts == 1

    run(test())


def test_signals_for_the_server_do_not_end_a_worker() -> None:
    async def test() -> None:
        async with BotPool(1) as pool:
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(pool.pids[0], number)
            await assert_healthy(pool, 1)
            assert pool.stats.restarts == 0

    run(test())


def test_a_worker_inherits_no_sockets() -> None:
    async def test() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.set_inheritable(True)
            async with BotPool(1) as pool:
                files = [os.readlink(file) for file in Path(f"/proc/{pool.pids[0]}/fd").iterdir()]
                assert files
                assert not [file for file in files if file.startswith("socket:")]

    run(test())


def test_a_worker_has_low_priority() -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            choice = await pool.choose("niceness", view, seed="s", deadline=LONG, tag="t")
            assert choice.action == view.actions()[min(os.nice(0) + 10, 19)]

    run(test())


# Cancelling


def test_a_cancelled_job_is_dropped_from_the_queue_or_killed_on_its_worker() -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            (pid,) = pool.pids
            tasks = []
            for bot, tag in [("sleep", "game 1"), ("exit", "game 1"), ("random", "game 2")]:
                chosen = pool.choose(bot, view, seed="s", deadline=LONG, tag=tag)
                tasks.append(asyncio.create_task(chosen))
                await until(lambda: pool.running == 1)
            running, queued, other = tasks
            await until(lambda: pool.queued == 2)
            pool.cancel("game 1")
            pool.cancel("no such position")
            for task in (running, queued):
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert not (await other).fallback
            await assert_healthy(pool, 1)
            assert not is_alive(pid)
            assert (pool.stats.cancelled, pool.stats.restarts) == (2, 1)
            assert not pool.stats.fallbacks

    run(test())


def test_a_caller_that_stops_waiting_cancels_its_job() -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            tasks = [
                asyncio.create_task(pool.choose("sleep", view, seed="s", deadline=LONG, tag="t"))
                for _ in range(3)
            ]
            await until(lambda: (pool.running, pool.queued) == (1, 2))
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            assert pool.queued == 0
            await assert_healthy(pool, 1)
            assert pool.stats.cancelled == 3

    run(test())


def test_random_cancellations_leave_the_pool_healthy() -> None:
    view, rng = first_view("cards"), Random(3)

    async def test() -> None:
        async with BotPool(setup=BAD) as pool:
            bots = ["random"] * 6 + ["sleep", "raise"]
            tasks = [
                asyncio.create_task(pool.choose(rng.choice(bots), view, seed="s", deadline=0.1, tag=str(n)))
                for n in range(40)
            ]
            for n in rng.sample(range(40), 20):
                await asyncio.sleep(0)
                pool.cancel(str(n))
            await asyncio.wait(tasks)
            for task in tasks:
                assert task.cancelled() or task.result().action in view.actions()
            assert (pool.queued, pool.running) == (0, 0)
            await assert_healthy(pool, 2)

    run(test())


# The loop, the limits, and the ends


def test_the_event_loop_keeps_running_while_all_workers_are_busy() -> None:
    view = first_view()

    async def test() -> int:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        async with BotPool(setup=BAD) as pool:
            ticker = asyncio.create_task(tick())
            busy = [pool.choose("spin", view, seed="s", deadline=0.6, tag="t") for _ in range(2)]
            await asyncio.gather(*busy)
            ticker.cancel()
            return ticks

    assert run(test()) >= 10


def test_when_the_queue_is_full_the_fallback_plays_at_once() -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1, queue_limit=1, setup=BAD) as pool:
            tasks = []
            for queued in (0, 1):
                tasks.append(
                    asyncio.create_task(pool.choose("sleep", view, seed="s", deadline=LONG, tag="old"))
                )
                await until(lambda queued=queued: (pool.running, pool.queued) == (1, queued))  # type: ignore[misc]
            choice = await pool.choose("balanced", view, seed="s", deadline=LONG, tag="t")
            assert_fallback(choice, view, "queue-full")
            pool.cancel("old")
            await asyncio.wait(tasks)
            await assert_healthy(pool, 1)

    run(test())


def test_when_no_worker_can_be_started_the_fallback_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    view = first_view()

    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            with monkeypatch.context() as patch:
                patch.setattr("sys.executable", "/no/such/python")
                dying = pool.choose("exit", view, seed="s", deadline=LONG, tag="t")
                waiting = pool.choose("exit", view, seed="s", deadline=LONG, tag="t")
                died, waited = await asyncio.gather(dying, waiting)
                assert_fallback(died, view, "died: exit 3")
                assert_fallback(waited, view, "no-worker")
                choice = await pool.choose("balanced", view, seed="s", deadline=LONG, tag="t")
                assert_fallback(choice, view, "no-worker")
            await until(lambda: bool(pool.pids))
            await assert_healthy(pool, 1)

    run(test())


@pytest.mark.parametrize(
    ("function", "problem"), [("refuse", "LookupError: no bots today"), ("vanish", "exit 4")]
)
def test_a_pool_whose_workers_do_not_start_says_why(function: str, problem: str) -> None:
    async def test() -> None:
        with pytest.raises(RuntimeError, match=problem):
            await BotPool(setup=f"{bad_bots.__name__}:{function}").start()

    before = children()
    run(test())
    assert children() == before


def test_only_an_open_pool_serves_and_only_the_seat_to_move() -> None:
    position = genial.new("classic", seats=2, seed=7)

    async def test() -> None:
        pool = BotPool(1)
        with pytest.raises(RuntimeError, match="isn't open"):
            await pool.choose("random", position.view({0}), seed="s", deadline=1, tag="t")
        async with pool:
            with pytest.raises(ValueError, match="can't choose for seat 0"):
                await pool.choose("random", position.view({1}), seed="s", deadline=1, tag="t")
            with pytest.raises(ValueError, match="can't be inf seconds"):
                await pool.choose("random", position.view({0}), seed="s", deadline=float("inf"), tag="t")
        with pytest.raises(RuntimeError, match="isn't open"):
            await pool.choose("random", position.view({0}), seed="s", deadline=1, tag="t")

    run(test())
    with pytest.raises(ValueError, match="0 workers"):
        BotPool(0)


@pytest.mark.parametrize("closing", ["close", "leave", "before a start", "while starting"])
def test_a_pool_leaves_nothing_behind(closing: str) -> None:
    """Closed while work is in progress, or forgotten when its loop ends."""
    view, before = first_view(), children()

    async def test() -> list[int]:
        pool = BotPool(setup=BAD)
        starting = asyncio.create_task(pool.start())
        if closing in ("before a start", "while starting"):
            await asyncio.sleep(0)
            await until(lambda: closing == "before a start" or children() > before)
            await pool.close()
            with pytest.raises(asyncio.CancelledError):
                await starting
            return []
        await starting
        jobs = [
            asyncio.create_task(pool.choose(bot, view, seed="s", deadline=LONG, tag="t"))
            for bot in ("sleep", "children", "sleep")
        ]
        await until(lambda: (pool.running, pool.queued) == (2, 1))
        pids = pool.pids
        assert len(pids) == 2
        if closing == "close":
            await pool.close()
            await asyncio.wait(jobs)
            assert all(job.cancelled() for job in jobs)
            assert children() == before
            await pool.close()
        return pids

    pids = run(test())
    run(until(lambda: children() == before))
    assert not any(map(is_alive, pids))


ORPHANING = """
import asyncio, sys
import genial
from genial.bots.workers import BotPool

async def main():
    view = genial.new("classic", seats=2, seed=7).view({0})
    async with BotPool(3, setup="tests.bots.bad_bots:install") as pool:
        for bot in ("spin", "spin-alone"):
            asyncio.create_task(pool.choose(bot, view, seed="s", deadline=2, tag="t"))
        while pool.running < 2:
            await asyncio.sleep(0)
        print(*pool.pids, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def test_workers_end_when_their_parent_is_killed() -> None:
    """Idle or thinking, and even in code that lets no other thread of the worker run."""
    with subprocess.Popen([sys.executable, "-c", ORPHANING], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        # The two that think are deep in thought.
        warm = {pid: cpu_ticks(pid) for pid in pids}
        run(until(lambda: sum(cpu_ticks(pid) > warm[pid] + 5 for pid in pids) == 2))
        alive = [is_alive(pid) for pid in pids]
        parent.kill()
    assert alive == [True] * 3
    run(until(lambda: not any(map(is_alive, pids))))


def test_advice_includes_every_action_that_was_asked_for() -> None:
    async def test() -> None:
        view = first_view("cards")
        asked = view.actions()[-1]
        async with BotPool(1, setup=BAD) as pool:
            opinion = await pool.advise("balanced", view, seed="1", deadline=20, tag="a", include=[asked])
            assert opinion.advice is not None
            assert asked in [candidate.action for candidate in opinion.advice.candidates]
            for bad in ("raise", "sleep", "exit", "nothing", "strange", "unlawful"):
                opinion = await pool.advise(bad, view, seed="1", deadline=0.5, tag="b")
                assert opinion.advice is None
                assert opinion.problem

    run(test())
