"""Numbers about a state for a value function: what a seat may know, nothing hidden.

Six rows, one a colour, whose meaning is the same for all; and one row about the table as a whole. A seat is
looked at together with one opponent; with more than two sides each opponent gives rows of its own. All are
whole numbers below 256, so that millions of positions can be kept for training as bytes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genial.kernel import board
from genial.kernel.compiled import Rules, State, compiled, inlined, inner, whole
from genial.kernel.scoring import place_of
from genial.kernel.state import (
    BAG,
    BONUS,
    COLOURS,
    END_TURN,
    KINDS,
    LAST_TURNS,
    OVER,
    PHASE,
    PLACE,
    PLACES,
    RACK_SIZES,
    RACK_STRIDE,
    RACKS,
    ROWS,
    SEAT,
    SUPPLY,
)
from genial.kernel.tables import (
    DIRECTED,
    FIRST_COLOUR,
    GRID_SIZE,
    IS_CARDS,
    IS_SOLO,
    PLANES,
    SCAN_BEGIN,
    SCAN_LENGTH,
    SEATS,
    SECOND_COLOUR,
    SPOTS,
    STRIDE,
    TRACK_OF,
    WORDS,
)
from genial.kernel.words import bit_count, byte_at, number_at, word_at

Floats = NDArray[np.float32]

# Of each colour. Boards: how many playable cells would score at least so much, and the best of them.
LIMITS = (1, 2, 3, 4, 5, 6, 8, 10)
BEST, OWN, OTHER, HELD = len(LIMITS), len(LIMITS) + 1, len(LIMITS) + 2, len(LIMITS) + 3
"""OWN and OTHER: the markers of the seat and its opponent. HELD: own tiles that show the colour."""
HELD_DOUBLES, UNSEEN = HELD + 1, HELD + 2
"""UNSEEN: symbols of the colour on tiles that the seat does not see: in the bag and on the other racks."""
COUNT = UNSEEN + 1
"""How many features a colour has."""
# Cards, in place of LIMITS: open cards that show the colour before the seat, the next two and all others, and
# the same of each one's oldest card, which is the first to go.
ROW, OLDEST, ROWS_APART = 0, 4, 4

# Of the table as a whole
PLACING, ENDING, OWED, OTHERS_OWED = 0, 1, 2, 3
"""Whether the seat is to place, or to end its turn; the bonus moves that it owes, or another mover."""
PLAYABLE, ROOM, LEFT, OWN_RACK, OTHER_RACK = 4, 5, 6, 7, 8
"""PLAYABLE: cells that can be covered. ROOM: pairs of cells. LEFT: tiles in the bag."""
LAST, WAIT, OTHER_WAIT, OPENING = 9, 10, 11, 12
"""LAST: turns of 3D's last round. WAIT: so many seats move before the seat; OTHER_WAIT: before the other."""
TABLE_COUNT = 13


@inlined
def _playable(state: State, spots: int, size: int, stride: int, n: int) -> np.uint8:
    """255 where half of a tile can lie: a spot begins here or ends here in one of the three directions."""
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
def _count_cells(rules: Rules, state: State, colour: int, directed: int, out: Floats) -> None:
    """How many playable cells reach each limit for a colour, and the best: one pass over its planes."""
    size, stride, begin = number_at(rules, GRID_SIZE), number_at(rules, STRIDE), number_at(rules, SCAN_BEGIN)
    spots = number_at(rules, SPOTS) + begin
    plane = number_at(rules, PLANES) + size * directed * colour + begin
    one, two, three, four = np.uint8(0), np.uint8(0), np.uint8(0), np.uint8(0)
    five, six, eight, ten = np.uint8(0), np.uint8(0), np.uint8(0), np.uint8(0)
    best = np.uint8(0)
    for n in range(number_at(rules, SCAN_LENGTH)):
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
    size, stride, begin = number_at(rules, GRID_SIZE), number_at(rules, STRIDE), number_at(rules, SCAN_BEGIN)
    spots, found = number_at(rules, SPOTS) + begin, np.uint8(0)
    for n in range(number_at(rules, SCAN_LENGTH)):
        found = np.uint8(found + (_playable(state, spots, size, stride, n) & np.uint8(1)))
    return whole(found)


