"""What is lawful, as numbers and as bits: the compiled side of core's `actions()`.

The numbers are those of `core.numbering`. Turned doubles are lawful only where the order of their halves
changes the points (DOUBLE-TRACK).
"""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source import board, cards
from genial.kernel.source.compiled import Numbers, State, compiled, inlined, inner, whole
from genial.kernel.source.gains import looked_up
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import advanced, step_of
from genial.kernel.source.words import bit_count, byte_at, lowest_bit, put_word, word_at

_0, _1 = np.uint64(0), np.uint64(1)


@inlined
def may_swap(rules: Rules, state: State) -> bool:
    """True if the mover may swap."""
    return cards.may_swap(rules, state) if rules.is_cards else board.may_swap(rules, state)


@inlined
def is_double(rules: Rules, kind: int) -> bool:
    """True if both symbols of a kind are the same."""
    return bool(rules.first_colour[kind] == rules.second_colour[kind])


@inner
def halves_differ(rules: Rules, state: State, kind: int, pair: int) -> bool:
    """True if the order of a double's halves changes where its marker ends (DOUBLE-TRACK)."""
    colour = rules.first_colour[kind]
    direction = rules.pair_direction[pair]
    first = looked_up(rules, state, rules.pair_first[pair], colour, direction)
    second = looked_up(rules, state, rules.pair_second[pair], colour, direction + 3)
    before = step_of(rules, state, whole(state[at.SEAT]), colour)
    one = advanced(rules, advanced(rules, before, first), second)
    return one != advanced(rules, advanced(rules, before, second), first)


@inner
def lawful_turned(rules: Rules, state: State, kind: int, word: int, lawful: np.uint64) -> np.uint64:
    """Those pairs of a word of lawful ones on which a kind turned round is a separate action."""
    if not is_double(rules, kind):
        return lawful
    found = _0
    if rules.order_matters:
        while lawful:
            bit = lowest_bit(lawful)
            if halves_differ(rules, state, kind, 64 * word + bit):
                found |= _1 << np.uint64(bit)
            lawful &= lawful - _1
    return found


@inner
def is_legal(rules: Rules, state: State, action: int) -> bool:
    """True if an action, by number, is lawful now."""
    ending = action - (rules.actions - 2)
    if action < 0 or ending >= 2:
        return False
    if ending >= 0:
        return bool(state[at.PHASE] == at.END_TURN and (ending == 0 or may_swap(rules, state)))
    if state[at.PHASE] != at.PLACE:
        return False
    pairs = rules.pairs
    group = action // pairs
    kind, pair = group >> 1, action - group * pairs
    if not byte_at(state, at.RACKS + at.RACK_STRIDE * whole(state[at.SEAT]) + kind):
        return False
    if rules.is_cards:
        return True
    word = pair >> 6
    lawful = board.legal_word(rules, state, word, board.is_opening(rules, state)) & _1 << np.uint64(pair & 63)
    if group & 1 and is_double(rules, kind):
        lawful = lawful_turned(rules, state, kind, word, lawful)
    return bool(lawful != _0)


@inlined
def mask_words(rules: Rules) -> int:
    """How many words a set of actions takes."""
    return (rules.actions + 63) >> 6


@inner
def write_mask(rules: Rules, state: State, out: State) -> int:
    """Write the set of lawful actions into a buffer, bit by bit from the lowest. Returns how many there are.

    The buffer is a whole number of words (`mask_bytes`). Only the mover may see it: it reveals the rack.
    """
    for word in range(mask_words(rules)):
        put_word(out, 8 * word, _0)
    return mark_lawful(rules, state, out)


