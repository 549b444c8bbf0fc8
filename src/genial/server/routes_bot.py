"""The bot API: get a token, listen, accept an invitation or join by code, act. See docs/bots.md."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from genial.server import decisions
from genial.server.auth import Device, NotSignedIn, device_of, new_bot_token
from genial.server.calls import Call, Operation, clean_name
from genial.server.errors import NotFound
from genial.server.protocol import ActBody, BotAccount, BotAccountBody, BotJoinBody, Done
from genial.server.routes_play import WatchQuery, deed
from genial.server.routes_tables import find
from genial.server.streams import SHOWN_ID, StreamEvent
from genial.server.views import TableView, table_view


async def account(call: Call) -> BotAccount:
    body = call.body
    assert isinstance(body, BotAccountBody)
    name = clean_name(body.name)
    token = new_bot_token(name)
    device = device_of(token)
    assert device is not None
    return BotAccount(token, device.id[:SHOWN_ID], name)


def _bot(call: Call) -> tuple[Device, str]:
    device = call.caller
    if device.bot is None:
        raise NotSignedIn("bot-only")
    return device, device.bot


async def stream(call: Call) -> Response:
    device, _ = _bot(call)
    sockets, address = call.services.limiter.sockets, call.address
    call.services.bots.check_room(device)
    sockets.check(address)

    async def lines() -> AsyncIterator[bytes]:
        sockets.enter(address)
        try:
            async for line in call.services.bots.follow(device):
                yield line
        finally:
            sockets.leave(address)

    # No proxy may wait for a stream to be complete.
    headers = {"x-accel-buffering": "no"}
    return StreamingResponse(lines(), headers=headers, media_type="application/x-ndjson")


async def join(call: Call) -> TableView:
    device, name = _bot(call)
    body = call.body
    assert isinstance(body, BotJoinBody)
    place = body.place
    if body.code is not None:
        game = await find(call, body.code)
    else:
        game = body.table or ""
        if not call.services.bots.is_invited(device, game):
            raise NotFound("table-unknown")
        place = place if place is not None else call.services.bots.invited_place(device, game)
    # Everybody sees in the name who is no person.
    await call.hub.do(
        game,
        lambda table: decisions.sit(table, device.id, f"{name} (bot)", body.bits or "", place),
        device_hash=device.hash,
    )
    await call.services.bots.attach(device, game)
    live = await call.hub.live(game)
    return table_view(live.table, live.table.places_of(device.id), device.id, call.hub.clock())


_TAGS = ("bots",)

OPERATIONS = [
    Operation(
        "POST",
        "/api/bot/account",
        account,
        "A token for a new bot, told this once.",
        BotAccount,
        BotAccountBody,
        status=201,
        tags=_TAGS,
    ),
    Operation(
        "GET",
        "/api/bot/stream",
        stream,
        "Invitations, turns and ends, one JSON object a line; an empty line keeps it open.",
        StreamEvent,
        content_type="application/x-ndjson",
        tags=_TAGS,
    ),
    Operation(
        "POST",
        "/api/bot/join",
        join,
        "Accept an invitation, or join by code.",
        TableView,
        BotJoinBody,
        tags=_TAGS,
    ),
    Operation(
        "POST",
        "/api/bot/tables/{table}/act",
        deed,
        "Do something in the game.",
        Done,
        ActBody,
        query=WatchQuery,
        tags=_TAGS,
    ),
]