@inner
def _count_open_cards(rules: Rules, state: State, seat: int, out: Floats) -> None:
    """Which colours lie open before whom, the seat first."""
    seats = number_at(rules, SEATS)
    for apart in range(seats):
        row = ROWS + 8 * ((seat + apart) % seats)
        for n in range(whole(state[row])):
            kind = whole(state[row + 1 + n])
            first, second = number_at(rules, FIRST_COLOUR + kind), number_at(rules, SECOND_COLOUR + kind)
            for colour in range(COLOURS):
                if colour in (first, second):
                    place = COUNT * colour
                    out[place + BEST] += 1
                    out[place + ROW + apart] += 1
                    out[place + OLDEST + apart] += n == 0


@inner
def _count_tiles(rules: Rules, state: State, seat: int, out: Floats) -> None:
    """The symbols on the own rack, and those that the seat does not see.

    Solo's one tile is drawn by the placement before it, so it counts as unseen: a placement is not to be
    judged by what chance brought next.
    """
    seats, is_cards = number_at(rules, SEATS), number_at(rules, IS_CARDS)
    for kind in range(KINDS):
        held = whole(byte_at(state, RACKS + RACK_STRIDE * seat + kind))
        unseen = 0
        if not is_cards:  # with cards the discard pile's contents are nobody's, so what is left says little
            unseen = whole(byte_at(state, BAG + kind))
            for other in range(seats):
                if other != seat:
                    unseen += whole(byte_at(state, RACKS + RACK_STRIDE * other + kind))
        if number_at(rules, IS_SOLO):
            held, unseen = 0, unseen + held
        first = COUNT * number_at(rules, FIRST_COLOUR + kind)
        second = COUNT * number_at(rules, SECOND_COLOUR + kind)
        out[first + HELD] += held
        out[first + UNSEEN] += unseen
        out[second + UNSEEN] += unseen
        if first == second:
            out[first + HELD_DOUBLES] += held
        else:
            out[second + HELD] += held


@inner
def write_common(rules: Rules, state: State, seat: int, out: Floats) -> None:
    """Write all that does not depend on the opponent: six rows of colours, then the table's."""
    out[: COLOURS * COUNT + TABLE_COUNT] = 0
    for colour in range(COLOURS):
        out[COUNT * colour + OWN] = place_of(rules, state, seat, colour)
    _count_tiles(rules, state, seat, out)
    table, mover = COLOURS * COUNT, whole(state[SEAT])
    if state[PHASE] != OVER:
        out[table + PLACING] = state[PHASE] == PLACE and mover == seat
        out[table + ENDING] = state[PHASE] == END_TURN and mover == seat
        out[table + (OWED if mover == seat else OTHERS_OWED)] = state[BONUS]
    seats = number_at(rules, SEATS)
    out[table + WAIT] = (seat - mover + seats) % seats
    out[table + LEFT], out[table + LAST] = state[SUPPLY], state[LAST_TURNS]
    out[table + OWN_RACK] = state[RACK_SIZES + seat]
    if number_at(rules, IS_CARDS):
        _count_open_cards(rules, state, seat, out)
        return
    # Two loops, so that the compiler sees how many planes a colour has.
    if number_at(rules, DIRECTED) == 1:
        for colour in range(COLOURS):
            _count_cells(rules, state, colour, 1, out)
    else:
        for colour in range(COLOURS):
            _count_cells(rules, state, colour, 6, out)
    room = 0
    for word in range(number_at(rules, WORDS)):
        room += bit_count(word_at(state, PLACES + 8 * word))
    out[table + ROOM], out[table + PLAYABLE] = min(room, 255), _count_playable(rules, state)
    out[table + OPENING] = board.is_opening(rules, state)


@inner
def write_opponent(rules: Rules, state: State, other: int, out: Floats) -> None:
    """Write what depends on the opponent; in solo there is none, and nothing is written."""
    seats, table = number_at(rules, SEATS), COLOURS * COUNT
    for colour in range(COLOURS):
        out[COUNT * colour + OTHER] = place_of(rules, state, other, colour)
    out[table + OTHER_RACK] = state[RACK_SIZES + other]
    out[table + OTHER_WAIT] = (other - whole(state[SEAT]) + seats) % seats


@inlined
def are_opponents(rules: Rules, seat: int, other: int) -> bool:
    """Whether two seats play against each other; in the duel they do, on one track."""
    if seat == other:
        return False
    return number_at(rules, SEATS) == 2 or number_at(rules, TRACK_OF + seat) != number_at(
        rules, TRACK_OF + other
    )


@compiled
def features(rules: Rules, state: State, seat: int, other: int, out: Floats) -> None:
    """Write what a seat may know, beside one opponent (itself: none): six rows, then the table's."""
    write_common(rules, state, seat, out)
    if seat != other:
        write_opponent(rules, state, other, out)
