"""Everything the seat to move may do, as numbers compact enough to send with every turn."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.actions import Play
from genial.core.bits import members
from genial.core.layout import Layout
from genial.core.moves import actions, may_swap, outcome
from genial.core.pairs import legal_pairs
from genial.core.points import ColourPoints, Points, colour_points, tile_points
from genial.core.situation import Phase, Situation, markers_of
from genial.core.tiles import SYMBOLS, Tile
from genial.core.tracks import score


@dataclass(frozen=True, slots=True)
class TilePoints:
    """What one kind of tile would score on each pair of cells: the points of its two symbols, before caps."""

    tile: str
    there: list[Points]
    """With its first symbol on the pair's first cell: for each pair [points of the first, of the second]."""
    turned: list[Points]
    results: list[tuple[int, int, int, int, int]]
    """For points that do not simply move the markers, or earn bonus moves: both points, both moves, bonus."""


@dataclass(frozen=True, slots=True)
class CardPoints:
    """What a card would score, with its symbols in the order written."""

    tile: str
    gain: list[int]
    bonus: int


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """What the mover may do. Pairs of cells are numbered as in `GET /api/boards/{variant}/{seats}`."""

    phase: str
    pairs: list[int]
    limited: bool
    """True if the opening allows fewer pairs than are free (FIRST-TILE, 3D-OPENING)."""
    tiles: list[TilePoints]
    cards: list[CardPoints]
    swap: bool


def legal_moves(situation: Situation) -> LegalMoves:
    """Everything the seat to move may do, as compact numbers."""
    lawful = legal_pairs(situation) if situation.phase is Phase.PLACE else 0
    pairs, limited = list(members(lawful)), False
    tiles: list[TilePoints] = []
    if pairs and isinstance(situation.table, Layout):
        limited = lawful != situation.table.open_pairs
        tiles = _tile_points(situation, situation.table, pairs)
    cards = []
    for action in actions(situation) if not isinstance(situation.table, Layout) else ():
        if isinstance(action, Play):
            score = outcome(situation, action).score
            cards.append(CardPoints(action.tile, list(score.gain), score.bonus))
    swap = situation.phase is Phase.END_TURN and may_swap(situation)
    return LegalMoves(situation.phase.value, pairs, limited, tiles, cards, swap)


def _tile_points(situation: Situation, layout: Layout, pairs: list[int]) -> list[TilePoints]:
    """The points of every tile on the rack on every pair of cells, in the order of the pairs."""
    colours = colour_points(layout, pairs)
    told = _Results(situation, colours)
    return [
        TilePoints(*found, told.of(*found)) for found in tile_points(situation.racks[situation.seat], colours)
    ]


class _Results:
    """What the mover's markers really do, where that differs from simply moving by the points."""

    def __init__(self, situation: Situation, points: list[ColourPoints]) -> None:
        self._track = situation.setup.title.track
        self._markers = markers_of(situation, situation.seat)
        self._plain = [self._is_plain(colour, scored) for colour, scored in enumerate(points)]

    def _is_plain(self, colour: int, points: ColourPoints) -> bool:
        """True if a marker simply moves, whatever both symbols of a tile score: no end, no gate, no bonus."""
        most = 2 * max(max(points.on_first), max(points.on_second))
        before, after = self._markers[colour], self._markers[colour] + most
        if not most:
            return True
        moved = self._track.advance(self._markers, colour, most)
        return moved == after and not self._track.bonus_moves(before, after)

    def of(
        self, tile: Tile, there: list[Points], turned: list[Points]
    ) -> list[tuple[int, int, int, int, int]]:
        """Points that do not simply move the markers, or earn bonus moves: both points, both moves, bonus."""
        first, second = SYMBOLS[tile]
        # If two markers each move freely alone, they also do so together, on every kind of track.
        if self._plain[first] and self._plain[second]:
            return []
        results = []
        for one, two in sorted({*there, *turned}):
            whole = score(self._track, self._markers, [(first, one), (second, two)])
            total = sum(whole.gain)
            if total != one + two or whole.bonus:
                moved = sum(score(self._track, self._markers, [(first, one)]).gain)
                results.append((one, two, moved, total - moved, whole.bonus))
        return results
