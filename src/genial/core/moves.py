"""What may be done now and what it would bring: the same for a position and for a view of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.bits import members
from genial.core.errors import IllegalAction, NotationError
from genial.core.events import Ended, Placed, Played, Swapped
from genial.core.layout import Layout
from genial.core.open_cards import OpenCards
from genial.core.placements import Placements
from genial.core.tiles import HIDDEN, SYMBOLS, Tile, is_double, normal
from genial.core.title import BoardPlan, Opening, Setup
from genial.core.tracks import Markers, RaceTrack, Score, score


class Phase(Enum):
    """What the game waits for."""

    DEAL = "deal"
    """The first racks, hands and open cards."""
    PLACE = "place"
    """A tile or card of the seat to move."""
    END_TURN = "end-turn"
    """The mover's own act that ends the turn: refill or, where lawful, swap."""
    DRAW = "draw"
    """Tiles that the engine owes the seat to move."""
    ENDING = "ending"
    """The end, already certain, to be written down."""
    OVER = "over"


class Situation(Protocol):
    """What a position and a view of it have in common. Racks that may not be seen hold hidden tiles."""

    @property
    def setup(self) -> Setup: ...
    @property
    def table(self) -> Layout | OpenCards: ...
    @property
    def racks(self) -> tuple[tuple[Tile, ...], ...]: ...
    @property
    def tracks(self) -> tuple[Markers, ...]: ...
    @property
    def seat(self) -> int: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def bonus(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def supply(self) -> int: ...
    @property
    def result(self) -> Ended | None: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action that scores would bring the mover."""

    halves: tuple[tuple[int, int], tuple[int, int]]
    """Colour and points of each symbol, in the order scored, before caps and gates."""
    score: Score


class ScoredPlace(NamedTuple):
    """A place for a tile, with the points of each half before caps."""

    tile: Tile
    pair: int
    turned: bool
    points: tuple[int, int]


def markers_of(situation: Situation, seat: int) -> Markers:
    """The markers of a seat, as that seat sees them."""
    sides = situation.setup.title.sides
    return sides.seen_by(seat, situation.tracks[sides.track_of(seat)])


def weakest(situation: Situation, seat: int) -> tuple[int, ...]:
    """The colours that share a seat's lowest place, as numbers."""
    return situation.setup.title.track.weakest(markers_of(situation, seat))


def legal_places(situation: Situation) -> int:
    """The set of pairs of cells where the next tile may lie, the opening rule included."""
    layout, plan = situation.table, situation.setup.title.plan
    if not isinstance(layout, Layout) or not isinstance(plan, BoardPlan):
        return 0
    if plan.opening is Opening.EVERY_START or situation.turn < situation.setup.seats:
        beside = 0
        for cell in layout.untouched_starts():
            beside |= layout.board.pairs_beside[cell]
        # 3D-OPENING is over once every start stone has a tile beside it; FIRST-TILE after round one.
        if beside or plan.opening is Opening.FIRST_ROUND:
            return layout.places & beside
    return layout.places


def actions(situation: Situation) -> Sequence[Action]:
    """Everything the seat to move may do, in a fixed order."""
    if situation.phase is Phase.PLACE:
        rack, layout = situation.racks[situation.seat], situation.table
        if isinstance(layout, OpenCards):
            return tuple(Play(spelled) for tile in dict.fromkeys(rack) for spelled in (tile, tile[::-1]))
        places = legal_places(situation)
        return Placements(layout.board, rack, places, _order_matters(situation, layout, places))
    if situation.phase is Phase.END_TURN:
        return (Refill(), Swap()) if may_swap(situation) else (Refill(),)
    return ()


def may_swap(situation: Situation) -> bool:
    """Whether the mover may swap: no tile left shows a colour that shares the lowest place (SWAP)."""
    hidden = HIDDEN in situation.racks[situation.seat]  # then only the mover knows
    return situation.phase is Phase.END_TURN and not hidden and swap_hindrance(situation) is None


def swap_hindrance(situation: Situation) -> str | None:
    """The code of the reason why the rack may not be swapped, or None."""
    title, rack = situation.setup.title, situation.racks[situation.seat]
    if not title.swaps:
        return "swap-never"
    if not rack:
        return "swap-empty"
    if isinstance(situation.table, Layout) and situation.supply < title.rack:
        return "swap-bag-short"
    lowest = weakest(situation, situation.seat)
    if any(colour in SYMBOLS[tile] for tile in rack for colour in lowest):
        return "swap-has-lowest"
    return None


def points(situation: Situation, action: Place | Play) -> tuple[tuple[int, int], tuple[int, int]]:
    """Colour and points of each symbol of a lawful placement or card, in the order scored."""
    table, (first, second) = situation.table, SYMBOLS[action.tile]
    if isinstance(table, OpenCards):
        return (first, table.matches(first)), (second, table.matches(second))
    assert isinstance(action, Place)
    a, b = (table.board.number[cell] for cell in action.cells)
    return (first, table.points(a, first, b)), (second, table.points(b, second, a))


def outcome(situation: Situation, action: Place | Play) -> Outcome:
    """What a lawful placement or card would bring the mover."""
    halves = points(situation, action)
    return Outcome(halves, score(situation.setup.title.track, markers_of(situation, situation.seat), halves))


def scored_places(situation: Situation) -> Iterator[ScoredPlace]:
    """Every place for every kind of tile on the rack, turned either way, with its points.

    Much faster than asking for each one: on a flat board a placement's points are two look-ups.
    """
    layout, places = situation.table, list(members(legal_places(situation)))
    if not isinstance(layout, Layout):
        return
    table, pairs = layout.points_table(), layout.board.pairs
    for tile in dict.fromkeys(situation.racks[situation.seat]):
        first, second = SYMBOLS[tile]
        at_first, at_second = table[first], table[second]
        for n in places:
            a, b = pairs[n].first, pairs[n].second
            there, back = (at_first[a], at_second[b]), (at_second[a], at_first[b])
            if layout.stacking:  # 3D-SCORING: not in the direction of the other half
                d = pairs[n].direction
                there = (
                    there[0] - layout.run_towards(a, d, first),
                    there[1] - layout.run_towards(b, d + 3, second),
                )
                back = (
                    back[0] - layout.run_towards(a, d, second),
                    back[1] - layout.run_towards(b, d + 3, first),
                )
            yield ScoredPlace(tile, n, False, there)
            yield ScoredPlace(tile, n, True, (back[1], back[0]))


def event_of(situation: Situation, action: Place | Play | Swap) -> Placed | Played | Swapped:
    """The event that a lawful action causes; raises IllegalAction if it is not lawful."""
    seat = situation.seat
    if isinstance(action, Swap):
        check_swap(situation)
        return Swapped(seat, situation.racks[seat])
    check_tile(situation, action.tile)
    if isinstance(action, Play):
        if not isinstance(situation.table, OpenCards):
            raise IllegalAction("action-unfit", action="play", expected="place")
        return Played(seat, action.tile, outcome(situation, action).score.gain)
    if not isinstance(situation.table, Layout):
        raise IllegalAction("action-unfit", action="place", expected="play")
    check_cells(situation, situation.table, action.cells)
    level = situation.table.heights[situation.table.board.number[action.cells[0]]]
    return Placed(seat, action.tile, action.cells, level, outcome(situation, action).score.gain)


def check_tile(situation: Situation, tile: object) -> None:
    """Raise unless a tile may be placed or played now and this one is on the mover's rack."""
    if situation.phase is not Phase.PLACE:
        raise IllegalAction("not-now", ruling=situation.setup.title.cites.turn, phase=situation.phase.value)
    try:
        kind = normal(tile)
    except NotationError as error:
        raise error.of_kind(IllegalAction) from None
    rack = situation.racks[situation.seat]
    if kind not in rack:
        raise IllegalAction(
            "tile-not-held", ruling=situation.setup.title.cites.tiles, tile=tile, held=list(rack)
        )


def check_cells(situation: Situation, layout: Layout, cells: object) -> None:
    """Raise unless a tile may lie on these two cells."""
    cites, board = situation.setup.title.cites, layout.board
    if not isinstance(cells, tuple) or len(cells) != 2:
        raise IllegalAction("cells-unreadable", ruling=cites.placing, cells=cells)
    for cell in cells:
        if cell not in board.number:
            raise IllegalAction("cell-off-board", ruling=cites.board, cell=cell, radius=board.radius)
    number = board.pair_number.get(cells)
    if number is None:
        raise IllegalAction("cells-apart", ruling=cites.placing, cells=cells)
    if not layout.places >> number & 1:
        raise IllegalAction(_support_hindrance(layout, number), ruling=cites.placing, cells=cells)
    if not legal_places(situation) >> number & 1:
        raise IllegalAction("opening-untouched", ruling=cites.opening, cells=cells)


def _support_hindrance(layout: Layout, number: int) -> str:
    pair = layout.board.pairs[number]
    if not layout.stacking:
        return "cell-taken"
    uneven = layout.heights[pair.first] != layout.heights[pair.second]
    return "cells-uneven" if uneven else "cells-one-tile"


def check_swap(situation: Situation) -> None:
    """Raise unless the mover may swap now."""
    if situation.phase is not Phase.END_TURN:
        raise IllegalAction("swap-not-now", ruling=situation.setup.title.cites.swap)
    hindrance = swap_hindrance(situation)
    if hindrance:
        raise IllegalAction(
            hindrance,
            ruling=situation.setup.title.cites.swap,
            colours=list(weakest(situation, situation.seat)),
        )


def _order_matters(situation: Situation, layout: Layout, places: int) -> dict[Tile, int]:
    # DOUBLE-TRACK: where a double crosses the end of the first board, the half scored first may lapse.
    track, markers = situation.setup.title.track, markers_of(situation, situation.seat)
    if not isinstance(track, RaceTrack) or track.boards == 1:
        return {}
    found = dict.fromkeys(filter(is_double, situation.racks[situation.seat]), 0)
    table = layout.points_table() if found else ()
    for tile in found:
        colour = SYMBOLS[tile][0]
        place, at = markers[colour], table[colour]
        if place < track.length:
            for n in members(places):
                pair = layout.board.pairs[n]
                # Only a guess that spares work: the direction between the halves may be counted in.
                if place + at[pair.first] + at[pair.second] > track.length:
                    first = layout.points(pair.first, colour, pair.second)
                    second = layout.points(pair.second, colour, pair.first)
                    halves = [(colour, first), (colour, second)]
                    if score(track, markers, halves) != score(track, markers, halves[::-1]):
                        found[tile] |= 1 << n
    return found
