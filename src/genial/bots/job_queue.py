"""The jobs of a pool that wait for a worker, here or elsewhere: the most urgent first, callers in turn.

Within a priority the caller is next who has had the least thinking (start-time fair queueing: whoever comes
after a pause begins level with the others, neither ahead of them nor behind). Of one caller's jobs the cheap
ones come first. Now and then the oldest job goes first whatever it is, so that none waits for ever.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter

from genial.bots.thinking import Choice, Opinion
from genial.bots.worker_process import Job

QUICK_SECONDS = 0.05
"""A job that costs no more is quick: it need not wait for one that takes long."""
_OLDEST_EVERY = 8
"""Every so many jobs the oldest is taken."""
_MOST_KNOWN = 1000
"""Callers that are remembered before those are forgotten who have had least and wait for nothing."""
_LINE_SECONDS = 0.5
"""So long what is told of the line may be old."""


@dataclass(slots=True, eq=False)
class Waiting:
    """A job and who waits for it."""

    priority: int
    number: int
    """Lower is older."""
    tag: str
    work: Job
    done: asyncio.Future[Choice | Opinion]
    caller: str = ""
    """Whose turn it is when this is next. Only compared, never shown, logged or stored."""
    cost: float = 1.0
    """Seconds that it takes at most, more or less."""
    queued: bool = False
    taken: bool = False
    charged: bool = False

    @property
    def is_quick(self) -> bool:
        return self.cost <= QUICK_SECONDS

    def settle(self, done: Choice | Opinion) -> None:
        """The answer; only the first one counts."""
        if not self.done.done():
            self.done.set_result(done)


class JobQueue:
    """Jobs in the order in which they are taken, and those who wait for one.

    No more than `each` jobs of one caller are thought about at a time, counting quick ones by themselves; its
    others wait until one of them is done, however many workers are idle.
    """

    def __init__(self, each: int | None = None) -> None:
        self.changed: Callable[[], None] = _nothing
        """Called when a job has come or gone, or is missed; must not wait."""
        self._each = each
        self._jobs: dict[int, Waiting] = {}
        self._had: dict[str, float] = {}
        """How much thinking each caller has had, in seconds on a clock that all of them share."""
        self._now = 0.0
        """That clock: how much whoever was served last had had by then."""
        self._taken: Counter[tuple[str, bool]] = Counter()
        """Jobs under way by caller, and whether they are quick."""
        self._turns = {False: 0, True: 0}
        self._line: dict[int, int] = {}
        """Where each job stood when the line was last looked at: all who wait ask again and again."""
        self._lined_up = -_LINE_SECONDS
        self._idle: list[tuple[asyncio.Future[None], bool]] = []

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def waiting(self) -> list[Waiting]:
        """All jobs that wait, in no particular order."""
        return list(self._jobs.values())

    @property
    def crowd(self) -> int:
        """How many jobs wait, counting of each caller no more than it may have under way."""
        waiting = Counter(job.caller for job in self._jobs.values())
        return sum(count if self._each is None else min(count, self._each) for count in waiting.values())

    @property
    def by_priority(self) -> Counter[int]:
        """How many jobs of each priority wait."""
        return Counter(job.priority for job in self._jobs.values())

    @property
    def urgency(self) -> int | None:
        """The priority of the next job, if there is one."""
        return min((job.priority for job in self._ready(False)), default=None)

    @property
    def starves(self) -> bool:
        """Whether somebody waits for a job, any job, and there is none for them."""
        waits = any(not quick and not waiter.done() for waiter, quick in self._idle)
        return waits and not self._ready(False)

    def under_way(self, caller: str) -> int:
        """How many jobs of a caller wait or are thought about."""
        waiting = sum(job.caller == caller for job in self._jobs.values())
        return waiting + self._taken[caller, False] + self._taken[caller, True]

    def ahead(self, job: Waiting) -> int:
        """How many jobs will be taken before this one, if no others come; as of a moment ago."""
        now = time.monotonic()
        if job.number not in self._line or now - self._lined_up >= _LINE_SECONDS:
            self._line, self._lined_up = self._in_line(), now
        return self._line[job.number]

    def _in_line(self) -> dict[int, int]:
        """The place of every job in the line, by its number."""
        had, order = dict(self._had), list[tuple[tuple[int, float, float, int], int]]()
        for job in sorted(self._jobs.values(), key=lambda job: (job.priority, job.cost, job.number)):
            begun = had.get(job.caller, 0.0)
            had[job.caller] = begun + job.cost
            order.append(((job.priority, begun, job.cost, job.number), job.number))
        return {number: place for place, (_, number) in enumerate(sorted(order))}

    def put(self, job: Waiting) -> None:
        """A new job, or one that comes back."""
        self._left(job)
        if all(each.caller != job.caller for each in self._jobs.values()):
            self._had[job.caller] = max(self._had.get(job.caller, 0.0), self._now)
        job.queued = True
        self._jobs[job.number] = job
        self.wake()
        self.changed()

    def has(self, *, quick: bool = False) -> bool:
        """Whether there is a job to take, or a quick one."""
        return bool(self._ready(quick))

    def pop(self, *, quick: bool = False) -> Waiting:
        """Take the next job, or the next quick one; there has to be one."""
        self._turns[quick] += 1
        ready = self._ready(quick)
        if self._turns[quick] % _OLDEST_EVERY == 0:
            job = min(ready, key=lambda job: job.number)
        else:
            job = min(ready, key=self._rank)
        self._remove(job)
        self._charge(job)
        self._taken[job.caller, job.is_quick] += 1
        job.taken = True
        job.done.add_done_callback(lambda _: self._ended(job))
        self.changed()
        return job

    def take_out(self, job: Waiting) -> bool:
        """Nobody wants this job any more; False if it is not here."""
        if not job.queued:
            return False
        self._remove(job)
        self.changed()
        return True

    def clear(self) -> None:
        """Forget all jobs."""
        for job in self.waiting:
            self._remove(job)

    async def filled(self, *, quick: bool = False) -> None:
        """Wait until there is a job to take, or a quick one."""
        while not self.has(quick=quick):
            waiter = asyncio.get_running_loop().create_future()
            self._idle.append((waiter, quick))
            self.changed()
            await waiter

    def wake(self) -> None:
        """Tell those who wait that there may be a job for them; who wants only quick ones hears it first."""
        self._idle = [(waiter, quick) for waiter, quick in self._idle if not waiter.done()]
        for waiter, quick in sorted(self._idle, key=lambda idle: not idle[1]):
            if self._ready(quick):
                waiter.set_result(None)

    def _ready(self, quick: bool) -> list[Waiting]:
        """The jobs that may be taken now."""
        return [
            job
            for job in self._jobs.values()
            if (job.is_quick or not quick)
            and (self._each is None or self._taken[job.caller, job.is_quick] < self._each)
        ]

    def _rank(self, job: Waiting) -> tuple[int, float, float, int]:
        return job.priority, self._had.get(job.caller, 0.0), job.cost, job.number

    def _charge(self, job: Waiting) -> None:
        """Its caller has had this much more; once, however often it comes back."""
        if job.charged:
            return
        job.charged = True
        begun = self._had.get(job.caller, 0.0)
        self._now = max(self._now, begun)
        self._had[job.caller] = begun + job.cost
        if len(self._had) > _MOST_KNOWN:
            most = nlargest(_MOST_KNOWN // 2, self._had.items(), key=itemgetter(1))
            waiting = {each.caller for each in self._jobs.values()}
            self._had = dict(most) | {caller: self._had[caller] for caller in waiting}

    def _remove(self, job: Waiting) -> None:
        job.queued = False
        del self._jobs[job.number]

    def _ended(self, job: Waiting) -> None:
        """There is an answer, or nobody wants one: the next job of its caller may be taken."""
        if job.taken:
            self._left(job)
            self.wake()

    def _left(self, job: Waiting) -> None:
        if job.taken:
            job.taken = False
            key = job.caller, job.is_quick
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]


def _nothing() -> None:
    """Nobody watches."""
