"""Who may see which table, and from which places. Others are told that there is no such table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hmac import compare_digest

from genial.server.calls.devices import Device
from genial.server.tables.errors import Forbidden, NotFound, Refused
from genial.server.tables.hub import Hub, Live
from genial.server.tables.table import Game, Table
from genial.server.tables.views import TableView, Viewer, table_view, viewer_of


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
        """Everything that this caller may know."""
        return table_view(self.live.table, self.viewer, now, self.live.told)

    def mover(self) -> Game:
        """The current game; refused unless it is this caller's turn."""
        table, game = self.table, self.table.game
        if game is None or not table.is_running:
            raise Refused("table-not-running")
        if game.mover not in self.viewer.looks:
            got = min(self.viewer.looks, default=-1) + 1
            raise Refused("not-your-turn", ruling="TURN", got=got, expected=(game.mover or 0) + 1)
        return game


async def sight(
    hub: Hub,
    table_id: str,
    device: Device | None,
    guessing: Callable[[], AbstractContextManager[None]],
    *,
    place: int | None = None,
    code: str | None = None,
    watch: str | None = None,
) -> Sight:
    """The table, if the caller may see it.

    People see it from one of their places at a time. The host always sees it. Others see it as spectators,
    with the watch code or if the lobby shows its game to everybody, or with the join code until a game has
    begun. A code only counts for callers who need one; it is checked inside `guessing`.
    """
    live = await hub.fresh(table_id)
    table, device_id = live.table, device.id if device else ""
    if table.has_removed(device_id):
        raise Forbidden("removed")
    viewer = viewer_at(table, device_id, place)
    allowed = viewer.own or viewer.host or table.may_be_watched
    if not (allowed or (device and await _sat_here_once(hub, table, device))):
        if code is None and watch is None:
            raise NotFound("table-unknown")
        with guessing():
            by_watch = _is_right(watch, table.watch)
            if not (by_watch or (not table.games and _is_right(code, table.code))):
                raise NotFound("table-unknown")
        if by_watch and not table.settings.spectators:
            raise Forbidden("spectators-off")
    return Sight(live, viewer, device_id)


def _is_right(given: str | None, code: str) -> bool:
    return given is not None and compare_digest(given.upper().encode(), code.encode())


def viewer_at(table: Table, device: str, place: int | None) -> Viewer:
    """A device as a viewer from one of its places: the given one, or the only one."""
    viewer = viewer_of(table, device)
    if place is None or not viewer.own:
        return viewer
    if place not in viewer.own:
        raise Forbidden("place-not-yours", place=place + 1)
    return viewer._replace(looks=frozenset({place}))


async def _sat_here_once(hub: Hub, table: Table, device: Device) -> bool:
    """True if the device ever sat here; someone who resigned may watch if anybody may, and read the end."""
    if table.is_running and not table.settings.spectators:
        return False
    return await hub.store.sat_at(device.hash, table.id)


def own_place(table: Table, device: str, place: int | None) -> int:
    """One of the device's places: the given one, or the only one."""
    mine = table.places_of(device)
    if place is None and len(mine) == 1:
        return min(mine)
    if place is None or place not in mine:
        raise Forbidden("place-not-yours", place=(place or 0) + 1)
    return place
