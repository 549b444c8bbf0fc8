"""Bots' jobs in the database, for workers that fetch, think or answer at other processes.

A row contains what one seat may know; like the racks in the log, it is visible to anybody who can read the
database. It is never in a notification.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from genial.server.processes.process import Processes

RETURNED = b""
"""The answer for a job that was taken but has no worker after all."""

_GIVE = """
INSERT INTO jobs (id, process, priority, number, data, beat)
SELECT id, $2, priority, number, data, CASE WHEN data IS NULL THEN clock_timestamp() END
FROM unnest($1::text[], $3::integer[], $4::bigint[], $5::bytea[]) AS given (id, priority, number, data)
"""
_TAKE = """
UPDATE jobs SET beat = clock_timestamp() WHERE id = (
    SELECT id FROM jobs WHERE beat IS NULL AND process <> $1 AND priority < $2
        AND process IN (SELECT id FROM living)
    ORDER BY priority, number LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, process, data
"""


class NewJob(NamedTuple):
    """One of this process's jobs."""

    id: str
    priority: int
    number: int
    data: bytes | None
    """JSON; None if a worker already has it."""


class TakenJob(NamedTuple):
    """Another process's job, which is ours to lend."""

    id: str
    process: str
    data: bytes


class SeenJob(NamedTuple):
    """The state of one of this process's jobs."""

    id: str
    heard: float | None
    """Seconds since its worker was last heard of; None if it has none."""
    answer: bytes | None


class JobTable:
    """The jobs of all processes, as far as this one may change them."""

    def __init__(self, processes: Processes) -> None:
        self.processes = processes

    async def give(self, jobs: Sequence[NewJob]) -> None:
        """Offer our jobs."""
        ids, priorities, numbers, data = map(list, zip(*jobs, strict=True))
        await self._fetch(_GIVE, ids, self.processes.id, priorities, numbers, data)

    async def take(self, urgency: int) -> TakenJob | None:
        """The first free job of another process, if it is more urgent than this."""
        taken = await self._fetch(_TAKE, self.processes.id, urgency)
        return TakenJob(*taken[0]) if taken else None

    async def beat(self, job: str) -> str | None:
        """Its worker is still thinking. Returns whose job it is; None if nobody wants it any longer."""
        beat = "UPDATE jobs SET beat = clock_timestamp() WHERE id = $1 AND answer IS NULL RETURNING process"
        return self._process(await self._fetch(beat, job))

    async def answer(self, job: str, answer: bytes) -> str | None:
        """Keep the first answer. Returns whose job it is; None if the answer is too late."""
        keep = "UPDATE jobs SET answer = $2 WHERE id = $1 AND answer IS NULL RETURNING process"
        return self._process(await self._fetch(keep, job, answer))

    async def see(self) -> list[SeenJob]:
        """All our jobs."""
        heard = "extract(epoch FROM clock_timestamp() - beat)::float8"
        see = f"SELECT id, {heard}, answer FROM jobs WHERE process = $1"
        return [SeenJob(*row) for row in await self._fetch(see, self.processes.id)]

    async def take_back(self, jobs: Collection[str]) -> list[str]:
        """Remove those of these jobs of ours that nobody has taken. Returns them."""
        untaken = "id = ANY($1::text[]) AND process = $2 AND beat IS NULL"
        removed = await self._fetch(
            f"DELETE FROM jobs WHERE {untaken} RETURNING id", list(jobs), self.processes.id
        )
        return [job for (job,) in removed]

    async def end(self, jobs: Collection[str]) -> None:
        """Remove these jobs of ours, which nobody needs any longer."""
        end = "DELETE FROM jobs WHERE id = ANY($1::text[]) AND process = $2"
        await self._fetch(end, list(jobs), self.processes.id)

    async def _fetch(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return await self.processes.fetch(sql, *values)

    @staticmethod
    def _process(changed: list[tuple[Any, ...]]) -> str | None:
        return str(changed[0][0]) if changed else None
