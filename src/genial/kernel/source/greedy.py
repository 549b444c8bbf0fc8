"""The best placement of all, as a vectorised maximum over the planes of points."""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source import board
from genial.kernel.source.compiled import State, compiled, inlined, inner, whole
from genial.kernel.source.legal import is_double, is_legal
from genial.kernel.source.rng import below
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import advanced, step_of
from genial.kernel.source.words import byte_at, lowest_bit, word_at
from genial.kernel.tables import (
    MOST_POINTS,
)

_1 = np.uint64(1)
_CHUNK = 32


@inlined
def room(rules: Rules, state: State, colour: int) -> int:
    """How many points of a colour the mover's marker can use at once."""
    step = step_of(rules, state, whole(state[at.SEAT]), colour)
    return advanced(rules, step, MOST_POINTS - 1) - step


@inlined
def _plane(rules: Rules, colour: int, direction: int) -> int:
    directed = rules.directed
    number = colour * directed + (direction if directed > 1 else 0)
    return rules.planes + rules.grid_size * number


@inlined
def _most(
    state: State, length: int, spots: int, some: int, here: int, there: int, more: int, back: int, forth: int
) -> int:
    """The most points, capped at what the markers can use, on any of the spots, turned either way."""
    best, first_room, second_room = np.uint8(0), np.uint8(some), np.uint8(more)
    for n in range(length):
        one = np.uint8(
            min(byte_at(state, here + n), first_room) + min(byte_at(state, there + n), second_room)
        )
        two = np.uint8(
            min(byte_at(state, back + n), second_room) + min(byte_at(state, forth + n), first_room)
        )
        best = max(best, np.uint8(max(one, two) & byte_at(state, spots + n)))
    return whole(best)


@inlined
def _most_double(state: State, length: int, spots: int, room_left: int, here: int, there: int) -> int:
    """The same for a double, whose halves share one marker."""
    best, left = np.uint8(0), np.uint8(room_left)
    for n in range(length):
        points = np.uint8(byte_at(state, here + n) + byte_at(state, there + n))
        best = max(best, np.uint8(min(points, left) & byte_at(state, spots + n)))
    return whole(best)


@inner
def _scan(rules: Rules, state: State, kind: int, direction: int, begin: int, length: int) -> int:
    """The most points that a kind scores on a range of spots in one direction."""
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    stride = rules.stride
    there = begin + (stride if direction == 0 else 1 if direction == 1 else 1 - stride)
    spots = rules.spots + rules.grid_size * direction + begin
    some = room(rules, state, first)
    one, two = _plane(rules, first, direction) + begin, _plane(rules, second, direction + 3) + there
    if first == second:
        return _most_double(state, length, spots, some, one, two)
    more = room(rules, state, second)
    back, forth = _plane(rules, second, direction) + begin, _plane(rules, first, direction + 3) + there
    return _most(state, length, spots, some, one, two, more, back, forth)


@inlined
def _most_flat(
    state: State,
    length: int,
    spots: int,
    size: int,
    first: int,
    second: int,
    stride: int,
    some: int,
    more: int,
) -> int:
    """The most points of a tile on a flat board, all three directions and both ways round in one pass."""
    best, one, two = np.uint8(0), np.uint8(some), np.uint8(more)
    first_right, second_right = first + stride, second + stride
    first_down, second_down = first + 1, second + 1
    first_left, second_left = first + 1 - stride, second + 1 - stride
    for n in range(length):
        a, b = min(byte_at(state, first + n), one), min(byte_at(state, second + n), two)
        there = np.uint8(a + min(byte_at(state, second_right + n), two))
        back = np.uint8(b + min(byte_at(state, first_right + n), one))
        best = max(best, np.uint8(max(there, back) & byte_at(state, spots + n)))
        there = np.uint8(a + min(byte_at(state, second_down + n), two))
        back = np.uint8(b + min(byte_at(state, first_down + n), one))
        best = max(best, np.uint8(max(there, back) & byte_at(state, spots + size + n)))
        there = np.uint8(a + min(byte_at(state, second_left + n), two))
        back = np.uint8(b + min(byte_at(state, first_left + n), one))
        best = max(best, np.uint8(max(there, back) & byte_at(state, spots + 2 * size + n)))
    return whole(best)


@inlined
def _most_flat_double(
    state: State, length: int, spots: int, size: int, first: int, stride: int, some: int
) -> int:
    """The same for a double, whose halves share one marker."""
    best, left = np.uint8(0), np.uint8(some)
    right, down, lower_left = first + stride, first + 1, first + 1 - stride
    for n in range(length):
        a = byte_at(state, first + n)
        points = min(np.uint8(a + byte_at(state, right + n)), left)
        best = max(best, np.uint8(points & byte_at(state, spots + n)))
        points = min(np.uint8(a + byte_at(state, down + n)), left)
        best = max(best, np.uint8(points & byte_at(state, spots + size + n)))
        points = min(np.uint8(a + byte_at(state, lower_left + n)), left)
        best = max(best, np.uint8(points & byte_at(state, spots + 2 * size + n)))
    return whole(best)


