"""One thread writes, and commits together whatever arrived during its last commit.

A commit costs one disk flush, however much it holds. So nobody waits for a batch to fill, and the busier the
server is, the less each write costs.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from genial.server.tables.store_errors import StoreBusy, StoreError

_T = TypeVar("_T")
_JOB = "job"


def undo(connection: sqlite3.Connection) -> None:
    """Undo what the current job has done so far, so that it can do something else."""
    connection.execute(f"ROLLBACK TO {_JOB}")


class _Job(Generic[_T]):
    """One caller's work, and the future that the caller awaits."""

    __slots__ = ("error", "future", "loop", "result", "work")

    def __init__(self, work: Callable[[sqlite3.Connection], _T]) -> None:
        self.work = work
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[_T] = self.loop.create_future()
        self.result: _T | None = None
        self.error: Exception | None = None

    def settle(self) -> None:
        """Tell the caller, who may have given up waiting."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)  # type: ignore[arg-type]


class Writer:
    """The only writer of a file in this process."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        translate: Callable[[Exception], Exception],
        queue_limit: int,
        batch_limit: int,
    ) -> None:
        self._connection = connection
        self._translate = translate
        self._queue_limit = queue_limit
        self._batch_limit = batch_limit
        self._queue: deque[_Job[Any]] = deque()
        self._wake = threading.Condition()
        self._closing = False
        self.commits = 0
        """How many transactions have been committed."""
        self.written = 0
        """How many jobs they held."""
        self._thread = threading.Thread(target=self._serve, name="genial-store-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The length of the queue."""
        return len(self._queue)

    async def write(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run work inside a transaction; returns when that is committed."""
        job = _Job(work)
        with self._wake:
            if self._closing:
                raise StoreError("store-closed")
            if len(self._queue) >= self._queue_limit:
                raise StoreBusy
            self._queue.append(job)
            self._wake.notify()
        return await job.future

    def close(self) -> None:
        """Accept nothing more, write what is waiting, and stop. Blocks until then."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()

    def _serve(self) -> None:
        while jobs := self._next_batch():
            self._commit(jobs)
            self._settle(jobs)

    def _next_batch(self) -> list[_Job[Any]]:
        with self._wake:
            while not self._queue and not self._closing:
                self._wake.wait()
            return [self._queue.popleft() for _ in range(min(len(self._queue), self._batch_limit))]

    def _commit(self, jobs: list[_Job[Any]]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for job in jobs:
                self._run(job)
            self._connection.execute("COMMIT")
        except Exception as error:
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            # Refused jobs too: what they were checked against is gone.
            for job in jobs:
                job.error = self._translate(error)
        else:
            self.commits += 1
            self.written += len(jobs)

    def _run(self, job: _Job[Any]) -> None:
        """Run one caller's work; if it fails, only that is undone."""
        self._connection.execute(f"SAVEPOINT {_JOB}")
        try:
            job.result = job.work(self._connection)
        except Exception as error:
            # On a full disk, for example, SQLite rolls back the whole transaction, including other jobs'
            # work.
            if not self._connection.in_transaction:
                raise
            undo(self._connection)
            job.error = self._translate(error)
        self._connection.execute(f"RELEASE {_JOB}")

    @staticmethod
    def _settle(jobs: list[_Job[Any]]) -> None:
        # One wake-up for each event loop, not for each job: a wake-up costs more than a small write.
        for loop in {job.loop for job in jobs}:
            mine = [job for job in jobs if job.loop is loop]
            # Nobody waits on a loop that has ended.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle_all, mine)


def _settle_all(jobs: list[_Job[Any]]) -> None:
    for job in jobs:
        job.settle()
