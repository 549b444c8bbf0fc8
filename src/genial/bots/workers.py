"""Bots think in separate, warm processes that are killed at a deadline; then a fallback plays.

The pool lives in one event loop, which never blocks on a pipe: each worker process has a thread that does.
All decisions are made in the loop.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from types import TracebackType
from typing import TypeVar

from genial.bots import cost_of
from genial.bots.bot import Advice, Budget, Turn
from genial.bots.driver import stand_in
from genial.bots.job_queue import JobQueue, Waiting
from genial.bots.thinking import ADVICE, MOVE, Choice, Opinion
from genial.bots.worker_handle import WorkerHandle
from genial.bots.worker_process import ADVISED, CHOSEN, RAISED, Job
from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.view import View

DEADLINE, DIED, UNLAWFUL = "deadline", "died", "unlawful"
"""Reasons for a fallback; a bot's exception is `raised`, with its type."""
QUEUE_FULL, NO_WORKER = "queue-full", "no-worker"

_ACTIONS = Place | Play | Refill | Swap
_START_SECONDS = 30.0
_RETRY_SECONDS = (0.1, 5.0)

_T = TypeVar("_T")


@dataclass(slots=True)
class PoolStats:
    """Counters since the pool was created."""

    jobs: int = 0
    cancelled: int = 0
    fallbacks: Counter[str] = field(default_factory=Counter)
    """By reason: deadline, died, raised, unlawful, queue-full, no-worker."""
    restarts: int = 0
    busy_seconds: float = 0.0
    """Total over all workers."""
    waited: Callable[[float], None] = lambda _: None
    """Called with the seconds that each job waited before it was started."""


