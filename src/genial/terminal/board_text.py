"""The board as rows of characters: symbols, links between halves, cursor, ghost tile, counted cells."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from itertools import groupby

from rich.text import Text

from genial.core.board import Board
from genial.core.hexes import Cell
from genial.core.layout import NOTHING, Layout
from genial.terminal.glyphs import GHOST, GLYPHS, LINES, LIT, PAGE, QUIET, SHADES, TEXT, TILE, on

LABEL = 2
"""Columns for the letter of the row."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How many columns and lines a cell takes. Columns are even, because rows are shifted by half a cell."""

    columns: int
    lines: int

    def width(self, board: Board) -> int:
        return LABEL + self.columns * (2 * board.radius + 1)

    def height(self, board: Board) -> int:
        return self.lines * (2 * board.radius + 1)

    def corner(self, board: Board, cell: Cell) -> tuple[int, int]:
        """Column and line of a cell's upper left character."""
        q, r = cell
        return LABEL + self.columns * (q + board.radius) + self.columns * r // 2, self.lines * (
            r + board.radius
        )


SCALES = (Scale(6, 3), Scale(4, 2), Scale(6, 1), Scale(4, 1), Scale(2, 1))
"""The largest first."""


def fitting_scale(layout: Layout, width: int, height: int) -> Scale:
    """The largest scale that fits, otherwise the smallest.

    >>> import genial
    >>> table = genial.new("classic", seats=4, seed=7).table
    >>> assert isinstance(table, Layout)
    >>> fitting_scale(table, 62, 16)
    Scale(columns=4, lines=1)
    """
    for scale in usable_scales(layout):
        if scale.width(layout.board) <= width and scale.height(layout.board) <= height:
            return scale
    return SCALES[-1]


def usable_scales(layout: Layout) -> list[Scale]:
    """The scales for a board: wide flat cells are only for stacked tiles, whose height needs room."""
    return [scale for scale in SCALES if layout.stacking or scale != Scale(6, 1)]


@dataclass(frozen=True, slots=True)
class Marks:
    """What is shown on the board besides the tiles that lie there."""

    cursor: Cell | None = None
    ghost: Mapping[Cell, int] = field(default_factory=dict)
    counted: Set[Cell] = frozenset()
    fits: Set[Cell] = frozenset()
    heat: Mapping[Cell, int] = field(default_factory=dict)
    last: Set[Cell] = frozenset()


