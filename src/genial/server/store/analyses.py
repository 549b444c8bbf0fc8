"""Analyses in a store: one for each game, worked on by one process at a time, limited in number."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import astuple

from genial.server.store.programs import Ask, Program, Runner, reads, writes
from genial.server.tables.store import StoredAnalysis

_COLUMNS = "id, key, record, made, thinker, done, choices, data"


class AnalysesStore(Runner):
    """The part of a store that keeps analyses."""

    @writes
    def begin_analysis(
        self, new: StoredAnalysis, most: int, living: Collection[str]
    ) -> Program[StoredAnalysis | None]:
        """Keep a new analysis, or return the existing one of the same game.

        At most `most` are kept: the oldest finished one is dropped first, then the oldest whose thinker isn't
        among the living. None if there is no room.
        """
        kept = yield Ask(f"SELECT {_COLUMNS} FROM analyses WHERE key = ?", (new.key,))
        if kept:
            return StoredAnalysis(*kept[0])
        ((count,),) = yield Ask("SELECT count(*) FROM analyses")
        too_many = max(0, count - most + 1)
        spare = (yield from _spare(living, too_many)) if too_many else []
        if len(spare) < too_many:
            return None
        for one in spare:
            yield Ask("DELETE FROM analyses WHERE id = ?", (one,))
        yield Ask(f"INSERT INTO analyses ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", astuple(new))
        return new

    @reads
    def analysis(self, analysis_id: str) -> Program[StoredAnalysis | None]:
        """One analysis."""
        rows = yield Ask(f"SELECT {_COLUMNS} FROM analyses WHERE id = ?", (analysis_id,))
        return StoredAnalysis(*rows[0]) if rows else None

    @writes
    def take_analysis(self, analysis_id: str, before: str, thinker: str) -> Program[bool]:
        """Take over an analysis from another thinker; False if somebody else has, or it is gone."""
        is_theirs = yield from _is_of(analysis_id, before)
        if is_theirs:
            yield Ask("UPDATE analyses SET thinker = ? WHERE id = ?", (thinker, analysis_id))
        return is_theirs

    @writes
    def put_opinions(self, analysis_id: str, thinker: str, done: int, data: bytes) -> Program[bool]:
        """Keep what a thinker has thought so far; False if the analysis has changed hands, or is gone."""
        is_mine = yield from _is_of(analysis_id, thinker)
        if is_mine:
            # Once everything has been thought about, the record is no longer needed.
            record = "CASE WHEN choices > ? THEN record ELSE ? END"
            put = f"UPDATE analyses SET done = ?, data = ?, record = {record} WHERE id = ?"
            yield Ask(put, (done, data, done, b"", analysis_id))
        return is_mine

    @writes
    def forget_analyses(self, made_before: int) -> Program[int]:
        """Delete the analyses that were begun before this time. Returns how many."""
        ((count,),) = yield Ask("SELECT count(*) FROM analyses WHERE made < ?", (made_before,))
        if count:
            yield Ask("DELETE FROM analyses WHERE made < ?", (made_before,))
        return int(count)


def _spare(living: Collection[str], most: int) -> Program[list[str]]:
    """At most this many that can go: finished ones before those that nobody is working on, oldest first."""
    marks = ", ".join("?" * len(living))
    order = "ORDER BY CASE WHEN done = choices THEN 0 ELSE 1 END, made, id LIMIT ?"
    spare = f"SELECT id FROM analyses WHERE done = choices OR thinker NOT IN ({marks}) {order}"
    return [str(name) for (name,) in (yield Ask(spare, (*living, most)))]


def _is_of(analysis_id: str, thinker: str) -> Program[bool]:
    return bool((yield Ask("SELECT 1 FROM analyses WHERE id = ? AND thinker = ?", (analysis_id, thinker))))
