"""All tracks as numbers and bars: one column per side, one line per colour."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from genial.core.colours import COLOURS
from genial.core.sides import Sides
from genial.core.situation import markers_of, weakest
from genial.core.tracks import Markers, Track
from genial.core.view import View
from genial.terminal.glyphs import GLYPHS, INK, LINES, QUIET, RAISED, TEXT
from genial.terminal.session import Session
from genial.terminal.words import say

LOW = "◂"
"""Shown beside the lowest markers of a side."""
_NUMBER = 3
"""Columns of a number with its mark."""
_LEAST_BAR = 3
_SHORTEST_NAME = 6
"""With less room than this, a side's name is its number."""
_LINES_WITH_OWN = 15
"""Lines for the numbers of all sides and, below them, the viewer's own bars."""


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    markers: Markers
    low: tuple[int, ...]
    previewed: Markers
    own: bool
    moves: bool


def tracks_text(
    session: Session, view: View, width: int, height: int, preview: Markers | None = None
) -> Text:
    """The tracks of all sides. `preview` gives the mover's markers after the unfinished move."""
    if view.setup.title.sides is Sides.SHARED:
        return _pegs(session, view, width, preview)
    columns, track = _columns(session, view, preview), view.setup.title.track
    text = Text(no_wrap=True, end="")
    room = max((width - 3) // len(columns), _NUMBER)
    bar = room - _NUMBER - 2 if room - _NUMBER - 2 >= _LEAST_BAR else 0
    bar = min(bar, track.highest_step)
    _head(text, columns, room)
    for colour in range(len(COLOURS)):
        text.append("\n")
        text.append(f"{GLYPHS[colour]}{COLOURS[colour]} ", f"bold {INK[colour]}")
        for column in columns:
            _number(text, column, colour)
            _bar(text, track, column, colour, bar)
            text.append(" " * (room - _NUMBER - bar))
    own = [column for column in columns if column.own]
    if not bar and own and height >= _LINES_WITH_OWN:
        # Too narrow for bars side by side: the viewer's own go below.
        text.append(f"\n{own[0].name[:width]}", f"bold {TEXT}")
        for colour in range(len(COLOURS)):
            text.append("\n")
            text.append(f"{GLYPHS[colour]} ", f"bold {INK[colour]}")
            _number(text, own[0], colour)
            _bar(text, track, own[0], colour, min(width - 7, track.highest_step))
    text.append(f"\n{LOW} {say('lowest', session.language)}", QUIET)
    return text


def _columns(session: Session, view: View, preview: Markers | None) -> list[_Column]:
    sides = view.setup.title.sides
    viewer = session.at_keyboard
    found = []
    for side in range(sides.track_count(view.setup.seats)):
        markers = markers_of(view, side)
        moving = sides.track_of(view.seat) == side and not view.is_over
        found.append(
            _Column(
                name=session.side_name(side),
                markers=markers,
                low=weakest(view, side),
                previewed=preview if preview is not None and moving else markers,
                own=viewer is not None and sides.track_of(viewer) == side,
                moves=moving,
            )
        )
    return found


def _head(text: Text, columns: list[_Column], room: int) -> None:
    text.append("   ")
    for seat, column in enumerate(columns):
        style = f"bold underline {TEXT}" if column.own else TEXT
        mover = "▸" if column.moves else ""
        name = mover + column.name
        if room < _SHORTEST_NAME:
            name = f"{mover}{seat + 1}"
        elif len(name) >= room:
            # `balanced 2` and `balanced 3` differ only at the end.
            end = name[-2:] if name[-1].isdecimal() and "+" not in name else ""
            name = f"{name[: room - 2 - len(end)]}…{end}"
        text.append(name, style)
        text.append(" " * (room - len(name)))


def _number(text: Text, column: _Column, colour: int) -> None:
    step, low = column.previewed[colour], colour in column.low
    style = f"bold {TEXT}" if low or step != column.markers[colour] else TEXT
    text.append(f"{step:2}", style)
    text.append("+" if step != column.markers[colour] else LOW if low else " ", style)


def _bar(text: Text, track: Track, column: _Column, colour: int, width: int) -> None:
    """Filled up to the marker, lighter up to the preview; + is a bonus step, | ends a section."""
    for step in range(width):
        first = 1 + step * track.highest_step // width
        last = (step + 1) * track.highest_step // width
        if column.markers[colour] >= last:
            text.append("█", INK[colour])
        elif column.markers[colour] >= first:
            text.append("▌", INK[colour])
        elif column.previewed[colour] >= first:
            text.append("▒", INK[colour])
        else:
            steps = range(first, last + 1)
            bonus = any(step in track.bonus_steps for step in steps)
            stretch = any(step in track.line_steps for step in steps)
            text.append("+" if bonus else "|" if stretch else "·", RAISED if bonus or stretch else LINES)


def _pegs(session: Session, view: View, width: int, preview: Markers | None) -> Text:
    """The duel's shared pegs, with the viewer's own side to the right."""
    seat = session.at_keyboard if session.at_keyboard is not None else 0
    reach, low = view.setup.title.track.highest_step, weakest(view, seat)
    markers = markers_of(view, seat)
    after = markers
    if preview is not None:
        after = preview if view.seat == seat else tuple(-step for step in preview)
    text = Text(no_wrap=True, end="")
    left, right = session.names[1 - seat], session.names[seat]
    room = max(2 * reach + 1 - len(left) - 4, 1)
    text.append(f"   ◂ {left}", TEXT)
    text.append(f"{right[:room]:>{room}} ▸", f"bold {TEXT}")
    for colour in range(len(COLOURS)):
        text.append("\n")
        text.append(f"{GLYPHS[colour]}{COLOURS[colour]} ", f"bold {INK[colour]}")
        for step in range(-reach, reach + 1):
            text.append(*_peg(step, markers[colour], after[colour], colour, reach))
        number = f"{after[colour]:+3}" if after[colour] else "  0"
        mark = LOW if colour in low else " "
        text.append(f" {number}{mark}", f"bold {TEXT}" if colour in low else TEXT)
    text.append(f"\n{LOW} {say('lowest', session.language)}", QUIET)
    return text


def _peg(step: int, marker: int, after: int, colour: int, reach: int) -> tuple[str, str]:
    if step == after:
        return (GLYPHS[colour], f"bold {INK[colour]}")
    if min(marker, after) <= step <= max(marker, after) and marker != after:
        return ("▒", INK[colour])
    if min(0, marker) <= step <= max(0, marker) and marker:
        return ("━", INK[colour])
    return ("|" if step == 0 else "+" if abs(step) == reach else "·", RAISED if step == 0 else LINES)
