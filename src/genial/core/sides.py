"""Who moves which markers: each seat its own, two teams theirs, or both players the same pegs."""

from __future__ import annotations

from enum import Enum

from genial.core.tracks import Markers


class Sides(Enum):
    """How seats share tracks. A position holds one tuple of markers per track."""

    EACH = "each"
    TEAMS = "teams"
    SHARED = "shared"

    def track_count(self, seats: int) -> int:
        """How many tracks there are."""
        return seats if self is Sides.EACH else 2 if self is Sides.TEAMS else 1

    def track_of(self, seat: int) -> int:
        """The track of a seat; partners sit opposite each other (TEAM)."""
        return seat if self is Sides.EACH else seat % 2 if self is Sides.TEAMS else 0

    def side_count(self, seats: int) -> int:
        """How many sides play against each other."""
        return 2 if self is Sides.SHARED else self.track_count(seats)

    def side_of(self, seat: int) -> int:
        """The side that a seat plays for."""
        return seat if self is Sides.SHARED else self.track_of(seat)

    def seen_by(self, seat: int, markers: Markers) -> Markers:
        """A track from this seat's point of view: the duel's pegs are mirrored. Its own inverse.

        >>> Sides.SHARED.seen_by(1, (3, -9, 0, 0, 0, 0))
        (-3, 9, 0, 0, 0, 0)
        """
        return tuple([-step for step in markers]) if self is Sides.SHARED and seat == 1 else markers
