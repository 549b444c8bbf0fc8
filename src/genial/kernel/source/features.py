"""Numbers about a state for a value function: only what a seat may know, nothing hidden.

There is one row for each of the six colours, all with the same meaning, and one row about the table as a
whole. A seat is compared with one opponent; with more than two sides, each opponent gets its own rows. All
are whole numbers below 256, so that millions of positions can be stored for training as bytes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genial.kernel import state as at
from genial.kernel.network import (
    BEST,
    COUNT,
    ENDING,
    HELD,
    HELD_DOUBLES,
    LAST,
    LEFT,
    OLDEST,
    OPENING,
    OTHER,
    OTHER_RACK,
    OTHER_WAIT,
    OTHERS_OWED,
    OWED,
    OWN,
    OWN_RACK,
    PLACING,
    PLAYABLE,
    ROOM,
    ROW,
    TABLE_COUNT,
    UNSEEN,
    WAIT,
)
from genial.kernel.source import board
from genial.kernel.source.compiled import State, compiled, inlined, inner, whole
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import step_of
from genial.kernel.source.words import bit_count, byte_at, word_at

Floats = NDArray[np.float32]
Row = NDArray[np.float32] | NDArray[np.uint8]
"""Features as numbers to compute with, or as bytes to store."""


@inlined
def _playable(state: State, spots: int, size: int, stride: int, n: int) -> np.uint8:
    """255 where half of a tile can lie: a spot starts or ends here in one of the three directions."""
    right, down, left = spots + n, spots + size + n, spots + 2 * size + n
    one = byte_at(state, right) | byte_at(state, right - stride)
    two = byte_at(state, down) | byte_at(state, down - 1)
    return np.uint8(one | two | byte_at(state, left) | byte_at(state, left - 1 + stride))


@inlined
def _points(state: State, plane: int, size: int, directed: int, n: int) -> np.uint8:
    """The most points of a colour on a cell, wherever its other half lies."""
    best = byte_at(state, plane + n)
    for direction in range(1, directed):
        best = max(best, byte_at(state, plane + size * direction + n))
    return best


@inner
def _count_cells(rules: Rules, state: State, colour: int, directed: int, out: Row) -> None:
    """Count a colour's playable cells that reach each limit, and the best, in one pass over its planes."""
    size, stride, begin = rules.grid_size, rules.stride, rules.scan_begin
    spots = rules.spots + begin
    plane = rules.planes + size * directed * colour + begin
    one, two, three, four = np.uint8(0), np.uint8(0), np.uint8(0), np.uint8(0)
    five, six, eight, ten = np.uint8(0), np.uint8(0), np.uint8(0), np.uint8(0)
    best = np.uint8(0)
    for n in range(rules.scan_length):
        playable = _playable(state, spots, size, stride, n)
        points = np.uint8(_points(state, plane, size, directed, n) & playable)
        best = max(best, points)
        one = np.uint8(one + np.uint8(points >= np.uint8(1)))
        two = np.uint8(two + np.uint8(points >= np.uint8(2)))
        three = np.uint8(three + np.uint8(points >= np.uint8(3)))
        four = np.uint8(four + np.uint8(points >= np.uint8(4)))
        five = np.uint8(five + np.uint8(points >= np.uint8(5)))
        six = np.uint8(six + np.uint8(points >= np.uint8(6)))
        eight = np.uint8(eight + np.uint8(points >= np.uint8(8)))
        ten = np.uint8(ten + np.uint8(points >= np.uint8(10)))
    row = COUNT * colour
    out[row], out[row + 1], out[row + 2], out[row + 3] = one, two, three, four
    out[row + 4], out[row + 5], out[row + 6], out[row + 7] = five, six, eight, ten
    out[row + BEST] = best


@inner
def _count_playable(rules: Rules, state: State) -> int:
    size, stride, begin = rules.grid_size, rules.stride, rules.scan_begin
    spots, found = rules.spots + begin, np.uint8(0)
    for n in range(rules.scan_length):
        found = np.uint8(found + (_playable(state, spots, size, stride, n) & np.uint8(1)))
    return whole(found)


