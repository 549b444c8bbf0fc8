"""A pool's jobs, lent to workers on other machines.

A worker acquires a job, sends heartbeats while it is thinking, and submits an answer. A worker that falls
silent counts as dead, and its job returns to its old place in the queue. Nothing is lost and nothing is
counted twice, because only the first answer to a job counts.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from genial.bots.job_queue import Waiting
from genial.bots.worker_process import Job
from genial.bots.workers import DEADLINE, DIED, BotPool

SILENCE_SECONDS = 6.0
"""Seconds without a heartbeat after which a worker counts as dead."""
_MOST_LOANS = 3


@dataclass(slots=True)
class _Loan:
    job: Waiting
    began: float
    heard: float
    timer: asyncio.TimerHandle


def new_number() -> str:
    """An unguessable number for a loan: anyone who knows it may answer."""
    return secrets.token_urlsafe(12)


def _nothing(_number: str) -> None:
    """Default callback: do nothing."""


class Lending:
    """The jobs lent to workers elsewhere."""

    def __init__(self, pool: BotPool, *, silence: float = SILENCE_SECONDS) -> None:
        self.pool = pool
        self.ended: Callable[[str], None] = _nothing
        """Called whenever a loan has ended, for whatever reason; must not block."""
        self._silence = silence
        self._loans: dict[str, _Loan] = {}
        self._lost: dict[int, int] = {}
        self.returned = 0
        """Jobs that came back because their worker fell silent."""

    def __len__(self) -> int:
        return len(self._loans)

    def __contains__(self, number: str) -> bool:
        return number in self._loans

    async def acquire(self, wait: float) -> tuple[str, Job] | None:
        """The next job and its loan number; None if none arrives in time. Moves come before analysis."""
        try:
            async with asyncio.timeout(wait):
                job = await self.pool.take()
        except TimeoutError:
            return None
        return self._lent(job)

    def acquire_now(self) -> tuple[str, Job] | None:
        """The next job and its loan number, if there is one."""
        job = self.pool.take_now()
        return self._lent(job) if job else None

    def _lent(self, job: Waiting) -> tuple[str, Job]:
        number = new_number()
        self.lend(number, job)
        return number, job.work

    def lend(self, number: str, job: Waiting) -> None:
        """Record that a job taken from the queue is now with a worker."""
        loop = asyncio.get_running_loop()
        now, timer = loop.time(), loop.call_later(self._silence, self._silent, number)
        self._loans[number] = _Loan(job, now, now, timer)
        job.done.add_done_callback(lambda _: self._done(number, job))

    def heartbeat(self, number: str, ago: float = 0.0) -> bool:
        """The worker was still thinking `ago` seconds ago. Returns False if its answer is not wanted."""
        loan, loop = self._loans.get(number), asyncio.get_running_loop()
        if loan is None:
            return False
        seconds = loop.time() - loan.began
        if seconds > loan.job.work.deadline + self._silence:
            self._forget(number)
            self.pool.give_up(loan.job, DEADLINE, seconds)
            return False
        heard = loop.time() - ago
        if heard > loan.heard:
            loan.heard = heard
            loan.timer.cancel()
            loan.timer = loop.call_at(heard + self._silence, self._silent, number)
        return True

    def submit(self, number: str, kind: str, answer: object) -> bool:
        """Accept a worker's answer. Returns False if it comes too late to count."""
        loan = self._loans.get(number)
        if loan is None:
            return False
        self._forget(number)
        self.pool.answered(loan.job, kind, answer, asyncio.get_running_loop().time() - loan.began)
        return True

    def job(self, number: str) -> Waiting | None:
        """The job lent under a number."""
        loan = self._loans.get(number)
        return loan.job if loan else None

    def release(self, number: str) -> None:
        """Return a job at once because nobody is left to work on it."""
        if (loan := self._loans.get(number)) is not None:
            self._forget(number)
            self.pool.put_back(loan.job)

    def _done(self, number: str, job: Waiting) -> None:
        """Called when a job has been answered or is no longer wanted."""
        self._lost.pop(job.number, None)
        self._forget(number)

    def _forget(self, number: str) -> None:
        loan = self._loans.pop(number, None)
        if loan is not None:
            loan.timer.cancel()
            self.ended(number)

    def _silent(self, number: str) -> None:
        loan = self._loans.pop(number)
        self.ended(number)
        lost = self._lost.get(loan.job.number, 0) + 1
        self.returned += 1
        if lost >= _MOST_LOANS:  # the job itself may be what kills them
            self._lost.pop(loan.job.number, None)
            self.pool.give_up(loan.job, DIED, asyncio.get_running_loop().time() - loan.began)
            return
        self._lost[loan.job.number] = lost
        self.pool.put_back(loan.job)
