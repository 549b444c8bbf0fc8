"""A look at the write-ahead log that a server left: does it hold more than SQLite can read?

SQLite reads up to the first incomplete frame, and says nothing about what follows. After a power cut, that is
what nobody has been told of yet. But it may also be damage, and then acknowledged moves are lost, which the
operator has to know.
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
"""Its last bit gives the byte order of the checksums."""


def unread_commits(db: Path) -> int:
    """The number of commits after the first unreadable frame. Only for the holder of the file."""
    db = Path(os.path.realpath(db))
    wal = db.with_name(f"{db.name}-wal")
    try:
        if wal.stat().st_size <= _HEADER:
            return 0
        with closing(connect(db)) as connection:
            run(connection, version_of(db))  # leave a file alone that isn't ours
            (size,) = connection.execute("PRAGMA page_size").fetchone()
            _, readable, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            return _commits_after(wal, readable, size)
    except (OSError, StoreError, sqlite3.Error):
        return 0  # opening the store will report it


def _commits_after(wal: Path, frames: int, page: int) -> int:
    commits = 0
    with wal.open("rb") as file:
        header = file.read(_HEADER)
        # Older frames, all of them in the database already, lie behind newer ones; they have other salts.
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
