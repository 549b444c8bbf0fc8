"""Everything the seat to move may do, as numbers compact enough to send with every turn."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.actions import Play
from genial.core.bits import members
from genial.core.colours import COLOURS
from genial.core.layout import Layout
from genial.core.moves import actions, may_swap, outcome
from genial.core.pairs import legal_pairs
from genial.core.points import ColourPoints, colour_points, tile_points
from genial.core.situation import Phase, Situation, markers_of
from genial.core.tiles import SYMBOLS, Tile
from genial.core.tracks import score


@dataclass(frozen=True, slots=True)
class TileResults:
    """One kind of tile on the rack. It may lie on any of the pairs, either way round."""

    tile: str
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
    points: dict[str, ColourPoints]
    """What a symbol of each colour on the rack scores on the cells of each of the pairs, before caps."""
    tiles: list[TileResults]
    cards: list[CardPoints]
    swap: bool


def legal_moves(situation: Situation) -> LegalMoves:
    """Everything the seat to move may do, as compact numbers."""
    lawful = legal_pairs(situation) if situation.phase is Phase.PLACE else 0
    pairs, limited = list(members(lawful)), False
    points: dict[str, ColourPoints] = {}
    tiles: list[TileResults] = []
    if pairs and isinstance(situation.table, Layout):
        limited = lawful != situation.table.open_pairs
        rack = dict.fromkeys(situation.racks[situation.seat])
        colours = colour_points(situation.table, pairs)
        points = {symbol: colours[COLOURS.index(symbol)] for symbol in sorted({*"".join(rack)})}
        results = _Results(situation, colours)
        tiles = [TileResults(tile, results.of(tile)) for tile in rack]
    cards = []
    for action in actions(situation) if not isinstance(situation.table, Layout) else ():
        if isinstance(action, Play):
            score = outcome(situation, action).score
            cards.append(CardPoints(action.tile, list(score.gain), score.bonus))
    swap = situation.phase is Phase.END_TURN and may_swap(situation)
    return LegalMoves(situation.phase.value, pairs, limited, points, tiles, cards, swap)


class _Results:
    """What the mover's markers really do, where that differs from simply moving by the points."""

    def __init__(self, situation: Situation, points: list[ColourPoints]) -> None:
        self._track = situation.setup.title.track
        self._markers = markers_of(situation, situation.seat)
        self._points = points
        self._most = [max(max(scored.on_first), max(scored.on_second)) for scored in points]
        self._free = [self._free_points(colour, 2 * most) for colour, most in enumerate(self._most)]

    def _free_points(self, colour: int, most: int) -> int:
        """How many points, up to `most`, simply move a marker: to no end, past no gate, to no bonus step."""
        before, points = self._markers[colour], most
        while points and not (
            self._track.advance(self._markers, colour, points) == before + points
            and not self._track.bonus_moves(before, before + points)
        ):
            points -= 1
        return points

    def of(self, tile: Tile) -> list[tuple[int, int, int, int, int]]:
        """Points that do not simply move the markers, or earn bonus moves: both points, both moves, bonus."""
        first, second = SYMBOLS[tile]
        double = first == second
        # If two markers each move freely alone, they also do so together, on every kind of track.
        if self._most[first] * (1 + double) <= self._free[first] and self._most[second] <= self._free[second]:
            return []
        ((_, there, turned),) = tile_points([tile], self._points)
        results = []
        for one, two in sorted({*there, *turned}):
            if one + two * double <= self._free[first] and two <= self._free[second]:
                continue
            whole = score(self._track, self._markers, [(first, one), (second, two)])
            total = sum(whole.gain)
            if total != one + two or whole.bonus:
                moved = sum(score(self._track, self._markers, [(first, one)]).gain)
                results.append((one, two, moved, total - moved, whole.bonus))
        return results
