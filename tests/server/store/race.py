"""Several writers of one table, on any store: every number is taken once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tests.server.store.samples import append, entry, row

from genial.server.tables.store import Store
from genial.server.tables.store_errors import SequenceConflict


async def race(stores: Sequence[Store], end: int) -> list[tuple[int, int]]:
    """Have all of them write the same table up to an entry.

    Returns, for each lost race, the number tried and the next number reported.
    """
    await stores[0].append(append("t", 1, [entry(1)], row("t")))
    won: list[int] = []
    told: list[tuple[int, int]] = []

    async def play(store: Store, mine: int) -> None:
        seq = 2
        while seq < end:
            try:
                with_row = row("t", time=1_000) if seq % 3 else None
                await store.append(append("t", seq, [entry(mine, f"{mine}-{seq}")], with_row))
                won.append(seq)
                seq += 1
            except SequenceConflict as error:
                told.append((seq, error.expected_next))
                seq = error.expected_next

    await asyncio.gather(*(play(store, mine) for mine, store in enumerate(stores)))
    assert sorted(won) == list(range(2, max(won) + 1))
    assert all(following > tried for tried, following in told)
    stored = await stores[0].read("t")
    assert [each.seq for each in stored] == list(range(1, len(won) + 2))
    assert len({each.move_id for each in stored if each.move_id}) == len(won)
    return told
