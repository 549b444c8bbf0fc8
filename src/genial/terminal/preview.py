"""What the board shows of the unfinished move: ghost tile, counted cells, points, markers after it."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.actions import Place, Play
from genial.core.events import Placed
from genial.core.explain import Explanation, explain
from genial.core.guidance import Guidance, guide
from genial.core.hexes import Cell
from genial.core.situation import Phase
from genial.core.tiles import SYMBOLS
from genial.core.tracks import Markers
from genial.core.view import View
from genial.terminal.board_text import Marks
from genial.terminal.choices import best_points
from genial.terminal.half_made import HalfMade


@dataclass(frozen=True, slots=True)
class Preview:
    """The verdict on the unfinished move and what it would score."""

    guidance: Guidance | None
    explanation: Explanation | None
    marks: Marks

    @property
    def markers(self) -> Markers | None:
        return self.explanation.markers if self.explanation else None


def preview_of(view: View, half_made: HalfMade, *, heat: bool = False) -> Preview:
    """Judge and explain what has been picked so far."""
    if view.seat not in view.viewer or view.phase is not Phase.PLACE:
        return Preview(None, None, Marks(last=_last_cells(view)))
    tile, guidance = half_made.tile(view), half_made.guidance(view)
    explanation, ghost = None, {}
    counted: set[Cell] = set()
    match guidance.action:
        case Place(spelled, cells) as action:
            explanation = explain(view, action)
            ghost = dict(zip(cells, SYMBOLS[spelled], strict=True))
            counted = {cell for half in explanation.halves for ray in half.rays for cell in ray.cells}
        case Play() as action:
            explanation = explain(view, action)
    if tile is None or view.setup.board is None:
        return Preview(guidance, explanation, Marks(cursor=half_made.cell, last=_last_cells(view)))
    marks = Marks(
        cursor=half_made.cell,
        ghost=ghost,
        counted=counted,
        fits=frozenset(guide(view, tile).cells),
        heat=best_points(view, tile) if heat else {},
    )
    return Preview(guidance, explanation, marks)


def _last_cells(view: View) -> frozenset[Cell]:
    """The cells of the last tile placed."""
    for event in reversed(view.events):
        if isinstance(event, Placed):
            return frozenset(event.cells)
    return frozenset()
