"""After a game: the next one is offered, and begins once all players have accepted.

This applies to a rematch and to the next game of a series. No clock runs until then. Somebody who accepted
and has disconnected since is asked again: only connected people count. House bots are always ready; a bot
that plays over HTTP goes along with what people want, and hears when it is its turn.
"""

from __future__ import annotations

from collections.abc import Collection

from genial.server.tables import decisions
from genial.server.tables.entries import Body, Declined, Lapsed, Offered
from genial.server.tables.errors import Forbidden, Refused
from genial.server.tables.table import Table

MOST_OFFERS = 5
"""How often one place may offer a rematch after a game. Accepting isn't limited."""


def agree(table: Table, device: str, bits: str, present: Collection[int], number: int | None) -> list[Body]:
    """Offer the next game, or accept it. It begins when the last player accepts.

    `present` are the places whose people are connected. `number` is the game that is meant, if given.
    """
    decisions.check_open(table)
    if number is not None and number < len(table.games):
        return []  # that game has begun or is over: a double click
    mine = table.places_of(device)
    if not mine and not (device == table.host and not table.deciding):
        raise Forbidden("rematch-seated")
    if table.status not in ("between", "over"):
        raise Refused("rematch-early")
    if table.open_places:
        raise Refused("places-open", places=[place + 1 for place in table.open_places])
    gone = [place for place in table.ready if place not in mine and not _is_there(table, place, present)]
    there = set(table.ready) - set(gone)
    fresh = sorted(mine - there)
    ready = there | mine
    starts = table.deciding <= ready
    if not fresh and not starts:
        return []  # the offer stands
    if not there and not starts and table.status == "over":
        _check_often(table, fresh[0])
    mixed = decisions.mix(table, device, bits) if bits else []
    bodies: list[Body] = [*(Lapsed(place) for place in gone), *(Offered(place) for place in fresh)]
    if not starts:
        return [*bodies, *mixed]
    return [*bodies, *decisions.begin(table, mixed)]


def decline(table: Table, device: str) -> list[Body]:
    """Decline a rematch, or withdraw your own offer. A series was agreed on: it just waits."""
    decisions.check_open(table)
    mine = table.places_of(device)
    if not mine:
        raise Forbidden("rematch-seated")
    return [Declined(min(mine))] if table.ready and table.status == "over" else []


def _is_there(table: Table, place: int, present: Collection[int]) -> bool:
    return place in present or place not in table.deciding


def _check_often(table: Table, place: int) -> None:
    if table.offers[place] >= MOST_OFFERS:
        raise Refused("rematch-often", limit=MOST_OFFERS)
