"""Names of cells that a person can say: a letter for the row from the top, a number from the left.

The top row is a; cells in a row are numbered from 1. On the classic board for two, `f6` is the centre.
"""

from __future__ import annotations

import re

from genial.core.board import Board
from genial.core.errors import NotationError
from genial.core.hexes import Cell

_NAME = re.compile(r"([a-z])([0-9]{1,2})")


def rows(board: Board) -> tuple[tuple[Cell, ...], ...]:
    """The cells as they appear on the page: row by row from the top, each from left to right."""
    span = range(-board.radius, board.radius + 1)
    return tuple(tuple(cell for cell in board.cells if cell[1] == r) for r in span)


def cell_name(board: Board, cell: Cell) -> str:
    """The name of a cell.

    >>> from genial.core.board import hexagonal_board
    >>> cell_name(hexagonal_board(5, 5), (0, 0)), cell_name(hexagonal_board(5, 5), (0, -5))
    ('f6', 'a1')
    """
    q, r = cell
    leftmost = max(-board.radius, -board.radius - r)
    return f"{chr(ord('a') + r + board.radius)}{q - leftmost + 1}"


def parse_cell(board: Board, text: str) -> Cell:
    """The cell with this name.

    >>> from genial.core.board import hexagonal_board
    >>> parse_cell(hexagonal_board(5, 5), "f6")
    (0, 0)
    """
    match = _NAME.fullmatch(text)
    if match:
        r = ord(match[1]) - ord("a") - board.radius
        cell = (max(-board.radius, -board.radius - r) + int(match[2]) - 1, r)
        if cell in board.number and match[2] == str(int(match[2])):
            return cell
    last = chr(ord("a") + 2 * board.radius)
    raise NotationError("cell-unknown", cell=text, last=last)
