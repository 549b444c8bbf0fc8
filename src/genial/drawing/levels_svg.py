"""Stacked tiles seen from above: steps down to every lower neighbour, and the level in the upper corner."""

from __future__ import annotations

import math
from collections.abc import Set

from genial.core.hexes import Cell
from genial.core.layout import Layout
from genial.drawing.canvas import label
from genial.drawing.geometry import RADIUS, Point, centre, corners, polygon
from genial.drawing.palette import Ink

_STEP = 2.3
_TREAD = 1.8
"""How much of a step is painted; the rest separates it from the next."""
_MOST = 3
"""The most steps drawn, so that they never reach the symbol; the number says the rest."""
_SLOPE = (2, 2, 1, 0, 0, 1)
"""For each direction, how a side facing it is lit; the light comes from the upper left."""


def slopes(layout: Layout, ink: Ink) -> str:
    """The sides of everything higher than its neighbour, drawn on the neighbour's cell."""
    found: dict[int, list[str]] = {}
    for n, height in enumerate(layout.heights):
        for direction, ray in enumerate(layout.board.rays[n]):
            if ray and (steps := min(_MOST, height - layout.heights[ray[0]])) > 0:
                paths = (_tread(layout, n, direction, ray[0], k) for k in range(steps))
                found.setdefault(_SLOPE[direction], []).extend(paths)
    return "".join(
        f'<path d="{"".join(paths)}" fill="{ink.theme.slopes[slope]}"/>'
        for slope, paths in sorted(found.items())
    )


def _tread(layout: Layout, n: int, direction: int, lower: int, k: int) -> str:
    at = corners(RADIUS, centre(layout.board.cells[n]))
    start, end = at[direction], at[(direction + 1) % 6]
    before = _bisector(layout, n, (direction + 5) % 6, lower, start)
    after = _bisector(layout, n, (direction + 1) % 6, lower, end)
    inner, outer = k * _STEP, k * _STEP + _TREAD
    return polygon(
        [
            _along(start, before, inner),
            _along(end, after, inner),
            _along(end, after, outer),
            _along(start, before, outer),
        ]
    )


def _bisector(layout: Layout, n: int, direction: int, lower: int, corner: Point) -> Point:
    """Which way a step ends at a corner where a third cell meets the two it lies between.

    If the third cell is higher than the lower one, the steps meet inside the lower cell; otherwise they go
    round the corner along the side between the lower two.
    """
    cells, ray = layout.board.cells, layout.board.rays[n][direction]
    third = ray[0] if ray else None
    x, y = centre(cells[lower])
    if third is None or layout.heights[third] <= layout.heights[lower]:
        ox, oy = centre(cells[n])
        return _unit(corner[0] - ox, corner[1] - oy)
    return _unit(x - corner[0], y - corner[1])


def _along(corner: Point, way: Point, width: float) -> Point:
    distance = width / math.cos(math.radians(30))
    return corner[0] + way[0] * distance, corner[1] + way[1] * distance


def _unit(x: float, y: float) -> Point:
    length = math.hypot(x, y)
    return x / length, y / length


def level_numbers(layout: Layout, ink: Ink, covered: Set[int]) -> str:
    """The level of every half that lies on something, as records count it: 1 on top of one piece."""
    return "".join(
        level_number(cell, layout.heights[n] - 1, ink)
        for n, cell in enumerate(layout.board.cells)
        if layout.heights[n] > 1 and n not in covered
    )


def level_number(cell: Cell, level: int, ink: Ink) -> str:
    """A level in the upper corner of a cell."""
    x, y = centre(cell)
    return label(x, y - RADIUS * 0.71, str(level), ink.theme.on_tile, 8, anchor="middle", bold=True)
