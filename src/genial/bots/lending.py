"""Jobs of a pool that are lent to workers on other machines.

A worker acquires a job, says from time to time that it still thinks, and submits an answer. One that falls
silent has died, and its job goes back to where it was in the queue. Nothing is lost, and nothing is done
twice, because only the first answer to a job counts.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass

from genial.bots.worker_process import Job
from genial.bots.workers import DEADLINE, DIED, BotPool, Waiting

SILENCE_SECONDS = 6.0
"""Whoever says nothing for so long has died."""
_MOST_LOANS = 3


@dataclass(slots=True)
class _Loan:
    job: Waiting
    began: float
    timer: asyncio.TimerHandle


class Lending:
    """The jobs that are with workers elsewhere."""

    def __init__(self, pool: BotPool, *, silence: float = SILENCE_SECONDS) -> None:
        self._pool = pool
        self._silence = silence
        self._loans: dict[str, _Loan] = {}
        self._lost: dict[int, int] = {}
        self.returned = 0
        """Jobs that went back because their worker fell silent."""

    def __len__(self) -> int:
        return len(self._loans)

    async def acquire(self, wait: float) -> tuple[str, Job] | None:
        """The next job, with a number for it; None if none came in time. Moves come before analysis."""
        try:
            job = await asyncio.wait_for(self._pool.take(), wait)
        except TimeoutError:
            return None
        number, loop = secrets.token_urlsafe(12), asyncio.get_running_loop()
        self._loans[number] = _Loan(job, loop.time(), loop.call_later(self._silence, self._silent, number))
        return number, job.work

    def heartbeat(self, number: str) -> bool:
        """The worker still thinks; False if nobody wants its answer any more."""
        loan, loop = self._loans.get(number), asyncio.get_running_loop()
        if loan is None:
            return False
        if loan.job.done.done():
            self._end(number)
            return False
        seconds = loop.time() - loan.began
        if seconds > loan.job.work.deadline + self._silence:
            self._end(number)
            self._pool.give_up(loan.job, DEADLINE, seconds)
            return False
        loan.timer.cancel()
        loan.timer = loop.call_later(self._silence, self._silent, number)
        return True

    def submit(self, number: str, kind: str, answer: object) -> bool:
        """The worker's answer; False if it comes too late to count."""
        loan = self._loans.get(number)
        if loan is None:
            return False
        self._end(number)
        wanted = not loan.job.done.done()
        self._pool.answered(loan.job, kind, answer, asyncio.get_running_loop().time() - loan.began)
        return wanted

    def job(self, number: str) -> Job | None:
        """What was lent under a number."""
        loan = self._loans.get(number)
        return loan.job.work if loan else None

    def release(self, number: str) -> None:
        """Nobody is there to think about it: the job goes back at once."""
        job = self._loans[number].job
        self._end(number)
        self._pool.put_back(job)

    def _end(self, number: str) -> None:
        loan = self._loans.pop(number)
        loan.timer.cancel()
        self._lost.pop(loan.job.number, None)

    def _silent(self, number: str) -> None:
        loan = self._loans.pop(number)
        lost = self._lost.get(loan.job.number, 0) + 1
        self.returned += 1
        if lost >= _MOST_LOANS:  # it may be the job that kills them
            self._lost.pop(loan.job.number, None)
            self._pool.give_up(loan.job, DIED, asyncio.get_running_loop().time() - loan.began)
            return
        self._lost[loan.job.number] = lost
        self._pool.put_back(loan.job)
