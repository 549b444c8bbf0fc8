"""A writer killed at random moments has kept every entry that it acknowledged, and none twice."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from genial.server.store import open_store

CHILD = Path(__file__).with_name("crash_child.py")
KILLS = 15
TABLES = 12


def acknowledged_until_killed(path: Path, patience: int) -> dict[str, int]:
    """Let a child write until it has acknowledged this much, then kill it. Returns the last numbers."""
    last: dict[str, int] = {}
    command = [sys.executable, str(CHILD), str(path), str(TABLES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        for count, line in enumerate(child.stdout):
            if count == patience:
                child.kill()
            table_id, seq = line.split()
            last[table_id] = int(seq)
        assert child.wait() == -9, child.stderr.read()
    return last


async def logs(path: Path) -> dict[str, int]:
    """The length of each log, after checking every entry."""
    store = open_store(path)
    lengths = {}
    for row in await store.tables():
        entries = await store.read(row.table_id)
        for seq, entry in enumerate(entries, 1):
            assert (entry.seq, entry.move_id) == (seq, f"{row.table_id}-{seq}")
            assert json.loads(entry.data) == [row.table_id, seq]
        assert row.updated == len(entries), "row and log agree"
        lengths[row.table_id] = len(entries)
    await store.close()
    return lengths


@pytest.mark.slow
def test_a_killed_writer_loses_no_acknowledged_entry(tmp_path: Path) -> None:
    path = tmp_path / "genial.db"
    rng = random.Random(9)
    before: dict[str, int] = {}
    for _ in range(KILLS):
        acknowledged = acknowledged_until_killed(path, rng.randrange(1, 400))
        lengths = asyncio.run(logs(path))
        for table_id, seq in acknowledged.items():
            assert lengths[table_id] >= seq
        # Nothing earlier is missing, and no table has more than the one entry that was in progress.
        for table_id, length in lengths.items():
            assert length >= before.get(table_id, 0)
            assert length <= max(acknowledged.get(table_id, 0), before.get(table_id, 0)) + 1
        before = lengths
    assert len(before) == TABLES
    assert min(before.values()) > KILLS
