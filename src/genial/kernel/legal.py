"""What is lawful, as numbers and as bits: the compiled side of core's `actions()`.

An action's number is (2 x kind + turned) x pairs + pair; then come refill and swap. In cards "turned" means
that the second symbol is scored first, and there is one "pair". Turned doubles are lawful only where the
order of their halves changes the points (DOUBLE-TRACK).
"""

from __future__ import annotations

import numpy as np

from genial.kernel import board, cards
from genial.kernel.compiled import Numbers, Rules, State, compiled, inlined, inner, whole
from genial.kernel.gains import looked_up
from genial.kernel.scoring import advanced, place_of
from genial.kernel.state import END_TURN, KINDS, PHASE, PLACE, RACK_STRIDE, RACKS, SEAT
from genial.kernel.tables import (
    ACTIONS,
    FIRST_COLOUR,
    IS_CARDS,
    ORDER_MATTERS,
    PAIR_DIRECTION,
    PAIR_FIRST,
    PAIR_SECOND,
    PAIRS,
    SECOND_COLOUR,
    WORDS,
)
from genial.kernel.words import bit_count, byte_at, lowest_bit, number_at, put_word, word_at

_0, _1 = np.uint64(0), np.uint64(1)


@inlined
def may_swap(rules: Rules, state: State) -> bool:
    """Whether the mover may swap."""
    return cards.may_swap(rules, state) if number_at(rules, IS_CARDS) else board.may_swap(rules, state)


@inlined
def is_double(rules: Rules, kind: int) -> bool:
    """Whether both symbols of a kind are the same."""
    return bool(number_at(rules, FIRST_COLOUR + kind) == number_at(rules, SECOND_COLOUR + kind))


@inner
def halves_differ(rules: Rules, state: State, kind: int, pair: int) -> bool:
    """Whether the order of a double's halves changes where its marker ends (DOUBLE-TRACK)."""
    colour = number_at(rules, FIRST_COLOUR + kind)
    direction = number_at(rules, number_at(rules, PAIR_DIRECTION) + pair)
    first = looked_up(rules, state, number_at(rules, number_at(rules, PAIR_FIRST) + pair), colour, direction)
    second = looked_up(
        rules, state, number_at(rules, number_at(rules, PAIR_SECOND) + pair), colour, direction + 3
    )
    before = place_of(rules, state, whole(state[SEAT]), colour)
    one = advanced(rules, advanced(rules, before, first), second)
    return one != advanced(rules, advanced(rules, before, second), first)


@inner
def lawful_turned(rules: Rules, state: State, kind: int, word: int, places: np.uint64) -> np.uint64:
    """Those of a word of places where a kind turned round is an action of its own."""
    if not is_double(rules, kind):
        return places
    found = _0
    if number_at(rules, ORDER_MATTERS):
        while places:
            bit = lowest_bit(places)
            if halves_differ(rules, state, kind, 64 * word + bit):
                found |= _1 << np.uint64(bit)
            places &= places - _1
    return found


@inner
def is_legal(rules: Rules, state: State, action: int) -> bool:
    """Whether an action, by its number, is lawful now."""
    ending = action - (number_at(rules, ACTIONS) - 2)
    if action < 0 or ending >= 2:
        return False
    if ending >= 0:
        return bool(state[PHASE] == END_TURN and (ending == 0 or may_swap(rules, state)))
    if state[PHASE] != PLACE:
        return False
    pairs = number_at(rules, PAIRS)
    group = action // pairs
    kind, pair = group >> 1, action - group * pairs
    if not byte_at(state, RACKS + RACK_STRIDE * whole(state[SEAT]) + kind):
        return False
    if number_at(rules, IS_CARDS):
        return True
    word = pair >> 6
    places = board.legal_word(rules, state, word, board.is_opening(rules, state)) & _1 << np.uint64(pair & 63)
    if group & 1 and is_double(rules, kind):
        places = lawful_turned(rules, state, kind, word, places)
    return bool(places != _0)


