"""This process's jobs, for workers that fetch, think or answer at others on its database.

Every loan is recorded in the database, so that its worker is known at any process. When workers are waiting
at a process that has nothing to do, the others hear of it and offer jobs from their queues: these leave the
queue, so that nobody thinks twice, and come back unless somebody takes them soon. While nobody asks
elsewhere, nothing is offered. A job's owner looks after it: answers, silence, deadlines, positions that have
passed.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import NamedTuple

import msgspec

from genial.bots.job_queue import Waiting
from genial.bots.lending import Lending, new_number
from genial.core.errors import GenialError
from genial.server.processes.job_table import RETURNED, JobTable, NewJob, SeenJob
from genial.server.processes.work_data import AnswerBody, answer_from, job_data

log = logging.getLogger("genial.server")

ASK_SECONDS = 2.0
"""How often the others hear that workers are waiting here; they believe it three times as long."""
_LOOK_SECONDS = 1.0
"""How often a process checks its jobs in the database if it hears nothing. Offers that nobody has taken by
then come back: whoever was waiting is gone.
"""


class _Given(NamedTuple):
    job: Waiting
    until: float


class OfferedJobs:
    """Our jobs in the database."""

    def __init__(self, lending: Lending, table: JobTable) -> None:
        self._lending = lending
        self._pool = lending.pool
        self._table = table
        self._rows: set[str] = set()
        self._given: dict[str, _Given] = {}
        """Those that anybody may take."""
        self._over: set[str] = set()
        """Those to be removed."""
        self._askers: dict[str, tuple[int, float]] = {}
        """How many workers are waiting at each other process, and until when we believe it."""
        self._news = asyncio.Event()
        self._changed = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Follow our queue and our loans."""
        self._pool.queue.changed = self._queue_changed
        self._lending.ended = self._ended
        self._task = asyncio.create_task(self._look_after())

    async def stop(self) -> None:
        """Offer nothing more. What is in the database is removed when this process leaves it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._do_without()

    @property
    def given(self) -> int:
        """The number of jobs waiting to be taken elsewhere."""
        return len(self._given)

    async def make_known(self, number: str) -> None:
        """Make a loan known to all, because its worker may continue at another process."""
        job = self._lending.job(number)
        if job is not None:
            with suppress(GenialError):  # the database is away; the loan is still known here
                await self._table.give([NewJob(number, job.priority, job.number, None)])
                self._rows.add(number)
                self._news.set()

    def asked(self, process: str, count: int) -> None:
        """This many workers are waiting at another process."""
        self._askers[process] = count, asyncio.get_running_loop().time() + 3 * ASK_SECONDS
        self._news.set()

    def look_soon(self) -> None:
        """Somebody took or answered one of our jobs."""
        self._changed = True
        self._news.set()

    def _queue_changed(self) -> None:
        if self._askers or self._given:
            self._news.set()

    def _ended(self, number: str) -> None:
        if number in self._rows:
            self._over.add(number)
            self._news.set()

    async def _look_after(self) -> None:
        loop = asyncio.get_running_loop()
        looked = loop.time()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS if self._rows else None):
                    await self._news.wait()
            self._news.clear()
            try:
                if self._changed or loop.time() - looked >= _LOOK_SECONDS:
                    self._changed, looked = False, loop.time()
                    await self._see()
                await self._take_back()
                # Before a job is offered again, its last worker's loan is over at every process.
                while self._over:
                    await self._end()
                await self._give()
            except Exception as error:
                if not isinstance(error, GenialError):  # otherwise the database is probably away
                    log.error("offering jobs failed", exc_info=error)
                self._do_without()
                await asyncio.sleep(_LOOK_SECONDS)
                self.look_soon()

    def _do_without(self) -> None:
        """While nobody can tell us what the others have, think about everything here."""
        self._askers.clear()
        for number in list(self._given):
            self._over.add(number)
            self._back(number)

    def _back(self, number: str) -> None:
        self._pool.put_back(self._given.pop(number).job)

    async def _give(self) -> None:
        """Offer the others as many of our jobs as workers are waiting there."""
        loop = asyncio.get_running_loop()
        new: dict[str, Waiting] = {}
        while len(new) + len(self._given) < self._asked_for() and (job := self._pool.take_now()) is not None:
            new[new_number()] = job
        if not new:
            return
        for number, job in new.items():
            self._given[number] = _Given(job, loop.time() + _LOOK_SECONDS)
            job.done.add_done_callback(lambda _: self._news.set())
        await self._table.give([_new(number, job) for number, job in new.items()])
        self._rows.update(new)
        self._table.processes.gave_jobs()

    def _asked_for(self) -> int:
        now = asyncio.get_running_loop().time()
        self._askers = {process: asked for process, asked in self._askers.items() if asked[1] > now}
        return sum(count for count, _ in self._askers.values())

    async def _take_back(self) -> None:
        """Take back untaken offers if nobody asks any longer, we have time ourselves, or they are stale."""
        now = asyncio.get_running_loop().time()
        if any(given.until <= now for given in self._given.values()):
            self._askers.clear()  # they are gone, or will ask again
        all_of_them = self._pool.queue.starves or len(self._given) > self._asked_for()
        wanted = [number for number, (job, _) in self._given.items() if all_of_them or job.done.done()]
        if not wanted:
            return
        back = await self._table.take_back(wanted)
        for number in back:
            self._rows.discard(number)
            self._back(number)
        # If one of our own workers is waiting, it gets the job now, before it is offered again.
        await asyncio.sleep(0)
        if len(back) < len(wanted):
            self.look_soon()  # the others were taken

    async def _end(self) -> None:
        over = set(self._over)
        await self._table.end(over)
        self._over -= over
        self._rows -= over

    async def _see(self) -> None:
        """Apply to each of our jobs what its worker reported to another process."""
        known = set(self._rows)
        for seen in await self._table.see():
            self._seen(seen)
            known.discard(seen.id)
        for number in known:  # the database lost them
            self._rows.discard(number)
            if number in self._given:
                self._back(number)

    def _seen(self, seen: SeenJob) -> None:
        number = seen.id
        if number in self._given:
            if seen.heard is None:
                return
            self._lending.lend(number, self._given.pop(number).job)
        lent = self._lending.job(number)
        if lent is None:
            self._over.add(number)
        elif seen.answer == RETURNED:
            self._lending.release(number)
        elif seen.answer is not None:
            answer = msgspec.json.decode(seen.answer, type=AnswerBody)
            self._lending.submit(number, *answer_from(lent.work, answer))
        else:
            self._lending.heartbeat(number, seen.heard or 0.0)


def _new(number: str, job: Waiting) -> NewJob:
    return NewJob(number, job.priority, job.number, msgspec.json.encode(job_data(job.work)))
