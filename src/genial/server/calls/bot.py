"""The bot API: get a token, listen, accept an invitation or join by code, act. See docs/bots.md."""

from __future__ import annotations

from collections.abc import AsyncIterator

from genial.server.calls.call import Call, Calls, Lines
from genial.server.calls.capabilities import Capability
from genial.server.calls.devices import Device, NotSignedIn, device_of
from genial.server.calls.play import deed
from genial.server.calls.protocol import ActBody, BotAccount, BotAccountBody, BotJoinBody
from genial.server.calls.streams import SHOWN_ID_LENGTH, StreamEvent
from genial.server.calls.tables import find, seated
from genial.server.tables.views import TableView, Viewer, table_view

CALLS = Calls("bots")
_NEEDS: Capability = "http-bots"


@CALLS.post("/api/bot/account", status=201, needs=_NEEDS)
async def account(call: Call, body: BotAccountBody) -> BotAccount:
    """A token for a new bot, shown only this once."""
    call.services.limiter.devices.check(call.address)
    token = call.services.tokens.new_bot(body.name)
    device = device_of(token)
    assert device is not None
    return BotAccount(token, device.id[:SHOWN_ID_LENGTH], body.name)


def _bot(call: Call) -> tuple[Device, str]:
    device = call.caller
    if device.bot is None:
        raise NotSignedIn("bot-only")
    return device, device.bot


@CALLS.get("/api/bot/stream", answer=StreamEvent, content_type="application/x-ndjson", needs=_NEEDS)
async def stream(call: Call) -> Lines:
    """Invitations, turns and ends of games, one JSON object per line; empty lines keep it open."""
    device, _ = _bot(call)
    sockets, address = call.services.limiter.sockets, call.address
    call.services.bots.check_room(device)
    sockets.check(address)

    async def lines() -> AsyncIterator[bytes]:
        sockets.enter(address)
        try:
            async for line in call.services.bots.follow(device, address):
                yield line
        finally:
            sockets.leave(address)

    return Lines(lines())


@CALLS.post("/api/bot/join", needs=_NEEDS)
async def join(call: Call, body: BotJoinBody) -> TableView:
    """Accept an invitation, or join by code."""
    device, name = _bot(call)
    bots, place = call.services.bots, body.place
    if body.code is not None:
        table_id = await find(call, body.code)
    else:
        table_id = body.table or ""
        invited_place = bots.invited_place(device, table_id)
        place = invited_place if place is None else place
    # The name shows everybody that this isn't a person.
    live = await seated(call, table_id, f"{name} (bot)", body.bits, place)
    await bots.attach(device, table_id)
    own = live.table.places_of(device.id)
    return table_view(live.table, Viewer(own, own), call.hub.clock(), live.told)


CALLS.post("/api/bot/tables/{table}/act", body=ActBody, summary="Do something in the game.", needs=_NEEDS)(
    deed
)
