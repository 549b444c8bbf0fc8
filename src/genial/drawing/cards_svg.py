"""The card game's table: open rows, draw and discard pile, and a previewed card."""

from __future__ import annotations

from collections.abc import Sequence

from genial.core.actions import Play
from genial.core.explain import explain
from genial.core.open_cards import OpenCards
from genial.core.situation import Situation
from genial.core.tiles import HIDDEN, SYMBOLS, Tile
from genial.drawing.canvas import (
    Block,
    back_style,
    label,
    moved,
    shortened,
    side_by_side,
    stacked,
    symbol_use,
    text_width,
    tile_style,
)
from genial.drawing.geometry import number
from genial.drawing.palette import Ink
from genial.drawing.preview_svg import badge, sum_badge
from genial.drawing.words import word

WIDTH, HEIGHT = 46.0, 68.0
_PITCH = WIDTH + 14
"""Room between cards for the points of a match."""
_TOP = 22.0
_SYMBOL_AT = (19.0, 49.0)
_CELL = 21.0
_LEAST = 2.4 * _PITCH
"""The narrowest row, so that there is room for names."""


def open_rows(
    situation: Situation,
    names: Sequence[str],
    ink: Ink,
    *,
    preview: Play | None = None,
    language: str | None = "en",
) -> Block:
    """The open cards in front of each seat, the oldest first, two seats side by side.

    Without a language, only an arrow marks the card to be discarded next.
    """
    table = situation.table
    assert isinstance(table, OpenCards)
    lit, most = _lit(situation, preview), max(map(len, table.rows)) + (preview is not None)
    width = max(_LEAST, most * _PITCH)
    rows = []
    for seat, row in enumerate(table.rows):
        thought = _thought(situation, preview, ink) if preview and seat == situation.seat else ""
        rows.append(_row(row, names[seat], lit.get(seat, []), width, ink, language, thought))
    lines = [side_by_side(rows[n : n + 2], 26) for n in range(0, len(rows), 2)]
    return stacked(lines, 14)


def piles(supply: int, discarded: int, ink: Ink, language: str = "en") -> Block:
    """The draw pile and the discard pile with their counts."""
    draw = _pile(supply, word("draw-pile", language), ink, drawn=True)
    discard = _pile(discarded, word("discard-pile", language), ink, drawn=False)
    return side_by_side([draw, discard], 26)


def hand_block(cards: Sequence[Tile], ink: Ink, scale: float, room: int = 0) -> Block:
    """A hand of cards side by side; `room` is the size of a full one."""
    pitch = WIDTH + 8
    parts = "".join(moved(card(tile, ink), n * pitch, 0) for n, tile in enumerate(cards))
    width = max(len(cards), room) * pitch * scale
    return Block(width, HEIGHT * scale, f'<g transform="scale({number(scale)})">{parts}</g>')


def card(tile: Tile, ink: Ink) -> Block:
    """A card: two symbols one above the other, or its back."""
    if tile == HIDDEN:
        return Block(WIDTH, HEIGHT, _rectangle(back_style(ink)))
    symbols = "".join(
        symbol_use(ink, colour, WIDTH / 2, y, _CELL)
        for colour, y in zip(SYMBOLS[tile], _SYMBOL_AT, strict=True)
    )
    return Block(WIDTH, HEIGHT, _rectangle(tile_style(ink)) + symbols)


def _rectangle(style: str) -> str:
    return f'<rect x=".5" y=".5" width="{number(WIDTH - 1)}" height="{number(HEIGHT - 1)}" rx="7" {style}/>'


def _row(
    cards: Sequence[Tile],
    name: str,
    lit: list[tuple[int, int]],
    width: float,
    ink: Ink,
    language: str | None,
    thought: str,
) -> Block:
    parts = [label(0, 12, shortened(name, width), ink.theme.text, 13, bold=True)]
    for n, tile in enumerate(cards):
        colours = [colour for place, colour in lit if place == n]
        matches = "".join(badge(WIDTH - 1, _symbol_at(tile, colour), 1, colour, ink) for colour in colours)
        glow = f'<g fill="none" stroke="{ink.theme.text}" stroke-width="2">{_halo()}</g>' if matches else ""
        parts.append(moved(Block(WIDTH, HEIGHT, card(tile, ink).svg + glow + matches), n * _PITCH, _TOP))
    if thought:
        parts.append(moved(Block(WIDTH, HEIGHT, thought), len(cards) * _PITCH, _TOP))
    if len(cards) > 1:
        y = _TOP + HEIGHT
        arrow = f"M{number(WIDTH / 2 - 5)} {number(y + 13)}l5 -5 5 5z"
        parts.append(f'<path d="{arrow}" fill="{ink.theme.quiet}"/>')
        told = word("goes-next", language) if language else ""
        parts.append(label(WIDTH / 2 + 9, y + 15, told, ink.theme.quiet, 10.5))
    return Block(width, _TOP + HEIGHT + 18, "".join(parts))


def _halo() -> str:
    return f'<rect x="-3" y="-3" width="{number(WIDTH + 6)}" height="{number(HEIGHT + 6)}" rx="9.5"/>'


def _symbol_at(tile: Tile, colour: int) -> float:
    return _SYMBOL_AT[SYMBOLS[tile].index(colour)]


def _lit(situation: Situation, preview: Play | None) -> dict[int, list[tuple[int, int]]]:
    """For each seat, the positions and colours of the cards that the played one would match."""
    found: dict[int, list[tuple[int, int]]] = {}
    for half in explain(situation, preview).halves if preview else ():
        for seat, place in half.matches:
            found.setdefault(seat, []).append((place, half.colour))
    return found


def _thought(situation: Situation, preview: Play, ink: Ink) -> str:
    total = sum(half.points for half in explain(situation, preview).halves)
    return f'<g opacity=".6">{card(preview.tile, ink).svg}</g>' + sum_badge(WIDTH / 2, HEIGHT / 2, total, ink)


def _pile(count: int, name: str, ink: Ink, *, drawn: bool) -> Block:
    parts = []
    if count and drawn:
        style = f'fill="{ink.theme.raised}" stroke="{ink.theme.page}" stroke-width="1.2"'
        back, layers = Block(WIDTH, HEIGHT, _rectangle(style)), min(3, 1 + count // 12)
        parts = [moved(back, 3 * (layers - 1 - n), -3 * (layers - 1 - n)) for n in range(layers)]
    elif count:
        parts = [_rectangle(f'fill="{ink.theme.cell}" stroke="{ink.theme.quiet}"')]
    else:
        parts = [_rectangle(f'fill="none" stroke="{ink.theme.lines}" stroke-dasharray="4 4"')]
    fill = ink.theme.on_tile if count and drawn else ink.theme.text
    parts.append(label(WIDTH / 2, HEIGHT / 2 + 6, str(count), fill, 17, anchor="middle", bold=True))
    parts.append(label(WIDTH + 12, HEIGHT / 2 + 4, name, ink.theme.text, 12))
    return Block(WIDTH + 12 + text_width(name, 12), HEIGHT, "".join(parts))
