"""What a screen shows of tracks and results, worked out here so that no client needs a rule for it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from genial.core.events import Ended
from genial.core.moves import Situation, markers_of
from genial.core.open_cards import OpenCards
from genial.core.ranking import decision, standing
from genial.core.sides import Sides


class SideView(Struct, frozen=True):
    """One track, and the seats whose markers stand on it."""

    seats: list[int]
    """In the order of play; both where pegs are shared."""
    eye: int
    """The seat through whose eyes the markers are told: shared pegs are positive towards it."""
    markers: list[int]
    weakest: list[int]
    """The colours that stand lowest for `eye`: those that a swap looks at. Onlookers of pegs see none."""
    locked: list[int]
    """Shared pegs that are won, and move no more."""
    blocked: list[list[int]]
    """For each colour that stands before a gate the colours that it waits for (REGIONS)."""


class StandingView(Struct, frozen=True):
    """A side in a result."""

    seats: list[int]
    rank: int
    markers: list[tuple[int, int]]
    """Colours with their places, the lowest first; shared pegs in the order of the colours."""
    figures: list[int]
    """What was compared, the first first."""


class ResultView(Struct, frozen=True):
    """How a game ended, and the comparison that decided it."""

    standings: list[StandingView]
    """In the order of their ranks."""
    lowest: int
    """Of the first: its lowest marker, and all together."""
    total: int
    index: int | None
    """Which of the figures decided; None where nothing was compared, or all are equal."""
    code: str | None
    """The sentence that says what decided."""
    params: dict[str, Any]


def side_views(situation: Situation, viewer: frozenset[int]) -> list[SideView]:
    """The tracks of a position or a view, in their order."""
    setup = situation.setup
    sides, track = setup.title.sides, setup.title.track
    found = []
    for number in range(sides.tracks(setup.seats)):
        seats = [seat for seat in range(setup.seats) if sides.track_of(seat) == number]
        eye = min(viewer & set(seats), default=seats[0])
        markers = markers_of(situation, eye)
        shared = sides is Sides.SHARED
        onlooker = shared and eye not in viewer
        ends = (track.lowest_place, track.highest_place)
        found.append(
            SideView(
                seats=seats,
                eye=eye,
                markers=list(markers),
                # Pegs are worst for one where they are best for the other.
                weakest=[] if onlooker else list(track.weakest(markers)),
                locked=[n for n, place in enumerate(markers) if shared and place in ends],
                blocked=[list(track.blockers(markers, colour)) for colour in range(len(markers))],
            )
        )
    return found


def leaving_cards(situation: Situation) -> list[int | None]:
    """For each seat the place in its row of the open card that its turn discards (CARD-TURN-END)."""
    table = situation.table
    if not isinstance(table, OpenCards):
        return []
    # OpenCards.drop_oldest takes the first of a row.
    return [0 if row else None for row in table.rows]


def result_view(situation: Situation) -> ResultView | None:
    """The result of a game that is over."""
    result = situation.result
    if result is None:
        return None
    sides, seats = situation.setup.title.sides, situation.setup.seats
    standings = _standings(situation, result)
    first = standings[0]
    # Who leaves is last whatever the markers say: then nothing is compared (LEAVING).
    compared = result.by is None and sides.sides(seats) > 1
    found = decision(sides, seats, situation.tracks) if compared else None
    code, params = None, {}
    if found is not None:
        code, params = found.code, {"winner": found.winner, "loser": found.loser, "number": found.index + 1}
    elif compared:
        code = "decided-equal"
    places = [place for _, place in first.markers]
    return ResultView(standings, min(places), sum(places), found.index if found else None, code, params)


def _standings(situation: Situation, result: Ended) -> list[StandingView]:
    sides, seats = situation.setup.title.sides, range(situation.setup.seats)
    found: dict[int, StandingView] = {}
    for seat in seats:
        side = sides.side_of(seat)
        if side in found:
            found[side].seats.append(seat)
            continue
        markers = list(enumerate(markers_of(situation, seat)))
        if sides is not Sides.SHARED:
            markers.sort(key=lambda marker: marker[1])
        figures = list(standing(sides, seat, situation.tracks))
        found[side] = StandingView([seat], result.ranks[seat], markers, figures)
    return sorted(found.values(), key=lambda side: side.rank)
