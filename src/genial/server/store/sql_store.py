"""A store in an SQL database: its methods are programs, which each kind of database runs in its own way."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from genial.server.store.analyses import AnalysesStore
from genial.server.store.programs import Ask, Program, reads, writes
from genial.server.tables.store import (
    Append,
    Ban,
    BanKind,
    Result,
    Sat,
    Secret,
    Status,
    StoredEntry,
    TableRow,
)
from genial.server.tables.store_errors import CodeTaken, DuplicateMove, SequenceConflict, UnknownTable

ENTRY = "table_id, seq, time, kind, move_id, data"
_TABLE = "table_id, code, variant, seats, status, public, created, updated, open_places, name"
_RESULT = "device_hash, variant, seats, table_id, number, lowest, total, time"
_LIVE = "status IN ('open', 'running')"
"""The tables whose join codes are in use."""
_PROBE_KEPT = 3_600_000
_ALL = 2**62
"""Greater than any limit or time."""

MOVE_ON = "UPDATE tables SET updated = ?, last_seq = ? WHERE table_id = ?"
PUT_ENTRY = f"INSERT INTO log ({ENTRY}) VALUES (?, ?, ?, ?, ?, ?)"


class SqlStore(AnalysesStore):
    """The log of every table, its index, and what is kept by device.

    When a method returns, its work is durable. When it raises, nothing was changed, with one exception: after
    the codes `store-failed`, `store-damaged` and `store-away` of an append, read before going on, because a
    failing disk or a lost connection doesn't say what was kept. Cancelling a caller doesn't undo what it
    asked for. Every writing method raises StoreBusy when too much is waiting.
    """

    @abstractmethod
    async def append(self, append: Append) -> None:
        """Append entries, and write what comes with them: all or nothing.

        A table's first append brings its row. Without entries only the rest is written, still provided that
        `first_seq` is the next number. Of several reasons to refuse, the first of these is raised:
        DuplicateMove, SequenceConflict, UnknownTable, CodeTaken.
        """

    @abstractmethod
    async def backup(self, path: str | Path) -> None:
        """Write the store as of one moment into a separate file, while it keeps working."""

    @abstractmethod
    async def close(self) -> None:
        """Write what is waiting, then close. A second call does nothing."""

    # Tables and their logs

    @reads
    def read(self, table_id: str, after: int = 0, limit: int | None = None) -> Program[list[StoredEntry]]:
        """A table's entries with numbers above `after`, in order."""
        entries = yield Ask(
            f"SELECT {ENTRY} FROM log WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            (table_id, after, _ALL if limit is None else limit),
        )
        return [StoredEntry(*columns) for columns in entries]

    @reads
    def move(self, table_id: str, move_id: str) -> Program[int | None]:
        """The number of the entry with this move id."""
        return (yield from _move(table_id, move_id))

    @reads
    def table(self, table_id: str) -> Program[TableRow | None]:
        """One table."""
        return next(iter((yield from _tables("WHERE table_id = ?", (table_id,)))), None)

    @reads
    def table_by_code(self, code: str) -> Program[TableRow | None]:
        """The open or running table with this code; if there is none, the newest that had it."""
        order = f"ORDER BY CASE WHEN {_LIVE} THEN 0 ELSE 1 END, created DESC, table_id DESC"
        return next(iter((yield from _tables(f"WHERE code = ? {order} LIMIT 1", (code,)))), None)

    @reads
    def tables(
        self,
        status: Status | None = None,
        public: bool | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
    ) -> Program[list[TableRow]]:
        """Tables, newest first; `before` is the `cursor` of the last row on the page before."""
        wanted: list[tuple[str, Sequence[object]]] = []
        if status is not None:
            wanted.append(("status = ?", (status,)))
        if public is not None:
            wanted.append(("public = ?", (int(public),)))
        if before is not None:
            wanted.append(("(created, table_id) < (?, ?)", before))
        where = f"WHERE {' AND '.join(condition for condition, _ in wanted)} " if wanted else ""
        values = [value for _, given in wanted for value in given]
        return (yield from _tables(f"{where}ORDER BY created DESC, table_id DESC LIMIT ?", [*values, limit]))

    @reads
    def stale(self, status: Status, updated_before: int, limit: int = 100) -> Program[list[TableRow]]:
        """Tables with this status that nothing has touched since, oldest first."""
        old = "WHERE status = ? AND updated < ? ORDER BY updated, table_id LIMIT ?"
        return (yield from _tables(old, (status, updated_before, limit)))

    @reads
    def newest(self, statuses: Sequence[Status], until: int = _ALL) -> Program[int | None]:
        """When a table with one of these statuses was last touched, up to `until`; None if there is none."""
        last = "SELECT max(updated) FROM tables WHERE status = ? AND updated <= ?"
        found: list[int] = []
        for status in statuses:  # one at a time, each is an index lookup
            rows = yield Ask(last, (status, until))
            found += [updated for (updated,) in rows if updated is not None]
        return max(found, default=None)

    @reads
    def count_live(self, updated_after: int) -> Program[int]:
        """The number of open or running tables touched since."""
        count = f"SELECT count(*) FROM tables WHERE {_LIVE} AND updated > ?"
        ((tables,),) = yield Ask(count, (updated_after,))
        return int(tables)

    @writes
    def delete(self, table_id: str) -> Program[None]:
        """Delete a table with its log and the list of who sat at it. Solo results stay with their devices."""
        yield Ask("DELETE FROM tables WHERE table_id = ?", (table_id,))  # rows that refer to it go with it

    # Devices

    @reads
    def tables_of(
        self,
        device_hash: bytes,
        limit: int = 100,
        *,
        begun: bool = False,
        before: tuple[int, str] | None = None,
    ) -> Program[list[TableRow]]:
        """The tables where this device sat, latest touched first; with `begun`, only those with a game.

        `before` is the time and the id of the last row on the page before.
        """
        where = "WHERE table_id IN (SELECT table_id FROM sat WHERE device_hash = ?)"
        values: list[object] = [device_hash]
        if begun:
            where += " AND status <> 'open'"
        if before is not None:
            where += " AND (updated, table_id) < (?, ?)"
            values += before
        newest = "ORDER BY updated DESC, table_id DESC LIMIT ?"
        return (yield from _tables(f"{where} {newest}", (*values, limit)))

    @reads
    def sat_at(self, device_hash: bytes, table_id: str) -> Program[bool]:
        """True if this device sat at this table, or set it up."""
        sat = "SELECT 1 FROM sat WHERE device_hash = ? AND table_id = ?"
        return bool((yield Ask(sat, (device_hash, table_id))))

    @reads
    def sat_of(self, table_id: str) -> Program[list[Sat]]:
        """All devices that sat at a table, earliest first."""
        rows = yield Ask(
            "SELECT table_id, device_hash, since FROM sat WHERE table_id = ? ORDER BY since, device_hash",
            (table_id,),
        )
        return [Sat(*columns) for columns in rows]

    @writes
    def ban(self, kind: BanKind, key_hash: bytes, until: int | None) -> Program[None]:
        """Ban a device or address; a second ban of the same key replaces the first."""
        yield Ask(
            "INSERT INTO bans (kind, key_hash, until) VALUES (?, ?, ?)"
            " ON CONFLICT (key_hash, kind) DO UPDATE SET until = excluded.until",
            (kind, key_hash, until),
        )

    @writes
    def unban(self, kind: BanKind, key_hash: bytes) -> Program[None]:
        """Lift a ban."""
        yield Ask("DELETE FROM bans WHERE key_hash = ? AND kind = ?", (key_hash, kind))

    @reads
    def banned(self, key_hash: bytes, now: int) -> Program[bool]:
        """True if a ban of this key, of either kind, is in force at this time."""
        holds = "SELECT 1 FROM bans WHERE key_hash = ? AND (until IS NULL OR until > ?)"
        return bool((yield Ask(holds, (key_hash, now))))

    @reads
    def bans(self) -> Program[list[Ban]]:
        """All bans, including expired ones."""
        rows = yield Ask("SELECT kind, key_hash, until FROM bans ORDER BY key_hash, kind")
        return [Ban(*columns) for columns in rows]

    # Health

    async def probe(self, key: str, now: int) -> bool:
        """True if what is written can be read back, on the usual paths; raises if those fail."""
        await self._put_probe(key, now)
        return await self._has_probe(key, now)

    @writes
    def _put_probe(self, key: str, now: int) -> Program[None]:
        yield Ask("DELETE FROM probes WHERE time < ?", (now - _PROBE_KEPT,))  # of processes that have ended
        yield Ask(
            "INSERT INTO probes (key, time) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET time = excluded.time",
            (key, now),
        )

    @reads
    def _has_probe(self, key: str, now: int) -> Program[bool]:
        # Walk both large trees from the root to a leaf: damage shows there first.
        yield Ask("SELECT status FROM tables ORDER BY table_id DESC LIMIT 1")
        yield Ask("SELECT kind FROM log ORDER BY table_id DESC, seq DESC LIMIT 1")
        return bool((yield Ask("SELECT 1 FROM probes WHERE key = ? AND time = ?", (key, now))))

    # The server's own secrets

    @writes
    def keep_secret(self, name: str, value: bytes) -> Program[bytes]:
        """Keep a secret under this name, unless there is one already. Returns the one that is kept."""
        yield Ask("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, value))
        ((kept,),) = yield Ask("SELECT value FROM secrets WHERE name = ?", (name,))
        return bytes(kept)

    @writes
    def put_secret(self, secret: Secret) -> Program[None]:
        """Keep a secret, replacing one of the same name: for a copy of the store."""
        yield Ask(
            "INSERT INTO secrets (name, value) VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            astuple(secret),
        )

    @reads
    def secrets(self) -> Program[list[Secret]]:
        """All secrets, for a copy of the store."""
        rows = yield Ask("SELECT name, value FROM secrets ORDER BY name")
        return [Secret(*columns) for columns in rows]

    # Results

    @writes
    def add_result(self, result: Result) -> Program[None]:
        """Keep a solo result; one already there, by table, number and device, is left as it is."""
        yield _put_result(result)

    @reads
    def results(self, device_hash: bytes, variant: str, limit: int = 100) -> Program[list[Result]]:
        """A device's results, best first: by lowest colour, then by total, then older first."""
        rows = yield Ask(
            f"SELECT {_RESULT} FROM results WHERE device_hash = ? AND variant = ?"
            " ORDER BY lowest DESC, total DESC, time, table_id, number LIMIT ?",
            (device_hash, variant, limit),
        )
        return [Result(*columns) for columns in rows]

    @reads
    def all_results(self, after: Result | None = None, limit: int = 1000) -> Program[list[Result]]:
        """Everyone's results, page by page, for a copy of the store; `after` is the last of a page."""
        # No hash is empty, so this comes before everything.
        key = (b"", "", 0) if after is None else (after.device_hash, after.table_id, after.number)
        rows = yield Ask(
            f"SELECT {_RESULT} FROM results WHERE (device_hash, table_id, number) > (?, ?, ?)"
            " ORDER BY device_hash, table_id, number LIMIT ?",
            (*key, limit),
        )
        return [Result(*columns) for columns in rows]


def appended(append: Append) -> Program[None]:
    """Any append, after checking every reason to refuse it. Plain moves usually take a shorter way."""
    yield from _refuse_duplicates(append)
    last = yield Ask("SELECT last_seq FROM tables WHERE table_id = ?", (append.table_id,))
    expected = last[0][0] + 1 if last else 1
    if append.first_seq != expected:
        raise SequenceConflict(append.table_id, expected)
    if append.row is not None:
        yield from _put_row(append.row, append.last_seq)
    elif last:
        yield Ask(MOVE_ON, (append.updated, append.last_seq, append.table_id))
    else:
        raise UnknownTable(append.table_id)
    if append.entries:
        yield Ask(PUT_ENTRY, numbered_entries(append), many=True)
    if append.sat is not None:
        put = "INSERT INTO sat (table_id, device_hash, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        yield Ask(put, astuple(append.sat))
    if append.result is not None:
        yield _put_result(append.result)


def numbered_entries(append: Append) -> list[tuple[Any, ...]]:
    """An append's entries, with the columns of `ENTRY`."""
    return [
        (append.table_id, seq, entry.time, entry.kind, entry.move_id, entry.data)
        for seq, entry in enumerate(append.entries, append.first_seq)
    ]


def _refuse_duplicates(append: Append) -> Program[None]:
    seen: dict[str, int] = {}
    for seq, entry in enumerate(append.entries, append.first_seq):
        if entry.move_id is None:
            continue
        before = yield from _move(append.table_id, entry.move_id)
        before = seen.get(entry.move_id) if before is None else before
        if before is not None:
            raise DuplicateMove(append.table_id, entry.move_id, before)
        seen[entry.move_id] = seq


def _move(table_id: str, move_id: str) -> Program[int | None]:
    rows = yield Ask("SELECT seq FROM log WHERE table_id = ? AND move_id = ?", (table_id, move_id))
    return int(rows[0][0]) if rows else None


def _put_row(row: TableRow, last_seq: int) -> Program[None]:
    if row.status in ("open", "running"):
        others = f"SELECT 1 FROM tables WHERE code = ? AND {_LIVE} AND table_id <> ?"
        if (yield Ask(others, (row.code, row.table_id))):
            raise CodeTaken(row.code)
    columns = f"{_TABLE}, last_seq".split(", ")
    new = ", ".join(f"{name} = excluded.{name}" for name in columns[1:])
    yield Ask(
        f"INSERT INTO tables ({', '.join(columns)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        f" ON CONFLICT (table_id) DO UPDATE SET {new}",
        (
            *(row.table_id, row.code, row.variant, row.seats, row.status, int(row.public)),
            *(row.created, row.updated, row.open_places, row.name, last_seq),
        ),
    )


def _tables(rest: str, values: Sequence[Any]) -> Program[list[TableRow]]:
    rows = yield Ask(f"SELECT {_TABLE} FROM tables {rest}", values)
    return [_table_row(*columns) for columns in rows]


def _table_row(
    table_id: str, code: str, variant: str, seats: int, status: Status, public: int, *rest: Any
) -> TableRow:
    return TableRow(table_id, code, variant, seats, status, bool(public), *rest)


def _put_result(result: Result) -> Ask:
    put = f"INSERT INTO results ({_RESULT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    return Ask(put, astuple(result))
