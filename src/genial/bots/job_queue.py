"""A pool's jobs waiting for a worker, here or elsewhere: the most urgent first, callers in turn.

Within a priority, the caller who has had the least thinking is next (start-time fair queueing: a caller who
returns after a pause starts level with the others, neither ahead nor behind). Among one caller's jobs the
cheap ones come first. Every now and then the oldest job goes first, whatever it is, so that none waits for
ever.
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
"""A job that costs no more than this is quick: it need not wait for one that takes long."""
_OLDEST_EVERY = 8
"""One job in this many is simply the oldest."""
_MOST_KNOWN = 1000
"""The most callers to remember; beyond that, the idle ones who have had the least thinking are forgotten."""
_LINE_SECONDS = 0.5
"""How old the reported places in the line may be."""


@dataclass(slots=True, eq=False)
class Waiting:
    """A job and the future of its answer."""

    priority: int
    number: int
    """Lower is older."""
    tag: str
    work: Job
    done: asyncio.Future[Choice | Opinion]
    caller: str = ""
    """Used to take turns between callers. Only compared, never shown, logged or stored."""
    cost: float = 1.0
    """Roughly the most seconds it takes."""
    queued: bool = False
    taken: bool = False
    charged: bool = False

    @property
    def is_quick(self) -> bool:
        return self.cost <= QUICK_SECONDS

    def settle(self, done: Choice | Opinion) -> None:
        """Set the answer; only the first one counts."""
        if not self.done.done():
            self.done.set_result(done)


class JobQueue:
    """Jobs in the order they are taken, and the workers waiting for one.

    At most `each` jobs of one caller are worked on at a time, counting quick ones separately; the caller's
    other jobs wait until one of them is done, however many workers are idle.
    """

    def __init__(self, each: int | None = None) -> None:
        self.changed: Callable[[], None] = _nothing
        """Called when a job has come or gone, or somebody waits for one; must not block."""
        self._each = each
        self._jobs: dict[int, Waiting] = {}
        self._had: dict[str, float] = {}
        """How much thinking each caller has had, in seconds on a clock that they all share."""
        self._now = 0.0
        """That clock: how much thinking the caller served last had had by then."""
        self._taken: Counter[tuple[str, bool]] = Counter()
        """Jobs in progress, by caller and whether they are quick."""
        self._turns = {False: 0, True: 0}
        self._line: dict[int, int] = {}
        """The place of each job when the line was last computed; everybody who waits keeps asking for it."""
        self._lined_up = -_LINE_SECONDS
        self._idle: list[tuple[asyncio.Future[None], bool]] = []

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def waiting(self) -> list[Waiting]:
        """All waiting jobs, in no particular order."""
        return list(self._jobs.values())

    @property
    def crowd(self) -> int:
        """How many jobs are waiting, counting no more per caller than it may have in progress."""
        waiting = Counter(job.caller for job in self._jobs.values())
        return sum(count if self._each is None else min(count, self._each) for count in waiting.values())

    @property
    def by_priority(self) -> Counter[int]:
        """How many jobs of each priority are waiting."""
        return Counter(job.priority for job in self._jobs.values())

    @property
    def urgency(self) -> int | None:
        """The priority of the next job, if there is one."""
        return min((job.priority for job in self._ready(False)), default=None)

    @property
    def starves(self) -> bool:
        """True if somebody is waiting for a job of any kind and there is none for them."""
        waits = any(not quick and not waiter.done() for waiter, quick in self._idle)
        return waits and not self._ready(False)

    def under_way(self, caller: str) -> int:
        """How many of a caller's jobs are waiting or in progress."""
        waiting = sum(job.caller == caller for job in self._jobs.values())
        return waiting + self._taken[caller, False] + self._taken[caller, True]

    def ahead(self, job: Waiting) -> int:
        """How many jobs will be taken before this one if no others arrive; may be slightly out of date."""
        now = time.monotonic()
        if job.number not in self._line or now - self._lined_up >= _LINE_SECONDS:
            self._line, self._lined_up = self._in_line(), now
        return self._line[job.number]

    def _in_line(self) -> dict[int, int]:
        """The place of every job in the line, by job number."""
        had, order = dict(self._had), list[tuple[tuple[int, float, float, int], int]]()
        for job in sorted(self._jobs.values(), key=lambda job: (job.priority, job.cost, job.number)):
            begun = had.get(job.caller, 0.0)
            had[job.caller] = begun + job.cost
            order.append(((job.priority, begun, job.cost, job.number), job.number))
        return {number: place for place, (_, number) in enumerate(sorted(order))}

    def put(self, job: Waiting) -> None:
        """Add a new job, or one that comes back."""
        self._left(job)
        if all(each.caller != job.caller for each in self._jobs.values()):
            self._had[job.caller] = max(self._had.get(job.caller, 0.0), self._now)
        job.queued = True
        self._jobs[job.number] = job
        self.wake()
        self.changed()

    def has(self, *, quick: bool = False) -> bool:
        """True if there is a job to take, or a quick one."""
        return bool(self._ready(quick))

    def pop(self, *, quick: bool = False) -> Waiting:
        """Take the next job, or the next quick one; there must be one."""
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
        """Drop a job that nobody wants any longer; returns False if it is not queued."""
        if not job.queued:
            return False
        self._remove(job)
        self.changed()
        return True

    def clear(self) -> None:
        """Drop all jobs."""
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
        """Wake the idle workers for which there may be a job, those that take only quick ones first."""
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
        """Charge the job to its caller; only once, however often it comes back."""
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
        """The job is answered or no longer wanted, so its caller's next one may be taken."""
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
    """Default callback: do nothing."""
