"""Everything kept in a page as one file, and back: its tables with their logs, and its solo results.

The file has one JSON value per line, and starts with a line that says what it is. Imported data isn't
trusted: a table is folded from its log, the referee checks each of its games, and its row is derived from it.
A table that is already here is extended if the file has more of the same log; otherwise it is left as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, cast

import msgspec
from msgspec import Meta, Raw, Struct

from genial.core.deal import SCHEME
from genial.core.errors import Breach, GenialError, RecordError
from genial.core.fair import game_seed
from genial.core.referee import load
from genial.core.shown import shown
from genial.core.titles import title_of
from genial.server.calls.answering import File, error_data
from genial.server.calls.call import Call, Calls
from genial.server.calls.protocol import ErrorData, Inbound
from genial.server.page.device import HERE
from genial.server.tables.entries import Chatted, Created, Entry, Seated
from genial.server.tables.errors import WrongRecord
from genial.server.tables.hub import Hub
from genial.server.tables.log import append_of, entries_from
from genial.server.tables.rows import solo_result
from genial.server.tables.store import Result, Sat, StoredEntry, WholeStore
from genial.server.tables.store_errors import CodeTaken, SequenceConflict
from genial.server.tables.table import Game, Table, Written

CALLS = Calls("kept here")
FORMAT = "genial-kept"
VERSION = 1
LARGEST = 1 << 27
"""In characters; some thousand games."""
_PAGE = 500
_COLOURS = 6
_LEFT_OUT_TOLD = 20
_DAY = 86_400_000
_LAWLESS = (RecordError, Breach)
"""Errors that keep a table out."""

Time = Annotated[int, Meta(ge=0, le=2**53)]
Count = Annotated[int, Meta(ge=0, le=2**31)]


class _Line(Struct, frozen=True, tag_field="kind"):
    """A line of the file."""


class _Head(_Line, frozen=True, tag=FORMAT):
    """The first line."""

    version: int
    made: Time


class _KeptTable(_Line, frozen=True, tag="table"):
    """A table: the time, the move id and the body of each entry in its log."""

    id: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$")]
    log: Annotated[list[tuple[Time, Annotated[str, Meta(max_length=200)] | None, Raw]], Meta(min_length=1)]


class _KeptResult(_Line, frozen=True, tag="result"):
    """A solo result, whose table may have been deleted."""

    variant: Annotated[str, Meta(max_length=100)]
    table: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$")]
    number: Count
    lowest: Count
    total: Count
    time: Time


_head = msgspec.json.Decoder(_Head)
_line = msgspec.json.Decoder(_KeptTable | _KeptResult)


class ImportBody(Inbound, frozen=True):
    """A file made by `GET /api/me/export`."""

    file: str


class LeftOut(Struct, frozen=True):
    """A line that was left out, and why."""

    line: int
    error: ErrorData


class Imported(Struct, frozen=True):
    """The outcome for a file. Importing the same file again finds everything known."""

    new: int
    """Tables that were added."""
    further: int
    """Tables that were already here, and were extended from the file."""
    known: int
    """Tables that are here as in the file, or further on."""
    results: int
    """Solo results in the file, including those of its tables."""
    left_out: int
    problems: list[LeftOut]
    """Some of what was left out."""


@CALLS.get("/api/me/export", content_type="application/x-ndjson", answer=Raw, needs="keeps-here")
async def export_all(call: Call) -> File:
    """Everything that is kept here, as one file."""
    store, now = cast(WholeStore, call.hub.store), call.hub.clock()
    lines = [line async for line in exported(store, now)]
    return File(b"".join(lines), "application/x-ndjson", "games.genial.jsonl")


@CALLS.post("/api/me/import", needs="keeps-here")
async def import_all(call: Call, body: ImportBody) -> Imported:
    """Import what another browser kept; nothing is added twice."""
    return await Importing(call.hub, call.language).done(body.file)


# Out


async def exported(store: WholeStore, now: int) -> AsyncIterator[bytes]:
    """The lines of the file."""
    yield _text(_Head(VERSION, now))
    rows = await store.tables(limit=_PAGE)
    while rows:
        for row in rows:
            if kept := await store.read(row.table_id):
                log = [(entry.time, entry.move_id, Raw(entry.data)) for entry in kept]
                yield _text(_KeptTable(row.table_id, log))
        rows = await store.tables(limit=_PAGE, before=rows[-1].cursor)
    results = await store.all_results(limit=_PAGE)
    while results:
        for one in results:
            yield _text(_KeptResult(one.variant, one.table_id, one.number, one.lowest, one.total, one.time))
        results = await store.all_results(results[-1], limit=_PAGE)


def _text(line: _Line) -> bytes:
    return msgspec.json.encode(line) + b"\n"


# In


@dataclass(frozen=True, slots=True)
class _Judged:
    """A table that could have been played here."""

    table: Table
    entries: tuple[Entry, ...]
    results: tuple[Result, ...]


class Importing:
    """Imports one file."""

    def __init__(self, hub: Hub, language: str) -> None:
        self._hub = hub
        self._store = cast(WholeStore, hub.store)
        self._language = language
        self._counts = {"new": 0, "further": 0, "known": 0, "results": 0}
        self._left_out: list[LeftOut] = []

    async def done(self, text: str) -> Imported:
        """Import a file, and return the outcome. Refuses what isn't such a file; bad lines are left out."""
        if len(text) > LARGEST:
            raise WrongRecord("kept-large", got=len(text), limit=LARGEST)
        first, *lines = text.split("\n")
        _check_head(first)
        for number, line in enumerate(lines, 2):
            if line.strip():
                await asyncio.sleep(0)  # let a game in progress go first
                await self._take(number, line)
        left_out = self._left_out
        return Imported(**self._counts, left_out=len(left_out), problems=left_out[:_LEFT_OUT_TOLD])

    async def _take(self, number: int, line: str) -> None:
        try:
            found = _read(line)
            if isinstance(found, _KeptTable):
                became = await self._table(found)
            else:
                await self._store.add_result(_judged_result(found, self._hub.clock()))
                became = "results"
            self._counts[became] += 1
        except (*_LAWLESS, CodeTaken, SequenceConflict) as error:
            self._left_out.append(LeftOut(number, error_data(error, self._language)))

    async def _table(self, kept: _KeptTable) -> str:
        there = await self._store.read(kept.id)
        here = entries_from(Table(kept.id), there)
        entries = _entries(kept)
        both = min(len(here), len(entries))
        if here[:both] != list(entries[:both]):
            raise WrongRecord("kept-differs")
        if len(entries) == both:
            return "known"
        judged = _judged(kept.id, entries, self._hub)
        before = Table(kept.id).after(here)
        append = append_of(before, Written(entries[both:], judged.table), HERE.hash)
        since = Sat(kept.id, HERE.hash, judged.table.created)
        await self._store.append(replace(append, sat=since, result=None))
        for result in judged.results:
            await self._store.add_result(result)
        await self._told(judged.table)
        return "further" if here else "new"

    async def _told(self, table: Table) -> None:
        """Tell those who have the table open, and resume its game."""
        self._hub.peers.wrote(table.id, table.seq)
        if (live := self._hub.tables.get(table.id)) is not None:
            await self._hub.catch_up(live)
        if table.is_running:
            await self._hub.take_up(table.id)  # the time in between is charged to nobody


