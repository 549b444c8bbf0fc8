"""A writer to be killed: it goes on with every table, and prints each entry once it is acknowledged.

Run as `python crash_child.py FILE GAMES`.
"""

from __future__ import annotations

import asyncio
import os
import sys

from genial.server.store import DuplicateMove, NewEntry, SqliteStore, TableRow, open_store


def entry(game: str, seq: int) -> NewEntry:
    return NewEntry(seq, "event", f"{game}-{seq}", b'["%s", %d]' % (game.encode(), seq))


async def play(store: SqliteStore, game: str) -> None:
    seq = len(await store.read(game))
    if seq:
        # As a client does that heard nothing back: the move is there, and is not taken twice.
        (again,) = await asyncio.gather(
            store.append(game, seq + 1, [entry(game, seq)]), return_exceptions=True
        )
        if not (isinstance(again, DuplicateMove) and again.seq == seq):
            sys.exit(f"{game} took move {seq} twice: {again!r}")
    while True:
        seq += 1
        row = TableRow(game, game, "classic", 2, "running", False, 0, seq, 0, "")
        await store.append(game, seq, [entry(game, seq)], row)
        os.write(1, f"{game} {seq}\n".encode())


async def main(path: str, games: int) -> None:
    store = open_store(path, migrate=True)
    await asyncio.gather(*(play(store, f"t{number}") for number in range(games)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