def cell_at(board: Board, scale: Scale, x: int, y: int) -> Cell | None:
    """The cell under a character, if there is one.

    >>> from genial.core.board import hexagonal_board
    >>> board, scale = hexagonal_board(5, 5), Scale(4, 1)
    >>> cell_at(board, scale, *scale.corner(board, (2, -3)))
    (2, -3)
    """
    r = y // scale.lines - board.radius
    q = (x - LABEL - scale.columns * r // 2) // scale.columns - board.radius
    return (q, r) if (q, r) in board.number else None


class _Canvas:
    def __init__(self, width: int, height: int) -> None:
        self._characters = [[" "] * width for _ in range(height)]
        self._styles = [[f"{QUIET} on {PAGE}"] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str) -> None:
        for n, character in enumerate(text):
            self._characters[y][x + n] = character
            self._styles[y][x + n] = style

    def text(self) -> Text:
        found = Text(no_wrap=True, end="")
        for number, (characters, styles) in enumerate(zip(self._characters, self._styles, strict=True)):
            if number:
                found.append("\n")
            start = 0
            # Neighbours of the same style become one piece: the screen is much faster with few pieces.
            for style, run in groupby(styles):
                end = start + sum(1 for _ in run)
                found.append("".join(characters[start:end]), style)
                start = end
        return found


def board_text(layout: Layout, scale: Scale, marks: Marks) -> Text:
    """The whole board."""
    board = layout.board
    canvas = _Canvas(scale.width(board), scale.height(board))
    for row in range(2 * board.radius + 1):
        canvas.put(0, row * scale.lines + (scale.lines - 1) // 2, chr(ord("a") + row), f"{QUIET} on {PAGE}")
    for number, cell in enumerate(board.cells):
        _draw_cell(canvas, layout, scale, marks, number, cell)
    return canvas.text()


def _draw_cell(canvas: _Canvas, layout: Layout, scale: Scale, marks: Marks, number: int, cell: Cell) -> None:
    x, y = scale.corner(layout.board, cell)
    width, middle = max(scale.columns - 1, 1), y + (scale.lines - 1) // 2
    centre = x + width // 2
    symbol, half = layout.symbols[number], layout.halves[number]
    ground = SHADES[(cell[0] - cell[1]) % 3] if half == NOTHING else TILE
    if cell in marks.ghost:
        ground = GHOST
    elif cell in marks.counted or cell in marks.last:
        ground = LIT
    joined = half == 0 and cell not in marks.ghost
    last_of_row = (cell[0] + 1, cell[1]) not in layout.board.number
    for line in range(scale.lines):
        canvas.put(x, y + line, " " * width, f"{TEXT} on {ground}")
        if not last_of_row:
            # There is a line between two cells, but never through a tile.
            canvas.put(x + scale.columns - 1, y + line, " ", f"{TEXT} on {ground if joined else LINES}")
    heat = marks.heat.get(cell, 0) if cell not in marks.ghost else 0
    if cell in marks.ghost:
        canvas.put(centre, middle, GLYPHS[marks.ghost[cell]], on(marks.ghost[cell], ground))
    elif heat and symbol == NOTHING:
        text = str(heat if width > 1 else min(heat, 9))
        canvas.put(centre - (len(text) > 1), middle, text, f"bold {TEXT} on {ground}")
    elif symbol != NOTHING:
        under = " underline" if scale.columns == 2 and cell in marks.counted else ""
        canvas.put(centre, middle, GLYPHS[symbol], on(symbol, ground) + under)
    elif cell in marks.fits:
        canvas.put(centre, middle, "·", f"{TEXT} on {ground}")
    if symbol != NOTHING and half != NOTHING and cell not in marks.ghost and scale.columns > 2:
        _draw_link(canvas, scale, (x, y), half, f"{QUIET} on {ground}")
    if layout.stacking and scale.columns > 2:
        _draw_level(
            canvas,
            layout,
            marks,
            number,
            cell,
            (centre + 1, middle),
            ground,
            heat if scale.columns > 4 else 0,
        )
    _draw_brackets(canvas, scale, marks, cell, (x, middle, centre), ground)


def _draw_link(canvas: _Canvas, scale: Scale, corner: tuple[int, int], half: int, style: str) -> None:
    # Where the other half is: right, lower right, lower left, left, upper left, upper right.
    x, y = corner
    inward = 1 if scale.columns > 4 and scale.lines > 1 else 0
    last, middle, bottom = x + scale.columns - 2, y + (scale.lines - 1) // 2, y + scale.lines - 1
    if scale.lines == 2 and half in (4, 5):
        return  # the upper half's own link already reaches down to this one
    match half:
        case 0:
            canvas.put(last, middle, "──", style)
        case 1:
            canvas.put(last - inward, bottom, "╲", style)
        case 2:
            canvas.put(x + inward, bottom, "╱", style)
        case 3:
            canvas.put(x, middle, "─", style)
        case 4:
            canvas.put(x + inward, y, "╲", style)
        case 5:
            canvas.put(last - inward, y, "╱", style)


def _draw_level(
    canvas: _Canvas,
    layout: Layout,
    marks: Marks,
    number: int,
    cell: Cell,
    at: tuple[int, int],
    ground: str,
    heat: int,
) -> None:
    # The board itself is level 0, which is not shown.
    level = layout.heights[number] + (cell in marks.ghost) - 1
    if heat and layout.heights[number]:
        canvas.put(at[0] - 3, at[1], f"+{min(heat, 9)}", f"bold {TEXT} on {LINES}")
    fits = cell in marks.fits and cell not in marks.ghost
    if level > 0:
        canvas.put(*at, str(min(level, 9)), f"{TEXT} on {ground}{' underline' if fits else ''}")
    elif level == 0 and fits:
        canvas.put(*at, "·", f"{TEXT} on {ground}")


def _draw_brackets(
    canvas: _Canvas, scale: Scale, marks: Marks, cell: Cell, at: tuple[int, int, int], ground: str
) -> None:
    left, middle, centre = at
    right, brackets = left + max(scale.columns - 2, 0), ""
    if cell == marks.cursor:
        brackets = "[]"
    elif cell in marks.ghost:
        brackets = "()"
    elif cell in marks.counted:
        brackets = "‹›"
    if not brackets:
        return
    if scale.columns > 2:
        canvas.put(left, middle, brackets[0], f"bold {TEXT} on {ground}")
        canvas.put(right, middle, brackets[1], f"bold {TEXT} on {ground}")
    elif cell == marks.cursor:
        # There is no room beside the symbol, so the brackets go into the gaps on both sides.
        canvas.put(max(centre - 1, 0), middle, "[", f"bold {TEXT} on {PAGE}")
        canvas.put(centre + 1, middle, "]", f"bold {TEXT} on {PAGE}")
