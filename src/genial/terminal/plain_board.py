"""The board in letters, for line mode: one row per line, or one cell with its neighbours in words."""

from __future__ import annotations

from genial.core.cellnames import cell_name, parse_cell, rows
from genial.core.colours import COLOURS
from genial.core.hexes import DIRECTIONS, step
from genial.core.layout import NOTHING, Layout
from genial.terminal.telling import Teller


def board_lines(layout: Layout) -> list[str]:
    """Row by row from the top: a letter for each symbol, a dot for a free cell, a number for its level.

    >>> import genial
    >>> table = genial.new("classic", seats=2, seed=7).table
    >>> assert isinstance(table, Layout)
    >>> print("\\n".join(board_lines(table)[:2]))
    a       R . . . . G
    b      . . . . . . .
    """
    board, lines = layout.board, []
    width = 3 if layout.stacking else 1
    for number, row in enumerate(rows(board)):
        cells = []
        for cell in row:
            n = board.number[cell]
            symbol = layout.symbols[n]
            text = "." if symbol == NOTHING else COLOURS[symbol]
            if layout.heights[n] > 1:
                text += str(layout.heights[n] - 1)
            cells.append(text.ljust(width))
        indent = " " * ((2 * board.radius + 1 - len(row)) * (width + 1) // 2)
        lines.append(f"{chr(ord('a') + number)} {indent} {' '.join(cells)}".rstrip())
    return lines


def cell_lines(teller: Teller, layout: Layout, name: str) -> list[str]:
    """A cell and its six neighbours in words; raises NotationError if there is no such cell."""
    cell = parse_cell(layout.board, name)
    lines = [f"{name}: {_content(teller, layout, layout.board.number[cell])}"]
    for direction in range(len(DIRECTIONS)):
        other = layout.board.number.get(step(cell, direction))
        what = teller.say("off-board")
        if other is not None:
            what = f"{cell_name(layout.board, layout.board.cells[other])}, {_content(teller, layout, other)}"
        lines.append(f"  {teller.say(f'direction-{direction}')}: {what}")
    return lines


def _content(teller: Teller, layout: Layout, number: int) -> str:
    if layout.symbols[number] == NOTHING:
        return teller.say("cell-free")
    text = teller.colour(layout.symbols[number])
    if layout.heights[number] > 1:
        text += f", {teller.say('level', level=layout.heights[number] - 1)}"
    if layout.halves[number] == NOTHING:
        return f"{text}, {teller.say('start-stone' if layout.stacking else 'start-symbol')}"
    mate = layout.board.cells[layout.board.rays[number][layout.halves[number]][0]]
    return f"{text}, {teller.say('other-half', cell=teller.cell(mate))}"
