"""A separate process that reads and judges whole records, and is killed if one takes too long.

It is started when the first record comes. A thread would not do: while it judged a long game in pure Python,
the event loop would hardly get a turn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from genial.bots.worker_handle import WorkerHandle
from genial.server.study.reading import BROKEN, Order, outcome
from genial.server.tables.errors import TooMany, WrongRecord

log = logging.getLogger("genial.server")

MOST_WAITING = 64
MOST_WAITING_OF_ONE = 4
"""Orders that may wait, in total and per caller."""
_MEMORY = 1 << 30
_COMMAND = (
    "import os; getattr(os, 'nice', int)(10); from genial.bots.worker_process import main;"
    "from genial.server.study.reading import answered; main(answered)"
)


@dataclass(slots=True)
class _Line:
    """Where one caller's orders wait for each other."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class ReadingProcess:
    """Carries out orders one at a time. Callers take turns: a caller's own orders wait for each other."""

    def __init__(self) -> None:
        self._worker: WorkerHandle | None = None
        self._thread = ThreadPoolExecutor(1, "genial-reading")
        self._turn = asyncio.Lock()
        self._lines: dict[str, _Line] = {}

    async def carried_out(self, order: Order, caller: str) -> Any:
        """The result of an order, in plain values."""
        async with self._next(caller):
            reply = await self._asked(order)
        if reply is None:
            raise WrongRecord("record-costly", seconds=order.deadline)
        return outcome(*reply)

    async def close(self) -> None:
        """Kill the process, whatever it is doing."""
        self._end()
        await asyncio.to_thread(self._thread.shutdown)

    @asynccontextmanager
    async def _next(self, caller: str) -> AsyncIterator[None]:
        line = self._lines.get(caller) or _Line()
        everybody = sum(each.waiting for each in self._lines.values())
        if line.waiting >= MOST_WAITING_OF_ONE or everybody >= MOST_WAITING:
            raise TooMany("server-busy")
        self._lines[caller] = line
        line.waiting += 1
        try:
            # At most one order of each caller is in the common queue.
            async with line.turn, self._turn:
                yield
        finally:
            line.waiting -= 1
            if not line.waiting:
                del self._lines[caller]

    async def _asked(self, order: Order) -> tuple[str, Any] | None:
        """The process's reply to an order; None if it takes too long, or doesn't survive it."""
        loop = asyncio.get_running_loop()
        if self._worker is None or self._worker.has_died():
            self._end()
            self._worker = WorkerHandle(None, _MEMORY, command=_COMMAND, fixed_hashes=False)
            if (problem := await loop.run_in_executor(self._thread, self._worker.start)) is not None:
                self._end()
                log.error("no process for reading", extra={"error": problem})
                raise TooMany("server-busy")
        asked = loop.run_in_executor(self._thread, self._worker.ask, order)
        try:
            async with asyncio.timeout(order.deadline):
                reply = await asyncio.shield(asked)
        except BaseException as error:
            self._end()
            if isinstance(error, TimeoutError):
                log.warning("record too costly")
                return None
            raise
        if isinstance(reply, str) or reply[0] == BROKEN:  # its state can't be trusted any longer
            self._end()
            log.error("reading failed", extra={"error": reply if isinstance(reply, str) else reply[1]})
            return None
        return reply

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()
            self._thread.submit(worker.end)
