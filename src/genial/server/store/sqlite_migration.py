"""Bringing a store's file up to date, in one transaction; its earlier contents stay in a copy beside it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import UTC, datetime
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
    """A copy beside the file, deleted if a step fails: the file is unchanged then, and may be retried."""
    path = Path(os.path.realpath(path))
    copy = path.with_name(f"{path.stem}-schema-{schema}-{datetime.now(UTC):%Y%m%d-%H%M%S}{path.suffix}")
    backup.write(path, copy)
    try:
        yield copy
    except BaseException:
        copy.unlink()
        raise


def _make(path: Path) -> None:
    """An empty file that only its owner can read: it will contain racks and bags."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError("store-unopened", path=str(path), problem=error.strerror) from error
