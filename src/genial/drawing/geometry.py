"""Where things are on the page: cells with their points up (AXES), and outlines with rounded corners."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from genial.core.hexes import Cell

Point = tuple[float, float]

RADIUS = 26.0
"""From the centre of a cell to its corners, in the units of the picture."""
SPACING = RADIUS * math.sqrt(3)
"""From the centre of a cell to that of its neighbour."""


def number(value: float) -> str:
    """A number as short as two decimals allow.

    >>> number(2.0), number(-0.001), number(1 / 3)
    ('2', '0', '.33')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text in ("-0", "0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def centre(cell: Cell) -> Point:
    """The middle of a cell; the middle of the board is (0, 0)."""
    q, r = cell
    return SPACING * (q + r / 2), RADIUS * 1.5 * r


def polar(angle: float, distance: float, origin: Point = (0.0, 0.0)) -> Point:
    """The point at an angle in degrees, clockwise from the right, and a distance."""
    turn = math.radians(angle)
    return origin[0] + distance * math.cos(turn), origin[1] + distance * math.sin(turn)


def corners(radius: float, origin: Point = (0.0, 0.0)) -> list[Point]:
    """The corners of a cell: the n-th and the next bound the side facing direction n."""
    return [polar(60 * n - 30, radius, origin) for n in range(6)]


def polygon(points: Iterable[Point]) -> str:
    """A closed path with sharp corners.

    >>> polygon([(0, 0), (1, 0), (0, 1)])
    'M0 0L1 0L0 1z'
    """
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z"


def rounded(points: Sequence[Point], radius: float) -> str:
    """A closed path with rounded corners."""
    path = []
    for n, corner in enumerate(points):
        before, after = points[n - 1], points[(n + 1) % len(points)]
        start, end = _towards(corner, before, radius), _towards(corner, after, radius)
        path.append(f"{_at(start)}Q{_at(corner)} {_at(end)}")
    return f"M{'L'.join(path)}z"


def inset(points: Sequence[Point], margin: float) -> list[Point]:
    """The outline moved inwards on every side; the points go clockwise on the page."""
    found = []
    for n, corner in enumerate(points):
        before, after = points[n - 1], points[(n + 1) % len(points)]
        (ax, ay), (bx, by) = _unit(before, corner), _unit(corner, after)
        # The two sides' inward normals; their sum points along the bisector.
        nx, ny = -ay - by, ax + bx
        scale = margin / (1 + ax * bx + ay * by)
        found.append((corner[0] + nx * scale, corner[1] + ny * scale))
    return found


def tile_outline(direction: int, radius: float = RADIUS) -> list[Point]:
    """The outline of two cells, the first around (0, 0), the second in a direction, clockwise."""
    other = polar(60 * direction, radius * math.sqrt(3))
    first, second = corners(radius), corners(radius, other)
    own = [first[(direction + n) % 6] for n in range(1, 7)]
    return own + [second[(direction + n) % 6] for n in range(5, 9)]


def _towards(start: Point, end: Point, distance: float) -> Point:
    x, y = _unit(start, end)
    return start[0] + x * distance, start[1] + y * distance


def _unit(start: Point, end: Point) -> Point:
    x, y = end[0] - start[0], end[1] - start[1]
    length = math.hypot(x, y)
    return x / length, y / length


def _at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
