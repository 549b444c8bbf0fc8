"""Reading whole records in a page: there is no other process, so it is done here, one after the other."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from genial.server.study.reading import BROKEN, Order, answered, outcome
from genial.server.tables.errors import WrongRecord

log = logging.getLogger("genial.server")


class PageReading:
    """Carries out orders between everything else: a record is one's own, and takes a second at most."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def carried_out(self, order: Order, caller: str) -> Any:
        """What comes of an order, in plain values."""
        async with self._turn:
            await asyncio.sleep(0)  # what waits comes first
            kind, value = answered(order)
        if kind == BROKEN:
            log.error("reading failed", extra={"error": value})
            raise WrongRecord("record-costly", seconds=order.deadline)
        return outcome(kind, value)
