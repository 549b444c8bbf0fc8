"""Tables, entries and appends to put into stores."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from genial.server.store import migrations
from genial.server.store.migrations import Kind, Migration
from genial.server.tables.store import Append, NewEntry, Result, Sat, Status, StoredEntry, TableRow


def entry(number: int, move_id: str | None = None) -> NewEntry:
    return NewEntry(1_000 + number, "event", move_id, b'{"number": %d}' % number)


def entries(first: int, last: int) -> list[NewEntry]:
    return [entry(number, f"m{number}") for number in range(first, last + 1)]


def stored(table_id: str, seq: int, new: NewEntry) -> StoredEntry:
    return StoredEntry(table_id, seq, new.time, new.kind, new.move_id, new.data)


def row(
    table_id: str, *, code: str | None = None, status: Status = "open", public: bool = True, time: int = 1_000
) -> TableRow:
    name = f"Table of {table_id}"
    return TableRow(table_id, code or f"code-{table_id}", "classic", 2, status, public, time, time, 1, name)


def append(
    table_id: str,
    first_seq: int,
    new: Sequence[NewEntry],
    put: TableRow | None = None,
    *,
    updated: int = 1_000,
    sat: Sat | None = None,
    result: Result | None = None,
) -> Append:
    """An append, with its row's time if it has a row."""
    return Append(table_id, first_seq, new, put.updated if put else updated, put, sat, result)


def sat(table_id: str, device: bytes = b"device", since: int = 1_000) -> Sat:
    return Sat(table_id, device, since)


def result(lowest: int, total: int, *, table_id: str = "solo", number: int = 1, time: int = 1_000) -> Result:
    return Result(b"device", "classic-solo", 1, table_id, number, lowest, total, time)


def with_one_more(program: pytest.MonkeyPatch, step: Migration, kind: Kind = "sqlite") -> None:
    """Make it a program that knows one more migration."""
    steps = (*migrations.known(kind), step)
    program.setattr(migrations, "known", lambda _: steps)