@inlined
def best_of(rules: Rules, state: State, kind: int) -> int:
    """The most points that a kind scores anywhere."""
    begin, length = rules.scan_begin, rules.scan_length
    if rules.directed > 1:
        best = _scan(rules, state, kind, 0, begin, length)
        best = max(best, _scan(rules, state, kind, 1, begin, length))
        return max(best, _scan(rules, state, kind, 2, begin, length))
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    stride, size = rules.stride, rules.grid_size
    spots, planes = rules.spots + begin, rules.planes + begin
    one, two = planes + size * first, planes + size * second
    some, more = room(rules, state, first), room(rules, state, second)
    if first == second:
        return _most_flat_double(state, length, spots, size, one, stride, some)
    return _most_flat(state, length, spots, size, one, two, stride, some, more)


@inlined
def value(rules: Rules, state: State, kind: int, turned: int, pair: int) -> int:
    """The points of one placement, capped at what the markers can use."""
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    cell = rules.pair_first[pair]
    other = rules.pair_second[pair]
    direction = rules.pair_direction[pair]
    opposite = direction + 3
    if turned:
        cell, other, direction, opposite = other, cell, opposite, direction
    some = whole(byte_at(state, _plane(rules, first, direction) + cell))
    more = whole(byte_at(state, _plane(rules, second, opposite) + other))
    if first == second:
        return min(some + more, room(rules, state, first))
    return min(some, room(rules, state, first)) + min(more, room(rules, state, second))


@inner
def _find(rules: Rules, state: State, kind: int, best: int) -> int:
    """A placement of a kind that scores this much; the search starts at a random point."""
    begin, length, size = (
        rules.scan_begin,
        rules.scan_length,
        rules.grid_size,
    )
    chunks = length // _CHUNK
    where = below(state, 6 * chunks)
    flip, where = where & 1, where >> 1
    while True:
        direction, chunk = where // chunks, where % chunks
        start = begin + _CHUNK * chunk
        if _scan(rules, state, kind, direction, start, _CHUNK) == best:
            spots = rules.spots + size * direction
            for cell in range(start, start + _CHUNK):
                if byte_at(state, spots + cell):
                    pair = rules.pair_at[size * direction + cell]
                    if value(rules, state, kind, flip, pair) == best:
                        return (2 * kind + flip) * rules.pairs + pair
                    if value(rules, state, kind, 1 - flip, pair) == best:
                        return (2 * kind + 1 - flip) * rules.pairs + pair
        where = where + 1 if where + 1 < 3 * chunks else 0


@inner
def _best_in_opening(rules: Rules, state: State) -> int:
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
                for turned in range(2):
                    points = value(rules, state, kind, turned, pair)
                    if points >= best:
                        seen = 1 if points > best else seen + 1
                        best = points
                        if below(state, seen) == 0:
                            found = (2 * kind + turned) * rules.pairs + pair
    return found


@inlined
def best_kind(rules: Rules, state: State) -> int:
    """The kind on the mover's rack that can score the most points, and those points: 256 x kind + points."""
    held = word_at(state, at.KINDS_HELD + 8 * whole(state[at.SEAT]))
    best = -1
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        points = best_of(rules, state, kind)
        if points > best & 255 or best < 0:
            best = 256 * kind + points
    return best


@inner
def best_placement(rules: Rules, state: State) -> int:
    """The number of a placement that scores the most points the markers can use."""
    if board.is_opening(rules, state):
        return _best_in_opening(rules, state)
    best = best_kind(rules, state)
    return _find(rules, state, best >> 8, best & 255)


@compiled
def scan(rules: Rules, state: State, times: int) -> int:
    """Look for the most points on the whole board `times` times, for a benchmark."""
    found = 0
    for _ in range(times):
        found += best_kind(rules, state) & 255
    return found


@inner
def best_lawful(rules: Rules, state: State) -> int:
    """The same as an action: a turned double is a separate one only where that matters (DOUBLE-TRACK)."""
    placement = best_placement(rules, state)
    group = placement // rules.pairs
    turned_double = group & 1 and is_double(rules, group >> 1)
    if turned_double and not (rules.order_matters and is_legal(rules, state, placement)):
        return placement - rules.pairs
    return placement


@compiled
def choose_best(rules: Rules, state: State) -> int:
    """The number of an action that scores the most points the markers can use."""
    return best_lawful(rules, state)
