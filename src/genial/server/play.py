"""What a device does at a table, the same over HTTP and over the socket."""

from __future__ import annotations

from genial.server import decisions
from genial.server.access import own_place
from genial.server.auth import Device
from genial.server.calls import Services, clean_name
from genial.server.entries import Body, Entry
from genial.server.errors import Forbidden, NotFound, Refused
from genial.server.hub import Acknowledge
from genial.server.protocol import ActBody, AnswerBody, AskBody, BackBody, ChatBody
from genial.server.table import Table

Deed = ActBody | BackBody | AskBody | AnswerBody | ChatBody


class Stale(Refused):
    """The client has not seen what it answers to, or more than there is: it needs the whole state."""


async def do(
    services: Services,
    game: str,
    device: Device,
    deed: Deed,
    *,
    watches: bool = False,
    acknowledge: Acknowledge | None = None,
) -> Entry | None:
    """Do it, durably. `watches` says that a spectator does it, who can only talk."""
    if watches and not isinstance(deed, ChatBody):
        raise Forbidden("place-not-yours", place=deed.place + 1)
    if isinstance(deed, ChatBody):
        services.limiter.chat.check((device.id, game))

    def decide(table: Table) -> list[Body]:
        return _decide(services, table, device.id, deed)

    # A move id is the device's own: two who count alike do not meet.
    move_id = f"{device.id}:{deed.move_id}"
    return await services.hub.do(game, decide, move_id=move_id, acknowledge=acknowledge)


def _decide(services: Services, table: Table, device: str, deed: Deed) -> list[Body]:
    if isinstance(deed, ChatBody):
        return _chat(services, table, device, deed)
    place = own_place(table, device, deed.place)
    if table.holders[place].away:
        raise Refused("place-away", ruling="LEAVING")
    match deed:
        case ActBody():
            _check_fresh(table, deed.seq)
            return decisions.act(table, place, deed.action, deed.then)
        case BackBody():
            _check_fresh(table, deed.seq)
            return decisions.take_back(table, place)
        case AskBody():
            return decisions.ask_back(table, place, deed.to)
        case AnswerBody():
            return decisions.answer(table, place, deed.yes)


def _check_fresh(table: Table, seq: int) -> None:
    if table.game is not None and table.is_running and not table.game.seq <= seq <= table.seq:
        raise Stale("stale", got=seq, expected=table.game.seq)


def _chat(services: Services, table: Table, device: str, deed: ChatBody) -> list[Body]:
    if not table.places_of(device):
        if table.closed:
            raise NotFound("table-closed")
        name = clean_name(deed.name) if deed.name else "?"
        return decisions.chat(table, None, name, deed.text, deed.phrase, services.limits)
    mine = table.places_of(device)
    place = own_place(table, device, min(mine) if deed.place is None else deed.place)
    name = table.holders[place].name
    return decisions.chat(table, place, name, deed.text, deed.phrase, services.limits)