@inner
def _count_open_cards(rules: Rules, state: State, seat: int, out: Row) -> None:
    """Count which colours lie open in front of whom, the seat itself first."""
    seats = rules.seats
    for apart in range(seats):
        row = at.ROWS + 8 * ((seat + apart) % seats)
        for n in range(whole(state[row])):
            kind = whole(state[row + 1 + n])
            first, second = rules.first_colour[kind], rules.second_colour[kind]
            for colour in range(at.COLOURS):
                if colour in (first, second):
                    where = COUNT * colour
                    out[where + BEST] += 1
                    out[where + ROW + apart] += 1
                    out[where + OLDEST + apart] += n == 0


@inner
def _count_tiles(rules: Rules, state: State, seat: int, out: Row) -> None:
    """Count the symbols on the seat's own rack, and those it cannot see.

    Solo's one tile is drawn by the placement before it, so it counts as unseen: a placement must not be
    judged by what happened to be drawn next.
    """
    seats, is_cards = rules.seats, rules.is_cards
    for kind in range(at.KINDS):
        held = whole(byte_at(state, at.RACKS + at.RACK_STRIDE * seat + kind))
        unseen = 0
        if not is_cards:  # with cards the discard pile's contents are unknown, so what is left says little
            unseen = whole(byte_at(state, at.BAG + kind))
            for other in range(seats):
                if other != seat:
                    unseen += whole(byte_at(state, at.RACKS + at.RACK_STRIDE * other + kind))
        if rules.is_solo:
            held, unseen = 0, unseen + held
        first = COUNT * rules.first_colour[kind]
        second = COUNT * rules.second_colour[kind]
        out[first + HELD] += held
        out[first + UNSEEN] += unseen
        out[second + UNSEEN] += unseen
        if first == second:
            out[first + HELD_DOUBLES] += held
        else:
            out[second + HELD] += held


@inner
def write_common(rules: Rules, state: State, seat: int, out: Row) -> None:
    """Write everything that does not depend on the opponent: six rows of colours, then the table's."""
    out[: at.COLOURS * COUNT + TABLE_COUNT] = 0
    for colour in range(at.COLOURS):
        out[COUNT * colour + OWN] = step_of(rules, state, seat, colour)
    _count_tiles(rules, state, seat, out)
    table, mover = at.COLOURS * COUNT, whole(state[at.SEAT])
    if state[at.PHASE] != at.OVER:
        out[table + PLACING] = state[at.PHASE] == at.PLACE and mover == seat
        out[table + ENDING] = state[at.PHASE] == at.END_TURN and mover == seat
        out[table + (OWED if mover == seat else OTHERS_OWED)] = state[at.BONUS]
    seats = rules.seats
    out[table + WAIT] = (seat - mover + seats) % seats
    out[table + LEFT], out[table + LAST] = state[at.SUPPLY], state[at.LAST_TURNS]
    out[table + OWN_RACK] = state[at.RACK_SIZES + seat]
    if rules.is_cards:
        _count_open_cards(rules, state, seat, out)
        return
    # Two loops, so that the compiler knows how many planes a colour has.
    if rules.directed == 1:
        for colour in range(at.COLOURS):
            _count_cells(rules, state, colour, 1, out)
    else:
        for colour in range(at.COLOURS):
            _count_cells(rules, state, colour, 6, out)
    room = 0
    for word in range(rules.words):
        room += bit_count(word_at(state, at.OPEN_PAIRS + 8 * word))
    out[table + ROOM], out[table + PLAYABLE] = min(room, 255), _count_playable(rules, state)
    out[table + OPENING] = board.is_opening(rules, state)


@inner
def write_opponent(rules: Rules, state: State, other: int, out: Row) -> None:
    """Write what depends on the opponent; in solo games there is none, and nothing is written."""
    seats, table = rules.seats, at.COLOURS * COUNT
    for colour in range(at.COLOURS):
        out[COUNT * colour + OTHER] = step_of(rules, state, other, colour)
    out[table + OTHER_RACK] = state[at.RACK_SIZES + other]
    out[table + OTHER_WAIT] = (other - whole(state[at.SEAT]) + seats) % seats


@compiled
def features(rules: Rules, state: State, seat: int, other: int, out: Floats) -> None:
    """Write what a seat may know, compared with one opponent (itself: none): six rows, then the table's."""
    write_common(rules, state, seat, out)
    if seat != other:
        write_opponent(rules, state, other, out)
