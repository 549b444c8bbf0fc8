"""Racks of tiles, lying flat; hidden tiles show their backs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from genial.core.tiles import HIDDEN, SYMBOLS, Tile
from genial.drawing.canvas import Block, back_style, symbol_use, tile_style, use
from genial.drawing.geometry import RADIUS, SPACING, number
from genial.drawing.palette import Ink

_HEIGHT = 2 * RADIUS


def rack_block(tiles: Sequence[Tile], ink: Ink, scale: float, room: int = 0) -> Block:
    """The tiles side by side; `room` is the size of a full rack, so that racks line up."""
    pitch = 2 * SPACING + 6
    parts = [_tile(tile, ink, SPACING / 2 + n * pitch) for n, tile in enumerate(tiles)]
    width = max(len(tiles), room) * pitch * scale
    return Block(width, _HEIGHT * scale, f'<g transform="scale({number(scale)})">{"".join(parts)}</g>')


def _tile(tile: Tile, ink: Ink, x: float) -> str:
    body = use("genial-0", x, RADIUS)
    if tile == HIDDEN:
        return f"<g {back_style(ink)}>{body}</g>"
    first, second = SYMBOLS[tile]
    return (
        f"<g {tile_style(ink)}>{body}</g>"
        + symbol_use(ink, first, x, RADIUS)
        + symbol_use(ink, second, x + SPACING, RADIUS)
    )


def rack_scale(width: float, room: int) -> float:
    """The tile scale at which a full rack fits a width, in hundredths."""
    return math.floor(100 * width / (room * (2 * SPACING + 6))) / 100
