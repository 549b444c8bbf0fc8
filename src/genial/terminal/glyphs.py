"""The six symbols as single characters, and the screen's colours. Shape is the primary distinction."""

from __future__ import annotations

from genial.core.colours import COLOURS
from genial.core.tiles import HIDDEN, SYMBOLS, Tile
from genial.drawing.ansi import SHAPES
from genial.drawing.palette import DARK, STANDARD

GLYPHS = tuple(SHAPES)
"""One character per symbol, in the order of COLOURS."""

PAGE, CELL, TILE, TEXT, QUIET, RAISED, LINES = (
    DARK.page,
    DARK.cell,
    DARK.tile,
    DARK.text,
    DARK.quiet,
    DARK.raised,
    DARK.lines,
)
INK = STANDARD.symbols

SHADES = (CELL, "#272D37", "#2F3642")
"""Neighbouring cells never have the same shade."""
GHOST, LIT = "#434C5C", "#20344A"
"""Backgrounds of the tile to be placed, and of cells that are counted or were placed last."""


def on(colour: int, ground: str = TILE) -> str:
    """The style of a symbol on a background."""
    return f"bold {INK[colour]} on {ground}"


def tile_parts(tile: Tile, ground: str = TILE) -> list[tuple[str, str]]:
    """A tile in four characters, each symbol with its letter, as pieces with their styles.

    >>> "".join(text for text, _ in tile_parts("RB"))
    '✹R★B'
    """
    if tile == HIDDEN:
        return [(" ?? ", f"{QUIET} on {RAISED}")]
    return [(GLYPHS[colour] + COLOURS[colour], on(colour, ground)) for colour in SYMBOLS[tile]]
