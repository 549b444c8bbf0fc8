"""The queue of a pool: most urgent first, callers in turn, cheap before costly, all of them eventually."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import wraps
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import genial
from genial.bots import cost_of
from genial.bots.job_queue import JobQueue, Waiting
from genial.bots.thinking import ADVICE, ANALYSIS, MOVE, WATCHED, Opinion
from genial.bots.worker_process import Job

VIEW = genial.new("cards", seats=2, seed=1).view({0})
QUICK, LONG = cost_of("level-2"), cost_of("level-6")
_numbers = count()


def a_job(priority: int = MOVE, *, caller: str = "", cost: float = LONG) -> Waiting:
    work, done = Job("greedy", VIEW, "1", 5.0, None), asyncio.get_running_loop().create_future()
    return Waiting(priority, next(_numbers), "tag", work, done, caller, cost)


async def taken(queue: JobQueue, jobs: int, *, quick: bool = False) -> list[Waiting]:
    """The next jobs, each done before the next one is taken."""
    found = []
    for _ in range(jobs):
        found.append(queue.pop(quick=quick))
        found[-1].settle(Opinion(None, 0.0))
        await asyncio.sleep(0)
    return found


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


@given(st.lists(st.integers(0, 3), max_size=7), st.sets(st.integers(0, 6)))
def test_jobs_of_one_caller_leave_by_priority_and_then_by_age(
    priorities: list[int], unwanted: set[int]
) -> None:
    @in_a_loop
    async def body() -> None:
        queue = JobQueue()
        jobs = [a_job(priority) for priority in priorities]
        for job in reversed(jobs):
            queue.put(job)
        out = [job for n, job in enumerate(jobs) if n in unwanted]
        assert all(queue.take_out(job) for job in out)
        assert not any(queue.take_out(job) for job in out)
        left = sorted((job for job in jobs if job not in out), key=lambda job: (job.priority, job.number))
        assert [queue.ahead(job) for job in left] == list(range(len(left)))
        assert await taken(queue, len(left)) == left
        assert not queue

    body()


@in_a_loop
async def test_callers_take_turns_however_many_jobs_one_of_them_has() -> None:
    queue = JobQueue()
    for _ in range(60):
        queue.put(a_job(caller="greedy"))
    await taken(queue, 10)
    own = a_job(caller="patient")
    queue.put(own)
    assert queue.ahead(own) == 0
    assert queue.pop() is own


@in_a_loop
async def test_turns_are_counted_in_thinking_time_and_not_in_jobs() -> None:
    queue, costs = JobQueue(), {"long": 1.0, "middle": 0.5, "short": 0.1}
    for caller, cost in costs.items():
        for _ in range(200):
            queue.put(a_job(caller=caller, cost=cost))
    had: Counter[str] = Counter()
    for job in await taken(queue, 200):
        had[job.caller] += round(10 * job.cost)
    # Every eighth job is the oldest, which is one of the first caller's.
    assert had["middle"] - had["short"] in range(-10, 11)
    assert had["long"] < 2.5 * had["short"]


@in_a_loop
async def test_using_idle_workers_incurs_no_debt_and_absence_earns_no_credit() -> None:
    queue = JobQueue()
    for _ in range(50):
        queue.put(a_job(caller="alone"))
        await taken(queue, 1)
    for caller in ("new", "alone") * 3:
        queue.put(a_job(caller=caller))
    assert [job.caller for job in await taken(queue, 4)] == ["new", "alone", "new", "alone"]


@in_a_loop
async def test_a_callers_cheap_jobs_come_first() -> None:
    queue = JobQueue()
    costly, cheap = a_job(caller="ada"), a_job(caller="ada", cost=QUICK)
    queue.put(costly)
    queue.put(cheap)
    assert await taken(queue, 2) == [cheap, costly]


@in_a_loop
async def test_people_come_before_bots_alone_and_bots_before_analysis() -> None:
    queue, order = JobQueue(), (MOVE, ADVICE, WATCHED, ANALYSIS)
    for priority in reversed(order):
        queue.put(a_job(priority, caller=str(priority)))
    assert [job.priority for job in await taken(queue, 4)] == list(order)


@in_a_loop
async def test_nothing_waits_for_ever() -> None:
    """However many more urgent jobs arrive, what has waited longest gets a turn now and then."""
    queue = JobQueue()
    last = a_job(ANALYSIS, caller="patient")
    queue.put(last)
    for turn in count():
        queue.put(a_job(caller=str(turn)))
        if last in await taken(queue, 1):
            break
        assert turn < 20


@in_a_loop
async def test_a_caller_has_no_more_than_its_limit_in_progress() -> None:
    queue = JobQueue(each=2)
    for _ in range(6):
        queue.put(a_job(caller="greedy"))
    under_way = [queue.pop(), queue.pop()]
    assert not queue.has()
    assert (len(queue), queue.crowd, queue.under_way("greedy")) == (4, 2, 6)
    # Quick jobs are limited separately: they never wait for slow ones.
    queue.put(a_job(caller="greedy", cost=QUICK))
    assert queue.pop().cost == QUICK
    assert not queue.has()
    waiting = asyncio.create_task(queue.filled())
    await asyncio.sleep(0)
    under_way[0].settle(Opinion(None, 0.0))
    await asyncio.wait_for(waiting, 60)
    assert queue.has()


@in_a_loop
async def test_a_returned_job_is_no_longer_in_progress_and_is_charged_once() -> None:
    queue = JobQueue(each=1)
    first, second = a_job(caller="ada"), a_job(caller="ada")
    queue.put(first)
    queue.put(second)
    for _ in range(3):
        job = queue.pop()
        assert not queue.has()
        queue.put(job)
    queue.put(a_job(caller="ben"))
    assert [job.caller for job in await taken(queue, 3)] == ["ben", "ada", "ada"]


@in_a_loop
async def test_a_quick_worker_takes_only_quick_jobs_and_is_woken_first_for_them() -> None:
    queue = JobQueue()
    slow_one, quick_one = (asyncio.create_task(queue.filled(quick=quick)) for quick in (False, True))
    await asyncio.sleep(0)
    assert queue.starves
    long = a_job()
    queue.put(long)
    await asyncio.wait_for(slow_one, 60)
    assert not quick_one.done()
    quick = a_job(cost=QUICK)
    queue.put(quick)
    await asyncio.wait_for(quick_one, 60)
    assert queue.pop(quick=True) is quick
    assert not queue.has(quick=True)
    assert queue.pop() is long


@in_a_loop
async def test_a_woken_waiter_that_leaves_hands_the_job_to_another() -> None:
    queue, changes = JobQueue(), list[bool]()
    queue.changed = lambda: changes.append(queue.starves)
    first, second = (asyncio.create_task(queue.filled()) for _ in range(2))
    await asyncio.sleep(0)
    assert queue.starves
    queue.put(a_job())
    first.cancel()  # it has been woken, and does not know it yet
    await asyncio.wait_for(second, 60)
    assert first.cancelled()
    assert len(queue) == 1
    assert changes == [True, True, False]


@in_a_loop
async def test_callers_who_are_done_are_forgotten() -> None:
    queue = JobQueue()
    for n in range(5000):
        queue.put(a_job(caller=str(n)))
        await taken(queue, 1)
    assert len(queue._had) <= 1001
    assert not queue._taken
