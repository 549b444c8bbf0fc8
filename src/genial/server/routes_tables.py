"""Tables: set up, find, sit down, begin, leave, close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from genial.server import decisions
from genial.server.access import SPECTATOR, Sight, own_place, viewer_at
from genial.server.calls import Call, Operation, clean_name
from genial.server.entries import Body
from genial.server.errors import Forbidden, NotFound
from genial.server.protocol import (
    BitsBody,
    Done,
    InviteBody,
    Invited,
    JoinBody,
    Lobby,
    LobbyTable,
    NewTable,
    PlaceBody,
    PlaceNumber,
    SitBody,
    StartBody,
    WatchTable,
)
from genial.server.settings import PlaceChoice
from genial.server.streams import StreamInvited
from genial.server.table import Table
from genial.server.views import TableView

_LOBBY = 100
_WATCHED = 20
"""Running games are listed from their tables, which may have to be read: not too many."""


class TableQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """From where to look at a table."""

    place: PlaceNumber | None = None
    """Hot-seat: from which of one's own places."""
    code: str | None = None
    """The join code, for who does not sit here yet."""
    watch: str | None = None
    """The spectators' code."""
    language: str | None = None


async def lobby(call: Call) -> Lobby:
    rows = await call.hub.store.tables(status="open", public=True, limit=_LOBBY)
    found = [
        LobbyTable(row.game, row.code, row.variant, row.seats, row.open_places, row.name, row.created)
        for row in rows
        if row.open_places
    ]
    return Lobby(found, await _to_watch(call))


async def _to_watch(call: Call) -> list[WatchTable]:
    """The public games that are on, where people may look on."""
    rows = await call.hub.store.tables(status="running", public=True, limit=_WATCHED)
    tables = [(await call.hub.live(row.game)).table for row in rows]
    return [
        WatchTable(
            row.game, row.variant, row.seats, row.name, [holder.name for holder in table.holders], row.updated
        )
        for row, table in zip(rows, tables, strict=True)
        if table.may_be_watched
    ]


async def create(call: Call) -> TableView:
    assert isinstance(call.body, NewTable)
    return await create_table(call, call.body)


async def create_table(call: Call, body: NewTable, start: dict[str, Any] | None = None) -> TableView:
    """Set up a table; with a record to start from, its first game goes on from there."""
    device = call.caller
    call.services.limiter.tables.check(call.address)
    name = clean_name(body.name)
    places = [
        PlaceChoice(choice.kind, choice.bot, clean_name(choice.name) if choice.name else None)
        for choice in body.places
    ]
    await call.services.room.take()
    table = await call.hub.create(
        lambda code: decisions.create(body.settings, places, device.id, name, body.bits or "", code, start),
        device.hash,
    )
    return await _seen(call, table.id)


async def _seen(call: Call, game: str) -> TableView:
    """The table as its people see it, now."""
    live = await call.hub.live(game)
    mine = live.table.places_of(call.device_id)
    viewer = viewer_at(live.table, call.device_id, None) if mine else SPECTATOR
    return Sight(live, viewer, call.device_id).view(call.hub.clock())


async def join(call: Call) -> TableView:
    device, body = call.caller, call.body
    assert isinstance(body, JoinBody)
    game = await find(call, body.code)
    if body.name is not None:
        name, bits = clean_name(body.name), body.bits or ""
        await call.hub.do(
            game,
            lambda table: decisions.sit(table, device.id, name, bits, body.place),
            device_hash=device.hash,
        )
        return await _seen(call, game)
    live = await call.hub.fresh(game)
    if live.table.games and not live.table.places_of(device.id) and device.id != live.table.host:
        raise Forbidden("table-started")
    return await _seen(call, game)


async def find(call: Call, code: str) -> str:
    """The table with this code."""
    row = await call.hub.store.table_by_code(code.strip().upper())
    if row is None or row.status == "closed":
        call.services.limiter.guesses.check(call.address)
        raise NotFound("code-unknown")
    return row.game


async def look(call: Call) -> TableView:
    query = call.query
    assert isinstance(query, TableQuery)
    found = await call.sight(query.place, code=query.code, watch=query.watch)
    return found.view(call.hub.clock())


