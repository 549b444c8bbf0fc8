"""Bringing a store's file up to date, in one transaction; its earlier contents stay in a copy beside it."""

from __future__ import annotations

import filecmp
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from genial.server.store import backup
from genial.server.store.migrations import Migrated, Migration, apply_step, begin, refuse_strange, steps_from
from genial.server.store.programs import Ask
from genial.server.store.sqlite_file import (
    APPLICATION,
    configure,
    connect,
    failure,
    run,
    sync_folder,
    version_of,
)
from genial.server.tables.store_errors import StoreError


def migrate(path: str | Path) -> Migrated:
    """Bring a file up to date, or create it."""
    path = Path(path)
    _make(path)
    try:
        with closing(connect(path)) as connection:
            refuse_strange(str(path), run(connection, version_of(path)), "sqlite")
            configure(connection, path)
            # Rebuilding a table must not delete the rows that refer to it; they are checked after each step
            # instead.
            connection.execute("PRAGMA foreign_keys = OFF")
            return _migrated(connection, path)
    except sqlite3.Error as error:
        raise failure(error, path) from error


def _migrated(connection: sqlite3.Connection, path: Path) -> Migrated:
    # From here on nobody else writes: the copy is complete, and nothing gets between it and the steps.
    connection.execute("BEGIN IMMEDIATE")
    try:
        there = run(connection, version_of(path))
        steps = steps_from(there, "sqlite")
        with _copied(path, there) if there and steps else nullcontext() as copy:
            if there == 0:
                run(connection, begin(Ask(f"PRAGMA application_id = {APPLICATION}")))
            for step in steps:
                _apply(connection, step)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return Migrated(tuple(step.name for step in steps), str(copy) if copy else None)


def _apply(connection: sqlite3.Connection, step: Migration) -> None:
    try:
        run(connection, apply_step(step))
        if broken := connection.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.IntegrityError(f"a row of {broken[0]} refers to nothing")
    except sqlite3.Error as error:
        raise StoreError("store-migration-failed", name=step.name, problem=str(error)) from error


@contextmanager
def _copied(path: Path, schema: int) -> Iterator[Path]:
    """A copy beside the file, deleted if a step fails: the file is unchanged then, and may be retried.

    An upgrade that was killed has left its copy, or a part of one. A part is deleted: nobody else is writing
    it, because the file is locked. A copy that is the same to the last byte serves again, and stays.
    """
    path = Path(os.path.realpath(path))
    for part in _beside(path, r"\.{1,2}", r"\d+", r"(?:\.\w+)*\.part"):
        with suppress(OSError):
            part.unlink()
    copy = _new_name(path, schema)
    new = copy.with_name(f".{copy.name}.part")
    backup.write(path, new)
    for earlier in _beside(path, "", str(schema)):
        if _same(earlier, new):
            new.unlink()
            yield earlier
            return
    try:
        new.replace(copy)
        sync_folder(copy.parent)
    except OSError as error:
        raise StoreError("store-unopened", path=str(copy), problem=error.strerror) from error
    try:
        yield copy
    except BaseException:
        copy.unlink()
        raise


def _new_name(path: Path, schema: int) -> Path:
    """A name for a copy that no file has yet."""
    moment = datetime.now(UTC)
    while True:
        copy = path.with_name(f"{path.stem}-schema-{schema}-{moment:%Y%m%d-%H%M%S}{path.suffix}")
        if not os.path.lexists(copy):
            return copy
        moment += timedelta(seconds=1)


def _beside(path: Path, before: str, schema: str, after: str = "") -> list[Path]:
    """The files beside a store's that are named like copies of it, the oldest first."""
    stem, suffix = re.escape(path.stem), re.escape(path.suffix)
    named = re.compile(rf"{before}{stem}-schema-{schema}-\d{{8}}-\d{{6}}{suffix}{after}", re.ASCII)
    there = (each for each in path.parent.iterdir() if named.fullmatch(each.name))
    return sorted(each for each in there if each.is_file() and not each.is_symlink())


def _same(one: Path, other: Path) -> bool:
    """True if two files have the same contents, and the first can be read and isn't in use."""
    with suppress(OSError):
        return not one.with_name(f"{one.name}-wal").exists() and filecmp.cmp(one, other, shallow=False)
    return False


def _make(path: Path) -> None:
    """An empty file that only its owner can read: it will contain racks and bags."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError("store-unopened", path=str(path), problem=error.strerror) from error
