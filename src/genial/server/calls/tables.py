"""Tables: set up, find, sit down, start, leave, close."""

from __future__ import annotations

from typing import Any

from genial.server.calls.call import TABLE, Call, Calls, Query
from genial.server.calls.deeds import decided, decided_at
from genial.server.calls.protocol import (
    BitsBody,
    Done,
    InviteBody,
    Invited,
    JoinBody,
    Lobby,
    LobbyTable,
    MuteBody,
    NewTable,
    PlaceBody,
    PlaceNumber,
    RematchBody,
    RemoveBody,
    SitBody,
    StartBody,
    WatchTable,
)
from genial.server.calls.streams import StreamInvited
from genial.server.tables import decisions, rematch
from genial.server.tables.entries import Body
from genial.server.tables.errors import Forbidden, NotFound, Refused
from genial.server.tables.hub import Live
from genial.server.tables.settings import PlaceChoice
from genial.server.tables.table import Table
from genial.server.tables.views import TableView, table_view, viewer_of

CALLS = Calls("tables")
_MOST_WAITING = 100
_MOST_WATCHED = 20
"""Running games are listed from their tables, which may have to be loaded, so only a few."""


class TableQuery(Query, frozen=True):
    """Where to look at a table from."""

    place: PlaceNumber | None = None
    """Hot-seat: which of the device's places to look from."""
    code: str | None = None
    """The join code, for callers who don't sit here yet."""
    watch: str | None = None
    """The spectators' code."""


@CALLS.get("/api/tables")
async def lobby(call: Call) -> Lobby:
    """The public tables."""
    if not call.can("lobby"):
        return Lobby([], [])
    rows = await call.hub.store.tables(status="open", public=True, limit=_MOST_WAITING)
    waiting = [
        LobbyTable(row.table_id, row.code, row.variant, row.seats, row.open_places, row.name, row.created)
        for row in rows
        if row.open_places
    ]
    return Lobby(waiting, await _to_watch(call))


async def _to_watch(call: Call) -> list[WatchTable]:
    """The public games in progress that people may watch."""
    rows = await call.hub.store.tables(status="running", public=True, limit=_MOST_WATCHED)
    watched = []
    for row in rows:
        table = (await call.hub.live(row.table_id)).table
        if table.may_be_watched:
            people = [holder.name for holder in table.holders]
            watched.append(WatchTable(row.table_id, row.variant, row.seats, row.name, people, row.updated))
    return watched


@CALLS.post("/api/tables", status=201)
async def create(call: Call, body: NewTable, start: dict[str, Any] | None = None) -> TableView:
    """Set up a table.

    With a record to start from, its first game continues that record.
    """
    device = call.caller
    call.services.limiter.tables.check(call.address)
    await call.services.tables.take()
    live = await call.hub.create(
        lambda code: decisions.create(
            body.settings, body.places, device.id, body.name, body.bits or "", code, start
        ),
        device.hash,
        address=call.address,
    )
    return _seen(call, live)


def _seen(call: Call, live: Live) -> TableView:
    """The table as the caller, who belongs to it, sees it now."""
    return table_view(live.table, viewer_of(live.table, call.caller.id), call.hub.clock(), live.told)


@CALLS.post("/api/join", needs="links")
async def join(call: Call, body: JoinBody) -> TableView:
    """Find a table by its code, and sit down."""
    device = call.caller
    table_id = await find(call, body.code)
    if body.name is not None:
        return _seen(call, await seated(call, table_id, body.name, body.bits, body.place))
    live = await call.hub.fresh(table_id)
    if live.table.has_removed(device.id):
        raise Forbidden("removed")
    if live.table.games and not live.table.places_of(device.id) and device.id != live.table.host:
        raise Forbidden("table-started")
    return _seen(call, live)


async def seated(call: Call, table_id: str, name: str, bits: str | None, place: int | None) -> Live:
    """Sit down at a table, and return it."""
    device = call.caller
    await call.hub.do(
        table_id,
        lambda table: decisions.sit(
            table, device.id, name, bits or "", place, program=device.bot is not None
        ),
        device_hash=device.hash,
        address=call.address,
    )
    return await call.hub.live(table_id)


