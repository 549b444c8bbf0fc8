"""A position as text for a terminal, with or without colour, in Unicode shapes or plain letters."""

from __future__ import annotations

from collections.abc import Sequence

from genial.core.colours import COLOURS
from genial.core.layout import Layout
from genial.core.open_cards import OpenCards
from genial.core.position import Position
from genial.core.ranking import side_rank
from genial.core.sides import Sides
from genial.core.situation import markers_of, weakest
from genial.core.tiles import HIDDEN, SYMBOLS, Tile
from genial.core.view import View
from genial.drawing.ansi import Colour, Pen, ascii_only, columns, cut, padded
from genial.drawing.seating import Seating, discarded, may_move, peg_seats, seating, status
from genial.drawing.text_board import board_lines
from genial.drawing.text_tracks import track_lines
from genial.drawing.words import rank_words, title_words, word

_GAP = 3
_NAME = 30
"""Names are cut to this width."""

Lines = list[str]


def text(
    situation: View | Position,
    *,
    colour: Colour,
    unicode: bool = True,
    width: int | None = None,
    names: Sequence[str] | None = None,
    language: str = "en",
) -> str:
    """A picture of a position, or of what a viewer may know of it, in lines of text.

    `colour` is True for 24-bit colour, "256" for older terminals, False for none. Tracks go next to the board
    if `width` leaves room for them, otherwise below it; without a width there is always room.

    >>> import genial
    >>> view = genial.new("cards", seats=2, seed=7).view({0})
    >>> print(*text(view, colour=False, unicode=False, names=["Anna", "Bert"]).splitlines()[:4], sep="\\n")
    Card game
    Anna's turn
    <BLANKLINE>
    Face-up cards                  Bert                   > Anna
    """
    pen = Pen(colour, unicode)
    who = seating(situation, names, language)
    heading = title_words(situation.setup.title.variant, language)
    if situation.setup.title.reconstructed and word("reconstructed", language) not in heading:
        heading += f" ({word('reconstructed', language)})"  # DUEL: labelled wherever it appears
    limit = width if width is not None else 10_000
    table = _table(situation, who, pen, language)
    sides = [_side(situation, who, track, pen, language) for track in who.order]
    lines = [pen.bold(cut(heading, limit)), pen.bold(cut(status(situation, who, language), limit)), ""]
    lines += _arranged(table, sides, limit)
    lines += ["", *_racks(situation, who, pen, language)]
    if unicode:
        lines += ["", _legend(pen)]
    found = "\n".join(line.rstrip() for line in lines)
    return found if unicode else ascii_only(found)


def _table(situation: View | Position, who: Seating, pen: Pen, language: str) -> Lines:
    if isinstance(situation.table, Layout):
        return board_lines(situation.table, pen)
    draw = f"{word('draw-pile', language)} {situation.supply}"
    discard = f"{word('discard-pile', language)} {discarded(situation)}"
    return [*_open_rows(situation.table, who, pen, language), "", f"{draw}, {discard}"]


def _open_rows(table: OpenCards, who: Seating, pen: Pen, language: str) -> Lines:
    names = [cut(name, _NAME) for name in who.names]
    room, arrow = max(map(columns, names)), pen.pick("↑", "^")
    lines = [word("open-cards", language)]
    for name, row in zip(names, table.rows, strict=True):
        cards = [tile_text(tile, pen) for tile in row]
        oldest = arrow if len(cards) > 1 else " "
        lines.append(f"{padded(name, room)} {oldest}{'  '.join(cards)}")
    if any(len(row) > 1 for row in table.rows):
        lines.append(pen.quiet(f"{' ' * room} {arrow} {word('goes-next', language)}"))
    return lines


def _side(situation: View | Position, who: Seating, track: int, pen: Pen, language: str) -> Lines:
    seats, shared = who.tracks[track], situation.setup.title.sides is Sides.SHARED
    eye = peg_seats(who)[1] if shared else seats[0]
    lowest = weakest(situation, eye) if not shared or who.own else ()
    own = bool(who.own & set(seats))
    bars = track_lines(situation.setup.title.track, markers_of(situation, eye), lowest, own, pen, language)
    if shared:
        left, right = (_name(situation, who, seat, pen, language) for seat in peg_seats(who))
        return [f"{left} - + {right}", *bars]
    return [*(_name(situation, who, seat, pen, language) for seat in seats), *bars]


def _name(situation: View | Position, who: Seating, seat: int, pen: Pen, language: str) -> str:
    name = cut(who.names[seat], _NAME)
    if situation.result and situation.setup.seats > 1:
        rank = side_rank(situation.setup.title.sides, situation.result.ranks, seat)
        return pen.bold(f"{name}, {rank_words(rank, language)}")
    pointer = pen.pick("▶ ", "> ") if may_move(situation, seat) else ""
    return pen.bold(f"{pointer}{name}")


def _racks(situation: View | Position, who: Seating, pen: Pen, language: str) -> Lines:
    names = [cut(name, _NAME) for name in who.names]
    room = max(map(columns, names))
    kind = word("rack" if situation.setup.board else "hand", language)
    lines = []
    for seat, rack in enumerate(situation.racks):
        tiles = " ".join(tile_text(tile, pen) for tile in rack) or word("empty", language)
        lines.append(f"{kind} {padded(names[seat], room)}  {tiles}")
    return lines


def tile_text(tile: Tile, pen: Pen) -> str:
    """A tile or card in three columns, its two symbols joined.

    >>> tile_text("RB", Pen()), tile_text("??", Pen(unicode=False))
    ('✹─★', '???')
    """
    if tile == HIDDEN:
        return pen.on_back(pen.pick("▒▒▒", "???"))
    first, second = (pen.on_tile(pen.symbol(n), n) for n in SYMBOLS[tile])
    return first + pen.on_tile(pen.pick("─", "-")) + second


def _legend(pen: Pen) -> str:
    return "  ".join(f"{letter} {pen.on_tile(pen.symbol(n), n)}" for n, letter in enumerate(COLOURS))


def _arranged(table: Lines, sides: list[Lines], limit: int) -> Lines:
    """The sides next to the table, in as many columns as its height requires, or below it."""
    table_width = max(map(columns, table))
    side_width = max(columns(line) for side in sides for line in side)
    height = sum(len(side) + 1 for side in sides) - 1
    beside = (limit - table_width) // (side_width + _GAP)
    if beside >= 1:
        wanted = min(beside, len(sides), -(-height // len(table)))
        return _joined(table, _in_columns(sides, wanted))
    below = max(1, (limit + _GAP) // (side_width + _GAP))
    return [*table, "", *_in_columns(sides, min(below, len(sides)))]


def _in_columns(sides: list[Lines], count: int) -> Lines:
    """The sides in columns, down the first one, then down the next."""
    each = -(-len(sides) // count)
    found: Lines = []
    for start in range(0, len(sides), each):
        stack: Lines = []
        for side in sides[start : start + each]:
            stack += ["", *side] if stack else side
        found = _joined(found, stack) if found else stack
    return found


def _joined(left: Lines, right: Lines) -> Lines:
    width, height = max(map(columns, left)) + _GAP, max(len(left), len(right))
    left, right = left + [""] * (height - len(left)), right + [""] * (height - len(right))
    return [padded(a, width) + b for a, b in zip(left, right, strict=True)]
