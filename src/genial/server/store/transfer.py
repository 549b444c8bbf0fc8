"""Copy everything from one store to another, whatever they are made of, and prove that it is all there.

The source has to be at rest: stop its server first. A copy that was broken off is taken up by copying again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import astuple, dataclass, field
from hashlib import sha256

from genial.server.store.errors import StoreError
from genial.server.store.interface import NewEntry, Result, Store, TableRow

_AT_ONCE = 16
"""Tables under way at the same time: enough for one commit to hold several."""


@dataclass
class Copied:
    """How much a copy went through; what was there already is counted too."""

    tables: int = 0
    entries: int = 0
    credentials: int = 0
    bans: int = 0
    results: int = 0


@dataclass
class Summary(Copied):
    """What a store holds, and a hash of every byte of it."""

    hashes: dict[str, str] = field(default_factory=dict)


def _ignored() -> None:
    """Nobody watches."""


async def copy(source: Store, target: Store, page: int = 500, step: Callable[[], None] = _ignored) -> Copied:
    """Copy all but snapshots and analyses, which are only caches. Refuses a table that has another log there.

    `step` is called after each table.
    """
    copied = Copied()
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(row: TableRow) -> None:
        try:
            await _copy_table(source, target, row, copied)
            step()
        finally:
            room.release()

    try:
        async with asyncio.TaskGroup() as group:
            async for row in tables_of(source, page):
                await room.acquire()
                group.create_task(one(row))
    except* StoreError as errors:
        raise _first(errors) from None
    for ban in await source.bans():
        await target.ban(ban.kind, ban.key_hash, ban.until)
        copied.bans += 1
    async for result in _results(source, page):
        await target.add_result(result)
        copied.results += 1
    return copied


async def migrate(source: Store, target: Store, names: tuple[str, str], step: Callable[[], None]) -> Summary:
    """Copy into a store that holds nothing else, then compare both, byte for byte."""
    async for row in tables_of(target):
        if await source.table(row.game) is None:
            raise StoreError("store-not-empty", source=names[0], path=names[1])
    await copy(source, target, step=step)
    here, there = await summary(source, step), await summary(target, step)
    unequal = [what for what, value in here.hashes.items() if there.hashes[what] != value]
    if unequal:
        raise StoreError("store-copy-unequal", what=", ".join(unequal))
    return there


def _first(errors: BaseExceptionGroup[StoreError]) -> StoreError:
    found: BaseException = errors
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    assert isinstance(found, StoreError)
    return found


async def summary(store: Store, step: Callable[[], None] = _ignored) -> Summary:
    """Count and hash everything but snapshots and analyses. Equal stores of any kind give equal summaries."""
    found = Summary()
    hashes = {name: sha256() for name in ("tables", "entries", "credentials", "bans", "results")}
    async for row in tables_of(store):
        hashes["tables"].update(_line(row))
        for entry in await store.read(row.game):
            hashes["entries"].update(_line(entry))
            found.entries += 1
        for held in await store.credentials_of(row.game):
            hashes["credentials"].update(_line(held))
            found.credentials += 1
        found.tables += 1
        step()
    for ban in await store.bans():
        hashes["bans"].update(_line(ban))
        found.bans += 1
    async for result in _results(store):
        hashes["results"].update(_line(result))
        found.results += 1
    found.hashes = {name: value.hexdigest() for name, value in hashes.items()}
    return found


def _line(value: object) -> bytes:
    # repr tells bytes from text and None from nothing, and ends with a bracket.
    return repr(astuple(value)).encode()  # type: ignore[call-overload]


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


async def tables_of(source: Store, page: int = 500) -> AsyncIterator[TableRow]:
    """Every table, the newest first."""
    rows = await source.tables(limit=page)
    while rows:
        for row in rows:
            yield row
        rows = await source.tables(limit=page, before=rows[-1].cursor)


async def _results(source: Store, page: int = 500) -> AsyncIterator[Result]:
    results = await source.all_results(limit=page)
    while results:
        for result in results:
            yield result
        results = await source.all_results(results[-1], limit=page)
