"""Games that are over: their records, and the lists of a device."""

from __future__ import annotations

from typing import Any

from msgspec import MsgspecError, Struct
from starlette.responses import Response

from genial.core.errors import GenialError
from genial.core.record import dump
from genial.core.titles import TITLES
from genial.server.access import Sight, sight
from genial.server.calls import Call, Operation
from genial.server.errors import Forbidden, NotFound
from genial.server.protocol import MyTable, MyTables, SoloResult, SoloResults
from genial.server.routes_play import WatchQuery
from genial.server.store.interface import TableRow
from genial.server.table import Game, Table
from genial.server.views import place_view

_TOLD = 12
"""Of so many tables the list says who sits there: more than a start page shows."""


class ResultsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Of which solo title; None: of all."""

    variant: str | None = None
    language: str | None = None


async def record(call: Call) -> Response:
    game = finished_game(await call.sight(watch=call.query.watch), call.number("game"))
    name = f"{game.series.setup.title.variant}-{call.table_id[:8]}-{game.number + 1}.genial.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(dump(game.record()), 200, headers, "application/json")


def finished_game(found: Sight, number: int) -> Game:
    """A game of the table, if it is over: until then nobody may see all of it."""
    game = next((game for game in found.table.games if game.number == number), None)
    if game is None:
        raise NotFound("game-unknown", number=number)
    if game.result is None:
        raise Forbidden("record-not-over")
    return game


async def my_games(call: Call) -> MyTables:
    rows = await call.hub.store.games_of(call.caller.hash)
    going = [row.game for row in rows if row.status in ("open", "running")][:_TOLD]
    return MyTables([await _my_table(call, row, row.game in going) for row in rows])


async def _my_table(call: Call, row: TableRow, tell: bool) -> MyTable:
    """A table of the device; on request with who sits there and whose turn it is."""
    table = await _own_table(call, row.game) if tell else None
    mine = table.places_of(call.caller.id) if table else frozenset()
    return MyTable(
        id=row.game,
        variant=row.variant,
        seats=row.seats,
        status=table.status if table else row.status,
        name=row.name,
        created=row.created,
        updated=row.updated,
        places=[place_view(table, place, mine) for place in range(row.seats)] if table else [],
        mover=table.game.mover if table and table.game and table.is_running else None,
    )


async def _own_table(call: Call, game: str) -> Table | None:
    """The table; None where the device left it and may not watch, and where it cannot be read."""
    try:
        return (await sight(call.hub, game, call.caller)).table
    except (GenialError, MsgspecError):
        return None


async def my_results(call: Call) -> SoloResults:
    device, query = call.caller, call.query
    assert isinstance(query, ResultsQuery)
    wanted = [query.variant] if query.variant else [name for name, title in TITLES.items() if title.is_solo]
    found = []
    for variant in wanted:
        for row in await call.hub.store.results(device.hash, variant):
            found.append(SoloResult(variant, row.game, row.number, row.lowest, row.total, row.time))
    return SoloResults(found)


_G, _TAGS = "/api/tables/{table}/games/{game:int}", ("finished games",)

OPERATIONS = [
    Operation(
        "GET",
        f"{_G}/record",
        record,
        "The record of a game that is over: genial-record/1.",
        dict[str, Any],
        query=WatchQuery,
        tags=_TAGS,
    ),
    Operation("GET", "/api/me/games", my_games, "The tables of this device.", MyTables, tags=_TAGS),
    Operation(
        "GET",
        "/api/me/results",
        my_results,
        "What this device reached alone.",
        SoloResults,
        query=ResultsQuery,
        tags=_TAGS,
    ),
]
