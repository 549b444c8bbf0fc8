"""Games that are over: records, replays, and the lists of a device."""

from __future__ import annotations

from typing import Annotated, Any, cast

from msgspec import Meta, Struct
from starlette.responses import Response

from genial.core.errors import SetupError
from genial.core.events import Placed, Played, Swapped
from genial.core.position import Position
from genial.core.record import dump
from genial.core.titles import TITLES
from genial.core.viewdata import view_data
from genial.server.access import Sight
from genial.server.calls import Call, Operation
from genial.server.errors import Forbidden, NotFound
from genial.server.protocol import MyTable, MyTables, SeatNumber, SoloResult, SoloResults
from genial.server.routes_play import WatchQuery
from genial.server.table import Game
from genial.server.viewtypes import ViewData

_ACTS = (Placed, Played, Swapped)


class ReplayQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which moment of a game that is over, and from whose view."""

    seat: SeatNumber | None = None
    """None: everything is open."""
    ply: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    """After so many places, plays and swaps; None: the end."""
    watch: str | None = None
    language: str | None = None


class ResultsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Of which solo title; None: of all."""

    variant: str | None = None
    language: str | None = None


class Replayed(Struct, frozen=True):
    """One moment of a game that is over."""

    ply: int
    plies: int
    view: ViewData


async def record(call: Call) -> Response:
    game = _over(await call.sight(watch=call.query.watch), call.number("game"))
    name = f"{game.series.setup.title.variant}-{call.table_id[:8]}-{game.number + 1}.genial.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(dump(game.record()), 200, headers, "application/json")


def _over(found: Sight, number: int) -> Game:
    game = next((game for game in found.table.games if game.number == number), None)
    if game is None:
        raise NotFound("game-unknown", number=number)
    if game.result is None:
        raise Forbidden("record-not-over")
    return game


async def replay(call: Call) -> Replayed:
    query = call.query
    assert isinstance(query, ReplayQuery)
    game = _over(await call.sight(watch=query.watch), call.number("game"))
    plies = _plies(game.position)
    if query.ply is not None and query.ply > plies:
        raise SetupError("ply-unknown", ply=query.ply, last=plies)
    ply = plies if query.ply is None else query.ply
    at = game.position if query.ply is None else _at(game, ply)
    # The game is over, so that everything in it may be seen, at any moment of it.
    seats = range(at.setup.seats) if query.seat is None else (query.seat,)
    seen = view_data(at.view(frozenset(seats)))
    return Replayed(ply, plies, cast(ViewData, seen))


def _at(game: Game, ply: int) -> Position:
    """The first position of the game after so many acts."""
    return next(position for _, position in game.positions if _plies(position) >= ply)


def _plies(position: Position) -> int:
    return sum(isinstance(event, _ACTS) for event in position.events)


async def my_games(call: Call) -> MyTables:
    rows = await call.hub.store.games_of(call.caller.hash)
    found = [
        MyTable(row.game, row.variant, row.seats, row.status, row.name, row.created, row.updated)
        for row in rows
    ]
    return MyTables(found)


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
    Operation(
        "GET",
        f"{_G}/replay",
        replay,
        "Any moment of a game that is over, from any seat's view.",
        Replayed,
        query=ReplayQuery,
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
