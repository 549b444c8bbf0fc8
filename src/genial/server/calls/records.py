"""Finished games: replays, what bots think of the moves, and playing on from any moment.

Each exists twice: for a game that was played and finished here, and for an uploaded record.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Raw

from genial.core.record import dump
from genial.server.calls.answering import File
from genial.server.calls.call import TABLE, Call, Calls
from genial.server.calls.games import GAME, finished_game
from genial.server.calls.play import PlaceQuery, WatchQuery
from genial.server.calls.protocol import Inbound, NewTable
from genial.server.calls.tables import create
from genial.server.study.advice import Analysis, Hint, hint
from genial.server.study.reading import Order, Task, without_past
from genial.server.study.replays import Replay
from genial.server.tables.errors import Forbidden, WrongSetup
from genial.server.tables.table import Game
from genial.server.tables.views import TableView

CALLS = Calls("records")
_FINISHED = "finished games"
Ply = Annotated[int, Meta(ge=0, le=10_000)]


class RecordBody(Inbound, frozen=True):
    """A record in the format genial-record/1."""

    record: Raw


class ContinueBody(NewTable, frozen=True, kw_only=True):
    """Play on after this many placements, plays and swaps, with a new bag order and whoever sits down now."""

    ply: Ply


class ContinueRecordBody(ContinueBody, frozen=True, kw_only=True):
    """The same, from an uploaded record."""

    record: Raw


async def _read(call: Call, task: Task, record: bytes, **more: Any) -> Any:
    """The result of a task on a record, worked out in the background within the host's limits."""
    limits = call.services.limits
    order = Order(task, record, limits.record_events, limits.record_seconds, **more)
    return await call.services.reading.carried_out(order, call.address)


def _brought(call: Call, body: RecordBody | ContinueRecordBody) -> bytes:
    """The uploaded record, after checking the rate limit."""
    call.services.limiter.records.check(call.address)
    return bytes(body.record)


def _kept(call: Call, game: Game) -> bytes:
    """The record of a game that was played here."""
    return dump(game.record(proven=call.can("proof"))).encode()


# Replays


@CALLS.get(f"{GAME}/replay", tag=_FINISHED, answer=Replay)
async def replay(call: Call, query: WatchQuery) -> File:
    """A finished game, moment by moment."""
    game = await finished_game(call, query)
    seen = await call.sight(watch=query.watch)
    own = tuple(sorted(game.seats_of(seen.table.places_of(seen.device))))
    return File(await _read(call, "replay", _kept(call, game), game=without_past(game), own=own))


@CALLS.post("/api/records/replay", answer=Replay)
async def replay_record(call: Call, body: RecordBody) -> File:
    """A record, moment by moment."""
    return File(await _read(call, "replay", _brought(call, body)))


# What bots think


@CALLS.post(f"{GAME}/analysis", tag=_FINISHED)
async def analyse(call: Call, query: WatchQuery) -> Analysis:
    """Have a bot think about every move of a finished game."""
    game = await finished_game(call, query)
    call.services.limiter.records.check(call.address)
    return await _analysed(call, _kept(call, game))


@CALLS.post("/api/records/analysis")
async def analyse_record(call: Call, body: RecordBody) -> Analysis:
    """Have a bot think about every move of a record."""
    return await _analysed(call, _brought(call, body))


async def _analysed(call: Call, record: bytes) -> Analysis:
    choices, key, game = await _read(call, "analysis", record)
    return await call.services.analyses.start(choices, key, game, call.address)


@CALLS.get("/api/analyses/{analysis}")
async def analysis(call: Call) -> Analysis:
    """The progress and results of an analysis."""
    return await call.services.analyses.told(str(call.path["analysis"]), call.address)


@CALLS.get(f"{TABLE}/hint", tag="play")
async def hint_now(call: Call, query: PlaceQuery) -> Hint:
    """What a bot would consider now, if the table allows hints."""
    seen = await call.sight(query.place)
    if not seen.table.settings.hints:
        raise Forbidden("hints-off")
    game = seen.mover()
    call.services.limiter.hints.check(call.address)
    tag = f"{seen.table.id}:{game.seq}"
    limits = call.services.limits
    return await hint(call.hub.pool, game.position, game.seq, tag, limits, caller=call.address)


# Going on


@CALLS.post(f"{GAME}/continue", status=201, tag=_FINISHED)
async def go_on(call: Call, body: ContinueBody, query: WatchQuery) -> TableView:
    """Play on from any moment of a finished game."""
    game = await finished_game(call, query)
    return await _continued(call, body, _kept(call, game))


@CALLS.post("/api/records/continue", status=201)
async def go_on_from_record(call: Call, body: ContinueRecordBody) -> TableView:
    """Play on from any moment of a record."""
    return await _continued(call, body, _brought(call, body))


async def _continued(call: Call, body: ContinueBody, record: bytes) -> TableView:
    settings = body.settings
    if settings.games != 1:
        raise WrongSetup("continue-series")
    variant, seats, start = await _read(call, "start", record, ply=body.ply)
    if (settings.variant, settings.seats) != (variant, seats):
        raise WrongSetup("continue-other", variant=variant, seats=seats)
    return await create(call, body, start)
