"""Games to look back at and to go on from: replays, what bots think of the moves, continuing anywhere.

Each comes in two kinds: for a game that was played here and is over, and for a record that somebody brings.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Raw

from genial.core.errors import Breach, RecordError, SetupError
from genial.core.position import Position
from genial.core.record import Record, read
from genial.server.advice import Analysis, Hint, hint
from genial.server.calls import Call, Operation
from genial.server.errors import Forbidden
from genial.server.protocol import Inbound, NewTable
from genial.server.replays import Replay, game_of, moments, replay_of, start_from
from genial.server.routes_games import finished_game
from genial.server.routes_play import PlaceQuery, WatchQuery
from genial.server.routes_tables import create_table
from genial.server.views import TableView

Ply = Annotated[int, Meta(ge=0, le=10_000)]


class RecordBody(Inbound, frozen=True):
    """A record, format genial-record/1."""

    record: Raw


class ContinueBody(NewTable, frozen=True, kw_only=True):
    """Play on after so many places, plays and swaps, with a new bag order and whoever sits down now."""

    ply: Ply


class ContinueRecordBody(ContinueBody, frozen=True, kw_only=True):
    """The same, from a record."""

    record: Raw


# Replays


async def replay(call: Call) -> Replay:
    game = finished_game(await call.sight(watch=call.query.watch), call.number("game"))
    positions = await asyncio.to_thread(moments, read(game.record()))
    return await asyncio.to_thread(replay_of, game, positions)


async def replay_record(call: Call) -> Replay:
    record = _brought(call)
    positions = await asyncio.to_thread(_lawful, record)
    return await asyncio.to_thread(replay_of, game_of(record, positions), positions)


def _brought(call: Call) -> Record:
    """The record in the body, read and counted."""
    call.services.limiter.records.check(call.address)
    body = call.body
    assert isinstance(body, RecordBody | ContinueRecordBody)
    return read(bytes(body.record))


def _lawful(record: Record) -> list[Position]:
    try:
        return moments(record)
    except Breach as breach:
        error = breach.of_kind(RecordError)
        if breach.event is not None:
            error.params = {**breach.params, "event": breach.event}
        raise error from None


# What bots think


async def analyse(call: Call) -> Analysis:
    game = finished_game(await call.sight(watch=call.query.watch), call.number("game"))
    call.services.limiter.records.check(call.address)
    return await call.services.analyses.start(read(game.record()))


async def analyse_record(call: Call) -> Analysis:
    record = _brought(call)
    await asyncio.to_thread(_lawful, record)
    return await call.services.analyses.start(record)


async def analysis(call: Call) -> Analysis:
    return await call.services.analyses.told(str(call.request.path_params["analysis"]))


async def hint_now(call: Call) -> Hint:
    query = call.query
    assert isinstance(query, PlaceQuery)
    found = await call.sight(query.place)
    if not found.table.settings.hints:
        raise Forbidden("hints-off")
    game = found.mover()
    call.services.limiter.hints.check(call.address)
    return await hint(
        call.hub.pool, game.position, game.seq, f"{found.table.id}:{game.seq}", call.services.limits
    )


# Going on


async def go_on(call: Call) -> TableView:
    game = finished_game(await call.sight(watch=call.query.watch), call.number("game"))
    return await _continued(call, read(game.record()))


async def go_on_from_record(call: Call) -> TableView:
    return await _continued(call, _brought(call))


async def _continued(call: Call, record: Record) -> TableView:
    body = call.body
    assert isinstance(body, ContinueBody)
    settings, setup = body.settings, record.setup
    if (settings.variant, settings.seats) != (setup.title.variant, setup.seats):
        raise SetupError("continue-other", variant=setup.title.variant, seats=setup.seats)
    if settings.games != 1:
        raise SetupError("continue-series")
    start = start_from(await asyncio.to_thread(_lawful, record), body.ply)
    return await create_table(call, body, start)


_G, _TAGS = "/api/tables/{table}/games/{game:int}", ("finished games",)
_R, _RECORDS = "/api/records", ("records",)

OPERATIONS = [
    Operation(
        "GET",
        f"{_G}/replay",
        replay,
        "A game that is over, moment by moment.",
        Replay,
        query=WatchQuery,
        tags=_TAGS,
    ),
    Operation(
        "POST",
        f"{_G}/analysis",
        analyse,
        "Have a bot think about every move of a game that is over.",
        Analysis,
        query=WatchQuery,
        tags=_TAGS,
    ),
    Operation(
        "POST",
        f"{_G}/continue",
        go_on,
        "Play on from any moment of a game that is over.",
        TableView,
        ContinueBody,
        query=WatchQuery,
        status=201,
        tags=_TAGS,
    ),
    Operation(
        "POST",
        f"{_R}/replay",
        replay_record,
        "A record, moment by moment.",
        Replay,
        RecordBody,
        tags=_RECORDS,
    ),
    Operation(
        "POST",
        f"{_R}/analysis",
        analyse_record,
        "Have a bot think about every move of a record.",
        Analysis,
        RecordBody,
        tags=_RECORDS,
    ),
    Operation(
        "POST",
        f"{_R}/continue",
        go_on_from_record,
        "Play on from any moment of a record.",
        TableView,
        ContinueRecordBody,
        status=201,
        tags=_RECORDS,
    ),
    Operation(
        "GET", "/api/analyses/{analysis}", analysis, "How far an analysis is.", Analysis, tags=_RECORDS
    ),
    Operation(
        "GET",
        "/api/tables/{table}/hint",
        hint_now,
        "What a bot would consider now, where the table allows to ask.",
        Hint,
        query=PlaceQuery,
        tags=("play",),
    ),
]
