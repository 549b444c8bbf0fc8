"""A writer to be killed: it continues every table, and prints each entry once it is acknowledged.

Run as `python crash_child.py FILE TABLES`.
"""

from __future__ import annotations

import asyncio
import os
import sys

from genial.server.store import SqliteStore, open_store
from genial.server.tables.store import Append, NewEntry, TableRow
from genial.server.tables.store_errors import DuplicateMove


def entry(table_id: str, seq: int) -> NewEntry:
    return NewEntry(seq, "event", f"{table_id}-{seq}", b'["%s", %d]' % (table_id.encode(), seq))


async def play(store: SqliteStore, table_id: str) -> None:
    seq = len(await store.read(table_id))
    if seq:
        # Like a client that heard nothing back: the move is there, and isn't accepted twice.
        twice = Append(table_id, seq + 1, [entry(table_id, seq)], seq)
        (again,) = await asyncio.gather(store.append(twice), return_exceptions=True)
        if not (isinstance(again, DuplicateMove) and again.seq == seq):
            sys.exit(f"{table_id} took move {seq} twice: {again!r}")
    while True:
        seq += 1
        new = TableRow(table_id, table_id, "classic", 2, "running", False, 0, seq, 0, "")
        await store.append(Append(table_id, seq, [entry(table_id, seq)], seq, new if seq == 1 else None))
        os.write(1, f"{table_id} {seq}\n".encode())


async def main(path: str, tables: int) -> None:
    store = open_store(path, migrate=True)
    await asyncio.gather(*(play(store, f"t{number}") for number in range(tables)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
