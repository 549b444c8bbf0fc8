"""What is kept and for how long: tables that nobody starts, finished ones, and tables in memory."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from genial.core.errors import GenialError
from genial.server import decisions
from genial.server.entries import Body
from genial.server.hub import Hub
from genial.server.logs import table_mark
from genial.server.store.interface import Status, TableRow
from genial.server.table import Table

log = logging.getLogger("genial.server")

IDLE_SECONDS = 900.0
"""A table that nobody listens to leaves the memory after this; its log stays."""
EVERY_SECONDS = 60.0

_HOUR = 3_600_000
_PAGE = 100


@dataclass(slots=True)
class Swept:
    """What one sweep did."""

    expired: int = 0
    """Tables that nobody started: closed and deleted."""
    abandoned: int = 0
    """Games that nobody has touched for as long as finished ones are kept: closed."""
    deleted: int = 0
    """Finished and closed tables whose time was up."""
    analyses: int = 0
    """Analyses as old as that."""
    bans: int = 0
    """Bans that had run out."""
    forgotten: int = 0
    """Tables that left the memory."""


async def keep(hub: Hub, every: float = EVERY_SECONDS) -> None:
    """Sweep now and then, until cancelled. A sweep that fails is told of, and the next one comes."""
    while True:
        try:
            await sweep(hub)
        except Exception as error:
            log.error("sweep failed", exc_info=error)
        await asyncio.sleep(every)


async def sweep(hub: Hub, idle: float = IDLE_SECONDS) -> Swept:
    """Remove everything whose time is up, by the hub's clock."""
    now, limits, swept = hub.clock(), hub.limits, Swept()
    swept.forgotten = hub.forget_idle(idle)
    empty, kept = now - limits.empty_hours * _HOUR, now - limits.finished_days * 24 * _HOUR
    for row in await _stale(hub, "open", empty):
        if await _close(hub, row.game, empty, "open"):
            await _delete(hub, row.game)
            swept.expired += 1
    for row in await _stale(hub, "running", kept):
        swept.abandoned += await _close(hub, row.game, kept, "running", "between")
    for status in ("over", "closed"):
        for row in await _stale(hub, status, kept):
            # One that is in memory has been looked at lately: its turn comes when it is forgotten.
            if row.game not in hub.tables:
                await _delete(hub, row.game)
                swept.deleted += 1
    swept.analyses = await hub.store.forget_analyses(kept)
    for ban in await hub.store.bans():
        if ban.until is not None and ban.until <= now:
            await hub.store.unban(ban.kind, ban.key_hash)
            swept.bans += 1
    if swept.expired or swept.abandoned or swept.deleted or swept.forgotten:
        counts = {"deleted": swept.expired + swept.deleted, "forgotten": swept.forgotten}
        log.info("swept", extra={"tables": len(hub.tables), **counts})
    return swept


async def _stale(hub: Hub, status: Status, before: int) -> list[TableRow]:
    """One page; a busy hour's rest waits for the next sweep, so that games never wait for this one."""
    return await hub.store.stale(status, before, limit=_PAGE)


async def _close(hub: Hub, game: str, before: int, *statuses: str) -> bool:
    """Close a table, unless somebody came to it after all."""

    def decide(table: Table) -> list[Body]:
        untouched = table.time < before and table.status in statuses
        return decisions.close(table, "expired") if untouched else []

    try:
        return await hub.do(game, decide) is not None
    except GenialError as error:
        # One table that cannot be read, say of a newer version's rules, must not keep the others.
        log.warning("table not closed", extra={"table": table_mark(game), "error": error.code})
        return False


async def _delete(hub: Hub, game: str) -> None:
    await hub.store.delete(game)
    live = hub.tables.pop(game, None)
    for subscriber in list(live.subscribers) if live else ():
        subscriber.close()