@inner
def mark_lawful(rules: Rules, state: State, out: State) -> int:
    """The same for a buffer filled with zeros."""
    refill = rules.actions - 2
    if state[at.PHASE] == at.END_TURN:
        out[refill >> 3] |= np.uint8(1 << (refill & 7))
        if may_swap(rules, state):
            out[(refill + 1) >> 3] |= np.uint8(1 << ((refill + 1) & 7))
            return 2
        return 1
    if state[at.PHASE] != at.PLACE:
        return 0
    count, pairs = 0, rules.pairs
    held = word_at(state, at.KINDS_HELD + 8 * whole(state[at.SEAT]))
    flat = not rules.is_cards
    opening = board.is_opening(rules, state) if flat else False
    for word in range(rules.words if flat else 1):
        lawful = board.legal_word(rules, state, word, opening) if flat else _1
        left = held if lawful else _0
        while left:
            kind = lowest_bit(left)
            left &= left - _1
            where = 2 * kind * pairs + 64 * word
            _set_bits(out, where, lawful)
            turned = lawful_turned(rules, state, kind, word, lawful)
            _set_bits(out, where + pairs, turned)
            count += bit_count(lawful) + bit_count(turned)
    return count


@inner
def write_points(rules: Rules, state: State, action: int, out: State, where: int) -> None:
    """Write the points of both symbols of a lawful placement or card, in the order scored, before any cap."""
    pairs = rules.pairs
    group = action // pairs
    kind, turned, pair = group >> 1, group & 1, action - group * pairs
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    if rules.is_cards:
        out[where + turned] = cards.matches(rules, state, first)
        out[where + 1 - turned] = cards.matches(rules, state, second)
        return
    cell, other = (
        rules.pair_first[pair],
        rules.pair_second[pair],
    )
    direction = rules.pair_direction[pair]
    opposite = direction + 3
    if turned:
        cell, other, direction, opposite = other, cell, opposite, direction
    out[where] = looked_up(rules, state, cell, first, direction)
    out[where + 1] = looked_up(rules, state, other, second, opposite)


@inner
def write_legal(rules: Rules, state: State, mask: State, numbers: Numbers, points: State) -> int:
    """List the lawful actions by number, with two points each (0 if nothing scores). Returns how many."""
    write_mask(rules, state, mask)
    found, refill = 0, rules.actions - 2
    for word in range(mask_words(rules)):
        left = word_at(mask, 8 * word)
        while left:
            number = 64 * word + lowest_bit(left)
            left &= left - _1
            numbers[found] = number
            if number < refill:
                write_points(rules, state, number, points, 2 * found)
            else:
                points[2 * found] = points[2 * found + 1] = 0
            found += 1
    return found


@inner
def list_placements(rules: Rules, state: State, numbers: Numbers) -> int:
    """List the lawful placements of the mover, who has to place on a board, by number. Returns how many."""
    opening, found = board.is_opening(rules, state), 0
    held = word_at(state, at.KINDS_HELD + 8 * whole(state[at.SEAT]))
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        for turned in range(2):
            for word in range(rules.words):
                left = board.legal_word(rules, state, word, opening)
                if turned:
                    left = lawful_turned(rules, state, kind, word, left)
                while left:
                    numbers[found] = (2 * kind + turned) * rules.pairs + 64 * word + lowest_bit(left)
                    left &= left - _1
                    found += 1
    return found


@inlined
def _set_bits(out: State, where: int, bits: np.uint64) -> None:
    word, shift = 8 * (where >> 6), np.uint64(where & 63)
    put_word(out, word, word_at(out, word) | bits << shift)
    if shift != _0:
        spill = bits >> (np.uint64(64) - shift)
        if spill != _0:
            put_word(out, word + 8, word_at(out, word + 8) | spill)


@compiled
def mask(rules: Rules, state: State, out: State) -> int:
    """Write the set of lawful actions, one bit each from the lowest, in whole words. Returns how many."""
    return write_mask(rules, state, out)


@compiled
def points(rules: Rules, state: State, action: int, out: State) -> None:
    """Write the points of both symbols of a lawful placement or card, in the order scored, before any cap."""
    write_points(rules, state, action, out, 0)


@compiled
def legal(rules: Rules, state: State, mask: State, numbers: Numbers, points: State) -> int:
    """List the lawful actions by number, with two points each. Returns how many. `mask` is scratch space."""
    return write_legal(rules, state, mask, numbers, points)
