"""Where on a board the next tile may go."""

from __future__ import annotations

from genial.core.board import Board
from genial.core.cellnames import cell_name
from genial.core.errors import IllegalAction
from genial.core.hexes import Cell
from genial.core.layout import Layout
from genial.core.situation import Situation
from genial.core.title import BoardPlan, Opening


def legal_pairs(situation: Situation) -> int:
    """The set of cell pairs where the next tile may go, taking the opening rule into account."""
    layout, plan = situation.table, situation.setup.title.plan
    if not isinstance(layout, Layout) or not isinstance(plan, BoardPlan):
        return 0  # cards lie in rows
    if plan.opening is Opening.EVERY_START or situation.turn < situation.setup.seats:
        beside = 0
        for cell in layout.untouched_starts():
            beside |= layout.board.pairs_beside[cell]
        # 3D-OPENING ends once every start stone has a tile next to it; FIRST-TILE after round one.
        if beside or plan.opening is Opening.FIRST_ROUND:
            return layout.open_pairs & beside
    return layout.open_pairs


def check_cells(situation: Situation, layout: Layout, cells: object) -> None:
    """Raise unless a tile may lie on these two cells."""
    try:
        number = layout.board.pair_number.get(cells)  # type: ignore[call-overload]
    except TypeError:  # e.g. a list, which cannot be looked up
        number = None
    if number is None:
        raise _not_a_pair(situation, layout.board, cells)
    cites = situation.setup.title.cites
    if not layout.open_pairs >> number & 1:
        names = _names(layout.board, layout.board.pairs[number].cells)
        raise IllegalAction(_support_hindrance(layout, number), ruling=cites.placing, cells=names)
    if not legal_pairs(situation) >> number & 1:
        raise opening_breach(situation, layout, layout.board.pairs[number].cells)


def opening_breach(situation: Situation, layout: Layout, cells: tuple[Cell, ...]) -> IllegalAction:
    """The error for cells that are free, but not where the opening rule wants the next tile."""
    code = "opening-stone" if opens_every_start(situation) else "opening-untouched"
    return IllegalAction(code, ruling=situation.setup.title.cites.opening, cells=_names(layout.board, cells))


def opens_every_start(situation: Situation) -> bool:
    """True if every start stone needs a tile first, rather than each seat using a start symbol of its own."""
    plan = situation.setup.title.plan
    return isinstance(plan, BoardPlan) and plan.opening is Opening.EVERY_START


def _not_a_pair(situation: Situation, board: Board, cells: object) -> IllegalAction:
    cites = situation.setup.title.cites
    if not isinstance(cells, tuple) or len(cells) != 2 or not all(map(_is_cell, cells)):
        return IllegalAction("cells-unreadable", ruling=cites.placing, cells=cells)
    for cell in cells:
        if cell not in board.number:
            return IllegalAction("cell-off-board", ruling=cites.board, cell=cell, radius=board.radius)
    return IllegalAction("cells-apart", ruling=cites.placing, cells=_names(board, cells))


def _names(board: Board, cells: tuple[Cell, ...]) -> list[str]:
    return [cell_name(board, cell) for cell in cells]


def _is_cell(cell: object) -> bool:
    return isinstance(cell, tuple) and len(cell) == 2 and all(isinstance(part, int) for part in cell)


def _support_hindrance(layout: Layout, number: int) -> str:
    pair = layout.board.pairs[number]
    if not layout.stacking:
        return "cell-taken"
    uneven = layout.heights[pair.first] != layout.heights[pair.second]
    return "cells-uneven" if uneven else "cells-one-tile"
