"""A previewed placement: its ghost, the rays that would score, and their points."""

from __future__ import annotations

from genial.core.actions import Place
from genial.core.explain import Explanation, Half, Ray, explain
from genial.core.hexes import DIRECTIONS, Cell
from genial.core.layout import Layout
from genial.core.situation import Situation
from genial.core.tiles import SYMBOLS
from genial.drawing.canvas import label, symbol_use, text_width, tile_style, use
from genial.drawing.geometry import RADIUS, SPACING, Point, centre, number, polar
from genial.drawing.levels_svg import level_number
from genial.drawing.palette import Ink

_BADGE = 8.0
_RIM = 0.66


def rays(situation: Situation, place: Place, ink: Ink) -> str:
    """Thin lines in the symbol's colour through the counted cells, from symbol to symbol."""
    parts = []
    for half, ray in _rays(explain(situation, place)):
        assert half.cell is not None
        line = "".join(
            _segment(cell, ray.direction, cell == ray.cells[-1]) for cell in (half.cell, *ray.cells)
        )
        # The dark line below makes the colour visible on light cells too.
        parts.append(
            f'<path d="{line}" stroke="{ink.theme.tile}" stroke-width="6"/>'
            f'<path d="{line}" stroke="{ink.symbols[half.colour]}" stroke-width="3"/>'
        )
    return f'<g fill="none" stroke-linecap="round">{"".join(parts)}</g>' if parts else ""


def points_on_rays(situation: Situation, place: Place, ink: Ink) -> str:
    """The points of each ray at its end, and their sum on the tile."""
    explanation = explain(situation, place)
    parts = [badge(*_end(ray), len(ray.cells), half.colour, ink) for half, ray in _rays(explanation)]
    (ax, ay), (bx, by) = (centre(cell) for cell in place.cells)
    total = sum(half.points for half in explanation.halves)
    return "".join(parts) + sum_badge((ax + bx) / 2, (ay + by) / 2, total, ink)


def ghost(place: Place, ink: Ink, layout: Layout) -> str:
    """The tile at 60 %. On top of other tiles, its outline and its level set it apart."""
    heights = {layout.heights[layout.board.number[cell]] for cell in place.cells}
    direction, level = _direction(place), max(heights)
    first = place.cells[0] if direction < 3 else place.cells[1]
    body = use(f"genial-{direction % 3}", *centre(first))
    symbols = "".join(
        symbol_use(ink, colour, *centre(cell))
        for colour, cell in zip(SYMBOLS[place.tile], place.cells, strict=True)
    )
    found = f'<g opacity=".6"><g {tile_style(ink, level)}>{body}</g>{symbols}</g>'
    if level:
        dashes = f'stroke="{ink.theme.on_tile}" stroke-width="1.2" stroke-dasharray="4 3"'
        found += f'<g fill="none" {dashes}>{body}</g>'
    if level and len(heights) == 1:
        found += "".join(level_number(cell, level, ink) for cell in place.cells)
    return found


def crossed_out(place: Place, ink: Ink, layout: Layout) -> str:
    """A placement that is not allowed: its ghost crossed out."""
    (ax, ay), (bx, by) = (centre(cell) for cell in place.cells)
    middle, arms = ((ax + bx) / 2, (ay + by) / 2), []
    for angle in (45, 135):
        (x, y), (end_x, end_y) = (polar(angle + turn, RADIUS * 0.8, middle) for turn in (0, 180))
        arms.append(f"M{number(x)} {number(y)}L{number(end_x)} {number(end_y)}")
    cross = "".join(arms)
    return (
        f'{ghost(place, ink, layout)}<g fill="none" stroke-linecap="round">'
        f'<path d="{cross}" stroke="{ink.theme.page}" stroke-width="8"/>'
        f'<path d="{cross}" stroke="{ink.theme.text}" stroke-width="4"/></g>'
    )


def sum_badge(x: float, y: float, points: int, ink: Ink) -> str:
    """A sum of points, easy to find."""
    theme, text = ink.theme, f"+{points}"
    width = max(24.0, text_width(text, 12) + 11)
    return (
        f'<rect x="{number(x - width / 2)}" y="{number(y - 9)}" width="{number(width)}" height="18" rx="9"'
        f' fill="{theme.page}" stroke="{theme.text}" stroke-width="1.2"/>'
        + label(x, y + 4.3, text, theme.text, 12, anchor="middle", bold=True)
    )


def badge(x: float, y: float, points: int, colour: int, ink: Ink) -> str:
    """The points of one symbol."""
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(_BADGE)}" fill="{ink.symbols[colour]}"'
        f' stroke="{ink.theme.tile}" stroke-width="1.2"/>'
        + label(x, y + 3.9, str(points), ink.theme.tile, 11, anchor="middle", bold=True)
    )


def _rays(explanation: Explanation) -> list[tuple[Half, Ray]]:
    return [(half, ray) for half in explanation.halves for ray in half.rays]


def _segment(cell: Cell, direction: int, last: bool) -> str:
    """From the edge of a symbol to that of the next, or to the far side of the last cell."""
    x, y = polar(60 * direction, RADIUS * _RIM, centre(cell))
    end_x, end_y = polar(60 * direction, SPACING / 2 if last else SPACING - RADIUS * _RIM, centre(cell))
    return f"M{number(x)} {number(y)}L{number(end_x)} {number(end_y)}"


def _end(ray: Ray) -> Point:
    """The far side of the last counted cell."""
    return polar(60 * ray.direction, SPACING / 2, centre(ray.cells[-1]))


def _direction(place: Place) -> int:
    (q, r), (other_q, other_r) = place.cells
    return DIRECTIONS.index((other_q - q, other_r - r))
