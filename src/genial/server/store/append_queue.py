"""Appends waiting for a database: whatever arrives during one write is written together in the next.

There are a few writers, so that one batch is prepared while another is flushed to disk. A table's appends
stay in order: only the first one waiting of each table is in progress.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from genial.server.tables.store import Append
from genial.server.tables.store_errors import StoreBusy, StoreError

_MOST_ODD = 16
"""The most appends in one batch that have to be written one by one."""


@dataclass(slots=True, eq=False)
class Waiting:
    """One caller's append, and the future that the caller awaits."""

    append: Append
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def settle(self, error: Exception | None = None) -> None:
        """Tell the caller, who may have given up waiting."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class AppendQueue:
    """The queue, and the tasks that empty it."""

    def __init__(
        self,
        write: Callable[[list[Waiting]], Awaitable[None]],
        *,
        writers: int,
        queue_limit: int,
        batch_limit: int,
    ) -> None:
        self._write = write
        self._queue_limit = queue_limit
        self._batch_limit = batch_limit
        self._waiting: deque[Waiting] = deque()
        self._busy: set[str] = set()
        self._wake = asyncio.Event()
        self._closing = False
        self.batches = 0
        """How many batches have been written."""
        self.written = 0
        """How many appends they held."""
        self._tasks = [asyncio.create_task(self._serve()) for _ in range(writers)]

    async def append(self, append: Append) -> None:
        """Append, and return when it is durable."""
        if self._closing:
            raise StoreError("store-closed")
        if len(self._waiting) >= self._queue_limit:
            raise StoreBusy
        waiting = Waiting(append)
        self._waiting.append(waiting)
        self._wake.set()
        await waiting.done

    async def close(self) -> None:
        """Accept nothing more, and write what is waiting."""
        self._closing = True
        self._wake.set()
        await asyncio.gather(*self._tasks)

    async def _serve(self) -> None:
        while True:
            if batch := self._next_batch():
                await self._carry(batch)
            elif self._closing and not self._waiting:
                return
            else:
                self._wake.clear()
                await self._wake.wait()

    async def _carry(self, batch: list[Waiting]) -> None:
        tables = {waiting.append.table_id for waiting in batch}
        self._busy |= tables
        try:
            await self._write(batch)
            self.batches += 1
            self.written += len(batch)
        except Exception as error:
            for waiting in batch:
                waiting.settle(error)
        finally:
            self._busy -= tables
            self._wake.set()

    def _next_batch(self) -> list[Waiting]:
        """The first append waiting of each table that isn't busy; the others keep their places."""
        batch: list[Waiting] = []
        kept: deque[Waiting] = deque()
        passed, odd = set(self._busy), 0
        for waiting in self._waiting:
            append = waiting.append
            fits = len(batch) < self._batch_limit and (append.is_move or odd < _MOST_ODD)
            if fits and append.table_id not in passed:
                batch.append(waiting)
                odd += not append.is_move
            else:
                kept.append(waiting)
            passed.add(append.table_id)
        self._waiting = kept
        return batch