def _check_head(line: str) -> None:
    try:
        head = _head.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise WrongRecord("kept-unknown") from None
    if head.version > VERSION:
        raise WrongRecord("kept-newer", got=head.version, expected=VERSION)


def _read(line: str) -> _KeptTable | _KeptResult:
    try:
        found: _KeptTable | _KeptResult = _line.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise WrongRecord("kept-broken") from None
    return found


def _entries(kept: _KeptTable) -> tuple[Entry, ...]:
    stored = [
        StoredEntry(kept.id, seq, time, "", move_id, bytes(data))
        for seq, (time, move_id, data) in enumerate(kept.log, 1)
    ]
    try:
        return tuple(entries_from(Table(kept.id), stored))
    except Exception as error:  # a forged log may break code that trusts it in any way
        raise WrongRecord("kept-broken") from error


def _judged(table_id: str, entries: Sequence[Entry], hub: Hub) -> _Judged:
    """A table built from its log, if that could have happened in a page."""
    latest = hub.clock() + _DAY
    try:
        _check_entries(entries, latest)
        table, results = Table(table_id), []
        for entry in entries:
            before, table = table, table.after([entry])
            if before.is_running and not table.is_running and (result := solo_result(table)) is not None:
                results.append(result)
        for game in table.games:
            if len(game.position.events) > hub.limits.record_events:
                raise WrongRecord("kept-broken")
            load(game.record() | _deal(game))
    except GenialError as error:
        raise error if isinstance(error, _LAWLESS) else WrongRecord("kept-broken") from error
    except Exception as error:  # as above
        raise WrongRecord("kept-broken") from error
    return _Judged(table, tuple(entries), tuple(results))


def _deal(game: Game) -> dict[str, Any]:
    """What the referee checks the draws against, if the game was dealt here from the start."""
    if game.started.start is not None:
        return {}
    return {"deal": {"scheme": SCHEME, "seed": game_seed(game.started.secret, game.started.bits)}}


def _check_entries(entries: Sequence[Entry], latest: int) -> None:
    """Refuse entries unless the device is a page's, times are in order and texts are fit to be shown."""
    created, *_ = entries
    times = [entry.time for entry in entries]
    if not isinstance(created.body, Created) or times != sorted(times) or times[-1] > latest:
        raise WrongRecord("kept-broken")
    devices, texts = {created.body.host}, [created.body.settings.name or ""]
    for body in (entry.body for entry in entries):
        if isinstance(body, Seated):
            devices.add(body.holder.device or HERE.id)
            texts.append(body.holder.name)
        elif isinstance(body, Chatted):
            texts += [body.name, body.text]
    if devices != {HERE.id}:
        raise WrongRecord("kept-elsewhere")
    if any(shown(text, len(text)) != text for text in texts if text):
        raise WrongRecord("kept-broken")


def _judged_result(kept: _KeptResult, now: int) -> Result:
    """A solo result, refused if it could not have been reached."""
    try:
        title = title_of(kept.variant)
    except GenialError:
        raise WrongRecord("kept-broken") from None
    highest = title.track.highest_step
    possible = kept.lowest <= highest and _COLOURS * kept.lowest <= kept.total <= _COLOURS * highest
    if not title.is_solo or not possible or kept.time > now + _DAY:
        raise WrongRecord("kept-broken")
    return Result(HERE.hash, kept.variant, 1, kept.table, kept.number, kept.lowest, kept.total, kept.time)