async def find(call: Call, code: str) -> str:
    """The id of the table with this code."""
    wanted = code.strip().upper()
    with call.services.limiter.guessing(call.address):
        row = await call.hub.store.table_by_code(wanted) if wanted.isascii() and wanted.isalnum() else None
        if row is None or row.status == "closed":
            raise NotFound("code-unknown")
    return row.table_id


@CALLS.get(TABLE)
async def look(call: Call, query: TableQuery) -> TableView:
    """A table, as the caller may see it."""
    if not call.speaks:  # a page whose socket was refused asks here for the reason
        raise Refused("page-outdated")
    return (await call.sight(query.place, code=query.code, watch=query.watch)).view(call.hub.clock())


@CALLS.post(f"{TABLE}/sit")
async def sit(call: Call, body: SitBody) -> TableView:
    """Take an open place."""
    await call.sight(code=body.code)
    return _seen(call, await seated(call, call.table_id, body.name, body.bits, body.place))


@CALLS.post(f"{TABLE}/places/{{place:int}}")
async def set_place(call: Call, body: PlaceChoice) -> Done:
    """The host gives a place to a bot, takes it, or opens it."""
    place = int(call.path["place"])
    return await decided(call, lambda table, device: decisions.set_place(table, device, place, body))


@CALLS.post(f"{TABLE}/invite", needs="http-bots")
async def invite(call: Call, body: InviteBody) -> Invited:
    """The host invites a listening bot."""
    device = call.caller
    table = (await call.sight()).table
    if device.id != table.host:
        raise Forbidden("host-only")
    invitation = StreamInvited(table.id, table.settings.variant, table.settings.seats, body.place)
    return Invited(*call.services.bots.invite(body.bot, invitation))


@CALLS.post(f"{TABLE}/bits")
async def add_bits(call: Call, body: BitsBody) -> Done:
    """Add random bits to the next deal."""
    return await decided(call, lambda table, device: decisions.mix(table, device, body.bits))


@CALLS.post(f"{TABLE}/start")
async def start(call: Call, body: StartBody) -> Done:
    """The host starts the first game."""
    return await decided(call, lambda table, device: decisions.start(table, device, body.bits or ""))


@CALLS.post(f"{TABLE}/rematch")
async def agree_to_next(call: Call, body: RematchBody) -> Done:
    """Offer the next game, accept it, or decline; it begins once everybody at the table has accepted."""
    if not body.yes:
        return await decided(call, rematch.decline)
    live = (await call.sight()).live
    await call.hub.peers.look(call.table_id)  # people connected through other processes count too

    def decide(table: Table, device: str) -> list[Body]:
        present = call.services.presence.connected(live)
        return rematch.agree(table, device, body.bits or "", present, body.number)

    return await decided(call, decide)


@CALLS.post(f"{TABLE}/leave")
async def leave(call: Call, body: PlaceBody) -> Done:
    """Get up. With two sides the game ends, with more a bot plays on; alone with bots nothing happens."""
    return await decided_at(call, body.place, decisions.leave)


@CALLS.post(f"{TABLE}/return")
async def come_back(call: Call, body: PlaceBody) -> Done:
    """Take your place back from the bot."""
    return await decided_at(call, body.place, decisions.come_back)


@CALLS.post(f"{TABLE}/mute")
async def mute(call: Call, body: MuteBody) -> Done:
    """The host mutes somebody, or lets them speak again."""
    return await decided(call, lambda table, device: decisions.mute(table, device, body.mark, body.muted))


@CALLS.post(f"{TABLE}/remove")
async def remove(call: Call, body: RemoveBody) -> Done:
    """The host removes a spectator, or a player before the game begins."""
    return await decided(call, lambda table, device: decisions.remove(table, device, body.mark))


@CALLS.post(f"{TABLE}/close")
async def close(call: Call) -> Done:
    """The host closes the table, unless others are in a game there."""
    return await decided(call, decisions.close_as_host)
