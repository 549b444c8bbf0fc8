"""Jobs for workers on other machines: those of this process, and of all that share its database.

A process on its own lends its own jobs. Among several, a worker may ask one process and answer to another;
another process's job is taken here if it is more urgent than our own. `offered_jobs` keeps track of who owns
which job.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Protocol

import msgspec

from genial.bots.lending import Lending
from genial.bots.thinking import MOVE
from genial.core.errors import GenialError
from genial.server.processes.job_table import RETURNED, JobTable, TakenJob
from genial.server.processes.notices import JobEars
from genial.server.processes.offered_jobs import ASK_SECONDS, OfferedJobs
from genial.server.processes.process import Processes
from genial.server.processes.work_data import AnswerBody, answer_from, encoded, job_data
from genial.server.tables.peers import Peers

_GRACE_SECONDS = 0.05
"""How long a job that no table waits for holds back for a more urgent one from elsewhere."""
_ANY = 2**31 - 1

Offer = tuple[str, dict[str, Any]]
"""A job's number, and what its worker is told."""


class Jobs(Protocol):
    """What workers can do, at any process."""

    async def acquire(self, wait: float) -> Offer | None:
        """The next job; None if none came within this many seconds."""

    async def heartbeat(self, number: str) -> bool:
        """The worker is still thinking; False if nobody wants its answer any longer."""

    async def submit(self, number: str, answer: AnswerBody) -> bool:
        """The worker's answer; False if the job is unknown, already answered, or given to another worker."""

    async def release(self, number: str) -> None:
        """The worker was gone before it got the job."""


class OwnJobs:
    """The jobs of this process."""

    def __init__(self, lending: Lending) -> None:
        self.lending = lending

    async def acquire(self, wait: float) -> Offer | None:
        lent = await self.lending.acquire(wait)
        return lent and (lent[0], job_data(lent[1]))

    def acquire_now(self) -> Offer | None:
        """The next job, if there is one."""
        lent = self.lending.acquire_now()
        return lent and (lent[0], job_data(lent[1]))

    async def heartbeat(self, number: str) -> bool:
        return self.lending.heartbeat(number)

    async def submit(self, number: str, answer: AnswerBody) -> bool:
        job = self.lending.job(number)
        return job is not None and self.lending.submit(number, *answer_from(job.work, answer))

    async def release(self, number: str) -> None:
        self.lending.release(number)


class SharedJobs:
    """The same, shared with other processes."""

    def __init__(self, own: OwnJobs, table: JobTable) -> None:
        self.offered = OfferedJobs(own.lending, table)
        self._own = own
        self._lending = own.lending
        self._table = table
        self._processes = table.processes
        self._asking = 0
        self._offer = asyncio.Event()
        self._returning: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Listen for the others' workers and jobs."""
        self._processes.job_ears = JobEars(self.offered.asked, self._offered, self.offered.look_soon)
        self.offered.start()

    async def stop(self) -> None:
        """Offer nothing more, and take nothing more."""
        self._processes.job_ears = JobEars()
        await self.offered.stop()
        await asyncio.gather(*self._returning, return_exceptions=True)

    async def acquire(self, wait: float) -> Offer | None:
        if self._urgency() == MOVE and (own := self._own.acquire_now()) is not None:
            return await self._known(own)
        with self._counted():
            offer = self._offer
            taken = await self._taken()
            if taken is None and self._processes.others and self._urgency() != _ANY:
                taken = await self._taken_soon(offer)
            return taken or await self._first(wait, offer)

    async def heartbeat(self, number: str) -> bool:
        if number in self._lending:
            return self._lending.heartbeat(number)
        return await self._table.beat(number) is not None

    async def submit(self, number: str, answer: AnswerBody) -> bool:
        if number in self._lending:
            return await self._own.submit(number, answer)
        return await self._answer(number, encoded(answer))

    async def release(self, number: str) -> None:
        if number in self._lending:
            self._lending.release(number)
        else:
            await self._answer(number, RETURNED)

    async def _answer(self, number: str, answer: bytes) -> bool:
        process = await self._table.answer(number, answer)
        if process is not None:
            self._processes.changed_job(process)
        return process is not None

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count a waiting worker: the others may offer jobs."""
        self._asking += 1
        self._processes.asks_for_jobs(self._asking)
        try:
            yield
        finally:
            self._asking -= 1
            self._processes.asks_for_jobs(self._asking)

    def _urgency(self) -> int:
        """How urgent our own next job is."""
        urgency = self._lending.pool.queue.urgency
        return _ANY if urgency is None else urgency

    def _offered(self) -> None:
        self._offer.set()
        self._offer = asyncio.Event()

    async def _taken(self) -> Offer | None:
        """A job of another process, if there is one more urgent than our own."""
        urgency = self._urgency()
        if urgency == MOVE or not self._processes.others:
            return None
        taking = asyncio.create_task(self._table.take(urgency))
        try:
            taken = await asyncio.shield(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(self._unwanted)
            raise
        except GenialError:
            return None  # the database is away; our own jobs are still here
        if taken is None:
            return None
        self._processes.changed_job(taken.process)
        return taken.id, msgspec.json.decode(taken.data)

    def _unwanted(self, taking: asyncio.Task[TakenJob | None]) -> None:
        """The worker that asked has gone while we were taking a job: return it."""
        if not taking.cancelled() and taking.exception() is None and (taken := taking.result()) is not None:
            returning = asyncio.create_task(self.release(taken.id))
            self._returning.add(returning)
            returning.add_done_callback(self._returning.discard)

    async def _taken_soon(self, offer: asyncio.Event) -> Offer | None:
        try:
            async with asyncio.timeout(_GRACE_SECONDS):
                await offer.wait()
        except TimeoutError:
            return None
        return await self._taken()

    async def _first(self, wait: float, offer: asyncio.Event) -> Offer | None:
        """The first job that comes, our own or another's."""
        own = asyncio.create_task(self._own.acquire(wait))
        try:
            while not await _comes(own, offer):
                self._processes.asks_for_jobs(self._asking)
                offer = self._offer  # offers that come while we look are looked at next
                if (taken := await self._taken()) is not None:
                    await self._drop(own)
                    return taken
        except asyncio.CancelledError:
            await self._drop(own)
            raise
        own_offer = own.result()
        return own_offer and await self._known(own_offer)

    async def _drop(self, own: asyncio.Task[Offer | None]) -> None:
        own.cancel()
        await asyncio.wait({own})
        if not own.cancelled() and (own_offer := own.result()) is not None:
            self._lending.release(own_offer[0])

    async def _known(self, own_offer: Offer) -> Offer:
        """One of our own jobs, once all processes know that it is lent."""
        try:
            await self.offered.make_known(own_offer[0])
        except asyncio.CancelledError:
            self._lending.release(own_offer[0])
            raise
        return own_offer


async def _comes(own: asyncio.Task[Any], offer: asyncio.Event) -> bool:
    """Wait for our own job, an offer, or a timeout. Returns whether our own came, or its time is up."""
    hears = asyncio.create_task(offer.wait())
    try:
        await asyncio.wait({own, hears}, timeout=ASK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hears.cancel()
    return own.done()


@asynccontextmanager
async def jobs_of(lending: Lending, peers: Peers) -> AsyncIterator[Jobs]:
    """What workers may ask of this process."""
    own = OwnJobs(lending)
    if not isinstance(peers, Processes):
        yield own
        return
    shared = SharedJobs(own, JobTable(peers))
    shared.start()
    try:
        yield shared
    finally:
        await shared.stop()
