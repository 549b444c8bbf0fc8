"""A store moves from a file to a database and back: everything in it is the same, byte for byte.

`make migrate-full` moves 10,000 finished and 100 running games; tests/server/store/test_transfer.py moves a
few. Every running game, and a hundred of the finished ones, are played; the other finished ones are copies of
these under other names, which saves a quarter of an hour and makes no difference to a store.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from tests.play import GAMES
from tests.server import postgres
from tests.server.operations import ADA, hub_on, new_table, play

from genial.server.store import Address, open_store
from genial.server.tables.settings import Limits, TableSettings
from genial.server.tables.store import Append, NewEntry, Sat, Store

_PLAYED = 100
_LIMITS = Limits(tables_open=1_000_000)


async def fill(path: Path, *, finished: int, running: int, seed: int = 1) -> None:
    """Create a file with this many games of all variants, with chat, seated devices, bans and results."""
    rng, over = Random(seed), []
    async with hub_on(path, limits=_LIMITS) as hub:
        for number in range(min(finished, _PLAYED) + running):
            variant, seats = GAMES[number % len(GAMES)]
            table = await new_table(hub, TableSettings(variant, seats, name=f"Tïsch {number} 🎲"))
            whole = number < min(finished, _PLAYED)
            await play(hub, table, rng, 10_000 if whole else rng.randrange(1, 12))
            if whole:
                over.append(table.id)
        for number in range(5):
            await hub.store.ban("device", bytes([number]) * 16, None if number % 2 else 10**12)
        await _copies(hub.store, over, finished - len(over))


async def _copies(store: Store, tables: list[str], count: int) -> None:
    for first in range(0, count, 200):
        await asyncio.gather(
            *(_copy(store, tables[n % len(tables)], n) for n in range(first, min(first + 200, count)))
        )


async def _copy(store: Store, table_id: str, number: int) -> None:
    name, row = f"copy{number:06}", await store.table(table_id)
    assert row is not None
    entries = [NewEntry(e.time, e.kind, e.move_id, e.data) for e in await store.read(table_id)]
    new = replace(row, table_id=name, created=row.created + number)
    await store.append(Append(name, 1, entries, row.updated, new, Sat(name, ADA, number)))


def moved(source: str, target: str) -> dict[str, Any]:
    """Run `genial migrate SOURCE TARGET` as a separate command."""
    command = [sys.executable, "-m", "genial", "migrate", source, target, "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table in a file, sorted."""
    with closing(sqlite3.connect(path)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {
            name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr)
            for name in names
            if name != "analyses"  # only a cache
        }


def records(source: str, folder: Path) -> dict[str, bytes]:
    """Every record in a store, including those of unfinished games, as `genial export` writes them."""
    command = [sys.executable, "-m", "genial", "export", str(folder), "--db", source, "--unfinished"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def there_and_back(path: Path, database: Address, back: Path) -> tuple[dict[str, Any], float, float]:
    """Move a file into a database and on into another file. Returns what was moved, and the seconds."""
    begun = perf_counter()
    there = moved(str(path), database.url)
    between = perf_counter()
    assert moved(database.url, str(back))["hashes"] == there["hashes"]
    seconds = between - begun, perf_counter() - between
    assert rows(path) == rows(back)
    before = records(str(path), back.parent / "records-before")
    assert before == records(database.url, back.parent / "records-there")
    assert before == records(str(back), back.parent / "records-back")
    return there | {"records": len(before)}, *seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finished", type=int, default=10_000)
    parser.add_argument("--running", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres.started() as server:
        path, back = Path(folder) / "genial.db", Path(folder) / "back.db"
        asyncio.run(fill(path, finished=options.finished, running=options.running))
        copied, there, again = there_and_back(path, server.database(), back)
        store = open_store(back)
        asyncio.run(store.close())
    print(
        f"{options.finished} finished and {options.running} running games, {copied['entries']} entries: "
        f"{there:.0f} s to PostgreSQL, {again:.0f} s back; every row and "
        f"all {copied['records']} records the same"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
