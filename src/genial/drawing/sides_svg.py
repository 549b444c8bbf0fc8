"""One side of the table: its names, its track, and the racks of its seats."""

from __future__ import annotations

from collections.abc import Iterable

from genial.core.layout import Layout
from genial.core.position import Position
from genial.core.ranking import side_rank
from genial.core.sides import Sides
from genial.core.situation import markers_of, weakest
from genial.core.tracks import Markers, Track
from genial.core.view import View
from genial.drawing.canvas import Block, label, shortened, side_by_side, stacked
from genial.drawing.cards_svg import hand_block
from genial.drawing.geometry import number
from genial.drawing.palette import Ink
from genial.drawing.rack_svg import rack_block, rack_scale
from genial.drawing.seating import Seating, may_move, peg_seats
from genial.drawing.tracks_svg import LENGTH, Standing, bars
from genial.drawing.words import rank_words

_NAME_SIZE = 13.5
_RACK_NAME = 84.0


def side_block(
    situation: View | Position,
    who: Seating,
    track: int,
    ink: Ink,
    racks: bool,
    gain: tuple[int, ...],
    language: str = "en",
) -> Block:
    """The track of a side with its names above and, if requested, its seats' racks below."""
    shared = situation.setup.title.sides is Sides.SHARED
    seats = who.tracks[track]
    eye = peg_seats(who)[1] if shared else seats[0]
    moves = may_move(situation, situation.seat) and situation.seat in seats
    sign = -1 if shared and situation.seat != eye else 1
    standing = Standing(
        situation.setup.title.track,
        markers_of(situation, eye),
        # What is lowest for one player is highest for the other, so only the viewer's pegs are notched.
        lowest=weakest(situation, eye) if not shared or who.own else (),
        own=bool(who.own & set(seats)),
        gain=tuple(sign * points for points in gain) if moves else (0,) * 6,
    )
    parts = [_names(situation, who, track, ink, language), bars(standing, ink, language)]
    shown = [seat for seat in seats if who.own != {seat}]
    if racks and shown:
        parts.append(rack_lines(situation, who, shown, ink, None, named=len(seats) > 1))
    return stacked(parts, 6)


def track_block(
    track: Track, markers: Markers, ink: Ink, names: tuple[str, ...], gain: tuple[int, ...] = (0,) * 6
) -> Block:
    """A track without a position, for explaining rules; in the duel, with two names for its ends."""
    pegs = track.lowest_step < 0
    standing = Standing(track, markers, () if pegs else track.weakest(markers), gain=gain)
    heading = label(0, 12, names[-1] if pegs else names[0], ink.theme.text, _NAME_SIZE, bold=True)
    if pegs:
        heading += label(LENGTH, 12, names[0], ink.theme.text, _NAME_SIZE, anchor="end", bold=True)
    return stacked([Block(LENGTH, 16, heading), bars(standing, ink)], 6)


def rack_lines(
    situation: View | Position,
    who: Seating,
    seats: Iterable[int],
    ink: Ink,
    scale: float | None = None,
    *,
    named: bool = True,
) -> Block:
    """Racks one below the other, as large as fits under a track unless a scale is given."""
    seats, room = list(seats), situation.setup.title.rack
    if scale is None:
        scale = min(0.5, rack_scale(LENGTH - (_RACK_NAME if named else 0), max(room, 5)))
    block = rack_block if isinstance(situation.table, Layout) else hand_block
    lines = []
    for seat in seats:
        rack = block(situation.racks[seat], ink, scale, room)
        if named:
            name = shortened(who.names[seat], _RACK_NAME - 10, 12)
            there = label(0, rack.height / 2 + 4, name, ink.theme.text, 12)
            rack = side_by_side([Block(_RACK_NAME, rack.height, there), rack], 0)
        lines.append(rack)
    return stacked(lines, 6)


def _names(situation: View | Position, who: Seating, track: int, ink: Ink, language: str) -> Block:
    seats = who.tracks[track]
    if situation.setup.title.sides is Sides.SHARED:
        left, right = peg_seats(who)
        svg = _name(situation, who, left, ink, 0, "start", language)
        svg += _name(situation, who, right, ink, LENGTH, "end", language)
        return Block(LENGTH, 16, svg)
    parts, x, room = [], 0.0, LENGTH / len(seats)
    for seat in seats:
        parts.append(_name(situation, who, seat, ink, x, "start", language, room))
        x += room
    return Block(LENGTH, 16, "".join(parts))


def _name(
    situation: View | Position,
    who: Seating,
    seat: int,
    ink: Ink,
    x: float,
    anchor: str,
    language: str,
    room: float = LENGTH / 2,
) -> str:
    """The name of a seat, with a pointer if it is its turn, or its rank when the game is over."""
    svg, moves = "", may_move(situation, seat)
    if moves:
        way = 9 if anchor == "start" else -9
        svg = f'<path d="M{number(x)} 2.5l{way} 5 {-way} 5z" fill="{ink.theme.text}"/>'
        x += 14 if anchor == "start" else -14
    before, after = "", ""
    if situation.result and situation.setup.seats > 1:
        rank = side_rank(situation.setup.title.sides, situation.result.ranks, seat)
        before, after = ("", f" · {rank_words(rank, language)}") if room == LENGTH else (f"{rank}. ", "")
    name = shortened(who.names[seat], room - 14 - 6.5 * len(before + after), _NAME_SIZE)
    return svg + label(x, 12, before + name + after, ink.theme.text, _NAME_SIZE, anchor=anchor, bold=True)
