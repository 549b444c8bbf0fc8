"""The jobs of a pool that wait for a worker, here or elsewhere: the most urgent first."""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from genial.bots.bot import Advice
from genial.bots.worker_process import Job
from genial.core.actions import Action

MOVE, ADVICE, ANALYSIS = 0, 1, 2
"""Priorities: a whole table waits for a move, one person for advice, nobody in particular for analysis."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot does, or what the fallback does in its place."""

    action: Action
    tag: str
    """The position that it was made for, as its caller named it."""
    fallback: bool
    seconds: float
    """From the start on a worker, without the time in the queue."""
    problem: str | None = None
    """Why the fallback played: a reason, or a reason and more (`died: exit 3`). Names no tiles."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a bot thinks of a position; without advice, why there is none."""

    advice: Advice | None
    seconds: float
    problem: str | None = None


@dataclass(order=True, slots=True)
class Waiting:
    """A job and who waits for it; in the order in which jobs are taken."""

    priority: int
    number: int
    tag: str = field(compare=False)
    work: Job = field(compare=False)
    done: asyncio.Future[Choice | Opinion] = field(compare=False)
    queued: bool = field(default=False, compare=False)

    def settle(self, done: Choice | Opinion) -> None:
        """The answer; only the first one counts."""
        if not self.done.done():
            self.done.set_result(done)


class JobQueue:
    """Jobs in the order in which they are taken, and those who wait for one."""

    def __init__(self) -> None:
        self.changed: Callable[[], None] = _nothing
        """Called when a job has come or gone, or is missed; must not wait."""
        self._jobs: list[Waiting] = []
        self._idle: deque[asyncio.Future[None]] = deque()

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def starves(self) -> bool:
        """Whether somebody waits for a job, and none is there."""
        return not self._jobs and any(not waiter.done() for waiter in self._idle)

    def put(self, job: Waiting) -> None:
        """A new job, or one that comes back to its old place."""
        job.queued = True
        heapq.heappush(self._jobs, job)
        self.wake()
        self.changed()

    def pop(self) -> Waiting:
        """Take the next job; there has to be one."""
        job = heapq.heappop(self._jobs)
        job.queued = False
        self.changed()
        return job

    def first(self, count: int) -> list[Waiting]:
        """The jobs that are next, and stay."""
        return heapq.nsmallest(count, self._jobs)

    def take_out(self, job: Waiting) -> bool:
        """Take this job; False if it is here no more."""
        if not job.queued:
            return False
        job.queued = False
        self._jobs.remove(job)
        heapq.heapify(self._jobs)
        self.changed()
        return True

    def clear(self) -> None:
        """Forget all jobs."""
        for job in self._jobs:
            job.queued = False
        self._jobs.clear()

    async def filled(self) -> None:
        """Wait until there is a job. Whoever then leaves it has to `wake` another."""
        while not self._jobs:
            waiter = asyncio.get_running_loop().create_future()
            self._idle.append(waiter)
            self.changed()
            try:
                await waiter
            except asyncio.CancelledError:
                if waiter.done() and not waiter.cancelled():
                    self.wake()  # it was woken for a job that another must take now
                raise

    def wake(self) -> None:
        """Tell one of those who wait that there is a job."""
        while self._idle:
            waiter = self._idle.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return


def _nothing() -> None:
    """Nobody watches."""
