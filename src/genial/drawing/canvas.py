"""Pieces of SVG: text, symbols and blocks that make up a picture."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from genial.core.colours import COLOURS
from genial.core.messages import LANGUAGES
from genial.drawing import symbols
from genial.drawing.geometry import RADIUS, inset, number, rounded, tile_outline
from genial.drawing.palette import Ink

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
GAP = 0.9
"""Half the hairline between neighbouring tiles."""
ROUNDING = 5.0


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a picture, with its upper left corner at (0, 0)."""

    width: float
    height: float
    svg: str


def clean(text: str) -> str:
    """The text, escaped and without characters that XML does not allow.

    >>> clean('A <b> & "c"' + chr(0))
    'A &lt;b&gt; &amp; &quot;c&quot;'
    """
    return escape("".join(c for c in text if c.isprintable()))


def label(
    x: float,
    y: float,
    text: str,
    fill: str,
    size: float = 13,
    *,
    anchor: str = "start",
    bold: bool = False,
) -> str:
    """A line of text whose baseline starts, is centred or ends at a point."""
    extra = "" if anchor == "start" else f' text-anchor="{anchor}"'
    extra += ' font-weight="600"' if bold else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"{extra}>'
        f"{clean(text)}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1, dash: str = "") -> str:
    """A straight line between two points.

    >>> line(0, 1, 2.5, 1, "#22262E")
    '<line x1="0" y1="1" x2="2.5" y2="1" stroke="#22262E" stroke-width="1"/>'
    """
    points = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line {points} stroke="{stroke}" stroke-width="{number(width)}"{dashes}/>'


def text_width(text: str, size: float = 13) -> float:
    """A cautious estimate of a text's width: fonts differ between systems."""
    return len(text) * size * 0.58


def shortened(text: str, width: float, size: float = 13) -> str:
    """The text, cut to about this width.

    >>> shortened("Wilhelmina Alexandrine", 90)
    'Wilhelmina…'
    """
    room = max(1, int(width / (size * 0.58)))
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"


def use(name: str, x: float, y: float, scale: float = 1.0, extra: str = "") -> str:
    """A definition, drawn at a point."""
    where = f' x="{number(x)}" y="{number(y)}"'
    if scale != 1.0:
        where = f' transform="translate({number(x)} {number(y)})scale({number(scale)})"'
    return f'<use href="#{name}"{where}{extra}/>'


def symbol_use(ink: Ink, colour: int, x: float, y: float, radius: float = RADIUS) -> str:
    """A symbol in its colour, in a cell of this radius."""
    fill = f' fill="{ink.symbols[colour]}"'
    return use(symbols.symbol_id(colour), x, y, round(radius / RADIUS, 2), fill)


def back_style(ink: Ink) -> str:
    """The style of the backs of tiles and cards."""
    edge = f' stroke="{ink.theme.edge}" stroke-width="1.2"' if ink.has_edges else ""
    return f'fill="{ink.theme.raised}"{edge}'


def tile_style(ink: Ink, level: int = 0) -> str:
    """The style of tile bodies."""
    edge = f' stroke="{ink.theme.edge}" stroke-width="1.2"' if ink.has_edges else ""
    return f'fill="{ink.theme.tile_on(level)}"{edge}'


def body_path(direction: int) -> str:
    """One rounded body over two cells, a hairline smaller than they are."""
    return rounded(inset(tile_outline(direction), GAP), ROUNDING)


def moved(block: Block, x: float, y: float) -> str:
    """A block, moved to a point."""
    return f'<g transform="translate({number(x)} {number(y)})">{block.svg}</g>' if block.svg else ""


def stacked(blocks: Iterable[Block], gap: float) -> Block:
    """Blocks one below the other, aligned left."""
    y, width, parts = 0.0, 0.0, []
    for block in blocks:
        parts.append(moved(block, 0, y))
        y += block.height + gap
        width = max(width, block.width)
    return Block(width, max(0.0, y - gap), "".join(parts))


def side_by_side(blocks: Iterable[Block], gap: float, *, middle: bool = False) -> Block:
    """Blocks side by side, aligned at their tops or middles."""
    blocks = list(blocks)
    height = max((block.height for block in blocks), default=0.0)
    x, parts = 0.0, []
    for block in blocks:
        parts.append(moved(block, x, (height - block.height) / 2 if middle else 0))
        x += block.width + gap
    return Block(max(0.0, x - gap), height, "".join(parts))


def picture(
    block: Block, ink: Ink, title: str, description: str, language: str = "en", margin: float = 20
) -> str:
    """A complete SVG file: the block on the page's colour, with its title and its description in words."""
    spoken = language if language in LANGUAGES else "en"
    width, height = number(block.width + 2 * margin), number(block.height + 2 * margin)
    # Made from the words themselves: the same picture always has the same ids, and two pictures on one page
    # share them only if they say the same.
    mark = hashlib.sha256(f"{title}\n{description}".encode()).hexdigest()[:8]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="t{mark} d{mark}" lang="{spoken}"'
        f' font-family="{FONT}" style="font-variant-numeric:tabular-nums">'
        f'<title id="t{mark}">{clean(title)}</title><desc id="d{mark}">{clean(description)}</desc>'
        f"<defs>{_definitions(block.svg)}</defs>"
        f'<rect width="{width}" height="{height}" rx="10" fill="{ink.theme.page}"/>'
        f"{moved(block, margin, margin)}</svg>\n"
    )


def _definitions(svg: str) -> str:
    known = {symbols.symbol_id(n): symbols.definition(n) for n in range(len(COLOURS))}
    cell = rounded(inset(tile_outline(0)[:6], GAP), 2)
    known["genial-cell"] = f'<path id="genial-cell" d="{cell}"/>'
    for direction in range(3):
        known[f"genial-{direction}"] = f'<path id="genial-{direction}" d="{body_path(direction)}"/>'
    return "".join(path for name, path in known.items() if f'href="#{name}"' in svg)
