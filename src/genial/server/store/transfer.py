"""Copy everything from one store to another, whatever they are made of.

The source has to be at rest: stop its server first. A copy that was broken off is taken up by copying again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from genial.server.store.errors import StoreError
from genial.server.store.interface import NewEntry, Result, Store, TableRow


@dataclass
class Copied:
    """How much a copy went through; what was there already is counted too."""

    tables: int = 0
    entries: int = 0
    credentials: int = 0
    bans: int = 0
    results: int = 0


async def copy(source: Store, target: Store, page: int = 500) -> Copied:
    """Copy all but the snapshots, which are only a cache. Refuses a table that has another log there."""
    copied = Copied()
    async for row in _tables(source, page):
        await _copy_table(source, target, row, copied)
    for ban in await source.bans():
        await target.ban(ban.kind, ban.key_hash, ban.until)
        copied.bans += 1
    async for result in _results(source, page):
        await target.add_result(result)
        copied.results += 1
    return copied


async def _copy_table(source: Store, target: Store, row: TableRow, copied: Copied) -> None:
    entries = await source.read(row.game)
    credentials = await source.credentials_of(row.game)
    there = await target.read(row.game)
    if there != entries[: len(there)]:
        raise StoreError("store-copy-differs", game=row.game)
    new = [NewEntry(entry.time, entry.kind, entry.move_id, entry.data) for entry in entries[len(there) :]]
    await target.append(row.game, len(there) + 1, new, row, credentials)
    copied.tables += 1
    copied.entries += len(entries)
    copied.credentials += len(credentials)


async def _tables(source: Store, page: int) -> AsyncIterator[TableRow]:
    rows = await source.tables(limit=page)
    while rows:
        for row in rows:
            yield row
        rows = await source.tables(limit=page, before=rows[-1].cursor)


async def _results(source: Store, page: int) -> AsyncIterator[Result]:
    results = await source.all_results(limit=page)
    while results:
        for result in results:
            yield result
        results = await source.all_results(results[-1], limit=page)
