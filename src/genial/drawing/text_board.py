"""The board in a terminal: three columns per cell and one between, each row shifted by half a cell.

A line from a symbol points to the tile's other half. Rows are lettered, and the cells of a row are counted
from the left: in the upper half follow a number down to the left, in the lower half up to the left.
"""

from __future__ import annotations

from genial.core.cellnames import rows
from genial.core.layout import NOTHING, Layout
from genial.drawing.ansi import Pen

_JOINS = ("─", "╲", "╱", "─", "╲", "╱")
_PLAIN_JOINS = "-\\/-\\/"
_RIGHT = (0, 1, 5)
"""The directions that leave a cell on its right."""


def board_lines(layout: Layout, pen: Pen) -> list[str]:
    """The board row by row, with the names of the cells around it.

    >>> from genial.core.board import hexagonal_board
    >>> from genial.core.layout import empty_layout
    >>> board = hexagonal_board(2, 2)
    >>> print("\\n".join(board_lines(empty_layout(board, board.start, False), Pen(unicode=False))))
              1   2   3
    a      (R)  .  (O)  3
    b     .   .   .   .   4
    c  (P)  .   .   .  (Y)  5
    d     .   .   .   .   4
    e      (B)  .  (G)  3
              1   2   3
    """
    radius, found = layout.board.radius, []
    ends = " " * (2 * radius + 5)
    numbers = pen.quiet("".join(f"{n:>2}  " for n in range(1, radius + 2)).rstrip())
    found.append(f"{ends}{numbers}")
    for r, cells in enumerate(rows(layout.board), -radius):
        ns = [layout.board.number[cell] for cell in cells]
        parts = [pen.quiet(chr(ord("a") + r + radius)), " " * (2 * abs(r) + 2)]
        for place, n in enumerate(ns):
            parts.append(_cell(layout, n, pen))
            parts.append(_between(layout, n, pen) if place + 1 < len(ns) else " ")
        found.append(f"{''.join(parts)}{pen.quiet(f'{len(ns):>2}')}")
    found.append(f"{ends}{numbers}")
    return found


def _cell(layout: Layout, n: int, pen: Pen) -> str:
    symbol, level = layout.symbols[n], layout.heights[n] - 1
    if symbol == NOTHING:
        return pen.quiet(pen.pick(" · ", " . "))
    if layout.halves[n] == NOTHING:
        return pen.on_tile("(") + pen.on_tile(pen.symbol(symbol), symbol) + pen.on_tile(")")
    # The side without a line to the other half has room for the level.
    free, sides = 1, [" ", " "]
    if _joined(layout, n):
        direction = layout.halves[n]
        free = int(direction not in _RIGHT)
        sides[1 - free] = pen.pick(_JOINS[direction], _PLAIN_JOINS[direction])
    if level:
        sides[free] = str(level) if level < 10 else "+"
    left, right = (pen.on_tile(side, level=level) for side in sides)
    return left + pen.on_tile(pen.symbol(symbol), symbol, level) + right


def _between(layout: Layout, n: int, pen: Pen) -> str:
    if layout.halves[n] == 0 and _joined(layout, n):
        return pen.on_tile(pen.pick("─", "-"), level=layout.heights[n] - 1)
    return " "


def _joined(layout: Layout, n: int) -> bool:
    """True if the tile's other half is visible too: a covered one has a greater height."""
    return layout.heights[layout.board.rays[n][layout.halves[n]][0]] == layout.heights[n]
