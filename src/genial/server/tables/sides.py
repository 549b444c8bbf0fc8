"""Tracks and results as screens show them, worked out here so that no client needs to know the rules."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from msgspec import Struct

from genial.core.course import course
from genial.core.events import Ended
from genial.core.open_cards import OpenCards
from genial.core.position import Position
from genial.core.ranking import decision, side_standings
from genial.core.sides import Sides
from genial.core.situation import Situation, markers_of
from genial.core.tracks import Markers, Track


class SideView(Struct, frozen=True):
    """One track, and the seats whose markers stand on it."""

    seats: list[int]
    """In the order of play; both seats where pegs are shared."""
    eye: int
    """The seat from whose point of view the markers are given: shared pegs are positive towards it."""
    markers: list[int]
    weakest: list[int]
    """The lowest colours of `eye`, which a swap depends on. Empty for spectators of shared pegs."""
    locked: list[int]
    """Shared pegs that are won and no longer move."""
    blocked: list[list[int]]
    """For each colour, the colours it waits for at a gate (REGIONS)."""
    shut: list[list[int]]
    """For each of the track's line steps, the colours that could not pass it now (REGIONS)."""


class StandingView(Struct, frozen=True):
    """A side in a result."""

    seats: list[int]
    rank: int
    markers: list[tuple[int, int]]
    """Colours with their marker positions, lowest first; shared pegs in the order of the colours."""
    figures: list[int]
    """The compared figures, most important first."""


class ResultView(Struct, frozen=True):
    """How a game ended, and the comparison that decided it."""

    standings: list[StandingView]
    """In order of rank."""
    lowest: int
    """The lowest marker of the side that came first, and `total` the sum of its markers."""
    total: int
    index: int | None
    """The index of the figure that decided; None if nothing was compared, or all are equal."""
    code: str | None
    """The code of the sentence that says what decided."""
    params: dict[str, Any]


class TurnedView(Struct, frozen=True):
    """The move from which the winner stayed ahead until the end."""

    move: int
    """Its number, as in a replay."""
    seat: int
    tile: str
    before: int
    after: int
    """The winner's first figure before and after the move."""


class CourseView(Struct, frozen=True):
    """How a game that is over went."""

    figures: list[list[int]]
    """For each seat, the figure compared first: before the first move and after each."""
    turned: TurnedView | None


def side_views(situation: Situation, viewer: frozenset[int]) -> list[SideView]:
    """The tracks of a position or a view, in order."""
    setup = situation.setup
    sides, track = setup.title.sides, setup.title.track
    views = []
    for number in range(sides.track_count(setup.seats)):
        seats = [seat for seat in range(setup.seats) if sides.track_of(seat) == number]
        eye = min(viewer & set(seats), default=seats[0])
        markers = markers_of(situation, eye)
        shared = sides is Sides.SHARED
        onlooker = shared and eye not in viewer
        ends = (track.lowest_step, track.highest_step)
        views.append(
            SideView(
                seats=seats,
                eye=eye,
                markers=list(markers),
                # A peg that is worst for one seat is best for the other.
                weakest=[] if onlooker else list(track.weakest(markers)),
                locked=[n for n, place in enumerate(markers) if shared and place in ends],
                blocked=[list(track.blockers(markers, colour)) for colour in range(len(markers))],
                shut=[_shut(track, markers, step) for step in track.line_steps],
            )
        )
    return views


def _shut(track: Track, markers: Markers, step: int) -> list[int]:
    """The colours whose markers would be held back at this step."""
    return [n for n in range(len(markers)) if track.blockers((*markers[:n], step, *markers[n + 1 :]), n)]


def leaving_cards(situation: Situation) -> list[int | None]:
    """For each seat, the index in its row of the open card that its turn discards (CARD-TURN-END)."""
    table = situation.table
    if not isinstance(table, OpenCards):
        return []
    # OpenCards.drop_oldest takes the first card of a row.
    return [0 if row else None for row in table.rows]


def result_view(situation: Situation) -> ResultView | None:
    """The result of a game that is over."""
    result = situation.result
    if result is None:
        return None
    sides, seats = situation.setup.title.sides, situation.setup.seats
    standings = _standings(situation, result)
    first = standings[0]
    # Whoever leaves comes last, whatever the markers say: nothing is compared then (LEAVING).
    compared = result.by is None and sides.side_count(seats) > 1
    decided = decision(sides, seats, situation.tracks) if compared else None
    code: str | None = None
    params: dict[str, Any] = {}
    if decided is not None:
        code, params = (
            decided.code,
            {"winner": decided.winner, "loser": decided.loser, "number": decided.index + 1},
        )
    elif compared:
        code = "decided-equal"
    places = [place for _, place in first.markers]
    return ResultView(standings, min(places), sum(places), decided.index if decided else None, code, params)


def course_view(position: Position) -> CourseView | None:
    """How a game that is over went."""
    if not position.is_over:
        return None
    told = course(position)
    turned = TurnedView(*astuple(told.turned)) if told.turned else None
    return CourseView([list(figures) for figures in told.figures], turned)


def _standings(situation: Situation, result: Ended) -> list[StandingView]:
    sides = situation.setup.title.sides
    views = []
    for side in side_standings(sides, situation.tracks, result.ranks):
        markers = list(enumerate(markers_of(situation, side.seats[0])))
        if sides is not Sides.SHARED:
            markers.sort(key=lambda marker: marker[1])
        views.append(StandingView(list(side.seats), side.rank, markers, list(side.figures)))
    return views
