"""A table as lists show it: its row in the index, and the result of a solo game."""

from __future__ import annotations

from genial.server.tables.store import Result, Status, TableRow
from genial.server.tables.table import Table

_STATUS: dict[str, Status] = {
    "open": "open",
    "running": "running",
    "between": "running",
    "over": "over",
    "closed": "closed",
}


def table_row(table: Table) -> TableRow:
    """A table's row in the index."""
    settings = table.settings
    return TableRow(
        table_id=table.id,
        code=table.code,
        variant=settings.variant,
        seats=settings.seats,
        status=_STATUS[table.status],
        public=settings.public,
        created=table.created,
        updated=table.time,
        open_places=len(table.open_places),
        name=settings.name or "",
    )


def solo_result(table: Table) -> Result | None:
    """SOLO: a device's result in the current game; only if it was finished, with no draw taken back."""
    game = table.game
    device = table.holders[0].device if table.holders else None
    if game is None or device is None or game.taken_back or not game.series.setup.title.is_solo:
        return None
    if game.result is None or game.result.by is not None:
        return None
    (markers,) = game.result.tracks
    return Result(
        device_hash=bytes.fromhex(device),
        variant=table.settings.variant,
        seats=1,
        table_id=table.id,
        number=game.number,
        lowest=min(markers),
        total=sum(markers),
        time=table.time,
    )
