"""Numbered SQL files beside this one bring a store's file from any older schema to today's.

A file that has been released is never changed; what is new comes in the next number.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from genial.server.store.connect import APPLICATION, configure, connect, failure, refuse_newer, version_of
from genial.server.store.errors import StoreError

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True)
class Migration:
    """One step from schema `version - 1` to `version`."""

    version: int
    name: str
    sql: str


@cache
def known() -> tuple[Migration, ...]:
    """The migrations of this program, in order.

    >>> known()[0].name
    '0001_first'
    """
    found = sorted(
        (
            Migration(int(match[1]), match[0].removesuffix(".sql"), entry.read_text(encoding="utf-8"))
            for entry in files(__name__).iterdir()
            if (match := _NAME.fullmatch(entry.name))
        ),
        key=lambda migration: migration.version,
    )
    assert [step.version for step in found] == list(range(1, len(found) + 1)), "a number is missing or double"
    return tuple(found)


def migrate(path: str | Path, steps: Sequence[Migration] | None = None) -> list[str]:
    """Bring a file up to date, or make it; gives the names of the migrations applied.

    Each runs in a transaction of its own, so a failure leaves the file at the step before.
    """
    path = Path(path)
    steps = known() if steps is None else steps
    _make(path)
    applied = []
    try:
        with closing(connect(path)) as connection:
            refuse_newer(path, version_of(connection, path), len(steps))
            configure(connection, path)
            # Rebuilding a table must not delete what refers to it; the check comes after each step instead.
            connection.execute("PRAGMA foreign_keys = OFF")
            for step in steps:
                if _apply(connection, path, step):
                    applied.append(step.name)
    except sqlite3.Error as error:
        raise failure(error, path) from error
    return applied


def _make(path: Path) -> None:
    """An empty file for its owner's eyes alone: it will hold racks and bags."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError("store-unopened", path=str(path), problem=error.strerror) from error


def sync_folder(folder: Path) -> None:
    """Make the name of a new file as durable as its contents, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _apply(connection: sqlite3.Connection, path: Path, step: Migration) -> bool:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Looked up under the lock: another process may migrate the same file.
        version = version_of(connection, path)
        if version >= step.version:
            return False
        if version == 0:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(
                "CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL)"
            )
        for statement in _statements(step.sql):
            connection.execute(statement)
        connection.execute("INSERT INTO schema_version VALUES (?, ?)", (step.version, step.name))
        if broken := connection.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.IntegrityError(f"a row of {broken[0]} refers to nothing")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise StoreError("store-migration-failed", name=step.name, problem=str(error)) from error
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return True


def _statements(sql: str) -> Iterator[str]:
    """The statements of a file one by one, because `executescript` would commit first."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
