"""Balanced play, compiled: the placement that a table of worth likes best.

Every step of a marker has a worth; a placement is worth what its markers gain, plus something for each bonus
move. All worth is in 16-bit whole numbers. Every colour has a plane of worth, looked up from its plane of
points, so that finding the best of all placements is a vectorised maximum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genial.kernel import state as at
from genial.kernel.source import board, cards
from genial.kernel.source.compiled import State, compiled, inlined, inner, whole
from genial.kernel.source.legal import may_swap
from genial.kernel.source.playout import random_placement
from genial.kernel.source.rng import below
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import advanced, bonus_for, move_marker, step_of
from genial.kernel.source.words import byte_at, lowest_bit, put_short, short_at, word_at
from genial.kernel.tables import MOST_POINTS
from genial.kernel.worth import BONUS_WORTH, WORTH_SIZE

Worth = NDArray[np.uint16]
"""One row per seat: a marker's worth by step, and that of a bonus move (`kernel.worth`)."""

_PLANES = at.COLOURS * MOST_POINTS
"""The scratch paper: the worth of points by colour, then planes of worth laid out like those of points."""
_CHUNK = 32
_1 = np.uint64(1)


@compiled
def scratch_size(rules: Rules) -> int:
    """How many numbers the scratch paper holds."""
    planes = at.COLOURS * rules.directed
    return _PLANES + planes * rules.grid_size + 2 * rules.stride + _CHUNK


@inlined
def gained(rules: Rules, worth: Worth, seat: int, before: int, after: int) -> int:
    """What a marker's move is worth to a seat."""
    row = seat * WORTH_SIZE
    way = whole(short_at(worth, row + after)) - whole(short_at(worth, row + before))
    return way + bonus_for(rules, before, after) * whole(short_at(worth, row + BONUS_WORTH))


@inner
def _note_worth(rules: Rules, state: State, worth: Worth, scratch: Worth, seat: int) -> None:
    """Write what each number of points of a colour is worth to a seat."""
    for colour in range(at.COLOURS):
        before = step_of(rules, state, seat, colour)
        for points in range(MOST_POINTS):
            after = advanced(rules, before, points)
            value = gained(rules, worth, seat, before, after)
            put_short(scratch, MOST_POINTS * colour + points, np.uint16(value))


@inlined
def _plane(rules: Rules, colour: int, direction: int) -> int:
    """The offset of a colour's plane; on a flat board the direction makes no difference."""
    directed = rules.directed
    return rules.grid_size * (colour * directed + (direction if directed > 1 else 0))


@inlined
def _looked_up(state: State, scratch: Worth, table: int, place: int) -> np.uint16:
    """What the points at an offset of the state are worth."""
    return short_at(scratch, table + min(whole(byte_at(state, place)), MOST_POINTS - 1))


@inner
def _note_planes(rules: Rules, state: State, scratch: Worth, colours: int) -> None:
    """Write the planes of worth of some colours, given as bits."""
    begin, length = rules.scan_begin, rules.scan_length + rules.stride
    size, directed = rules.grid_size, rules.directed
    for colour in range(at.COLOURS):
        if colours >> colour & 1:
            table = MOST_POINTS * colour
            for direction in range(directed):
                plane = size * (colour * directed + direction) + begin
                source, target = rules.planes + plane, _PLANES + plane
                # Four at a time, so that no lookup waits for the one before; there is room behind a plane.
                for n in range(0, length, 4):
                    one = _looked_up(state, scratch, table, source + n)
                    two = _looked_up(state, scratch, table, source + n + 1)
                    three = _looked_up(state, scratch, table, source + n + 2)
                    four = _looked_up(state, scratch, table, source + n + 3)
                    put_short(scratch, target + n, one)
                    put_short(scratch, target + n + 1, two)
                    put_short(scratch, target + n + 2, three)
                    put_short(scratch, target + n + 3, four)


@inlined
def _most(
    state: State, scratch: Worth, length: int, spots: int, here: int, there: int, back: int, forth: int
) -> int:
    """The most worth on any of the spots, turned either way."""
    best = np.uint16(0)
    for n in range(length):
        one = np.uint16(short_at(scratch, here + n) + short_at(scratch, there + n))
        two = np.uint16(short_at(scratch, back + n) + short_at(scratch, forth + n))
        free = np.uint16(np.int16(np.int8(byte_at(state, spots + n))))
        best = max(best, np.uint16(max(one, two) & free))
    return whole(best)


