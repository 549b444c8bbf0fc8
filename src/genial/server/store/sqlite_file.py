"""Opening a store's file: what it is, how new it is, and the settings that make a commit durable."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from typing import TypeVar

from genial.server.store.programs import Ask, Program
from genial.server.tables.store_errors import StoreBusy, StoreError

_T = TypeVar("_T")

APPLICATION = 0x47454E49
"""GENI, in the header of all our files: distinguishes them from other programs'."""

BUSY_TIMEOUT = 5000
"""Milliseconds for which another process may hold the file before we give up."""

_FULL = "database or disk is full"
"""What SQLite says when it notices; about the index of the write-ahead log it says only `disk I/O error`."""
_INDEX_PIECE = 32 * 1024


def connect(path: Path, busy_timeout: int = BUSY_TIMEOUT) -> sqlite3.Connection:
    """Open a file that exists, without changing it."""
    return sqlite3.connect(
        # mode=rw: otherwise sqlite3 would create an empty file for a mistyped path.
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=busy_timeout / 1000,
        isolation_level=None,
        check_same_thread=False,
    )


def run(connection: sqlite3.Connection, program: Program[_T]) -> _T:
    """Run a program, statement by statement."""
    try:
        ask = next(program)
        while True:
            if ask.many:
                connection.executemany(ask.sql, ask.values)
                ask = program.send(())
            else:
                ask = program.send(connection.execute(ask.sql, ask.values).fetchall())
    except StopIteration as done:
        answer: _T = done.value
        return answer


def configure(connection: sqlite3.Connection, path: Path) -> None:
    """Configure one of our connections; the write-ahead log stays on in the file."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError("store-unopened", path=str(path), problem=f"journal_mode {mode}")
    connection.execute("PRAGMA synchronous = FULL")
    # macOS's fsync leaves data in the drive's cache; elsewhere this does nothing.
    connection.execute("PRAGMA fullfsync = ON")
    connection.execute("PRAGMA foreign_keys = ON")
    # A long read, such as a backup, lets the log grow; it shrinks to this size afterwards.
    connection.execute("PRAGMA journal_size_limit = 16777216")


def version_of(path: Path) -> Program[int]:
    """The schema of a file; 0 if it is empty. Refuses a file that isn't ours."""
    ((application,),) = yield Ask("PRAGMA application_id")
    ((objects,),) = yield Ask("SELECT count(*) FROM sqlite_master")
    if application == 0 and objects == 0:
        return 0
    if application != APPLICATION:
        raise StoreError("store-foreign", path=str(path))
    ((version,),) = yield Ask("SELECT coalesce(max(version), 0) FROM schema_version")
    return int(version)


def sync_folder(folder: Path) -> None:
    """Make the name of a new file as durable as its contents, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def failure(error: sqlite3.Error, path: Path) -> StoreError:
    """Translate an SQLite error into one of ours."""
    # The low byte is the error; the others add detail. Errors of the module itself have no code.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy()
    if code == sqlite3.SQLITE_NOTADB:
        return StoreError("store-foreign", path=str(path))
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreError("store-damaged", path=str(path), problem=str(error))
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreError("store-unopened", path=str(path), problem=str(error))
    problem = _FULL if code == sqlite3.SQLITE_IOERR and _is_full(path) else str(error)
    return StoreError("store-failed", path=str(path), problem=problem)


def _is_full(path: Path) -> bool:
    """True if the disk has no room for a piece of the log's index."""
    try:
        return shutil.disk_usage(path.parent).free < _INDEX_PIECE
    except OSError:
        return False
