"""Play over HTTP: the same actions as on the socket, and what a move would score."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from genial.core.actions import Place, Play
from genial.core.cellnames import parse_cell
from genial.core.errors import GenialError
from genial.core.explain import Half, explain
from genial.core.guidance import guide
from genial.core.notation import parse_move
from genial.core.position import Position
from genial.server.calls.call import TABLE, Call, Calls, Query
from genial.server.calls.deeds import Deed, decided_at, do
from genial.server.calls.protocol import (
    ActBody,
    AnswerBody,
    AskBody,
    BackBody,
    ChatBody,
    ChooseBody,
    Done,
    MoveText,
    PlaceBody,
    PlaceNumber,
)
from genial.server.tables import decisions

CALLS = Calls("play")


class ExplainQuery(Query, frozen=True):
    """The move to explain."""

    move: MoveText
    place: PlaceNumber | None = None


class GuideQuery(Query, frozen=True):
    """A move, as far as it has been made."""

    tile: Annotated[str, Meta(max_length=2)] | None = None
    cell: Annotated[str, Meta(max_length=3)] | None = None
    """By name, such as f6."""
    direction: Annotated[int, Meta(ge=0, le=5)] | None = None
    """The direction from the first symbol to the second: 0 is right, then clockwise."""
    place: PlaceNumber | None = None


class WatchQuery(Query, frozen=True):
    """The spectators' code, for callers who don't sit here."""

    watch: str | None = None


class PlaceQuery(Query, frozen=True):
    """Which of the caller's places to look from; may be left out if there is only one."""

    place: PlaceNumber | None = None


class Explained(Struct, frozen=True):
    """The lines and consequences of one placement or card."""

    gain: tuple[int, ...]
    markers: tuple[int, ...]
    bonus: int
    halves: tuple[Half, ...]


class Guided(Struct, frozen=True):
    """The verdict on a half-made move, and what may be picked next."""

    status: str
    """impossible, incomplete or complete"""
    code: str
    params: dict[str, Any]
    ruling: str | None
    tiles: tuple[str, ...]
    cells: tuple[tuple[int, int], ...]
    directions: tuple[int, ...]


async def deed(call: Call, body: Deed, query: WatchQuery) -> Done:
    """Do something at a table."""
    await call.sight(watch=query.watch)
    return Done((await do(call.services, call.table_id, call.caller, body, address=call.address)).seq)


for _name, _body, _summary in (
    ("act", ActBody, "Do something in the game."),
    ("back", BackBody, "Take back the last placement of this turn."),
    ("ask", AskBody, "Ask everybody to let the game go further back."),
    ("answer", AnswerBody, "Say yes or no to what was asked."),
    ("choose", ChooseBody, "Wait for somebody who is away, let a bot play for them, or end the game."),
    ("chat", ChatBody, "Say something."),
):
    CALLS.post(f"{TABLE}/{_name}", body=_body, summary=_summary)(deed)


@CALLS.post(f"{TABLE}/resign")
async def resign(call: Call, body: PlaceBody) -> Done:
    """Resign for good: with two sides the game ends, with more a bot takes over."""
    return await decided_at(call, body.place, lambda table, _, place: decisions.resign(table, place))


@CALLS.get(f"{TABLE}/explain")
async def explain_move(call: Call, query: ExplainQuery) -> Explained:
    """What one placement or card would score; only for the mover."""
    return explained((await call.sight(query.place)).mover().position, query.move)


def explained(position: Position, text: str) -> Explained:
    """What a placement or card would score; raises the engine's error if it isn't allowed."""
    action = parse_move(position.setup, text)
    if not isinstance(action, Place | Play):
        raise GenialError("move-unreadable", text=text)
    position.apply(action)  # refuses what isn't allowed
    told = explain(position, action)
    return Explained(told.gain, told.markers, told.bonus, told.halves)


@CALLS.get(f"{TABLE}/guide")
async def guide_move(call: Call, query: GuideQuery) -> Guided:
    """Judge a half-made move; only for the mover."""
    position = (await call.sight(query.place)).mover().position
    board = position.setup.board
    cell = parse_cell(board, query.cell) if query.cell is not None and board is not None else None
    told = guide(position, query.tile, cell, query.direction)
    status, params = told.status.value, dict(told.params)
    return Guided(status, told.code, params, told.ruling, told.tiles, told.cells, told.directions)
