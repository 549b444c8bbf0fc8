"""The board: quiet cells, printed symbols and start stones, dark tiles with bright symbols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from genial.core.actions import Place
from genial.core.bits import members
from genial.core.cellnames import cell_name
from genial.core.hexes import step
from genial.core.layout import NOTHING, Layout
from genial.core.pairs import legal_pairs
from genial.core.situation import Situation
from genial.drawing.canvas import Block, label, tile_style, use
from genial.drawing.geometry import RADIUS, SPACING, Point, centre, corners, number, polygon
from genial.drawing.levels_svg import level_numbers, slopes
from genial.drawing.palette import Ink
from genial.drawing.preview_svg import crossed_out, ghost, points_on_rays, rays
from genial.drawing.symbols import symbol_id

_USUAL = 5
"""Smaller boards are drawn with larger cells, as wide as a board of this radius."""


def board_block(
    situation: Situation,
    ink: Ink,
    *,
    preview: Place | None = None,
    mark_legal: bool = False,
    name_cells: bool = False,
    forbidden: Sequence[Place] = (),
) -> Block:
    """The board of a situation, optionally with a previewed placement or with forbidden ones."""
    layout = situation.table
    assert isinstance(layout, Layout)
    parts = [_cells(layout, ink), _start_symbols(layout, ink), _bodies(layout, ink)]
    if layout.stacking:
        parts.append(slopes(layout, ink))
    if name_cells:
        parts.append(_cell_names(layout, ink))
    if mark_legal:
        parts.append(_legal_marks(layout, legal_pairs(situation), ink))
    if preview:
        parts.append(rays(situation, preview, ink))
    thought_of = (*forbidden, preview) if preview else forbidden
    covered = {layout.board.number[cell] for place in thought_of for cell in place.cells}
    parts.append(_symbols(layout, ink, covered))
    if layout.stacking:
        parts.append(level_numbers(layout, ink, covered))
    parts += [crossed_out(place, ink, layout) for place in forbidden]
    if preview:
        parts += [ghost(preview, ink, layout), points_on_rays(situation, preview, ink)]
    return _framed(layout, "".join(parts))


def _framed(layout: Layout, svg: str) -> Block:
    radius = layout.board.radius
    scale = max(1.0, round((2 * _USUAL + 1) / (2 * radius + 1), 2))
    width, height = SPACING * (2 * radius + 1) * scale, RADIUS * (3 * radius + 2) * scale
    middle = f"translate({number(width / 2)} {number(height / 2)})"
    if scale != 1:
        middle += f"scale({number(scale)})"
    return Block(width, height, f'<g transform="{middle}">{svg}</g>')


def _cells(layout: Layout, ink: Ink) -> str:
    free = (centre(cell) for n, cell in enumerate(layout.board.cells) if not layout.heights[n])
    uses = "".join(use("genial-cell", x, y) for x, y in free)
    return f'<g fill="{ink.theme.cell}" stroke="{ink.theme.lines}">{uses}</g>'


def _start_symbols(layout: Layout, ink: Ink) -> str:
    # On a light page the colours are too pale on their own, so outlines get a dark line on both sides.
    theme, parts = ink.theme, []
    for colour, n in enumerate(layout.start):
        if layout.symbols[n] != colour or layout.halves[n] != NOTHING:
            continue
        x, y = centre(layout.board.cells[n])
        outline = polygon(corners(RADIUS - 3.1, (x, y)))
        dark = "" if ink.has_edges else f'<path d="{outline}" stroke="{theme.tile}" stroke-width="4.4"/>'
        parts.append(f'{dark}<path d="{outline}" fill="{theme.cell}" stroke="{ink.symbols[colour]}"/>')
    return f'<g stroke-width="2.8" stroke-linejoin="round">{"".join(parts)}</g>'


def _bodies(layout: Layout, ink: Ink) -> str:
    """Every tile with a visible half, the lower ones first: higher ones hide what they cover."""
    cells, levels = layout.board.cells, dict[int, list[str]]()
    for n in sorted(range(len(cells)), key=layout.heights.__getitem__):
        direction = layout.halves[n]
        if direction == NOTHING:
            continue
        if direction >= 3 and _is_whole(layout, n):
            continue  # drawn from its other half
        first = cells[n] if direction < 3 else step(cells[n], direction)
        x, y = centre(first)
        levels.setdefault(layout.heights[n] - 1, []).append(use(f"genial-{direction % 3}", x, y))
    return "".join(f"<g {tile_style(ink, level)}>{''.join(uses)}</g>" for level, uses in levels.items())


def _is_whole(layout: Layout, n: int) -> bool:
    """True if both halves of the tile on this cell are visible: a covered one has a greater height."""
    other = layout.board.rays[n][layout.halves[n]][0]
    return layout.heights[other] == layout.heights[n]


def _symbols(layout: Layout, ink: Ink, covered: Set[int]) -> str:
    on_tiles: dict[int, list[Point]] = {}
    on_board: dict[int, list[Point]] = {}
    for n, cell in enumerate(layout.board.cells):
        if layout.symbols[n] != NOTHING and n not in covered:
            found = on_board if layout.halves[n] == NOTHING else on_tiles
            found.setdefault(layout.symbols[n], []).append(centre(cell))
    edge = "" if ink.has_edges else f' stroke="{ink.theme.tile}"'
    return _coloured(on_board, ink, edge) + _coloured(on_tiles, ink, "")


def _coloured(found: dict[int, list[Point]], ink: Ink, extra: str) -> str:
    return "".join(
        f'<g fill="{ink.symbols[colour]}"{extra}>{_uses(colour, points)}</g>'
        for colour, points in sorted(found.items())
    )


def _uses(colour: int, points: Iterable[Point]) -> str:
    return "".join(use(symbol_id(colour), x, y) for x, y in points)


def _legal_marks(layout: Layout, legal: int, ink: Ink) -> str:
    board, parts = layout.board, []
    pairs = [board.pairs[number] for number in members(legal)]
    for n in sorted({n for pair in pairs for n in (pair.first, pair.second)}):
        x, y = centre(board.cells[n])
        if layout.heights[n]:
            inner = polygon(corners(RADIUS * 0.84, (x, y)))
            stroke = f'stroke="{ink.theme.raised}" stroke-dasharray="2 3"'
            parts.append(f'<path d="{inner}" fill="none" {stroke}/>')
        else:
            parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="3.6"/>')
    return f'<g fill="{ink.theme.quiet}" fill-opacity=".55">{"".join(parts)}</g>'


def _cell_names(layout: Layout, ink: Ink) -> str:
    free = (cell for n, cell in enumerate(layout.board.cells) if not layout.heights[n])
    return "".join(
        label(x, y + 3.6, cell_name(layout.board, cell), ink.theme.quiet, 10, anchor="middle")
        for cell in free
        for x, y in [centre(cell)]
    )
