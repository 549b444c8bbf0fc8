"""How a finished game was decided: its sides in order, and the figure in which they differ (RANKING)."""

from __future__ import annotations

from typing import NamedTuple

from genial.core.ranking import SideStanding, side_standings
from genial.core.sides import Sides
from genial.core.view import View
from genial.terminal.session import Session


def standings(view: View) -> list[SideStanding]:
    """Every side of a finished game, the winner first."""
    if view.result is None:
        return []
    return side_standings(view.setup.title.sides, view.tracks, view.result.ranks)


class SeriesLine(NamedTuple):
    """One side of a series."""

    rank: int
    name: str
    noted: tuple[int, ...]
    """Game by game."""
    total: int


def series_standing(session: Session) -> list[SeriesLine]:
    """The current standing of the sides in a series, best first; ties in the order of their places."""
    series, setup = session.standing, session.setup
    # A side is identified by its first place. Partners sit opposite each other in every game.
    places = range(setup.title.sides.side_count(setup.seats))
    teams = setup.title.sides is Sides.TEAMS
    lines = [
        SeriesLine(
            rank=1 + sum(series.totals[other] > series.totals[place] for other in places),
            name=session.place_name(place, team=teams),
            noted=tuple(game[place] for game in series.notes),
            total=series.totals[place],
        )
        for place in places
    ]
    return sorted(lines, key=lambda line: line.rank)


def decided_at(first: SideStanding, second: SideStanding) -> int | None:
    """Which figure is the first to differ between two sides; None if they share a rank.

    >>> decided_at(SideStanding((0,), 1, (5, 7, 9)), SideStanding((1,), 2, (5, 6, 18)))
    1
    """
    pairs = zip(first.figures, second.figures, strict=True)
    return next((n for n, (one, other) in enumerate(pairs) if one != other), None)
