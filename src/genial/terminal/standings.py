"""How a finished game was decided: what is compared, and where the first difference lies (RANKING)."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.moves import markers_of
from genial.core.sides import Sides
from genial.core.view import View


@dataclass(frozen=True, slots=True)
class Standing:
    """One side at the end. `seat` is the first seat of the side."""

    seat: int
    rank: int
    compared: tuple[int, ...]
    """Markers from the lowest up; in the duel the number of own colours, then their distances (DUEL)."""


def standings(view: View) -> list[Standing]:
    """Every side of a finished game, the winner first."""
    if view.result is None:
        return []
    sides, found = view.setup.title.sides, []
    for seat in range(sides.sides(view.setup.seats)):
        markers = markers_of(view, seat)
        compared = tuple(sorted(markers))
        if sides is Sides.SHARED:
            own = [place for place in markers if place > 0]
            compared = (len(own), sum(own))
        found.append(Standing(seat, view.result.ranks[seat], compared))
    return sorted(found, key=lambda standing: standing.rank)


def decided_at(first: Standing, second: Standing) -> int | None:
    """The place in `compared` at which two sides differ first; None if they share their rank.

    >>> decided_at(Standing(0, 1, (5, 7, 9)), Standing(1, 2, (5, 6, 18)))
    1
    """
    pairs = zip(first.compared, second.compared, strict=True)
    return next((n for n, (one, other) in enumerate(pairs) if one != other), None)