@inner
def _most_double(rules: Rules, state: State, scratch: Worth, kind: int, direction: int) -> int:
    """The most worth of a double, whose halves share one marker, on any spot in one direction."""
    begin, length = rules.scan_begin, rules.scan_length
    spots = rules.spots + rules.grid_size * direction
    best = 0
    for cell in range(begin, begin + length):
        if byte_at(state, spots + cell):
            best = max(best, _double_worth(rules, state, scratch, kind, direction, cell))
    return best


@inlined
def _step(rules: Rules, direction: int) -> int:
    stride = rules.stride
    return stride if direction == 0 else 1 if direction == 1 else 1 - stride


@inlined
def _double_worth(rules: Rules, state: State, scratch: Worth, kind: int, direction: int, cell: int) -> int:
    colour, other = rules.first_colour[kind], cell + _step(rules, direction)
    planes = rules.planes
    points = whole(byte_at(state, planes + _plane(rules, colour, direction) + cell))
    points += whole(byte_at(state, planes + _plane(rules, colour, direction + 3) + other))
    return whole(short_at(scratch, MOST_POINTS * colour + min(points, MOST_POINTS - 1)))


@inner
def _scan(
    rules: Rules, state: State, scratch: Worth, kind: int, direction: int, begin: int, length: int
) -> int:
    """The most that a tile of two colours is worth on a range of spots in one direction."""
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    there, planes = begin + _step(rules, direction), _PLANES
    return _most(
        state,
        scratch,
        length,
        rules.spots + rules.grid_size * direction + begin,
        planes + _plane(rules, first, direction) + begin,
        planes + _plane(rules, second, direction + 3) + there,
        planes + _plane(rules, second, direction) + begin,
        planes + _plane(rules, first, direction + 3) + there,
    )


@inlined
def _is_double(rules: Rules, kind: int) -> bool:
    return rules.first_colour[kind] == rules.second_colour[kind]


@inlined
def _best_on(rules: Rules, state: State, scratch: Worth, kind: int, direction: int) -> int:
    if _is_double(rules, kind):
        return _most_double(rules, state, scratch, kind, direction)
    begin, length = rules.scan_begin, rules.scan_length
    return _scan(rules, state, scratch, kind, direction, begin, length)


@inlined
def _worth_at(
    rules: Rules, state: State, scratch: Worth, kind: int, turned: int, direction: int, cell: int
) -> int:
    """What one placement is worth, according to the planes."""
    if _is_double(rules, kind):
        return _double_worth(rules, state, scratch, kind, direction, cell)
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    if turned:
        first, second = second, first
    here = _PLANES + _plane(rules, first, direction) + cell
    there = _PLANES + _plane(rules, second, direction + 3) + cell + _step(rules, direction)
    return whole(short_at(scratch, here)) + whole(short_at(scratch, there))


@inner
def _find(rules: Rules, state: State, scratch: Worth, kind: int, direction: int, best: int) -> int:
    """A placement of a kind in one direction that is worth this much; the search starts at a random point."""
    begin, length = rules.scan_begin, rules.scan_length
    size, chunks, double = rules.grid_size, length // _CHUNK, _is_double(rules, kind)
    spots = rules.spots + size * direction
    chunk = below(state, 2 * chunks)
    flip, chunk = chunk & 1, chunk >> 1
    if double:
        flip = 0
    for _ in range(chunks):
        start = begin + _CHUNK * chunk
        if double or _scan(rules, state, scratch, kind, direction, start, _CHUNK) == best:
            for cell in range(start, start + _CHUNK):
                if byte_at(state, spots + cell):
                    pair = rules.pair_at[size * direction + cell]
                    if _worth_at(rules, state, scratch, kind, flip, direction, cell) == best:
                        return (2 * kind + flip) * rules.pairs + pair
                    if (
                        not double
                        and _worth_at(rules, state, scratch, kind, 1 - flip, direction, cell) == best
                    ):
                        return (2 * kind + 1 - flip) * rules.pairs + pair
        chunk = chunk + 1 if chunk + 1 < chunks else 0
    return -1


