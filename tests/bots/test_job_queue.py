"""The queue of a pool: the most urgent first, whatever is taken out meanwhile."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

import genial
from genial.bots.job_queue import JobQueue, Waiting
from genial.bots.worker_process import Job

VIEW = genial.new("cards", seats=2, seed=1).view({0})


def a_job(priority: int, number: int) -> Waiting:
    work = Job("greedy", VIEW, "1", 5.0, None)
    return Waiting(priority, number, "tag", work, asyncio.get_running_loop().create_future())


@given(st.lists(st.integers(0, 2), max_size=12), st.sets(st.integers(0, 11)))
def test_jobs_leave_by_priority_and_then_by_age(priorities: list[int], unwanted: set[int]) -> None:
    async def body() -> None:
        queue = JobQueue()
        jobs = [a_job(priority, number) for number, priority in enumerate(priorities)]
        for job in reversed(jobs):
            queue.put(job)
        out = [job for job in jobs if job.number in unwanted]
        assert all(queue.take_out(job) for job in out)
        assert not any(queue.take_out(job) for job in out)
        left = sorted((job.priority, job.number) for job in jobs if job not in out)
        assert [(job.priority, job.number) for job in queue.first(len(jobs))] == left
        assert [(job.priority, job.number) for job in (queue.pop() for _ in left)] == left
        assert not queue

    asyncio.run(body())


def test_who_is_woken_and_leaves_wakes_another() -> None:
    async def body() -> None:
        queue, changes = JobQueue(), list[bool]()
        queue.changed = lambda: changes.append(queue.starves)
        first, second = (asyncio.create_task(queue.filled()) for _ in range(2))
        await asyncio.sleep(0)
        assert queue.starves
        queue.put(a_job(0, 1))
        first.cancel()  # it has been woken, and does not know it yet
        await asyncio.wait_for(second, 60)
        assert first.cancelled()
        assert len(queue) == 1
        assert changes == [True, True, False]

    asyncio.run(body())
