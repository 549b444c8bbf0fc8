"""Reading whole records in a page: there is no other process, so it is done here, one at a time."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from genial.server.study.reading import BROKEN, Order, answered, outcome
from genial.server.tables.errors import WrongRecord

log = logging.getLogger("genial.server")


class PageReading:
    """Carries out orders between other work: records are the user's own, and take a second at most."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def carried_out(self, order: Order, caller: str) -> Any:
        """The result of an order, in plain values."""
        async with self._turn:
            await asyncio.sleep(0)  # let waiting tasks go first
            kind, value = answered(order)
        if kind == BROKEN:
            log.error("reading failed", extra={"error": value})
            raise WrongRecord("record-costly", seconds=order.deadline)
        return outcome(kind, value)
