"""Several games in a row (SERIES), with the start passing clockwise from game to game (FIRST-SEAT).

A table has places; a game has seats, and seat 0 moves first. This module converts between them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from genial.core.errors import SetupError
from genial.core.events import Ended
from genial.core.sides import Sides
from genial.core.title import Setup

MOST_GAMES = 100


@dataclass(frozen=True, slots=True)
class Series:
    """The agreed number of games, and what each place has noted after every game so far.

    >>> from genial.core.titles import title_of
    >>> from genial.core.title import setup
    >>> series = Series(setup(title_of("cards"), 3), games=3, first=1)
    >>> series.place_of(0), series.seat_of(0)
    (1, 2)
    """

    setup: Setup
    games: int
    first: int = 0
    """The place that starts the first game."""
    notes: tuple[tuple[int, ...], ...] = ()
    """One tuple per game: the points noted by each place."""

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MOST_GAMES:
            raise SetupError("series-games", ruling="SERIES", games=self.games, limit=MOST_GAMES)
        if self.first not in range(self.setup.seats):
            raise SetupError("seat-unknown", ruling="FIRST-SEAT", seat=self.first, seats=self.setup.seats)

    @property
    def played(self) -> int:
        """How many games are over."""
        return len(self.notes)

    @property
    def is_over(self) -> bool:
        return self.played == self.games

    def place_of(self, seat: int) -> int:
        """The place that holds a seat in the current game."""
        return (seat + self.first + self.played) % self.setup.seats

    def seat_of(self, place: int) -> int:
        """The seat of a place in the current game."""
        return (place - self.first - self.played) % self.setup.seats

    def noting(self, end: Ended) -> Series:
        """The series with the result of one more game."""
        seats = self.setup.seats
        if self.is_over or len(end.tracks) != seats:
            problem = "all games are played" if self.is_over else f"it has {len(end.tracks)} tracks"
            raise SetupError("series-result", ruling="SERIES", problem=problem)
        noted = tuple(noted_points(self.setup, end, self.seat_of(place)) for place in range(seats))
        return replace(self, notes=(*self.notes, noted))

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each place so far."""
        return tuple(sum(game[place] for game in self.notes) for place in range(self.setup.seats))

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each place: the highest total is first, equal totals share a rank."""
        totals = self.totals
        return tuple(1 + sum(other > mine for other in totals) for mine in totals)


def noted_points(setup: Setup, end: Ended, seat: int) -> int:
    """What a seat notes after a game: its lowest marker; in the duel its number of colours."""
    markers = setup.title.sides.seen_by(seat, end.tracks[seat])
    if setup.title.sides is Sides.SHARED:
        return sum(step > 0 for step in markers)
    return min(markers)
