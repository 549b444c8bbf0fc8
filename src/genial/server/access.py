"""Who may see which table, and from which places. Whoever may not is told that there is no such table."""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest

from genial.server.auth import Device
from genial.server.errors import Forbidden, NotFound, Refused
from genial.server.hub import Hub, Live
from genial.server.table import Game, Table
from genial.server.views import CURTAIN, TableView, Viewer, table_view

SPECTATOR: Viewer = frozenset()


@dataclass(slots=True)
class Sight:
    """A table as one caller sees it."""

    live: Live
    viewer: Viewer
    device: str

    @property
    def table(self) -> Table:
        return self.live.table

    def view(self, now: int) -> TableView:
        """Everything that may be known from here."""
        return table_view(self.live.table, self.viewer, self.device, now)

    def mover(self) -> Game:
        """The game at hand, for who is to move in it."""
        table, game = self.table, self.table.game
        if game is None or not table.is_running:
            raise Refused("table-not-running")
        if game.mover not in self.viewer:
            got = min(self.viewer - CURTAIN, default=-1) + 1
            raise Refused("seat-wrong", ruling="TURN", got=got, expected=(game.mover or 0) + 1)
        return game


async def sight(
    hub: Hub,
    game: str,
    device: Device | None,
    *,
    place: int | None = None,
    code: str | None = None,
    watch: str | None = None,
) -> Sight:
    """The table for who may see it.

    People see it from one of their places at a time. The host sees it always; others as spectators by the
    watch code, where the lobby shows its game to everybody, or by the join code as long as no game has begun.
    """
    live = await hub.fresh(game)
    table, own = live.table, device.id if device else ""
    mine = table.places_of(own) if own else SPECTATOR
    if mine:
        return Sight(live, viewer_at(table, own, place), own)
    if own and own == table.host:
        return Sight(live, SPECTATOR, own)
    if watch is not None and compare_digest(watch.upper().encode(), table.watch.encode()):
        if not table.settings.spectators:
            raise Forbidden("spectators-off")
        return Sight(live, SPECTATOR, own)
    if table.may_be_watched:
        return Sight(live, SPECTATOR, own)
    if code is not None and compare_digest(code.upper().encode(), table.code.encode()) and not table.games:
        return Sight(live, SPECTATOR, own)
    if device and await _sat_here_once(hub, table, device):
        return Sight(live, SPECTATOR, own)
    raise NotFound("table-unknown")


def viewer_at(table: Table, device: str, place: int | None) -> Viewer:
    """The viewer for a device that holds places: one of them, or a curtain before several."""
    mine = table.places_of(device)
    if place is None:
        return mine if len(mine) == 1 else CURTAIN
    if place not in mine:
        raise Forbidden("place-not-yours", place=place + 1)
    return frozenset({place})


async def _sat_here_once(hub: Hub, table: Table, device: Device) -> bool:
    """Who resigned, and left a place to a bot, may go on watching if anybody may, and read what is over."""
    if table.is_running and not table.settings.spectators:
        return False
    return any(found.game == table.id for found in await hub.store.credential(device.hash))


def own_place(table: Table, device: str, place: int | None) -> int:
    """One of the device's own places: the one named, or the only one."""
    mine = table.places_of(device)
    if place is None and len(mine) == 1:
        return min(mine)
    if place is None or place not in mine:
        raise Forbidden("place-not-yours", place=(place or 0) + 1)
    return place
