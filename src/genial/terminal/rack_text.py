"""The rack or hand with its keys, and the open cards of the card game."""

from __future__ import annotations

from rich.text import Text

from genial.core.actions import Play
from genial.core.explain import explain
from genial.core.open_cards import OpenCards
from genial.core.situation import Phase
from genial.core.tiles import HIDDEN, SYMBOLS
from genial.core.view import View
from genial.terminal.choices import choices
from genial.terminal.glyphs import QUIET, RAISED, TEXT, TILE, tile_parts
from genial.terminal.half_made import HalfMade
from genial.terminal.session import Session
from genial.terminal.telling import Teller, lowest_that_matter

_TILE_ROOM = 10
_MANY_ROWS = 4
"""From this many rows on, open cards are shown close together."""


def rack_text(session: Session, view: View, half_made: HalfMade) -> Text:
    """The rack of the person at the keyboard: its heading, the tiles with their keys, marks below them."""
    teller, seat = Teller(session), session.at_keyboard
    text = Text(no_wrap=True, end="")
    if seat is None or HIDDEN in view.racks[seat]:
        name, count = session.names[view.seat], len(view.racks[view.seat])
        key = "rack-hidden" if view.setup.board else "hand-hidden"
        return text.append(teller.say(key, name=name, count=count), QUIET)
    low, picked = lowest_that_matter(view, seat), half_made.tile(view)
    key = "tile-at-hand" if view.setup.title.is_solo else "rack" if view.setup.board else "hand"
    owner = f"{session.names[seat]}. " if len(session.people) > 1 else ""
    text.append(owner + teller.say(key), QUIET)
    text.append("\n")
    below = Text()
    for number, tile in enumerate(view.racks[seat]):
        chosen = picked is not None and view.seat == seat and half_made.number in (number, None)
        shown = picked if chosen and picked is not None else tile
        text.append("[" if chosen else " ", f"bold {TEXT}")
        text.append(f"{number + 1} ", f"bold {TEXT}" if chosen else QUIET)
        for part, style in tile_parts(shown, RAISED if chosen else TILE):
            text.append(part, style)
        text.append("]  " if chosen else "   ", f"bold {TEXT}")
        mark = teller.say("mark-lowest") if low & set(SYMBOLS[tile]) else ""
        below.append(f"  {mark:<{_TILE_ROOM - 2}}"[:_TILE_ROOM], TEXT)
    text.append("\n")
    return text.append_text(below)


def open_cards_text(session: Session, view: View, half_made: HalfMade) -> Text:
    """The open cards of all seats, and what the picked card would score in either order."""
    assert isinstance(view.table, OpenCards)
    teller, tile = Teller(session), half_made.tile(view)
    counted: set[tuple[int, int]] = set()
    if tile is not None:
        counted = {match for half in explain(view, Play(tile)).halves for match in half.matches}
    text = Text(end="")
    text.append(teller.say("open-cards-title"), f"bold {TEXT}")
    space = "\n" if view.setup.seats < _MANY_ROWS else ""
    for seat, row in enumerate(view.table.rows):
        mover = "▸" if seat == view.seat and not view.is_over else " "
        text.append(f"\n{space}{mover}{session.names[seat][:12]:<13}", f"bold {TEXT}")
        for place, card in enumerate(row):
            left, right = "‹›" if (seat, place) in counted else "  "
            text.append(left, f"bold {TEXT}")
            for part, style in tile_parts(card):
                text.append(part, style)
            text.append(right, f"bold {TEXT}")
        if row:
            text.append(f"\n{'':15}^ {teller.say('goes')}", QUIET)
    if tile is not None and view.phase is Phase.PLACE:
        _orders(text, teller, view, tile)
    return text


def _orders(text: Text, teller: Teller, view: View, tile: str) -> None:
    text.append("\n")
    found = {choice.action.tile: choice.score for choice in choices(view, tile)}
    for spelled in sorted({tile, tile[::-1]}):
        if spelled in found:
            chosen = spelled == tile
            colour, outcome = teller.colour(SYMBOLS[spelled][0]), teller.outcome(found[spelled])
            line = teller.say("first-scored", colour=colour, outcome=outcome)
            text.append(
                f"\n{'▸' if chosen else ' '} {line[:1].upper()}{line[1:]}",
                f"bold {TEXT}" if chosen else QUIET,
            )
