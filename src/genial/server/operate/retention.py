"""What is kept and for how long: tables that nobody starts, finished ones, and tables in memory."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from genial.core.errors import GenialError
from genial.server.operate.dates import Dates
from genial.server.tables import decisions
from genial.server.tables.entries import Body
from genial.server.tables.hub import Hub
from genial.server.tables.store import Status
from genial.server.tables.table import Table, table_mark

log = logging.getLogger("genial.server")

IDLE_SECONDS = 900.0
"""A table without listeners is dropped from memory after this; its log stays."""
EVERY_SECONDS = 60.0

_HOUR = 3_600_000
_PAGE = 100
_ENDED: tuple[Status, ...] = ("over", "closed")


@dataclass(slots=True)
class Swept:
    """The result of one sweep."""

    expired: int = 0
    """Tables that nobody started: closed and deleted."""
    abandoned: int = 0
    """Games that nobody has touched for as long as finished ones are kept: closed."""
    deleted: int = 0
    """Finished and closed tables whose time was up."""
    analyses: int = 0
    """Analyses of the same age, deleted."""
    bans: int = 0
    """Expired bans, deleted."""
    forgotten: int = 0
    """Tables dropped from memory."""


async def keep(hub: Hub, dates: Dates, every: float = EVERY_SECONDS) -> None:
    """Sweep at intervals, until cancelled. A failed sweep is logged, and the next one comes anyway."""
    while True:
        try:
            now = await dates.to_delete_by(hub.store)
            if now is None:
                hub.forget_idle(IDLE_SECONDS)
            else:
                await sweep(hub, now=now)
        except Exception as error:
            log.error("sweep failed", exc_info=error)
        await asyncio.sleep(every)


async def sweep(hub: Hub, idle: float = IDLE_SECONDS, now: int | None = None) -> Swept:
    """Remove everything whose time is up, by this date or the hub's clock."""
    now = hub.clock() if now is None else now
    limits, swept = hub.limits, Swept()
    swept.forgotten = hub.forget_idle(idle)
    empty, kept = now - limits.empty_hours * _HOUR, now - limits.finished_days * 24 * _HOUR
    # One page of each; the rest waits for the next sweep, so that games never have to wait for this one.
    for row in await hub.store.stale("open", empty, _PAGE):
        if await _close(hub, row.table_id, empty, "open"):
            await _delete(hub, row.table_id)
            swept.expired += 1
    for row in await hub.store.stale("running", kept, _PAGE):
        swept.abandoned += await _close(hub, row.table_id, kept, "running", "between")
    for status in _ENDED:
        for row in await hub.store.stale(status, kept, _PAGE):
            # A table in memory was viewed recently: its turn comes once it is dropped from memory.
            if row.table_id not in hub.tables:
                await _delete(hub, row.table_id)
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


async def _close(hub: Hub, table_id: str, before: int, *statuses: str) -> bool:
    """Close a table, unless somebody has come to it after all."""

    def decide(table: Table) -> list[Body]:
        untouched = table.time < before and table.status in statuses
        return decisions.close(table, "expired") if untouched else []

    try:
        return (await hub.do(table_id, decide)).is_new
    except GenialError as error:
        # One unreadable table, for example with a newer version's rules, must not hold up the others.
        log.warning("table not closed", extra={"table": table_mark(table_id), "error": error.code})
        return False


async def _delete(hub: Hub, table_id: str) -> None:
    await hub.store.delete(table_id)
    live = hub.tables.pop(table_id, None)
    for listener in list(live.listeners) if live else ():
        listener.close()
