"""The SQL of the store, one function for each question or change, on a plain connection.

Changes run inside a transaction of the caller's. PostgreSQL takes the same ones, differently quoted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from genial.server.store.errors import CodeTaken, DuplicateMove, SequenceConflict, UnknownTable
from genial.server.store.interface import (
    LIVE,
    Ban,
    BanKind,
    Credential,
    NewEntry,
    Result,
    Status,
    StoredEntry,
    TableRow,
)

_TABLE = "game, code, variant, seats, status, public, created, updated, open_places, name"
_ENTRY = "game, seq, time, kind, move_id, data"
_CREDENTIAL = "token_hash, game, role, place, device_hash, created"
_RESULT = "device_hash, variant, seats, game, number, lowest, total, time"


def append(
    connection: sqlite3.Connection,
    game: str,
    first_seq: int,
    entries: Sequence[NewEntry],
    row: TableRow | None,
    credentials: Sequence[Credential],
) -> None:
    """All of an append, after every reason to refuse it has been looked for."""
    _refuse_duplicates(connection, game, first_seq, entries)
    (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM log WHERE game = ?", (game,)).fetchone()
    if first_seq != last + 1:
        raise SequenceConflict(game, last + 1)
    if row is not None:
        _put_row(connection, row)
    elif last == 0 and table(connection, game) is None:
        raise UnknownTable(game)
    connection.executemany(
        f"INSERT INTO log ({_ENTRY}) VALUES (?, ?, ?, ?, ?, ?)",
        [(game, seq, e.time, e.kind, e.move_id, e.data) for seq, e in enumerate(entries, first_seq)],
    )
    for credential in credentials:
        _put_credential(connection, credential)


def _refuse_duplicates(
    connection: sqlite3.Connection, game: str, first_seq: int, entries: Sequence[NewEntry]
) -> None:
    seen: dict[str, int] = {}
    for seq, entry in enumerate(entries, first_seq):
        if entry.move_id is None:
            continue
        before = move(connection, game, entry.move_id) or seen.get(entry.move_id)
        if before is not None:
            raise DuplicateMove(game, entry.move_id, before)
        seen[entry.move_id] = seq


def _put_row(connection: sqlite3.Connection, row: TableRow) -> None:
    before = table(connection, row.game)
    if before is not None and replace(before, updated=row.updated) == row:
        # What a move changes. Naming more columns would write every index anew, at thrice the cost.
        connection.execute("UPDATE tables SET updated = ? WHERE game = ?", (row.updated, row.game))
        return
    if row.status in LIVE:
        taken = connection.execute(
            "SELECT 1 FROM tables WHERE code = ? AND status IN ('open', 'running') AND game <> ?",
            (row.code, row.game),
        ).fetchone()
        if taken:
            raise CodeTaken(row.code)
    connection.execute(
        f"INSERT INTO tables ({_TABLE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (game) DO UPDATE SET code = excluded.code, variant = excluded.variant,"
        " seats = excluded.seats, status = excluded.status, public = excluded.public,"
        " created = excluded.created, updated = excluded.updated, open_places = excluded.open_places,"
        " name = excluded.name",
        (
            *(row.game, row.code, row.variant, row.seats, row.status),
            *(row.public, row.created, row.updated, row.open_places, row.name),
        ),
    )


def _put_credential(connection: sqlite3.Connection, new: Credential) -> None:
    connection.execute(
        f"INSERT INTO credentials ({_CREDENTIAL}) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (token_hash, game, role, coalesce(place, -1))"
        " DO UPDATE SET device_hash = excluded.device_hash, created = excluded.created",
        (new.token_hash, new.game, new.role, new.place, new.device_hash, new.created),
    )


def read(connection: sqlite3.Connection, game: str, after: int, limit: int | None) -> list[StoredEntry]:
    found = connection.execute(
        f"SELECT {_ENTRY} FROM log WHERE game = ? AND seq > ? ORDER BY seq LIMIT ?",
        (game, after, -1 if limit is None else limit),
    )
    return [StoredEntry(*columns) for columns in found]


def move(connection: sqlite3.Connection, game: str, move_id: str) -> int | None:
    found = connection.execute(
        "SELECT seq FROM log WHERE game = ? AND move_id = ?", (game, move_id)
    ).fetchone()
    return None if found is None else int(found[0])


def _rows(connection: sqlite3.Connection, rest: str, values: Sequence[Any]) -> list[TableRow]:
    found = connection.execute(f"SELECT {_TABLE} FROM tables {rest}", values)
    return [_table_row(columns) for columns in found]


def _table_row(columns: Sequence[Any]) -> TableRow:
    game, code, variant, seats, status, public, created, updated, open_places, name = columns
    return TableRow(game, code, variant, seats, status, bool(public), created, updated, open_places, name)


def table(connection: sqlite3.Connection, game: str) -> TableRow | None:
    return next(iter(_rows(connection, "WHERE game = ?", (game,))), None)


def table_by_code(connection: sqlite3.Connection, code: str) -> TableRow | None:
    order = "ORDER BY CASE WHEN status IN ('open', 'running') THEN 0 ELSE 1 END, created DESC, game DESC"
    return next(iter(_rows(connection, f"WHERE code = ? {order} LIMIT 1", (code,))), None)


def tables(
    connection: sqlite3.Connection,
    status: Status | None,
    public: bool | None,
    limit: int,
    before: tuple[int, str] | None,
) -> list[TableRow]:
    wanted: list[tuple[str, Sequence[object]]] = []
    if status is not None:
        wanted.append(("status = ?", (status,)))
    if public is not None:
        wanted.append(("public = ?", (public,)))
    if before is not None:
        wanted.append(("(created, game) < (?, ?)", before))
    where = f"WHERE {' AND '.join(condition for condition, _ in wanted)} " if wanted else ""
    values = [value for _, given in wanted for value in given]
    return _rows(connection, f"{where}ORDER BY created DESC, game DESC LIMIT ?", [*values, limit])


def games_of(connection: sqlite3.Connection, device_hash: bytes, limit: int) -> list[TableRow]:
    held = "WHERE game IN (SELECT game FROM credentials WHERE device_hash = ?)"
    return _rows(connection, f"{held} ORDER BY updated DESC, game DESC LIMIT ?", (device_hash, limit))


def stale(connection: sqlite3.Connection, status: Status, updated_before: int, limit: int) -> list[TableRow]:
    old = "WHERE status = ? AND updated < ? ORDER BY updated, game LIMIT ?"
    return _rows(connection, old, (status, updated_before, limit))


def delete(connection: sqlite3.Connection, game: str) -> None:
    # Log, credentials and snapshot refer to the table and go with it.
    connection.execute("DELETE FROM tables WHERE game = ?", (game,))


def credential(connection: sqlite3.Connection, token_hash: bytes) -> list[Credential]:
    found = connection.execute(
        f"SELECT {_CREDENTIAL} FROM credentials WHERE token_hash = ? ORDER BY created, game, role, place",
        (token_hash,),
    )
    return [Credential(*columns) for columns in found]


def credentials_of(connection: sqlite3.Connection, game: str) -> list[Credential]:
    found = connection.execute(
        f"SELECT {_CREDENTIAL} FROM credentials WHERE game = ? ORDER BY created, role, place, token_hash",
        (game,),
    )
    return [Credential(*columns) for columns in found]


def revoke(connection: sqlite3.Connection, token_hash: bytes, game: str) -> None:
    connection.execute("DELETE FROM credentials WHERE token_hash = ? AND game = ?", (token_hash, game))


def ban(connection: sqlite3.Connection, kind: BanKind, key_hash: bytes, until: int | None) -> None:
    connection.execute(
        "INSERT INTO bans (kind, key_hash, until) VALUES (?, ?, ?)"
        " ON CONFLICT (key_hash, kind) DO UPDATE SET until = excluded.until",
        (kind, key_hash, until),
    )


def unban(connection: sqlite3.Connection, kind: BanKind, key_hash: bytes) -> None:
    connection.execute("DELETE FROM bans WHERE key_hash = ? AND kind = ?", (key_hash, kind))


def banned(connection: sqlite3.Connection, key_hash: bytes, now: int) -> bool:
    holds = "SELECT 1 FROM bans WHERE key_hash = ? AND (until IS NULL OR until > ?)"
    return connection.execute(holds, (key_hash, now)).fetchone() is not None


def bans(connection: sqlite3.Connection) -> list[Ban]:
    found = connection.execute("SELECT kind, key_hash, until FROM bans ORDER BY key_hash, kind")
    return [Ban(*columns) for columns in found]


def add_result(connection: sqlite3.Connection, new: Result) -> None:
    connection.execute(
        f"INSERT INTO results ({_RESULT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (device_hash, game, number) DO NOTHING",
        (new.device_hash, new.variant, new.seats, new.game, new.number, new.lowest, new.total, new.time),
    )


def results(connection: sqlite3.Connection, device_hash: bytes, variant: str, limit: int) -> list[Result]:
    found = connection.execute(
        f"SELECT {_RESULT} FROM results WHERE device_hash = ? AND variant = ?"
        " ORDER BY lowest DESC, total DESC, time, game, number LIMIT ?",
        (device_hash, variant, limit),
    )
    return [Result(*columns) for columns in found]


def all_results(connection: sqlite3.Connection, after: Result | None, limit: int) -> list[Result]:
    # No hash is empty, so this is before everything.
    key = (b"", "", 0) if after is None else (after.device_hash, after.game, after.number)
    found = connection.execute(
        f"SELECT {_RESULT} FROM results WHERE (device_hash, game, number) > (?, ?, ?)"
        " ORDER BY device_hash, game, number LIMIT ?",
        (*key, limit),
    )
    return [Result(*columns) for columns in found]


def put_snapshot(connection: sqlite3.Connection, game: str, seq: int, data: bytes) -> None:
    connection.execute(
        "INSERT INTO snapshots (game, seq, data) SELECT game, ?, ? FROM tables WHERE game = ?"
        " ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, data = excluded.data"
        " WHERE excluded.seq >= snapshots.seq",
        (seq, data, game),
    )


def snapshot(connection: sqlite3.Connection, game: str) -> tuple[int, bytes] | None:
    found = connection.execute("SELECT seq, data FROM snapshots WHERE game = ?", (game,)).fetchone()
    return None if found is None else (found[0], found[1])