@inner
def prepare(rules: Rules, state: State, worth: Worth, scratch: Worth) -> None:
    """Write everything about worth that is needed to judge the mover's placements."""
    seat = whole(state[at.SEAT])
    held, colours = word_at(state, at.KINDS_HELD + 8 * seat), 0
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        colours |= 1 << rules.first_colour[kind] | 1 << rules.second_colour[kind]
    _note_worth(rules, state, worth, scratch, seat)
    _note_planes(rules, state, scratch, colours)


@inner
def placement_worth(rules: Rules, state: State, scratch: Worth, action: int) -> int:
    """What one placement, by number, is worth; the scratch paper must be prepared."""
    pairs = rules.pairs
    group = action // pairs
    pair = action - group * pairs
    cell = rules.pair_first[pair]
    direction = rules.pair_direction[pair]
    return _worth_at(rules, state, scratch, group >> 1, group & 1, direction, cell)


@inner
def _best_in_opening(rules: Rules, state: State, scratch: Worth) -> int:
    """The best placement while the opening rule applies: few pairs, checked one by one."""
    held = word_at(state, at.KINDS_HELD + 8 * whole(state[at.SEAT]))
    best, found, seen = -1, 0, 0
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        for word in range(rules.words):
            lawful = board.legal_word(rules, state, word, True)
            while lawful:
                pair = 64 * word + lowest_bit(lawful)
                lawful &= lawful - _1
                for turned in range(1 if _is_double(rules, kind) else 2):
                    action = (2 * kind + turned) * rules.pairs + pair
                    value = placement_worth(rules, state, scratch, action)
                    if value >= best:
                        seen = 1 if value > best else seen + 1
                        best = value
                        if below(state, seen) == 0:
                            found = action
    return found


@inner
def best_placement(rules: Rules, state: State, worth: Worth, scratch: Worth) -> int:
    """The number of the placement that is worth most."""
    prepare(rules, state, worth, scratch)
    if board.is_opening(rules, state):
        return _best_in_opening(rules, state, scratch)
    held = word_at(state, at.KINDS_HELD + 8 * whole(state[at.SEAT]))
    best, chosen, way = -1, 0, 0
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        for direction in range(3):
            value = _best_on(rules, state, scratch, kind, direction)
            if value > best:
                best, chosen, way = value, kind, direction
    if best == 0:
        # Nothing is worth anything, so anything that fits will do.
        return random_placement(rules, state)
    return _find(rules, state, scratch, chosen, way, best)


@inner
def card_worth(rules: Rules, state: State, worth: Worth, kind: int, turned: int) -> int:
    """What a card is worth, scored in this order: the first symbol can open the gate for the second."""
    seat = whole(state[at.SEAT])
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    if turned:
        first, second = second, first
    some, more = cards.matches(rules, state, first), cards.matches(rules, state, second)
    before = step_of(rules, state, seat, first)
    after = cards.stepped(rules, state, seat, first, some)
    value = gained(rules, worth, seat, before, after)
    move_marker(rules, state, seat, first, after)
    also = step_of(rules, state, seat, second)
    value += gained(rules, worth, seat, also, cards.stepped(rules, state, seat, second, more))
    move_marker(rules, state, seat, first, before)
    return value


@inner
def best_card(rules: Rules, state: State, worth: Worth) -> int:
    """The card and order worth most, as 2 x kind + turned; ties are broken at random."""
    rack, best, found, seen = at.RACKS + at.RACK_STRIDE * whole(state[at.SEAT]), -1, 0, 0
    for kind in range(at.KINDS):
        if state[rack + kind]:
            for turned in range(2):
                value = card_worth(rules, state, worth, kind, turned)
                if value >= best:
                    seen = 1 if value > best else seen + 1
                    best = value
                    if below(state, seen) == 0:
                        found = 2 * kind + turned
    return found


@inner
def choose(rules: Rules, state: State, worth: Worth, scratch: Worth) -> int:
    """What balanced play does, as the number of its action.

    It swaps whenever possible: such a rack cannot raise its lowest colours.
    """
    if state[at.PHASE] == at.END_TURN:
        return rules.actions - 2 + may_swap(rules, state)
    if rules.is_cards:
        return best_card(rules, state, worth)
    return best_placement(rules, state, worth, scratch)
