"""Turns on a board: a tile is placed, then the rack is refilled from the bag or swapped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from genial.core.actions import Action, Place, Play
from genial.core.bits import members
from genial.core.errors import Breach, IllegalAction
from genial.core.events import Opened, Placed, Played, Reshuffled
from genial.core.layout import Layout
from genial.core.pairs import check_cells, legal_pairs
from genial.core.placements import Placements
from genial.core.situation import Situation, markers_of
from genial.core.tiles import SYMBOLS, Tile, arranged, is_double
from genial.core.tracks import RaceTrack, score
from genial.core.turn_steps import ending, must_place, placements_done, replaced, scored, unfit

if TYPE_CHECKING:
    from genial.core.position import Position


class BoardTurns:
    """`Turns` of the board games."""

    def actions(self, situation: Situation) -> Sequence[Action]:
        rack, layout, pairs = situation.racks[situation.seat], _layout(situation), legal_pairs(situation)
        return Placements(layout.board, rack, pairs, _order_matters(situation, layout, pairs))

    def check(self, situation: Situation, action: Place | Play) -> None:
        if not isinstance(action, Place):
            raise IllegalAction("place-expected")
        check_cells(situation, _layout(situation), action.cells)

    def points(self, situation: Situation, action: Place | Play) -> tuple[int, int]:
        assert isinstance(action, Place)
        layout, (first, second) = _layout(situation), SYMBOLS[action.tile]
        number, (one, two) = layout.board.number, action.cells
        a, b = number[one], number[two]
        return layout.points(a, first, b), layout.points(b, second, a)

    def event(self, situation: Situation, action: Place | Play, gain: tuple[int, ...]) -> Placed:
        assert isinstance(action, Place)
        layout = _layout(situation)
        level = layout.heights[layout.board.number[action.cells[0]]]
        return Placed(situation.seat, action.tile, action.cells, level, gain)

    def swap_hindrance(self, situation: Situation) -> str | None:
        return "swap-bag-short" if situation.supply < situation.setup.title.rack else None

    def open_next(self, position: Position) -> int | None:
        return None

    def put_away(self, position: Position, tiles: tuple[Tile, ...]) -> Position:
        racks = replaced(position.racks, position.seat, ())
        return position.change(racks=racks, aside=arranged(tiles))  # SWAP: back into the bag after the draw

    def turn_ends(self, position: Position) -> Position:
        return position

    def claimed(self, position: Position, event: Placed | Played) -> Place:
        if not isinstance(event, Placed):
            raise unfit(position, event)
        return Place(event.tile, event.cells)

    def judge_placing(self, position: Position, event: Placed | Played, lawful: Placed | Played) -> None:
        assert isinstance(event, Placed)
        assert isinstance(lawful, Placed)
        if event.level != lawful.level:
            ruling = position.setup.title.cites.placing
            raise Breach("level-wrong", ruling=ruling, got=event.level, expected=lawful.level)

    def judge_open_card(self, position: Position, event: Opened) -> None:
        raise unfit(position, event)

    def judge_reshuffle(self, position: Position, event: Reshuffled) -> None:
        raise unfit(position, event)


def placed(position: Position, event: Placed) -> Position:
    """The position after a tile has been placed."""
    layout = _layout(position)
    number = layout.board.number
    table = layout.lay(number[event.cells[0]], number[event.cells[1]], SYMBOLS[event.tile])
    after = scored(position, event, table)
    end = after.setup.title.end
    if after.setup.title.track.is_complete(markers_of(after, event.seat)):  # ALL-MAX
        return ending(after, end.complete)
    if end.stuck == "board-full" and not table.open_pairs:  # BOARD-FULL
        return ending(after, end.stuck)
    return must_place(after) if after.bonus else placements_done(after)


def _layout(situation: Situation) -> Layout:
    assert isinstance(situation.table, Layout)
    return situation.table


def _order_matters(situation: Situation, layout: Layout, pairs: int) -> dict[Tile, int]:
    # DOUBLE-TRACK: where a double crosses the end of the first board, the half scored first may lose points.
    track, markers = situation.setup.title.track, markers_of(situation, situation.seat)
    if not isinstance(track, RaceTrack) or track.boards == 1:
        return {}
    found = dict.fromkeys(filter(is_double, situation.racks[situation.seat]), 0)
    table = layout.points_table() if found else ()
    for tile in found:
        colour = SYMBOLS[tile][0]
        step, at = markers[colour], table[colour]
        if step < track.length:
            for n in members(pairs):
                pair = layout.board.pairs[n]
                # A cheap upper bound to save work: it may count the line between the two halves as well.
                if step + at[pair.first] + at[pair.second] > track.length:
                    first = layout.points(pair.first, colour, pair.second)
                    second = layout.points(pair.second, colour, pair.first)
                    halves = [(colour, first), (colour, second)]
                    if score(track, markers, halves) != score(track, markers, halves[::-1]):
                        found[tile] |= 1 << n
    return found
