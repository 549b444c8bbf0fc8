"""Numbered SQL files, in a folder for each kind of database, bring a store from any older schema to today's.

A file that has been released is never changed; what is new comes in the next number. Each step is a
transaction of its own, so a failure leaves the store at the step before.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from genial.server.store.programs import Ask, Program
from genial.server.tables.store_errors import EarlierShape, MigrationNeeded, StoreError

Kind = Literal["sqlite", "postgres"]

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_EARLIER = 100
"""Schemas up to here have the shape that `earlier_shape` reads; programs of that time refuse ours."""


@dataclass(frozen=True)
class Migration:
    """One step from schema `version - 1` to `version`."""

    version: int
    name: str
    sql: str


@cache
def known(kind: Kind = "sqlite") -> tuple[Migration, ...]:
    """The migrations of this program, in order.

    >>> known()[0].name
    '0001_first'
    """
    steps = sorted(
        (
            Migration(
                _EARLIER + int(match[1]), match[0].removesuffix(".sql"), file.read_text(encoding="utf-8")
            )
            for file in (files(__name__) / kind).iterdir()
            if (match := _NAME.fullmatch(file.name))
        ),
        key=lambda step: step.version,
    )
    numbers = [step.version - _EARLIER for step in steps]
    assert numbers == list(range(1, len(steps) + 1)), "a number is missing or double"
    return tuple(steps)


def newest(kind: Kind) -> int:
    """The schema that this program works with."""
    return known(kind)[-1].version


def refuse_strange(path: str, got: int, expected: int) -> None:
    """A schema of an earlier shape or a newer program may mean something else: do not touch it."""
    if 0 < got <= _EARLIER:
        raise EarlierShape(path)
    if got > expected:
        raise StoreError("store-newer", path=path, got=got, expected=expected)


def require_newest(path: str, got: int, kind: Kind) -> None:
    """Refuse every schema but the one that this program works with."""
    refuse_strange(path, got, newest(kind))
    if got < newest(kind):
        raise MigrationNeeded(path, got, newest(kind))


def apply_step(step: Migration, version: Program[int], mark: Ask) -> Program[bool]:
    """One step, inside a transaction that keeps others from doing the same; False if it was done already.

    `version` tells the schema that is there, 0 if there is none; `mark` tells our stores from other programs'
    databases.
    """
    there = yield from version
    if there >= step.version:
        return False
    if there == 0:
        yield Ask("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        yield mark
    for statement in _statements(step.sql):
        yield Ask(statement)
    yield Ask("INSERT INTO schema_version (version, name) VALUES (?, ?)", (step.version, step.name))
    return True


def _statements(sql: str) -> Iterator[str]:
    """The statements of a file one by one; a script as a whole would commit first."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        # SQLite's reader of semicolons serves both kinds: our files have no other quotes than its own.
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
