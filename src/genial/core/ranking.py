"""Who is ahead when the game is over (RANKING), and who leaves last (LEAVING)."""

from __future__ import annotations

from genial.core.sides import Sides
from genial.core.tracks import Markers


def ranks(sides: Sides, seats: int, tracks: tuple[Markers, ...]) -> tuple[int, ...]:
    """The rank of each seat: 1 plus the number of seats strictly ahead.

    >>> ranks(Sides.EACH, 2, ((10, 18, 18, 18, 18, 18), (9, 18, 18, 18, 18, 18)))
    (1, 2)
    """
    return _places([_standing(sides, seat, tracks) for seat in range(seats)])


def ranks_when_left(sides: Sides, seats: int, leaver: int) -> tuple[int, ...]:
    """The ranks when one of two sides leaves: that side is last."""
    return _places([(sides.side_of(seat) != sides.side_of(leaver),) for seat in range(seats)])


def _standing(sides: Sides, seat: int, tracks: tuple[Markers, ...]) -> tuple[int, ...]:
    markers = sides.seen_by(seat, tracks[sides.track_of(seat)])
    if sides is Sides.SHARED:  # DUEL: colours on one's side, then their distances
        own = [place for place in markers if place > 0]
        return len(own), sum(own)
    return tuple(sorted(markers))


def _places(standings: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(1 + sum(other > mine for other in standings) for mine in standings)