@inner
def write_mask(rules: Rules, state: State, out: State) -> int:
    """Write the set of lawful actions into a buffer, bit by bit from the lowest; how many there are.

    The buffer is a whole number of words long (`mask_bytes`). Only the mover may see it: it shows the rack.
    """
    out[:] = 0
    refill = number_at(rules, ACTIONS) - 2
    if state[PHASE] == END_TURN:
        out[refill >> 3] |= np.uint8(1 << (refill & 7))
        if may_swap(rules, state):
            out[(refill + 1) >> 3] |= np.uint8(1 << ((refill + 1) & 7))
            return 2
        return 1
    if state[PHASE] != PLACE:
        return 0
    count, pairs = 0, number_at(rules, PAIRS)
    rack = RACKS + RACK_STRIDE * whole(state[SEAT])
    flat = not number_at(rules, IS_CARDS)
    opening = board.is_opening(rules, state) if flat else False
    for word in range(number_at(rules, WORDS) if flat else 1):
        places = board.legal_word(rules, state, word, opening) if flat else _1
        if places:
            for kind in range(KINDS):
                if byte_at(state, rack + kind):
                    at = 2 * kind * pairs + 64 * word
                    _set_bits(out, at, places)
                    turned = lawful_turned(rules, state, kind, word, places)
                    _set_bits(out, at + pairs, turned)
                    count += bit_count(places) + bit_count(turned)
    return count


@inner
def write_points(rules: Rules, state: State, action: int, out: State) -> None:
    """The points of both symbols of a lawful placement or card, in the order scored, before any cut."""
    pairs = number_at(rules, PAIRS)
    group = action // pairs
    kind, turned, pair = group >> 1, group & 1, action - group * pairs
    first, second = number_at(rules, FIRST_COLOUR + kind), number_at(rules, SECOND_COLOUR + kind)
    if number_at(rules, IS_CARDS):
        out[turned] = cards.matches(rules, state, first)
        out[1 - turned] = cards.matches(rules, state, second)
        return
    cell, other = (
        number_at(rules, number_at(rules, PAIR_FIRST) + pair),
        number_at(rules, number_at(rules, PAIR_SECOND) + pair),
    )
    direction = number_at(rules, number_at(rules, PAIR_DIRECTION) + pair)
    opposite = direction + 3
    if turned:
        cell, other, direction, opposite = other, cell, opposite, direction
    out[0] = looked_up(rules, state, cell, first, direction)
    out[1] = looked_up(rules, state, other, second, opposite)


@inner
def write_legal(rules: Rules, state: State, mask: State, numbers: Numbers, points: State) -> int:
    """List the lawful actions by their numbers, and the points of those that score; how many there are."""
    write_mask(rules, state, mask)
    found, refill = 0, number_at(rules, ACTIONS) - 2
    for word in range(len(mask) // 8):
        left = word_at(mask, 8 * word)
        while left:
            number = 64 * word + lowest_bit(left)
            left &= left - _1
            numbers[found] = number
            if number < refill:
                write_points(rules, state, number, points[found])
            else:
                points[found] = 0
            found += 1
    return found


@inlined
def _set_bits(out: State, at: int, bits: np.uint64) -> None:
    word, shift = 8 * (at >> 6), np.uint64(at & 63)
    put_word(out, word, word_at(out, word) | bits << shift)
    if shift != _0:
        spill = bits >> (np.uint64(64) - shift)
        if spill != _0:
            put_word(out, word + 8, word_at(out, word + 8) | spill)


@compiled
def mask(rules: Rules, state: State, out: State) -> int:
    """`write_mask`, for Python."""
    return write_mask(rules, state, out)


@compiled
def points(rules: Rules, state: State, action: int, out: State) -> None:
    """`write_points`, for Python."""
    write_points(rules, state, action, out)


@compiled
def legal(rules: Rules, state: State, mask: State, numbers: Numbers, points: State) -> int:
    """`write_legal`, for Python; the mask is scratch space."""
    return write_legal(rules, state, mask, numbers, points)


def mask_bytes(rules: Rules) -> int:
    """How long a buffer for the lawful actions has to be.

    >>> from genial.kernel.tables import tables
    >>> mask_bytes(tables("classic", 2).rules)
    1264
    """
    return -(-int(rules[ACTIONS]) // 64) * 8