async def sit(call: Call) -> TableView:
    device, body = call.caller, call.body
    assert isinstance(body, SitBody)
    await call.sight(code=body.code)
    name = clean_name(body.name)
    await call.hub.do(
        call.table_id,
        lambda table: decisions.sit(table, device.id, name, body.bits, body.place),
        device_hash=device.hash,
    )
    return await _seen(call, call.table_id)


async def set_place(call: Call) -> Done:
    device, choice = call.caller, call.body
    assert isinstance(choice, PlaceChoice)
    name = clean_name(choice.name) if choice.name else None
    wanted = PlaceChoice(choice.kind, choice.bot, name)
    return await _do(call, lambda table: decisions.set_place(table, device.id, call.number("place"), wanted))


async def invite(call: Call) -> Invited:
    device, body = call.caller, call.body
    assert isinstance(body, InviteBody)
    table = (await call.sight()).table
    if device.id != table.host:
        raise Forbidden("host-only")
    settings = table.settings
    invitation = StreamInvited(table.id, settings.variant, settings.seats, body.place)
    return Invited(*call.services.bots.invite(body.bot, invitation))


async def add_bits(call: Call) -> Done:
    device, bits = call.caller, call.body.bits
    return await _do(call, lambda table: decisions.mix(table, device.id, bits))


async def start(call: Call) -> Done:
    device, bits = call.caller, call.body.bits or ""
    return await _do(call, lambda table: decisions.start(table, device.id, bits))


async def leave(call: Call) -> Done:
    device = call.caller

    def decide(table: Table) -> list[Body]:
        return decisions.leave(table, device.id, own_place(table, device.id, call.body.place))

    return await _do(call, decide)


async def come_back(call: Call) -> Done:
    device = call.caller

    def decide(table: Table) -> list[Body]:
        return decisions.come_back(table, device.id, own_place(table, device.id, call.body.place))

    return await _do(call, decide)


async def close(call: Call) -> Done:
    device = call.caller

    def decide(table: Table) -> list[Body]:
        if device.id != table.host:
            raise Forbidden("host-only")
        return decisions.close(table, "host")

    return await _do(call, decide)


async def _do(call: Call, decide: Callable[[Table], list[Body]]) -> Done:
    await call.sight()  # strangers learn nothing of a table, not even that it is there
    entry = await call.hub.do(call.table_id, decide)
    return Done(entry.seq if entry else None)


_T, _TAGS = "/api/tables/{table}", ("tables",)

OPERATIONS = [
    Operation("GET", "/api/tables", lobby, "The public tables.", Lobby, tags=_TAGS),
    Operation("POST", "/api/tables", create, "Set up a table.", TableView, NewTable, status=201, tags=_TAGS),
    Operation(
        "POST", "/api/join", join, "Find a table by its code, and sit down.", TableView, JoinBody, tags=_TAGS
    ),
    Operation("GET", _T, look, "A table, as one may see it.", TableView, query=TableQuery, tags=_TAGS),
    Operation("POST", f"{_T}/sit", sit, "Take an open place.", TableView, SitBody, tags=_TAGS),
    Operation(
        "POST",
        f"{_T}/places/{{place:int}}",
        set_place,
        "The host gives a place to a bot, takes it, or opens it.",
        Done,
        PlaceChoice,
        tags=_TAGS,
    ),
    Operation(
        "POST",
        f"{_T}/invite",
        invite,
        "The host invites a bot that listens.",
        Invited,
        InviteBody,
        tags=_TAGS,
    ),
    Operation(
        "POST", f"{_T}/bits", add_bits, "Add random bits to the next deal.", Done, BitsBody, tags=_TAGS
    ),
    Operation("POST", f"{_T}/start", start, "Begin the next game.", Done, StartBody, tags=_TAGS),
    Operation(
        "POST", f"{_T}/rematch", start, "Play again; the start passes on.", Done, StartBody, tags=_TAGS
    ),
    Operation("POST", f"{_T}/leave", leave, "Get up; in a game a bot plays on.", Done, PlaceBody, tags=_TAGS),
    Operation(
        "POST", f"{_T}/return", come_back, "Take one's place back from the bot.", Done, PlaceBody, tags=_TAGS
    ),
    Operation("POST", f"{_T}/close", close, "The host closes the table.", Done, tags=_TAGS),
]
