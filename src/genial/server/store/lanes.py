"""Appends that wait for a database: what came in while the last were written is written together next.

There are a few lanes, so that one batch is made while another is flushed to the disk. The appends of one
table stay in order: of each table only the first that waits is under way.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from genial.server.store.errors import StoreBusy, StoreError
from genial.server.store.interface import Credential, NewEntry, Result, TableRow

_MOST_ODD = 16
"""Appends in one batch that have to be written one by one."""


@dataclass(slots=True, eq=False)
class Append:
    """One caller's append, and where the caller waits for it."""

    game: str
    first_seq: int
    entries: Sequence[NewEntry]
    row: TableRow | None
    credentials: Sequence[Credential]
    result: Result | None
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def is_move(self) -> bool:
        """Whether it is what nearly all are: entries of a table that is there, and its row."""
        plain = not self.credentials and self.result is None
        return plain and self.row is not None and self.first_seq > 1 and bool(self.entries)

    def settle(self, error: Exception | None = None) -> None:
        """Tell the caller, who may have given up waiting."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class Lanes:
    """The queue, and the tasks that empty it."""

    def __init__(
        self,
        write: Callable[[list[Append]], Awaitable[None]],
        *,
        lanes: int,
        queue_limit: int,
        batch_limit: int,
    ) -> None:
        self._write = write
        self._queue_limit = queue_limit
        self._batch_limit = batch_limit
        self._waiting: deque[Append] = deque()
        self._busy: set[str] = set()
        self._wake = asyncio.Event()
        self._closing = False
        self.batches = 0
        """How many batches have been written."""
        self.written = 0
        """How many callers' appends these held."""
        self._tasks = [asyncio.create_task(self._serve()) for _ in range(lanes)]

    async def append(self, append: Append) -> None:
        """Returns when it is durable."""
        if self._closing:
            raise StoreError("store-closed")
        if len(self._waiting) >= self._queue_limit:
            raise StoreBusy
        self._waiting.append(append)
        self._wake.set()
        await append.done

    async def close(self) -> None:
        """Take nothing more, and write what waits."""
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

    async def _carry(self, batch: list[Append]) -> None:
        games = {append.game for append in batch}
        self._busy |= games
        try:
            await self._write(batch)
            self.batches += 1
            self.written += len(batch)
        except Exception as error:
            for append in batch:
                append.settle(error)
        finally:
            self._busy -= games
            self._wake.set()

    def _next_batch(self) -> list[Append]:
        """The first that waits of each table that is not busy; the others keep their places."""
        batch: list[Append] = []
        kept: deque[Append] = deque()
        passed, odd = set(self._busy), 0
        for append in self._waiting:
            fits = len(batch) < self._batch_limit and (append.is_move or odd < _MOST_ODD)
            if fits and append.game not in passed:
                batch.append(append)
                odd += not append.is_move
            else:
                kept.append(append)
            passed.add(append.game)
        self._waiting = kept
        return batch
