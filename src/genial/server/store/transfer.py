"""Copy everything from one store to another, of any kinds, and prove that nothing is missing.

The source has to be at rest: stop its server first. To resume an interrupted copy, copy again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import astuple, dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from genial.server.tables.store import Append, NewEntry, Result, TableRow, WholeStore
from genial.server.tables.store_errors import StoreError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_AT_ONCE = 16
"""How many tables are copied at the same time: enough for one commit to hold several."""


@dataclass
class Summary:
    """How much a store holds, and a hash of every byte of it."""

    tables: int = 0
    entries: int = 0
    sat: int = 0
    """Devices that sat at a table, summed over all tables."""
    bans: int = 0
    results: int = 0
    hashes: dict[str, str] = field(default_factory=dict)


def _ignored() -> None:
    """The default: nobody follows the progress."""


async def copy(
    source: WholeStore, target: WholeStore, page: int = 500, step: Callable[[], None] = _ignored
) -> None:
    """Copy everything except analyses, which are only a cache. Refuses a table whose log there differs.

    `step` is called after each table.
    """
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(row: TableRow) -> None:
        try:
            await _copy_table(source, target, row)
            step()
        finally:
            room.release()

    try:
        async with asyncio.TaskGroup() as group:
            async for row in every_table(source, page):
                await room.acquire()
                group.create_task(one(row))
    except* StoreError as errors:
        raise _first(errors) from None
    for secret in await source.secrets():
        await target.put_secret(secret)
    for ban in await source.bans():
        await target.ban(ban.kind, ban.key_hash, ban.until)
    async for result in _every_result(source, page):
        await target.add_result(result)


async def _copy_table(source: WholeStore, target: WholeStore, row: TableRow) -> None:
    entries, there = await source.read(row.table_id), await target.read(row.table_id)
    if there != entries[: len(there)]:
        raise StoreError("store-copy-differs", table_id=row.table_id)
    new = [NewEntry(entry.time, entry.kind, entry.move_id, entry.data) for entry in entries[len(there) :]]
    await target.append(Append(row.table_id, len(there) + 1, new, row.updated, row))
    for sat in await source.sat_of(row.table_id):
        await target.append(Append(row.table_id, len(entries) + 1, (), row.updated, sat=sat))


def _first(errors: BaseExceptionGroup[StoreError]) -> StoreError:
    first: BaseException = errors
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    assert isinstance(first, StoreError)
    return first


async def migrate(
    source: WholeStore, target: WholeStore, names: tuple[str, str], step: Callable[[], None]
) -> Summary:
    """Copy into a store that holds nothing else, then compare the two, byte for byte."""
    async for row in every_table(target):
        if await source.table(row.table_id) is None:
            raise StoreError("store-not-empty", source=names[0], path=names[1])
    await copy(source, target, step=step)
    here, there = await summary(source, step), await summary(target, step)
    unequal = [what for what, value in here.hashes.items() if there.hashes[what] != value]
    if not set(await source.secrets()) <= set(await target.secrets()):  # one that was served has its own
        unequal.append("secrets")
    if unequal:
        raise StoreError("store-copy-unequal", what=unequal)
    return there


async def summary(store: WholeStore, step: Callable[[], None] = _ignored) -> Summary:
    """Count and hash everything except analyses. Equal stores of any kind have equal summaries."""
    names = ("tables", "entries", "sat", "bans", "results")
    counts, hashes = dict.fromkeys(names, 0), {name: sha256() for name in names}

    def add(name: str, *values: DataclassInstance) -> None:
        counts[name] += len(values)
        for value in values:
            # repr distinguishes bytes from text and None from nothing, and ends with a bracket.
            hashes[name].update(repr(astuple(value)).encode())

    async for row in every_table(store):
        add("tables", row)
        add("entries", *await store.read(row.table_id))
        add("sat", *await store.sat_of(row.table_id))
        step()
    add("bans", *await store.bans())
    async for result in _every_result(store):
        add("results", result)
    return Summary(**counts, hashes={name: value.hexdigest() for name, value in hashes.items()})


async def every_table(store: WholeStore, page: int = 500) -> AsyncIterator[TableRow]:
    """Every table, newest first."""
    rows = await store.tables(limit=page)
    while rows:
        for row in rows:
            yield row
        rows = await store.tables(limit=page, before=rows[-1].cursor)


async def _every_result(store: WholeStore, page: int = 500) -> AsyncIterator[Result]:
    results = await store.all_results(limit=page)
    while results:
        for result in results:
            yield result
        results = await store.all_results(results[-1], limit=page)
