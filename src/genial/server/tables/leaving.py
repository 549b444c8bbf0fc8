"""LEAVING: closing the browser is not leaving. What happens to a game that waits for somebody who is away.

Nothing happens by itself. The others may keep waiting, let a bot play for the absent person, or, with two
sides and after a longer time, end the game as abandoned. A bot gives the place back as soon as its person
returns; ending is final. Both need the consent of everybody present, the absent person's partners included.
If the game has a clock, the clock decides and there is no choice.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from genial.server.tables import decisions
from genial.server.tables.absences import Absence, Choice
from genial.server.tables.entries import Body, Chose, Missed, Unmissed
from genial.server.tables.errors import Refused
from genial.server.tables.table import Table


def missed(table: Table, device: str, present: Collection[int], patience: int) -> list[Body]:
    """A device has been gone for a while: if the game waits for its person, offer the others a choice.

    `present` are the places whose people are there. If nobody is, nobody is waiting.
    """
    if not table.is_running or table.clock.deadline() is not None:
        return []
    mine = table.places_of(device)
    known = {absence.place for absence in table.absences}
    if not (set(table.people) & set(present)) - mine:
        return [Unmissed(place) for place in sorted(known)]
    return [Missed(place, patience) for place in sorted(mine & table.awaited - known)]


def back(table: Table, device: str) -> list[Body]:
    """A device is back: it gets its places back, and nobody waits for it any longer."""
    bodies: list[Body] = []
    if table.closed:
        return bodies
    for place in sorted(table.places_of(device)):
        bodies += decisions.come_back(table, device, place)
        if table.absence(place) is not None:
            bodies.append(Unmissed(place))
    return bodies


def vote(
    table: Table, device: str, absent: int, choice: Choice, present: Collection[int], now: int
) -> list[Body]:
    """Choose what should happen to a game that waits for `absent`; it is done once everybody present agrees.

    A device has one vote, however many places it holds.
    """
    absence = _absence(table, device, absent, present)
    if choice == "end":
        _check_end(table, absence, now)
    place = min(table.places_of(device))
    chosen = absence.choosing(place, choice)
    bodies: list[Body] = [Chose(place, absent, choice)] if chosen != absence else []
    if choice == "wait" or not _all_agree(table, chosen, choice, present):
        return bodies
    if choice == "bot":
        return [*bodies, *decisions.substitute(table, absent)]
    return [*bodies, *decisions.resign(table, absent, "abandoned")]


def _absence(table: Table, device: str, absent: int, present: Collection[int]) -> Absence:
    decisions.running_game(table)
    decisions.check_place(table, absent)
    absence = table.absence(absent)
    if absence is None or absent in present or absent in table.places_of(device):
        raise Refused("absent-here", ruling="LEAVING", name=table.holders[absent].name)
    return absence


def _check_end(table: Table, absence: Absence, now: int) -> None:
    name = table.holders[absence.place].name
    if (sides := decisions.side_count(table)) > 2:
        raise Refused("absent-many", ruling="LEAVING", name=name, sides=sides)
    if table.game is None or table.game.mover != absence.place:
        raise Refused("absent-not-to-move", ruling="LEAVING", name=name)
    if left := absence.left(now):
        raise Refused("absent-briefly", ruling="LEAVING", name=name, seconds=math.ceil(left / 1000))


def _all_agree(table: Table, absence: Absence, choice: Choice, present: Collection[int]) -> bool:
    holders, agreed = table.holders, {holder for holder, chosen in absence.choices if chosen == choice}
    asked = {
        holders[place].device for place in table.people if place in present and not holders[place].program
    }
    asked.discard(holders[absence.place].device)
    return asked <= {holders[place].device for place in agreed}
