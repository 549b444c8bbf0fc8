"""What lists show of a table: its row in the index, and the results of solo games."""

from __future__ import annotations

from collections.abc import Sequence

from genial.server.entries import Acted, Closed, Created, Entry, Holder, Seated, Started
from genial.server.store.interface import Result, TableRow
from genial.server.table import Table, folded


def table_row(table: Table, entries: Sequence[Entry]) -> TableRow:
    """The index row as it will be once these entries are stored; the table itself changes only then."""
    settings, code, created = table.settings, table.code, table.created
    status, holders = table.status, list(table.holders)
    for entry in entries:
        match entry.body:
            case Created() as body:
                settings, code, created = body.settings, body.code, entry.time
                status, holders = "open", [Holder("open")] * body.settings.seats
            case Seated(place, holder):
                holders[place] = holder
            case Started():
                status = "running"
            case Acted() as body if any(event["type"] == "end" for event in body.events):
                played = table.series.played + 1 if table.series else 1
                status = "over" if played == settings.games else "between"
            case Closed():
                status = "closed"
    return TableRow(
        game=table.id,
        code=code,
        variant=settings.variant,
        seats=settings.seats,
        status="running" if status == "between" else status,  # type: ignore[arg-type]
        public=settings.public,
        created=created,
        updated=entries[-1].time,
        open_places=sum(holder.kind == "open" for holder in holders),
        name=settings.name or "",
    )


def solo_result(table: Table, entries: Sequence[Entry]) -> Result | None:
    """SOLO: what a device reaches with these entries, if they end a game: not given up, none taken back."""
    game, device = table.game, table.holders[0].device if table.holders else None
    acted = [entry.body for entry in entries if isinstance(entry.body, Acted)]
    if game is None or device is None or game.taken_back or not game.series.setup.title.is_solo or not acted:
        return None
    end = game.position
    for body in acted:
        end = folded(end, body)
    if end.result is None or end.result.by is not None:
        return None
    (markers,) = end.result.tracks
    return Result(
        device_hash=bytes.fromhex(device),
        variant=table.settings.variant,
        seats=1,
        game=table.id,
        number=game.number,
        lowest=min(markers),
        total=sum(markers),
        time=entries[-1].time,
    )
