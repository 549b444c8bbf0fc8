"""Numbered SQL files, in a folder for each kind of database, bring a store from any older schema to today's.

A file that has been released is never changed; what is new comes in the next number. Each step is a
transaction of its own, so a failure leaves the store at the step before.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from genial.server.store.errors import StoreError
from genial.server.store.statements import Ask, Program

Kind = Literal["sqlite", "postgres"]

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True)
class Migration:
    """One step from schema `version - 1` to `version`."""

    version: int
    name: str
    sql: str


@dataclass(frozen=True)
class Ground:
    """What differs between kinds of databases when a schema is changed."""

    version: Callable[[], Program[int]]
    """The schema that is there, 0 if there is none. Refuses what is not ours."""
    mark: Ask
    """What tells a store of ours from other programs' databases."""
    check: Callable[[], Program[None]]
    """Raises if a step broke something that the database does not look after itself."""


@cache
def known(kind: Kind = "sqlite") -> tuple[Migration, ...]:
    """The migrations of this program, in order.

    >>> known()[0].name
    '0001_first'
    """
    found = sorted(
        (
            Migration(int(match[1]), match[0].removesuffix(".sql"), entry.read_text(encoding="utf-8"))
            for entry in (files(__name__) / kind).iterdir()
            if (match := _NAME.fullmatch(entry.name))
        ),
        key=lambda migration: migration.version,
    )
    assert [step.version for step in found] == list(range(1, len(found) + 1)), "a number is missing or double"
    return tuple(found)


def climb(ground: Ground, step: Migration) -> Program[bool]:
    """One step, inside a transaction that keeps others from doing the same; False if it was done already."""
    version = yield from ground.version()
    if version >= step.version:
        return False
    if version == 0:
        yield Ask("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        yield ground.mark
    for statement in _statements(step.sql):
        yield Ask(statement)
    yield Ask("INSERT INTO schema_version (version, name) VALUES (?, ?)", (step.version, step.name))
    yield from ground.check()
    return True


def refuse_newer(path: str, got: int, known: int) -> None:
    """A newer program may have given the tables another meaning: do not touch them."""
    if got > known:
        raise StoreError("store-newer", path=path, got=got, expected=known)


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
