"""The programs for analyses: begun once for each game, gone on with by one process at a time, bounded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import astuple

from genial.server.store.interface import StoredAnalysis
from genial.server.store.statements import Ask, Program, Rows

_COLUMNS = "id, key, record, made, thinker, done, choices, data"


def begin(new: StoredAnalysis, most: int, living: Collection[str]) -> Program[StoredAnalysis | None]:
    found = yield Ask(f"SELECT {_COLUMNS} FROM analyses WHERE key = ?", (new.key,))
    if found:
        return StoredAnalysis(*found[0])
    ((count,),) = yield Ask("SELECT count(*) FROM analyses")
    for _ in range(count - most + 1):
        if (spare := (yield from _spare(living))) is None:
            return None
        yield Ask("DELETE FROM analyses WHERE id = ?", (spare,))
    yield Ask(f"INSERT INTO analyses ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", astuple(new))
    return new


def _spare(living: Collection[str]) -> Program[str | None]:
    """The oldest that is done; if none is, the oldest that nobody goes on with."""
    found: Rows = yield Ask("SELECT id FROM analyses WHERE done = choices ORDER BY made, id LIMIT 1")
    if not found:
        marks = ", ".join("?" * len(living))
        left = f"SELECT id FROM analyses WHERE thinker NOT IN ({marks}) ORDER BY made, id LIMIT 1"
        found = yield Ask(left, tuple(living))
    return str(found[0][0]) if found else None


def one(analysis: str) -> Program[StoredAnalysis | None]:
    found = yield Ask(f"SELECT {_COLUMNS} FROM analyses WHERE id = ?", (analysis,))
    return StoredAnalysis(*found[0]) if found else None


def take(analysis: str, before: str, thinker: str) -> Program[bool]:
    is_theirs = yield from _is_of(analysis, before)
    if is_theirs:
        yield Ask("UPDATE analyses SET thinker = ? WHERE id = ?", (thinker, analysis))
    return is_theirs


def put(analysis: str, thinker: str, done: int, data: bytes) -> Program[bool]:
    is_mine = yield from _is_of(analysis, thinker)
    if is_mine:
        # Who has thought about everything needs the record no more.
        record = "CASE WHEN choices > ? THEN record ELSE ? END"
        put = f"UPDATE analyses SET done = ?, data = ?, record = {record} WHERE id = ?"
        yield Ask(put, (done, data, done, b"", analysis))
    return is_mine


def _is_of(analysis: str, thinker: str) -> Program[bool]:
    return bool((yield Ask("SELECT 1 FROM analyses WHERE id = ? AND thinker = ?", (analysis, thinker))))


def forget(made_before: int) -> Program[int]:
    ((count,),) = yield Ask("SELECT count(*) FROM analyses WHERE made < ?", (made_before,))
    if count:
        yield Ask("DELETE FROM analyses WHERE made < ?", (made_before,))
    return int(count)
