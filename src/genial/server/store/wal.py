"""A look at the write-ahead log that a server left: whether there is more in it than SQLite can read.

SQLite reads up to the first frame that is not whole, and says nothing about what comes after. After a power
cut that is what nobody was told of yet. But it may also be damage, and then moves that were acknowledged are
gone, which whoever runs the server has to know.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

from genial.server.store.sqlite_file import connect, run, version_of
from genial.server.tables.store_errors import StoreError

_HEADER, _FRAME = 32, 24
_MAGIC = 0x377F0682
"""Its last bit says which way round the checksums are."""


def unread_commits(db: Path) -> int:
    """How many commits stand beyond the first place that cannot be read. For who holds the file."""
    db = Path(os.path.realpath(db))
    wal = db.with_name(f"{db.name}-wal")
    try:
        if wal.stat().st_size <= _HEADER:
            return 0
        with closing(connect(db)) as connection:
            run(connection, version_of(db))  # a file that is not ours is left alone
            (size,) = connection.execute("PRAGMA page_size").fetchone()
            _, readable, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            return _commits_after(wal, readable, size)
    except (OSError, StoreError, sqlite3.Error):
        return 0  # who opens the store is told


def _commits_after(wal: Path, frames: int, page: int) -> int:
    commits = 0
    with wal.open("rb") as file:
        header = file.read(_HEADER)
        # Older frames, of which the database has everything, lie behind newer ones; they have other salts.
        salts = header[16:24] if _is_whole(header) else None
        length = _FRAME + page
        for start in range(_HEADER + frames * length, wal.stat().st_size - length + 1, length):
            file.seek(start)
            frame = file.read(_FRAME)
            commits += frame[4:8] != bytes(4) and salts in (None, frame[8:16])
    return commits


def _is_whole(header: bytes) -> bool:
    (magic,) = struct.unpack(">I", header[:4])
    one = two = 0
    for first, second in struct.iter_unpack(">II" if magic & 1 else "<II", header[:24]):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return magic | 1 == _MAGIC | 1 and header[24:] == struct.pack(">II", one, two)
