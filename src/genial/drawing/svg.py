"""A position as one SVG picture: board or open cards, racks, tracks, whose turn it is, and how it ended."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from genial.core.actions import Place, Play
from genial.core.errors import IllegalAction
from genial.core.explain import explain
from genial.core.guidance import what_now
from genial.core.layout import Layout
from genial.core.pairs import check_cells
from genial.core.position import Position
from genial.core.tiles import normal
from genial.core.view import View
from genial.drawing.board_svg import board_block
from genial.drawing.canvas import Block, label, picture, side_by_side, stacked, text_width
from genial.drawing.cards_svg import hand_block, open_rows, piles
from genial.drawing.describe import describe
from genial.drawing.palette import Ink, Palette, ink
from genial.drawing.rack_svg import rack_block
from genial.drawing.seating import Seating, discarded, may_move, seating, status
from genial.drawing.sides_svg import rack_lines, side_block
from genial.drawing.words import title_words, word

PARTS = ("board", "racks", "tracks", "cells")


def draw(
    situation: View | Position,
    *,
    theme: str = "light",
    show: Collection[str] = ("board", "racks", "tracks"),
    names: Sequence[str] | None = None,
    preview: Place | Play | None = None,
    mark_legal: bool = False,
    palette: str | Palette | None = None,
    title: str | None = None,
    language: str = "en",
) -> str:
    """A picture of a position, or of what a viewer may know of it, as the text of an SVG file.

    `show` selects the parts: `board` (in the card game the open cards), `racks`, `tracks`, and `cells` for
    the names of the free cells. Whose turn it is appears with racks and tracks. A `preview` shows what a
    placement or card would score for the seat to move; `mark_legal` marks the cells where a tile may go.

    >>> import genial
    >>> picture = draw(genial.new("classic", seats=2, seed=7), theme="dark", names=["Anna", "Bert"])
    >>> picture[:4], "<title" in picture, "Bert" in picture
    ('<svg', True, True)
    """
    unknown = [part for part in show if part not in PARTS]
    if unknown:
        raise ValueError(f"A picture has no part called {unknown[0]!r}. Choose from: {', '.join(PARTS)}.")
    _check_preview(situation, preview)
    colours = ink(theme, palette)
    who = seating(situation, names, language)
    gain = explain(situation, preview).gain if preview else (0,) * 6
    main = []
    if "board" in show:
        main.append(_table(situation, who, colours, preview, mark_legal, "cells" in show, language))
    if "racks" in show or "tracks" in show:
        main.append(_status(situation, who, colours, language))
    if "racks" in show:
        main += _racks(situation, who, colours, "tracks" in show)
    sides = []
    if "tracks" in show:
        sides = [side_block(situation, who, n, colours, "racks" in show, gain, language) for n in who.order]
    whole = _arranged(sides, stacked(main, 16), "board" in show, isinstance(situation.table, Layout))
    heading = _heading(situation, title, colours, language)
    name = title or title_words(situation.setup.title.variant, language)
    words = describe(situation, who, show, preview, language)
    return picture(stacked([*heading, whole], 12), colours, name, words, language)


def _arranged(sides: Sequence[Block], main: Block, has_table: bool, has_board: bool) -> Block:
    """The sides next to the table, or in pairs above whatever else there is."""
    if not has_table:
        lines = [side_by_side(sides[n : n + 2], 34) for n in range(0, len(sides), 2)]
        return stacked([*lines, main], 20)
    # The card game's table is small, so three or four tracks go in two columns next to it.
    each = len(sides) if has_board or len(sides) < 3 else 2
    columns = [stacked(sides[n : n + each], 20) for n in range(0, len(sides), each or 1)]
    return side_by_side([*columns, main], 34, middle=True)


def _check_preview(situation: View | Position, preview: Place | Play | None) -> None:
    """Raise IllegalAction for a preview that no rule allows; it does not matter whose tile it is."""
    if preview is None:
        return
    normal(preview.tile)
    if isinstance(preview, Place) != isinstance(situation.table, Layout):
        raise IllegalAction("play-expected" if isinstance(preview, Place) else "place-expected")
    if isinstance(preview, Place) and isinstance(situation.table, Layout):
        check_cells(situation, situation.table, preview.cells)


def _table(
    situation: View | Position,
    who: Seating,
    colours: Ink,
    preview: Place | Play | None,
    mark_legal: bool,
    name_cells: bool,
    language: str,
) -> Block:
    if isinstance(situation.table, Layout):
        place = preview if isinstance(preview, Place) else None
        return board_block(situation, colours, preview=place, mark_legal=mark_legal, name_cells=name_cells)
    play = preview if isinstance(preview, Play) else None
    rows = open_rows(situation, who.names, colours, preview=play, language=language)
    return stacked([rows, piles(situation.supply, discarded(situation), colours, language)], 20)


def _status(situation: View | Position, who: Seating, colours: Ink, language: str) -> Block:
    lines = [status(situation, who, language)]
    svg = label(0, 13, lines[0], colours.theme.text, 14, bold=True)
    # What to do now depends on the mover's rack, so only the mover is told.
    if may_move(situation, situation.seat) and situation.seat in who.own:
        lines.append(what_now(situation).text(language))
        svg += label(0, 32, lines[1], colours.theme.quiet, 13)
    return Block(max(text_width(line, 14) for line in lines), 19 * len(lines) - 3, svg)


def _racks(situation: View | Position, who: Seating, colours: Ink, in_sides: bool) -> list[Block]:
    """The viewer's own rack, large; or all racks, if they are not next to the tracks."""
    if not in_sides:
        return [rack_lines(situation, who, range(situation.setup.seats), colours, 0.5)]
    block = rack_block if isinstance(situation.table, Layout) else hand_block
    return [
        block(situation.racks[seat], colours, 0.72, situation.setup.title.rack)
        for seat in sorted(who.own)
        if len(who.own) == 1
    ]


def _heading(situation: View | Position, title: str | None, colours: Ink, language: str) -> list[Block]:
    parts, x = [], 0.0
    if title:
        parts.append(label(0, 15, title, colours.theme.text, 17, bold=True))
        x = text_width(title, 17) + 14
    if situation.setup.title.reconstructed:  # DUEL: labelled wherever it appears
        parts.append(label(x, 15, word("reconstructed", language), colours.theme.quiet, 13))
        x += 90
    return [Block(x, 18, "".join(parts))] if parts else []
