"""Play over HTTP: the same deeds as on the socket, and what a move would bring."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from genial.core.cellnames import parse_cell
from genial.server import decisions
from genial.server.access import own_place
from genial.server.calls import Call, Operation
from genial.server.entries import Body
from genial.server.legal import explained, guided
from genial.server.play import do
from genial.server.protocol import (
    ActBody,
    AnswerBody,
    AskBody,
    BackBody,
    ChatBody,
    Done,
    MoveText,
    PlaceBody,
    PlaceNumber,
)
from genial.server.table import Table


class ExplainQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which move."""

    move: MoveText
    place: PlaceNumber | None = None
    language: str | None = None


class GuideQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A move as far as it has been made."""

    tile: Annotated[str, Meta(max_length=2)] | None = None
    cell: Annotated[str, Meta(max_length=3)] | None = None
    """By name, such as f6."""
    direction: Annotated[int, Meta(ge=0, le=5)] | None = None
    """Where the second symbol lies from the first: 0 right, then clockwise."""
    place: PlaceNumber | None = None
    language: str | None = None


class WatchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The spectators' code, for who does not sit here."""

    watch: str | None = None
    language: str | None = None


class PlaceQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """From which of one's own places; not needed by who holds one."""

    place: PlaceNumber | None = None
    language: str | None = None


class Ray(Struct, frozen=True):
    """A line of matching symbols, the nearest first."""

    direction: int
    cells: list[tuple[int, int]]


class HalfExplained(Struct, frozen=True):
    """What one symbol of a placement scores, and where from."""

    colour: int
    points: int
    moved: int
    cell: tuple[int, int] | None
    rays: list[Ray]
    matches: Any
    """In the card game the open cards that match."""


class Explained(Struct, frozen=True):
    """The rays and consequences of one placement or card."""

    gain: list[int]
    markers: list[int]
    bonus: int
    halves: list[HalfExplained]


class Guided(Struct, frozen=True):
    """The judgement of a half-made move, and what may be picked next."""

    status: str
    """impossible, incomplete or complete"""
    code: str
    params: dict[str, Any]
    ruling: str | None
    tiles: list[str]
    cells: list[tuple[int, int]]
    directions: list[int]


async def deed(call: Call) -> Done:
    found = await call.sight(watch=call.query.watch)
    watches = not found.table.places_of(call.device_id)
    entry = await do(call.services, call.table_id, call.caller, call.body, watches=watches)
    return Done(entry.seq if entry else None)


async def resign(call: Call) -> Done:
    device = call.caller
    await call.sight()

    def decide(table: Table) -> list[Body]:
        return decisions.resign(table, own_place(table, device.id, call.body.place))

    entry = await call.hub.do(call.table_id, decide)
    return Done(entry.seq if entry else None)


async def explain(call: Call) -> dict[str, Any]:
    query = call.query
    assert isinstance(query, ExplainQuery)
    return explained((await call.sight(query.place)).mover().position, query.move)


async def guide(call: Call) -> dict[str, Any]:
    query = call.query
    assert isinstance(query, GuideQuery)
    position = (await call.sight(query.place)).mover().position
    board = position.setup.board
    cell = parse_cell(board, query.cell) if query.cell is not None and board is not None else None
    return guided(position, query.tile, cell, query.direction)


_T, _TAGS = "/api/tables/{table}", ("play",)

OPERATIONS = [
    *(
        Operation("POST", f"{_T}/{name}", deed, summary, Done, body, query=WatchQuery, tags=_TAGS)
        for name, summary, body in (
            ("act", "Do something in the game.", ActBody),
            ("back", "Take back the last placement of this turn.", BackBody),
            ("ask", "Ask everybody to let the game go further back.", AskBody),
            ("answer", "Say yes or no to what was asked.", AnswerBody),
            ("chat", "Say something.", ChatBody),
        )
    ),
    Operation(
        "POST",
        f"{_T}/resign",
        resign,
        "Give up; with more than two sides a bot plays on.",
        Done,
        PlaceBody,
        tags=_TAGS,
    ),
    Operation(
        "GET",
        f"{_T}/explain",
        explain,
        "What one placement or card would bring; for the mover.",
        Explained,
        query=ExplainQuery,
        tags=_TAGS,
    ),
    Operation(
        "GET",
        f"{_T}/guide",
        guide,
        "Judge a half-made move; for the mover.",
        Guided,
        query=GuideQuery,
        tags=_TAGS,
    ),
]
