"""What a store asks and changes, once for every kind of database.

Each function here is a program: it yields statements, is given their rows, and ends with its answer. SQLite's
runner and PostgreSQL's carry the same programs out, one in a thread and one on an event loop. Changes run
inside a transaction of the runner's. Parameters are written `?`; PostgreSQL's runner numbers them.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

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

_T = TypeVar("_T")


class Ask(NamedTuple):
    """One statement. `values` are its parameters, or with `many` a sequence of them, one for each run."""

    sql: str
    values: Sequence[Any] = ()
    many: bool = False


Rows: TypeAlias = Sequence[Sequence[Any]]
Program: TypeAlias = Generator[Ask, Rows, _T]

TABLE = "game, code, variant, seats, status, public, created, updated, open_places, name"
ENTRY = "game, seq, time, kind, move_id, data"
_CREDENTIAL = "token_hash, game, role, place, device_hash, created"
_RESULT = "device_hash, variant, seats, game, number, lowest, total, time"
_MOVE = "SELECT seq FROM log WHERE game = ? AND move_id = ?"
_UPDATED = TABLE.split(", ").index("updated")
_ALL = 2**62
"""A limit that no table reaches."""


def append(
    game: str,
    first_seq: int,
    entries: Sequence[NewEntry],
    row: TableRow | None,
    credentials: Sequence[Credential],
    result: Result | None = None,
) -> Program[None]:
    """All of an append, after every reason to refuse it has been looked for."""
    yield from _refuse_duplicates(game, first_seq, entries)
    ((last,),) = yield Ask("SELECT coalesce(max(seq), 0) FROM log WHERE game = ?", (game,))
    if first_seq != last + 1:
        raise SequenceConflict(game, last + 1)
    if row is not None:
        yield from _put_row(row)
    elif last == 0 and (yield from table(game)) is None:
        raise UnknownTable(game)
    if entries:
        yield Ask(
            f"INSERT INTO log ({ENTRY}) VALUES (?, ?, ?, ?, ?, ?)",
            [(game, seq, e.time, e.kind, e.move_id, e.data) for seq, e in enumerate(entries, first_seq)],
            many=True,
        )
    for credential in credentials:
        yield _put_credential(credential)
    if result is not None:
        yield from add_result(result)


def _refuse_duplicates(game: str, first_seq: int, entries: Sequence[NewEntry]) -> Program[None]:
    seen: dict[str, int] = {}
    for seq, entry in enumerate(entries, first_seq):
        if entry.move_id is None:
            continue
        found = yield Ask(_MOVE, (game, entry.move_id))
        before = found[0][0] if found else seen.get(entry.move_id)
        if before is not None:
            raise DuplicateMove(game, entry.move_id, before)
        seen[entry.move_id] = seq


def _put_row(row: TableRow) -> Program[None]:
    now, found = columns(row), (yield Ask(f"SELECT {TABLE} FROM tables WHERE game = ?", (row.game,)))
    if found and _but_updated(found[0]) == _but_updated(now):
        # What a move changes. Naming more columns would write every index anew, at thrice the cost.
        yield Ask("UPDATE tables SET updated = ? WHERE game = ?", (row.updated, row.game))
        return
    if row.status in LIVE:
        taken = yield Ask(
            "SELECT 1 FROM tables WHERE code = ? AND status IN ('open', 'running') AND game <> ?",
            (row.code, row.game),
        )
        if taken:
            raise CodeTaken(row.code)
    yield Ask(
        f"INSERT INTO tables ({TABLE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (game) DO UPDATE SET code = excluded.code, variant = excluded.variant,"
        " seats = excluded.seats, status = excluded.status, public = excluded.public,"
        " created = excluded.created, updated = excluded.updated, open_places = excluded.open_places,"
        " name = excluded.name",
        now,
    )


def _but_updated(columns: Sequence[Any]) -> tuple[Any, ...]:
    return (*columns[:_UPDATED], *columns[_UPDATED + 1 :])


def columns(row: TableRow) -> tuple[Any, ...]:
    """A row as `TABLE` names its columns."""
    return (
        *(row.game, row.code, row.variant, row.seats, row.status),
        *(int(row.public), row.created, row.updated, row.open_places, row.name),
    )


def _put_credential(new: Credential) -> Ask:
    return Ask(
        f"INSERT INTO credentials ({_CREDENTIAL}) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (token_hash, game, role, coalesce(place, -1))"
        " DO UPDATE SET device_hash = excluded.device_hash, created = excluded.created",
        (new.token_hash, new.game, new.role, new.place, new.device_hash, new.created),
    )


def read(game: str, after: int, limit: int | None) -> Program[list[StoredEntry]]:
    found = yield Ask(
        f"SELECT {ENTRY} FROM log WHERE game = ? AND seq > ? ORDER BY seq LIMIT ?",
        (game, after, _ALL if limit is None else limit),
    )
    return [StoredEntry(*columns) for columns in found]


def move(game: str, move_id: str) -> Program[int | None]:
    found = yield Ask(_MOVE, (game, move_id))
    return int(found[0][0]) if found else None


def _rows(rest: str, values: Sequence[Any]) -> Program[list[TableRow]]:
    found = yield Ask(f"SELECT {TABLE} FROM tables {rest}", values)
    return [_table_row(columns) for columns in found]


def _table_row(columns: Sequence[Any]) -> TableRow:
    game, code, variant, seats, status, public, created, updated, open_places, name = columns
    return TableRow(game, code, variant, seats, status, bool(public), created, updated, open_places, name)


def table(game: str) -> Program[TableRow | None]:
    return next(iter((yield from _rows("WHERE game = ?", (game,)))), None)


def table_by_code(code: str) -> Program[TableRow | None]:
    order = "ORDER BY CASE WHEN status IN ('open', 'running') THEN 0 ELSE 1 END, created DESC, game DESC"
    return next(iter((yield from _rows(f"WHERE code = ? {order} LIMIT 1", (code,)))), None)


def tables(
    status: Status | None, public: bool | None, limit: int, before: tuple[int, str] | None
) -> Program[list[TableRow]]:
    wanted: list[tuple[str, Sequence[object]]] = []
    if status is not None:
        wanted.append(("status = ?", (status,)))
    if public is not None:
        wanted.append(("public = ?", (int(public),)))
    if before is not None:
        wanted.append(("(created, game) < (?, ?)", before))
    where = f"WHERE {' AND '.join(condition for condition, _ in wanted)} " if wanted else ""
    values = [value for _, given in wanted for value in given]
    return (yield from _rows(f"{where}ORDER BY created DESC, game DESC LIMIT ?", [*values, limit]))


def games_of(device_hash: bytes, limit: int) -> Program[list[TableRow]]:
    held = "WHERE game IN (SELECT game FROM credentials WHERE device_hash = ?)"
    return (yield from _rows(f"{held} ORDER BY updated DESC, game DESC LIMIT ?", (device_hash, limit)))


def stale(status: Status, updated_before: int, limit: int) -> Program[list[TableRow]]:
    old = "WHERE status = ? AND updated < ? ORDER BY updated, game LIMIT ?"
    return (yield from _rows(old, (status, updated_before, limit)))


def count_live(updated_after: int) -> Program[int]:
    wanted = "status IN ('open', 'running') AND updated > ?"
    ((count,),) = yield Ask(f"SELECT count(*) FROM tables WHERE {wanted}", (updated_after,))
    return int(count)


def delete(game: str) -> Program[None]:
    # Log, credentials and snapshot refer to the table and go with it.
    yield Ask("DELETE FROM tables WHERE game = ?", (game,))


def credential(token_hash: bytes) -> Program[list[Credential]]:
    found = yield Ask(
        f"SELECT {_CREDENTIAL} FROM credentials WHERE token_hash = ?"
        " ORDER BY created, game, role, place NULLS FIRST",
        (token_hash,),
    )
    return [Credential(*columns) for columns in found]


def credentials_of(game: str) -> Program[list[Credential]]:
    found = yield Ask(
        f"SELECT {_CREDENTIAL} FROM credentials WHERE game = ?"
        " ORDER BY created, role, place NULLS FIRST, token_hash",
        (game,),
    )
    return [Credential(*columns) for columns in found]


def revoke(token_hash: bytes, game: str) -> Program[None]:
    yield Ask("DELETE FROM credentials WHERE token_hash = ? AND game = ?", (token_hash, game))


def ban(kind: BanKind, key_hash: bytes, until: int | None) -> Program[None]:
    yield Ask(
        "INSERT INTO bans (kind, key_hash, until) VALUES (?, ?, ?)"
        " ON CONFLICT (key_hash, kind) DO UPDATE SET until = excluded.until",
        (kind, key_hash, until),
    )


def unban(kind: BanKind, key_hash: bytes) -> Program[None]:
    yield Ask("DELETE FROM bans WHERE key_hash = ? AND kind = ?", (key_hash, kind))


def banned(key_hash: bytes, now: int) -> Program[bool]:
    holds = "SELECT 1 FROM bans WHERE key_hash = ? AND (until IS NULL OR until > ?)"
    return bool((yield Ask(holds, (key_hash, now))))


def bans() -> Program[list[Ban]]:
    found = yield Ask("SELECT kind, key_hash, until FROM bans ORDER BY key_hash, kind")
    return [Ban(*columns) for columns in found]


def add_result(new: Result) -> Program[None]:
    yield Ask(
        f"INSERT INTO results ({_RESULT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (device_hash, game, number) DO NOTHING",
        (new.device_hash, new.variant, new.seats, new.game, new.number, new.lowest, new.total, new.time),
    )


def results(device_hash: bytes, variant: str, limit: int) -> Program[list[Result]]:
    found = yield Ask(
        f"SELECT {_RESULT} FROM results WHERE device_hash = ? AND variant = ?"
        " ORDER BY lowest DESC, total DESC, time, game, number LIMIT ?",
        (device_hash, variant, limit),
    )
    return [Result(*columns) for columns in found]


def all_results(after: Result | None, limit: int) -> Program[list[Result]]:
    # No hash is empty, so this is before everything.
    key = (b"", "", 0) if after is None else (after.device_hash, after.game, after.number)
    found = yield Ask(
        f"SELECT {_RESULT} FROM results WHERE (device_hash, game, number) > (?, ?, ?)"
        " ORDER BY device_hash, game, number LIMIT ?",
        (*key, limit),
    )
    return [Result(*columns) for columns in found]


def put_snapshot(game: str, seq: int, data: bytes) -> Program[None]:
    if (yield from table(game)) is None:
        return
    yield Ask(
        "INSERT INTO snapshots (game, seq, data) VALUES (?, ?, ?)"
        " ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, data = excluded.data"
        " WHERE excluded.seq >= snapshots.seq",
        (game, seq, data),
    )


def snapshot(game: str) -> Program[tuple[int, bytes] | None]:
    found = yield Ask("SELECT seq, data FROM snapshots WHERE game = ?", (game,))
    return (found[0][0], found[0][1]) if found else None
