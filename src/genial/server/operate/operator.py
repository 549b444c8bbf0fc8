"""What a server's operator may do: close tables, ban people, export unfinished games.

The operator's token is in a file, and the server knows only its hash. Lists show no racks; the one call that
does is the export of a record, and it is logged.
"""

from __future__ import annotations

import logging
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct
from starlette.requests import Request

from genial.core.record import dump
from genial.server.calls.answering import File
from genial.server.calls.call import Call, Calls
from genial.server.calls.devices import address_hash, network_of
from genial.server.http.callers import address_of
from genial.server.http.routes import Admit
from genial.server.operate.tokens import has_token
from genial.server.tables import decisions
from genial.server.tables.entries import Chatted
from genial.server.tables.errors import Forbidden, NotFound, Refused
from genial.server.tables.peers import Banned
from genial.server.tables.store import Status, TableRow
from genial.server.tables.table import table_mark

log = logging.getLogger("genial.server")

CALLS = Calls("operator")
_HOUR = 3_600_000
_PAGE = 100
_STATUSES: tuple[Status, ...] = get_args(Status)


class TablesQuery(Struct, frozen=True):
    """Which tables to list; an unknown status is ignored."""

    status: str | None = None
    after: str = ""
    """The `next` of the page before."""


class BanRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The device or address to ban, or to let in again."""

    kind: Literal["device", "address"]
    key: Annotated[str, Meta(min_length=1, max_length=64)]
    """A device as a table's page shows it, or an address."""
    hours: Annotated[int, Meta(ge=1, le=24 * 3660)] | None = None
    """For ever, if left out."""

    @property
    def key_hash(self) -> bytes:
        """The key as the store knows it."""
        if self.kind == "address":
            return address_hash(self.key)
        try:
            return bytes.fromhex(self.key)
        except ValueError:
            raise Refused("message-unreadable", problem="key") from None


def operator_only(token: bytes | None) -> Admit:
    """Only the holder of the token with this hash may call; without a hash, nobody may."""

    async def admit(request: Request) -> None:
        request.app.state.services.limiter.requests.check(address_of(request))
        if not has_token(request, token):
            raise Forbidden("operator-only")

    return admit


@CALLS.get("/api/operator/tables")
async def tables(call: Call, query: TablesQuery) -> dict[str, Any]:
    """Tables, newest first; `status` filters, `after` is the `next` of the page before."""
    status = next((status for status in _STATUSES if status == query.status), None)
    created, _, table_id = query.after.partition(":")
    before = (int(created), table_id) if created.isdecimal() and len(created) < 19 else None
    rows = await call.hub.store.tables(status=status, limit=_PAGE, before=before)
    following = f"{rows[-1].created}:{rows[-1].table_id}" if len(rows) == _PAGE else None
    return {"tables": [_row(call, row) for row in rows], "next": following}


def _row(call: Call, row: TableRow) -> dict[str, Any]:
    live = call.hub.tables.get(row.table_id)
    return {
        "table": row.table_id,
        "name": row.name,
        "variant": row.variant,
        "seats": row.seats,
        "status": row.status,
        "public": row.public,
        "created": row.created,
        "updated": row.updated,
        "open_places": row.open_places,
        "listeners": len(live.listeners) if live else 0,
    }


@CALLS.get("/api/operator/tables/{table}")
async def table_page(call: Call) -> dict[str, Any]:
    """Who sits at a table and what was said there, but none of the tiles."""
    live = await call.hub.fresh(call.table_id)
    table = live.table
    return {
        "table": table.id,
        "status": table.status,
        "host": table.host,
        "listeners": len(live.listeners),
        "places": [
            {"kind": each.kind, "name": each.name, "bot": each.bot, "away": each.away, "device": each.device}
            for each in table.holders
        ],
        "games": [{"number": game.number, "over": game.result is not None} for game in table.games],
        "chat": [
            {"time": entry.time, "place": said.place, "name": said.name, "text": said.text or said.phrase}
            for entry in table.chat
            if isinstance(said := entry.body, Chatted)
        ],
    }


@CALLS.post("/api/operator/tables/{table}/close")
async def close(call: Call) -> dict[str, Any]:
    """Close a table. If that cuts a game off, its secret is revealed (DEAL)."""
    live = await call.hub.fresh(call.table_id)
    await call.hub.do(call.table_id, lambda table: decisions.close(table, "operator"))
    log.warning("operator closed a table", extra={"table": table_mark(call.table_id)})
    return {"table": call.table_id, "status": live.table.status}


@CALLS.get("/api/operator/tables/{table}/games/{number:int}/record")
async def record(call: Call) -> File:
    """The record of any game, even an unfinished one: it contains every rack."""
    table = (await call.hub.fresh(call.table_id)).table
    game = next((game for game in table.games if game.number == call.path["number"]), None)
    if game is None:
        raise NotFound("table-unknown")
    log.warning("operator took a record", extra={"table": table_mark(table.id)})
    return File(dump(game.record()).encode())


@CALLS.get("/api/operator/bans")
async def bans(call: Call) -> dict[str, Any]:
    """All bans, by hash."""
    kept_out = await call.hub.store.bans()
    return {"bans": [{"kind": ban.kind, "key": ban.key_hash.hex(), "until": ban.until} for ban in kept_out]}


@CALLS.post("/api/operator/ban")
async def ban(call: Call, body: BanRequest) -> dict[str, Any]:
    """Ban a device or an address."""
    until = None if body.hours is None else call.hub.clock() + body.hours * _HOUR
    await call.hub.store.ban(body.kind, body.key_hash, until)
    banned = Banned(body.kind, body.key if body.kind == "device" else network_of(body.key))
    call.services.bans.put_out(banned)
    call.hub.peers.put_out(banned)
    log.warning("operator banned", extra={"kind": body.kind})
    return {"kind": body.kind, "key": body.key_hash.hex(), "until": until}


@CALLS.post("/api/operator/unban")
async def unban(call: Call, body: BanRequest) -> dict[str, Any]:
    """Lift the ban of a device or an address."""
    await call.hub.store.unban(body.kind, body.key_hash)
    log.warning("operator lifted a ban", extra={"kind": body.kind})
    return {"kind": body.kind, "key": body.key_hash.hex()}
