"""Numbered SQL files, in a folder for each kind of database, bring a store from an older schema to today's.

A released file is never changed; changes come in the next number. All the steps that a store needs run in one
transaction: a failure leaves it as it was.

Up to schema 100, stores had a different shape, in which a table's id was called `game`. The last of those
schemas is converted to the first of today's: `earlier_before.sql` moves the old tables out of the way, and
`earlier_after.sql` copies their rows over.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from genial.server.store.programs import Ask, Program
from genial.server.tables.store_errors import MigrationNeeded, StoreError

Kind = Literal["sqlite", "postgres"]

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_EARLIER = 100
_LAST_EARLIER: dict[Kind, int] = {"sqlite": 3, "postgres": 6}
"""The newest schema of the earlier shape, the only one that can be converted."""


@dataclass(frozen=True)
class Migration:
    """One step to schema `version`."""

    version: int
    name: str
    sql: str


@dataclass(frozen=True)
class Migrated:
    """What was done to bring a store up to date."""

    applied: tuple[str, ...]
    """The names of the migrations."""
    backup: str | None = None
    """The file, or the schema in the database, with the store as it was before."""


@cache
def known(kind: Kind = "sqlite") -> tuple[Migration, ...]:
    """This program's migrations, in order.

    >>> known()[0].name
    '0001_first'
    """
    steps = sorted(
        (
            Migration(_EARLIER + int(match[1]), match[0].removesuffix(".sql"), _sql(kind, file.name))
            for file in (files(__name__) / kind).iterdir()
            if (match := _NAME.fullmatch(file.name))
        ),
        key=lambda step: step.version,
    )
    numbers = [step.version - _EARLIER for step in steps]
    assert numbers == list(range(1, len(steps) + 1)), "a number is missing or double"
    return tuple(steps)


def _sql(kind: Kind, name: str) -> str:
    return (files(__name__) / kind / name).read_text(encoding="utf-8")


def newest(kind: Kind) -> int:
    """The schema that this program works with."""
    return known(kind)[-1].version


def steps_from(there: int, kind: Kind) -> Sequence[Migration]:
    """The steps that a store with this schema needs.

    >>> [step.name for step in steps_from(0, "sqlite")][0]
    '0001_first'
    >>> [step.name for step in steps_from(3, "sqlite")][0]
    'earlier_to_0001_first'
    """
    steps = known(kind)
    if there == _LAST_EARLIER[kind]:
        return _from_earlier(steps[0], kind), *steps[1:]
    return [step for step in steps if step.version > there]


def _from_earlier(first: Migration, kind: Kind) -> Migration:
    sql = _sql(kind, "earlier_before.sql") + first.sql + _sql(kind, "earlier_after.sql")
    return Migration(first.version, f"earlier_to_{first.name}", sql)


def is_earlier(there: int) -> bool:
    """True if a store with this schema has the earlier shape."""
    return 0 < there <= _EARLIER


def refuse_strange(path: str, got: int, kind: Kind) -> None:
    """Refuse a schema from a newer program, which may mean something else, or one too old to be known."""
    if got > newest(kind):
        raise StoreError("store-newer", path=path, got=got, expected=newest(kind))
    if is_earlier(got) and got != _LAST_EARLIER[kind]:
        raise StoreError("store-too-old", path=path, got=got)


def require_newest(path: str, got: int, kind: Kind) -> None:
    """Refuse every schema except the one that this program works with."""
    refuse_strange(path, got, kind)
    if got < newest(kind):
        raise MigrationNeeded(path, got, newest(kind))


def begin(mark: Ask) -> Program[None]:
    """Turn an empty database into a store; `mark` distinguishes it from other programs' databases."""
    yield Ask("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    yield mark


def apply_step(step: Migration) -> Program[None]:
    """One step, inside a transaction that keeps others from doing the same."""
    for statement in _statements(step.sql):
        yield Ask(statement)
    yield Ask("INSERT INTO schema_version (version, name) VALUES (?, ?)", (step.version, step.name))


def _statements(sql: str) -> Iterator[str]:
    """The statements of a file, one by one; running the whole script would commit first."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        # SQLite's parser works for both kinds: our files use no quoting that it doesn't know.
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
