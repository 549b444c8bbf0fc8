"""A copy of a store's file at one moment, made while the store works."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from genial.server.store.connect import connect, failure
from genial.server.store.errors import StoreError
from genial.server.store.migrations import sync_folder


def write(source: Path, target: Path) -> None:
    """Copy the file beside the target, then put it in the target's place: no half of one is ever there."""
    _refuse_in_use(source, target)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
        os.close(handle)
        part = Path(name)
        try:
            _copy(source, part)
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(target)
            sync_folder(target.parent)
        finally:
            with suppress(FileNotFoundError):
                part.unlink()
    except OSError as error:
        raise StoreError("store-unopened", path=str(target), problem=error.strerror) from error


def _refuse_in_use(source: Path, target: Path) -> None:
    """A running store's file must not be changed under it; it has a write-ahead log beside it."""
    same = target.exists() and target.samefile(source)
    if same or target.with_name(f"{target.name}-wal").exists():
        raise StoreError("store-backup-in-use", path=str(target))


def _copy(source: Path, part: Path) -> None:
    try:
        with closing(connect(source)) as reading, closing(connect(part)) as writing:
            # In one step: it reads the file as of one moment, which hinders no writer in a write-ahead log.
            # Several steps would begin anew after every commit in between.
            reading.backup(writing, pages=-1)
            # One file alone, which also opens where nothing can be written beside it.
            writing.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise failure(error, source) from error
