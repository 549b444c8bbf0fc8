"""Bots' jobs that stand in the database, where workers who ask, think or answer at other processes find them.

What a row holds is what one seat may know, as the racks in the log are known to who can read the database. It
is never in a notification.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from genial.server.store import together
from genial.server.store.processes import LEASE_SECONDS, Processes

RETURNED = b""
"""The answer of who took a job and has nobody to think about it."""


class NewJob(NamedTuple):
    """A job of this process."""

    id: str
    priority: int
    number: int
    data: bytes | None
    """JSON; None if a worker has it already."""


class TakenJob(NamedTuple):
    """A job of another process, which is ours to lend."""

    id: str
    process: str
    data: bytes


class SeenJob(NamedTuple):
    """What has become of a job of this process."""

    id: str
    heard: float | None
    """Seconds since its worker was heard of last; None if it has none."""
    answer: bytes | None


class JobTable:
    """The jobs of all processes, as this one may change them."""

    def __init__(self, processes: Processes) -> None:
        self.processes = processes

    async def give(self, jobs: Sequence[NewJob]) -> None:
        """Put jobs of ours there."""
        ids, priorities, numbers, data = map(list, zip(*jobs, strict=True))
        await self._fetch(together.GIVE_JOBS, ids, self.processes.id, priorities, numbers, data)

    async def take(self, urgency: int) -> TakenJob | None:
        """The first job of another process that nobody has, if it is more urgent than this."""
        found = await self._fetch(together.TAKE_JOB, self.processes.id, urgency, LEASE_SECONDS)
        return TakenJob(*found[0]) if found else None

    async def beat(self, job: str) -> str | None:
        """Its worker still thinks; gives whose it is, None if nobody wants it any more."""
        return self._process(await self._fetch(together.BEAT_JOB, job))

    async def answer(self, job: str, answer: bytes) -> str | None:
        """Keep the first answer; gives whose job it is, None if it comes too late."""
        return self._process(await self._fetch(together.ANSWER_JOB, job, answer))

    async def see(self) -> list[SeenJob]:
        """All jobs of ours."""
        return [SeenJob(*row) for row in await self._fetch(together.SEE_JOBS, self.processes.id)]

    async def take_back(self, jobs: Collection[str]) -> list[str]:
        """Remove those of these jobs of ours that nobody has taken; gives them."""
        found = await self._fetch(together.TAKE_BACK_JOBS, list(jobs), self.processes.id)
        return [job for (job,) in found]

    async def end(self, jobs: Collection[str]) -> None:
        """Nobody needs these of ours any more."""
        await self._fetch(together.END_JOBS, list(jobs), self.processes.id)

    async def _fetch(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return await self.processes.fetch(sql, *values)

    @staticmethod
    def _process(found: list[tuple[Any, ...]]) -> str | None:
        return str(found[0][0]) if found else None
