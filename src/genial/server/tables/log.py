"""The border between a table and its store: entries as bytes, and back.

In memory an action is an `Action` and an event an `Event`; in the store they look as in records and notation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import msgspec
from msgspec import Struct

from genial.core.notation import move_text, parse_move
from genial.core.record import event_data, event_from
from genial.core.title import Setup
from genial.server.tables.entries import (
    Acted,
    Answered,
    Asked,
    Body,
    Chatted,
    Chose,
    Closed,
    Committed,
    Created,
    Declined,
    Entry,
    Lapsed,
    Missed,
    Mixed,
    Muted,
    Offered,
    Removed,
    Resumed,
    Revealed,
    Seated,
    Started,
    TakenBack,
    Unmissed,
    kind_of,
)
from genial.server.tables.rows import solo_result, table_row
from genial.server.tables.store import Append, NewEntry, Sat, StoredEntry
from genial.server.tables.table import Table, Written, setup_of


class _StoredAct(Struct, frozen=True, tag="acted", omit_defaults=True):
    place: int
    action: str
    """In notation; empty for what the server did on its own."""
    events: list[dict[str, Any]]
    bot: str | None = None
    fallback: bool = False


_AsItIs = (
    Created
    | Committed
    | Seated
    | Mixed
    | Started
    | TakenBack
    | Asked
    | Answered
    | Offered
    | Lapsed
    | Declined
    | Missed
    | Unmissed
    | Chose
    | Chatted
    | Muted
    | Removed
    | Resumed
    | Revealed
    | Closed
)
STORED = _AsItIs | _StoredAct
"""Everything that a log can contain."""
_decoder = msgspec.json.Decoder(STORED)


def append_of(before: Table, written: Written, device_hash: bytes | None = None) -> Append:
    """What to store for a decision; `device_hash` is the device that sits down or sets the table up."""
    entries, after = written
    row, ends = table_row(after), before.is_running and not after.is_running
    return Append(
        table_id=after.id,
        first_seq=entries[0].seq,
        entries=[_stored(entry, after.setup) for entry in entries],
        updated=after.time,
        row=None if row == replace(table_row(before), updated=row.updated) else row,
        sat=Sat(after.id, device_hash, after.time) if device_hash else None,
        result=solo_result(after) if ends else None,
    )


def _stored(entry: Entry, setup: Setup) -> NewEntry:
    body = entry.body
    kept = _stored_act(body, setup) if isinstance(body, Acted) else body
    return NewEntry(entry.time, kind_of(body), entry.move_id, msgspec.json.encode(kept))


def _stored_act(body: Acted, setup: Setup) -> _StoredAct:
    events = [event_data(event) for event in body.events]
    action = "" if body.action is None else move_text(setup, body.action)
    return _StoredAct(body.place, action, events, body.bot, body.fallback)


def entries_from(table: Table, kept: Iterable[StoredEntry]) -> list[Entry]:
    """The next entries of a table's log, decoded."""
    settings, rules, entries = table.settings, table.rules, []
    for each in kept:
        body = _decoder.decode(each.data)
        if isinstance(body, Created):
            settings = body.settings
        elif isinstance(body, Started):
            rules = body.rules
        elif isinstance(body, _StoredAct):
            setup = setup_of(settings, rules)
            action = parse_move(setup, body.action) if body.action else None
            events = tuple(event_from(event) for event in body.events)
            body = Acted(body.place, action, events, body.bot, body.fallback)
        entries.append(Entry(each.seq, each.time, cast(Body, body), each.move_id))
    return entries


def table_from(table_id: str, kept: Iterable[StoredEntry]) -> Table:
    """Build a table from its log."""
    empty = Table(table_id)
    return empty.after(entries_from(empty, kept))
