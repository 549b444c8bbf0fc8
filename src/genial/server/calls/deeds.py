"""What a device does at a table; the same over HTTP and over the socket."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from genial.core.notation import parse_move
from genial.server.calls.access import own_place
from genial.server.calls.call import Call, Services
from genial.server.calls.devices import Device
from genial.server.calls.protocol import (
    ActBody,
    AnswerBody,
    AskBody,
    AtPlace,
    BackBody,
    ChatBody,
    ChooseBody,
    Done,
)
from genial.server.tables import decisions, leaving
from genial.server.tables.decisions import Decide
from genial.server.tables.entries import Body
from genial.server.tables.errors import NotFound, Refused
from genial.server.tables.hub import Live, Stored
from genial.server.tables.marks import spectator_name
from genial.server.tables.subscribers import Listener
from genial.server.tables.table import Table

Deed = ActBody | BackBody | AskBody | AnswerBody | ChooseBody | ChatBody


class Stale(Refused):
    """The client hasn't seen what it is replying to, or names an entry to come: it needs the whole state."""


async def do(
    services: Services,
    table_id: str,
    device: Device,
    deed: Deed,
    *,
    address: str,
    listener: Listener | None = None,
) -> Stored:
    """Do it, durably. `listener` is the doer, if it listens to the table; `address` is the doer's address."""
    live = await services.hub.live(table_id)
    table = live.table
    if isinstance(deed, ChooseBody):
        await services.hub.peers.look(table_id)  # people connected through other processes count too
    if isinstance(deed, ChatBody):
        watches = not table.places_of(device.id)
        services.limiter.speak(table_id, device.id, address, watches=watches)
    decide = _decision(services, live, device.id, deed)
    # Move ids are prefixed with the device, so that two devices with the same numbering don't clash.
    move_id, doer = f"{device.id}:{deed.move_id}", (listener, deed.move_id) if listener is not None else None
    return await services.hub.do(table_id, decide, move_id=move_id, doer=doer, address=address)


async def decided(call: Call, decide: Callable[[Table, str], Sequence[Body]]) -> Done:
    """Decide something at the call's table for the calling device, durably."""
    device = call.caller.id
    await call.sight()  # strangers learn nothing about a table, not even that it exists
    done = await call.hub.do(call.table_id, lambda table: decide(table, device), address=call.address)
    return Done(done.seq)


async def decided_at(
    call: Call, place: int | None, decide: Callable[[Table, str, int], Sequence[Body]]
) -> Done:
    """The same in one of the device's places: the given one, or the only one."""
    return await decided(call, lambda table, device: decide(table, device, own_place(table, device, place)))


def _decision(services: Services, live: Live, device: str, deed: Deed) -> Decide:
    """The deed as a decision, which is taken on the table as it then is."""
    setup = live.table.setup
    match deed:
        case ChatBody():
            return lambda table: _chat(services, table, device, deed)
        case ActBody():
            action = parse_move(setup, deed.action)
            then = parse_move(setup, deed.then) if deed.then else None
            return lambda table: decisions.act(table, _acting_place(table, device, deed), action, then)
        case BackBody():
            return lambda table: decisions.take_back(table, _acting_place(table, device, deed))
        case AskBody():
            return lambda table: decisions.ask_back(table, _acting_place(table, device, deed), deed.to)
        case AnswerBody():
            return lambda table: decisions.answer(table, _acting_place(table, device, deed), deed.yes)
        case ChooseBody():
            return lambda table: _choose(services, live, table, device, deed)


def _acting_place(table: Table, device: str, deed: AtPlace) -> int:
    """The place that acts; refused if it isn't the device's own, or the game has moved on."""
    place = own_place(table, device, deed.place)
    if table.holders[place].away:
        raise Refused("place-away", ruling="LEAVING")
    if isinstance(deed, ActBody | BackBody):
        game = table.game if table.is_running else None
        if game is not None and not game.seq <= deed.seq <= table.seq:
            raise Stale("stale", got=deed.seq, expected=game.seq)
    return place


def _choose(services: Services, live: Live, table: Table, device: str, deed: ChooseBody) -> list[Body]:
    _acting_place(table, device, deed)
    present, now = services.presence.present(live), services.hub.clock()
    return leaving.vote(table, device, deed.absent, deed.choice, present, now)


def _chat(services: Services, table: Table, device: str, deed: ChatBody) -> list[Body]:
    mine, mark = table.places_of(device), table.mark(device)
    place: int | None = None
    if mine:
        place = own_place(table, device, min(mine) if deed.place is None else deed.place)
        name = table.holders[place].name
    elif table.closed:
        raise NotFound("table-closed")
    else:
        seated = [holder.name for holder in table.holders if holder.kind != "open"]
        name = spectator_name(deed.name or "?", mark, seated)
    return decisions.chat(table, place, name, deed.text, deed.phrase, services.limits, mark)
