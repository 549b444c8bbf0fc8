"""The six symbols as SVG paths (COLOURS). Sizes are fractions of the cell's radius."""

from __future__ import annotations

from functools import cache

from genial.core.colours import COLOURS
from genial.drawing.geometry import RADIUS, Point, number, polar, polygon


def symbol_path(colour: int, radius: float = RADIUS, origin: Point = (0.0, 0.0)) -> str:
    """The outline of a symbol in a cell of this radius around this point.

    >>> symbol_path(1, 10)
    'M6 0L3 5.2L-3 5.2L-6 0L-3 -5.2L3 -5.2z'
    """
    return _PATHS[COLOURS[colour]](radius, origin)


def symbol(colour: int, x: float, y: float, radius: float, fill: str, edge: str | None = None) -> str:
    """A symbol on its own, as a separate element.

    >>> symbol(3, 10, 10, 20, "#35C26B")
    '<path d="M20 10A10 10 0 1 1 0 10A10 10 0 1 1 20 10z" fill="#35C26B"/>'
    """
    stroke = f' stroke="{edge}"' if edge else ""
    return f'<path d="{symbol_path(colour, radius, (x, y))}" fill="{fill}"{stroke}/>'


@cache
def definition(colour: int) -> str:
    """The symbol in a cell of the usual radius, for reuse; it has no colour of its own.

    The ring is drawn so that its hole stays open under any fill rule.
    """
    return f'<path id="{symbol_id(colour)}" d="{symbol_path(colour)}"/>'


def symbol_id(colour: int) -> str:
    """The id of the definition."""
    return f"genial-{COLOURS[colour]}"


def _star(points: int, outer: float, inner: float, radius: float, origin: Point) -> str:
    step = 180 / points
    tips = (polar(step * n - 90, radius * (inner if n % 2 else outer), origin) for n in range(2 * points))
    return polygon(tips)


def _circle(radius: float, origin: Point, clockwise: bool = True) -> str:
    (x, y), r, sweep = origin, number(radius), int(clockwise)
    right, left, middle = number(x + radius), number(x - radius), number(y)
    return f"M{right} {middle}A{r} {r} 0 1 {sweep} {left} {middle}A{r} {r} 0 1 {sweep} {right} {middle}z"


def _star_12(radius: float, origin: Point) -> str:
    return _star(12, 0.62, 0.44, radius, origin)


def _hexagon(radius: float, origin: Point) -> str:
    return polygon(polar(60 * n, 0.60 * radius, origin) for n in range(6))


def _sun(radius: float, origin: Point) -> str:
    rays = (
        polygon(
            [
                polar(30 * n - 9, 0.44 * radius, origin),
                polar(30 * n, 0.66 * radius, origin),
                polar(30 * n + 9, 0.44 * radius, origin),
            ]
        )
        for n in range(12)
    )
    return _circle(0.36 * radius, origin) + "".join(rays)


def _disc(radius: float, origin: Point) -> str:
    return _circle(0.50 * radius, origin)


def _star_6(radius: float, origin: Point) -> str:
    return _star(6, 0.68, 0.36, radius, origin)


def _ring(radius: float, origin: Point) -> str:
    return _circle(0.58 * radius, origin) + _circle(0.30 * radius, origin, clockwise=False)


_PATHS = {"R": _star_12, "O": _hexagon, "Y": _sun, "G": _disc, "B": _star_6, "P": _ring}
