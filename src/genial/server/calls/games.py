"""Finished games: their records, and a device's lists."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Any

from msgspec import Meta, MsgspecError

from genial.core.errors import GenialError
from genial.core.notation import table_text
from genial.core.ranking import side_rank, standing
from genial.core.record import dump
from genial.core.titles import TITLES
from genial.server.calls.access import sight
from genial.server.calls.answering import File
from genial.server.calls.call import TABLE, Call, Calls, Query
from genial.server.calls.play import WatchQuery
from genial.server.calls.protocol import (
    FinishedGame,
    FinishedGames,
    FinishedPlace,
    MyTable,
    MyTables,
    SoloResult,
    SoloResults,
)
from genial.server.tables.errors import Forbidden, NotFound
from genial.server.tables.store import TableRow
from genial.server.tables.table import Game, Table
from genial.server.tables.views import place_view

CALLS = Calls("finished games")
GAME = f"{TABLE}/games/{{game:int}}"
_TABLES_TOLD = 12
"""The list shows who sits at this many tables: more than a start page shows."""
_MOST_TABLES = 12
"""A page of finished games covers at most this many tables, because each is read from its log."""


class ResultsQuery(Query, frozen=True):
    """The solo title whose results are wanted; all of them if None."""

    variant: str | None = None


class FinishedQuery(Query, frozen=True):
    """How many tables to cover, and where the page begins: `next` of the page before."""

    tables: Annotated[int, Meta(ge=1, le=_MOST_TABLES)] = _MOST_TABLES
    before: Annotated[str, Meta(pattern="^[0-9]{1,15}-[A-Za-z0-9_-]{1,40}$")] | None = None


@CALLS.get(f"{GAME}/record", answer=dict[str, Any])
async def record(call: Call, query: WatchQuery) -> File:
    """The record of a game that is over: genial-record/1."""
    game = await finished_game(call, query)
    name = f"{game.series.setup.title.variant}-{call.table_id[:8]}-{game.number + 1}.genial.json"
    return File(dump(game.record(proven=call.can("proof"))).encode(), name=name)


async def finished_game(call: Call, query: WatchQuery) -> Game:
    """The game that a call names; refused until it is over, because nobody may see all of it before."""
    table, number = (await call.sight(watch=query.watch)).table, int(call.path["game"])
    game = next((game for game in table.games if game.number == number), None)
    if game is None:
        raise NotFound("game-unknown", number=number)
    if game.result is None:
        raise Forbidden("record-not-over")
    return game


@CALLS.get("/api/me/games")
async def my_games(call: Call) -> MyTables:
    """The tables of this device."""
    rows = await call.hub.store.tables_of(call.caller.hash)
    going = [row.table_id for row in rows if row.status in ("open", "running")][:_TABLES_TOLD]
    tables = {table_id: await _own_table(call, table_id) for table_id in going}
    return MyTables([_my_table(call, row, tables.get(row.table_id)) for row in rows])


async def _own_table(call: Call, table_id: str) -> Table | None:
    """The table; None if the device has left it and may not watch, or it can't be read."""
    try:
        return (await sight(call.hub, table_id, call.caller, nullcontext)).table
    except (GenialError, MsgspecError):
        return None


def _my_table(call: Call, row: TableRow, table: Table | None) -> MyTable:
    """One of the device's tables; with who sits there and whose turn it is, if the device may know."""
    mine = table.places_of(call.caller.id) if table else frozenset()
    game = table.game if table and table.is_running else None
    return MyTable(
        id=row.table_id,
        variant=row.variant,
        seats=row.seats,
        status=table.status if table else row.status,
        name=row.name,
        created=row.created,
        updated=row.updated,
        places=[place_view(table, place, mine) for place in range(row.seats)] if table else [],
        mover=game.mover if game else None,
        table=table_text(game.position.table) if game else "",
        figures=[_figure(game, place) for place in range(row.seats)] if game else [],
    )


def _figure(game: Game, place: int) -> int:
    """The figure that is compared first when the game is over, as it stands now for a place."""
    return standing(game.series.setup.title.sides, game.seat_of(place), game.position.tracks)[0]


@CALLS.get("/api/me/finished")
async def my_finished_games(call: Call, query: FinishedQuery) -> FinishedGames:
    """The finished games of this device, page by page, the most recently played first."""
    before = None
    if query.before is not None:
        time, _, table_id = query.before.partition("-")
        before = int(time), table_id
    # One extra row shows whether there is another page.
    rows = await call.hub.store.tables_of(call.caller.hash, query.tables + 1, begun=True, before=before)
    games: list[FinishedGame] = []
    for row in rows[: query.tables]:
        table = await _own_table(call, row.table_id)
        if table is not None:
            games += [_finished(call, row, table, game) for game in reversed(table.games) if game.result]
    last = rows[query.tables - 1] if len(rows) > query.tables else None
    return FinishedGames(games, f"{last.updated}-{last.table_id}" if last else None)


def _finished(call: Call, row: TableRow, table: Table, game: Game) -> FinishedGame:
    sides, mine = game.series.setup.title.sides, table.places_of(call.caller.id)
    ended = game.result
    assert ended is not None
    places = [
        FinishedPlace(
            name=game.names[place],
            bot=game.bots[place],
            yours=place in mine,
            rank=side_rank(sides, ended.ranks, game.seat_of(place)),
            figure=_figure(game, place),
        )
        for place in range(row.seats)
    ]
    return FinishedGame(row.table_id, game.number, row.variant, row.name, row.updated, ended.reason, places)


@CALLS.get("/api/me/results")
async def my_results(call: Call, query: ResultsQuery) -> SoloResults:
    """The solo results of this device."""
    device = call.caller
    solo = [name for name, title in TITLES.items() if title.is_solo]
    wanted = [variant for variant in solo if query.variant in (None, variant)]
    results = []
    for variant in wanted:
        for row in await call.hub.store.results(device.hash, variant):
            results.append(SoloResult(variant, row.table_id, row.number, row.lowest, row.total, row.time))
    return SoloResults(results)
