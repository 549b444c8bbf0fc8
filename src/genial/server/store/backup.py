"""A copy of a store in a file, as of one moment, made while the store is in use."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from genial.server.store.sqlite_file import connect, failure, sync_folder
from genial.server.tables.store_errors import StoreError


def write(source: Path, target: Path) -> None:
    """Copy a store's file."""
    if target.exists() and target.samefile(source):
        raise StoreError("store-backup-in-use", path=str(target))
    with placed(target) as part:
        _copy(source, part)


@contextmanager
def placed(target: Path) -> Iterator[Path]:
    """A file beside the target, which replaces it once complete: a partial target never exists."""
    # A running store's file must not be replaced; one has a write-ahead log beside it.
    if target.with_name(f"{target.name}-wal").exists():
        raise StoreError("store-backup-in-use", path=str(target))
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
        os.close(handle)
        part = Path(name)
        try:
            yield part
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(target)
            sync_folder(target.parent)
        finally:
            with suppress(FileNotFoundError):
                part.unlink()
    except OSError as error:
        raise StoreError("store-unopened", path=str(target), problem=error.strerror) from error


def _copy(source: Path, part: Path) -> None:
    try:
        with closing(connect(source)) as reading, closing(connect(part)) as writing:
            # In one step: this reads the file as of one moment, and with a write-ahead log blocks no writer.
            # Several steps would start over after every commit in between.
            reading.backup(writing, pages=-1)
            _make_single(writing)
    except sqlite3.Error as error:
        raise failure(error, source) from error


def make_single(path: Path) -> None:
    """Fold the write-ahead log into the file, so that it opens where nothing can be written beside it."""
    with closing(connect(path)) as connection:
        _make_single(connection)


def _make_single(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE")
