"""The tool that looks for secrets in the time a bot takes to end its turn."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from tools.timing import BOUNDS, auc, measured, starts

import genial
from genial.bots.workers import BotPool
from genial.core.situation import Phase
from genial.server.store import open_store
from genial.server.tables.hub import Hub
from genial.server.tables.settings import Limits


def test_a_planted_dependence_is_detected_and_noise_is_not() -> None:
    rng = Random(1)
    closed, opened = ([rng.gauss(0.6, 0.004) for _ in range(2000)] for _ in range(2))
    assert BOUNDS[0] < auc(closed, opened) < BOUNDS[1]
    assert auc(closed, [delay + 0.001 for delay in opened]) > BOUNDS[1]
    assert auc(closed, [delay - 0.001 for delay in opened]) < BOUNDS[0]


def test_prepared_positions_are_equally_far_into_a_game() -> None:
    prepared = starts("cards", 4)
    turns = {kind: sorted(genial.load(record).turn for record in found) for kind, found in prepared.items()}
    assert turns[False] == turns[True]
    assert all(genial.load(record).phase is Phase.PLACE for record in prepared[True])


def test_endings_of_both_kinds_are_measured_at_real_tables(tmp_path: Path) -> None:
    async def test() -> None:
        store = open_store(tmp_path / "a.db", migrate=True)
        async with BotPool(1) as pool:
            hub = Hub(store, pool, Limits(bot_pause=0.0, bot_ending=0.02))
            delays = await measured(hub, "level-2", starts("cards", 4), 3, 2)
            assert all(len(found) == 3 for found in delays.by_open.values())
            assert min(delays.by_open[False] + delays.by_open[True]) > 0
            assert not hub.tables
            await hub.stop()
        await store.close()

    asyncio.run(asyncio.wait_for(test(), 60))