class BotPool:
    """Worker processes that think for bots.

    >>> import genial
    >>> async def first_move() -> Choice:
    ...     view = genial.new("cards", seats=2, seed=7).view({0})
    ...     async with BotPool(1) as pool:
    ...         return await pool.choose("greedy", view, seed="1", deadline=5, tag="game 1, move 0")
    >>> choice = asyncio.run(first_move())
    >>> choice.tag, choice.fallback
    ('game 1, move 0', False)

    `setup` names a function, `module:function`, that each worker calls when it starts, for example to add
    bots. `memory` limits the data of each worker in bytes, where the system supports that. `quick_workers`
    are additional and take only quick jobs, so that these never wait for slow ones. `each` limits how many of
    one caller's jobs are in progress.
    """

    def __init__(
        self,
        workers: int = 2,
        *,
        quick_workers: int = 0,
        queue_limit: int = 1000,
        each: int | None = None,
        setup: str | None = None,
        memory: int | None = 2 << 30,
    ) -> None:
        if workers < 1:
            raise ValueError(f"A pool can't have {workers} workers. Use at least 1.")
        self.stats = PoolStats()
        self._any_slots = range(workers)
        self._slots = range(workers + quick_workers)
        """The last ones are for quick jobs only."""
        self._queue_limit = queue_limit
        self._setup = setup
        self._memory = memory
        self.queue = JobQueue(each)
        self._last_number = 0
        self._asked: dict[int, Waiting] = {}
        """Jobs without an answer: in the queue, on a worker, or elsewhere."""
        self._running: dict[int, tuple[Waiting, WorkerHandle]] = {}
        self._workers: dict[int, WorkerHandle] = {}
        self._failing: set[int] = set()
        self._threads: list[ThreadPoolExecutor] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._started: list[asyncio.Future[str | None]] = []
        self._open = False

    async def start(self) -> None:
        """Start all workers, and return once they are warm. RuntimeError if one does not start."""
        if self._tasks:
            raise RuntimeError("The pool has already been started.")
        self._open = True
        loop = asyncio.get_running_loop()
        for slot in self._slots:
            threads, first = ThreadPoolExecutor(1, f"genial-bot-{slot}"), loop.create_future()
            self._threads.append(threads)
            self._started.append(first)
            self._tasks.append(loop.create_task(self._serve(slot, threads, first)))
        try:
            problems = [problem for problem in await asyncio.gather(*self._started) if problem]
        except BaseException:
            await self.close()
            raise
        if problems:
            await self.close()
            raise RuntimeError(f"A bot worker didn't start: {problems[0]}")

    async def __aenter__(self) -> BotPool:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Kill all workers and wait for them to end. Anyone waiting for a choice is cancelled."""
        self._open = False
        for job in self._asked.values():
            job.done.cancel()
        self.queue.clear()
        for first in self._started:
            first.cancel()  # has an effect only if the pool is still starting
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for threads in self._threads:
            await asyncio.to_thread(threads.shutdown)

    async def choose(
        self,
        bot: str,
        view: View,
        *,
        seed: str,
        deadline: float,
        tag: str,
        budget: Budget | None = None,
        priority: int = MOVE,
        caller: str = "",
    ) -> Choice:
        """What a bot does in the position named by `tag`, with randomness from `seed`.

        The bot has `deadline` seconds from its start on a worker. Jobs start in order of priority, the lowest
        number first; within a priority callers take turns (`job_queue`). Whatever happens to the bot, there
        is a lawful choice, except that `cancel` and `close` raise CancelledError here. If a caller stops
        waiting, its job is dropped.
        """
        done = await self._submit(Job(bot, view, seed, deadline, budget), tag, priority, caller)
        assert isinstance(done, Choice)
        return done

    async def advise(
        self,
        bot: str,
        view: View,
        *,
        seed: str,
        deadline: float,
        tag: str,
        budget: Budget | None = None,
        include: Sequence[Action] = (),
        priority: int = ADVICE,
        caller: str = "",
    ) -> Opinion:
        """A bot's opinion of a position, and in any case of `include`. Without advice if the bot fails."""
        work = Job(bot, view, seed, deadline, budget, True, tuple(include))
        done = await self._submit(work, tag, priority, caller)
        assert isinstance(done, Opinion)
        return done

    async def _submit(self, work: Job, tag: str, priority: int, caller: str) -> Choice | Opinion:
        view, deadline = work.view, work.deadline
        if not self._open:
            raise RuntimeError("The pool isn't open.")
        if view.is_over or view.seat not in view.viewer:
            raise ValueError(f"A view of seats {sorted(view.viewer)} can't choose for seat {view.seat}.")
        if not (deadline > 0 and math.isfinite(deadline)):
            raise ValueError(f"The deadline can't be {deadline} seconds. Use a finite number above 0.")
        self.stats.jobs += 1
        done: asyncio.Future[Choice | Opinion] = asyncio.get_running_loop().create_future()
        cost = work.budget.seconds if work.budget and work.budget.seconds else cost_of(work.bot)
        job = Waiting(priority, self._number(), tag, work, done, caller, cost)
        if self._is_helpless(quick=job.is_quick):
            return self._fallback(job, NO_WORKER, 0.0)
        # A job that a free worker is about to take does not count as waiting.
        if self.queue.crowd >= self._queue_limit + len(self._workers) - len(self._running):
            return self._fallback(job, QUEUE_FULL, 0.0)
        self._asked[job.number] = job
        self.queue.put(job)
        try:
            return await done
        finally:
            del self._asked[job.number]
            if done.cancelled():
                self._drop(job)

    def cancel(self, tag: str) -> None:
        """The position has passed: drop its jobs, and kill the workers that are thinking about it."""
        for job in list(self._asked.values()):
            if job.tag == tag:
                job.done.cancel()
                self._drop(job)

    def ahead(self, tag: str) -> int | None:
        """How many jobs come before the one for `tag`; None if it is no longer waiting."""
        job = next((job for job in self._asked.values() if job.tag == tag and job.queued), None)
        return self.queue.ahead(job) if job else None

    def under_way(self, caller: str) -> int:
        """How many of a caller's jobs are waiting or in progress."""
        return self.queue.under_way(caller)

    @property
    def queued(self) -> int:
        """How many jobs are waiting for a worker."""
        return len(self.queue)

    @property
    def running(self) -> int:
        """How many jobs are in progress."""
        return len(self._running)

    @property
    def pids(self) -> list[int]:
        """The process ids of the warm workers."""
        return [pid for worker in self._workers.values() if (pid := worker.pid) is not None]

    async def _serve(self, slot: int, threads: ThreadPoolExecutor, first: asyncio.Future[str | None]) -> None:
        """Keep one worker going: start it, give it jobs, and replace it when it is lost."""
        wait, longest = _RETRY_SECONDS
        while True:
            worker = WorkerHandle(self._setup, self._memory)
            try:
                problem = await self._warm(worker, threads)
                if problem is None:
                    self._failing.discard(slot)
                    self._workers[slot] = worker
                if not first.done():
                    first.set_result(problem)
                if problem is None:
                    wait = _RETRY_SECONDS[0]
                    await self._work(slot, worker, threads)
            finally:
                self._workers.pop(slot, None)
                worker.kill()
                # Its thread runs this first, and only then starts the next worker.
                threads.submit(worker.end)
            self.stats.restarts += 1
            if problem is not None:
                self._failing.add(slot)
                await self._play_for_all()
                await asyncio.sleep(wait)
                wait = min(2 * wait, longest)

    async def _warm(self, worker: WorkerHandle, threads: ThreadPoolExecutor) -> str | None:
        start = _in_thread(threads, worker.start)
        await asyncio.wait({start}, timeout=_START_SECONDS)
        return start.result() if start.done() else f"not ready after {_START_SECONDS:g} s"

    async def _play_for_all(self) -> None:
        """While no worker can be started, nobody should have to wait for one."""
        for job in self.queue.waiting:
            if self._is_helpless(quick=job.is_quick) and self.queue.take_out(job):
                job.settle(self._fallback(job, NO_WORKER, 0.0))
                await asyncio.sleep(0)  # a long queue takes a while

    def _is_helpless(self, *, quick: bool) -> bool:
        """True if no worker that would take such a job can be started."""
        return self._failing.issuperset(self._slots if quick else self._any_slots)

    async def _work(self, slot: int, worker: WorkerHandle, threads: ThreadPoolExecutor) -> None:
        """Give a worker jobs until it is lost."""
        quick = slot not in self._any_slots
        while True:
            await self.queue.filled(quick=quick)
            if worker.has_died():
                # It died while idle. The job is not to blame, and another worker may be free for it.
                self.queue.wake()
                return
            job = self._begun(self.queue.pop(quick=quick))
            self._running[slot] = job, worker
            try:
                if not await self._run(job, worker, threads):
                    return
            finally:
                del self._running[slot]
                job.done.cancel()  # has an effect only if nothing was chosen

    async def _run(self, job: Waiting, worker: WorkerHandle, threads: ThreadPoolExecutor) -> bool:
        """Have a worker do a job. Returns whether the worker can do another one."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            asked = _in_thread(threads, lambda: worker.ask(job.work))
            await asyncio.wait({asked}, timeout=job.work.deadline)
        finally:
            seconds = loop.time() - started
            self.stats.busy_seconds += seconds
        if job.done.done():
            return not worker.has_died()
        if not asked.done():
            worker.kill()
            job.settle(self._fallback(job, DEADLINE, seconds))
            return False
        reply = asked.result()
        if isinstance(reply, str):
            # A worker that ended itself because it overran was late, not broken.
            problem = DEADLINE if seconds >= job.work.deadline else f"{DIED}: {reply}"
            job.settle(self._fallback(job, problem, seconds))
            return False
        kind, answer = reply
        self._deliver(job, kind, answer, seconds)
        # After running out of memory, a bot may still be holding on to anything.
        return answer != MemoryError.__name__

    # Jobs for workers elsewhere: see lending.py

    async def take(self) -> Waiting:
        """Wait for the next job, for a worker elsewhere."""
        await self.queue.filled()
        return self._begun(self.queue.pop())

    def take_now(self) -> Waiting | None:
        """The next job, if there is one."""
        return self._begun(self.queue.pop()) if self.queue.has() else None

    def _begun(self, job: Waiting) -> Waiting:
        """Note that a job is being worked on from now on."""
        self.stats.waited(max(0, time.time_ns() - job.number) / 1e9)
        return job

    def put_back(self, job: Waiting) -> None:
        """Put a job that nobody answered back in its old place in the queue."""
        if not job.done.done():
            self.queue.put(job)

    def answered(self, job: Waiting, kind: str, answer: object, seconds: float) -> None:
        """Deliver an answer from elsewhere; if it is nonsense, the fallback plays."""
        self.stats.busy_seconds += seconds
        self._deliver(job, kind, answer, seconds)

    def give_up(self, job: Waiting, problem: str, seconds: float) -> None:
        """Nobody answers this job, so the fallback plays."""
        job.settle(self._fallback(job, problem, seconds))

    def _deliver(self, job: Waiting, kind: str, answer: object, seconds: float) -> None:
        if kind == ADVISED and isinstance(answer, Advice) and job.work.wants_advice:
            job.settle(Opinion(answer, seconds))
            return
        if kind == CHOSEN and isinstance(answer, Turn) and isinstance(answer.action, _ACTIONS):
            if answer.action in job.work.view.actions():
                then = answer.then if isinstance(answer.then, _ACTIONS) else None
                job.settle(Choice(answer.action, job.tag, False, seconds, then))
                return
            problem = f"{UNLAWFUL}: {type(answer.action).__name__}"
        else:
            problem = f"{RAISED if kind == RAISED else UNLAWFUL}: {answer}"
        job.settle(self._fallback(job, problem, seconds))

    def _fallback(self, job: Waiting, problem: str, seconds: float) -> Choice | Opinion:
        self.stats.fallbacks[problem.partition(":")[0]] += 1
        if job.work.wants_advice:
            return Opinion(None, seconds, problem)
        turn = stand_in(job.work.view, Random(job.work.seed))
        return Choice(turn.action, job.tag, True, seconds, turn.then, problem)

    def _drop(self, job: Waiting) -> None:
        """Take a job out of the queue, or away from its worker, which is then replaced."""
        if self.queue.take_out(job):
            self.stats.cancelled += 1
        for running, worker in self._running.values():
            if running is job and not worker.has_died():
                self.stats.cancelled += 1
                worker.kill()

    def _number(self) -> int:
        """A number higher than all before; it orders jobs across pools too, as far as their clocks agree."""
        self._last_number = max(self._last_number + 1, time.time_ns())
        return self._last_number


def _in_thread(threads: ThreadPoolExecutor, call: Callable[[], _T]) -> asyncio.Future[_T]:
    return asyncio.get_running_loop().run_in_executor(threads, call)
