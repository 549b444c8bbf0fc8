"""The few placements or cards of the mover that balanced play likes best."""

from __future__ import annotations

import numpy as np

from genial.kernel import board
from genial.kernel.balanced import Worth, card_worth, gained, placement_worth, prepare
from genial.kernel.compiled import Numbers, Rules, State, inlined, inner, whole
from genial.kernel.gains import looked_up
from genial.kernel.legal import is_double, lawful_turned
from genial.kernel.rng import next_word
from genial.kernel.scoring import advanced, place_of
from genial.kernel.state import KINDS_HELD, SEAT
from genial.kernel.tables import (
    FIRST_COLOUR,
    IS_CARDS,
    ORDER_MATTERS,
    PAIR_DIRECTION,
    PAIR_FIRST,
    PAIR_SECOND,
    PAIRS,
    WORDS,
)
from genial.kernel.words import lowest_bit, number_at, word_at

_1 = np.uint64(1)
_CHANCE = 1 << 16
"""Between equals chance decides: it is added below the last digit of the worth."""


@inlined
def _note(state: State, action: int, worth: int, actions: Numbers, worths: Numbers, count: int) -> int:
    """Put an action in its place among the best; how many there are then."""
    most = len(actions)
    liked = min(worth, 0x7FFF) * _CHANCE + whole(next_word(state) >> np.uint64(48))
    if count == most:
        if liked <= worths[most - 1]:
            return count
        count -= 1
    n = count
    while n > 0 and worths[n - 1] < liked:
        actions[n], worths[n] = actions[n - 1], worths[n - 1]
        n -= 1
    actions[n], worths[n] = action, liked
    return count + 1


@inner
def _exact(rules: Rules, state: State, worth: Worth, action: int, liked: int) -> int:
    """What a double is worth where its second half goes on where the first one stopped (DOUBLE-TRACK).

    Balanced play adds its halves up, which is quicker and nearly right.
    """
    pairs = number_at(rules, PAIRS)
    group = action // pairs
    kind, pair = group >> 1, action - group * pairs
    if not is_double(rules, kind):
        return liked
    seat, colour = whole(state[SEAT]), number_at(rules, FIRST_COLOUR + kind)
    direction = number_at(rules, number_at(rules, PAIR_DIRECTION) + pair)
    some = looked_up(rules, state, number_at(rules, number_at(rules, PAIR_FIRST) + pair), colour, direction)
    more = looked_up(
        rules, state, number_at(rules, number_at(rules, PAIR_SECOND) + pair), colour, direction + 3
    )
    if group & 1:
        some, more = more, some
    before = place_of(rules, state, seat, colour)
    return gained(rules, worth, seat, before, advanced(rules, advanced(rules, before, some), more))


@inner
def _shortlist_cards(rules: Rules, state: State, worth: Worth, actions: Numbers, worths: Numbers) -> int:
    count, held = 0, word_at(state, KINDS_HELD + 8 * whole(state[SEAT]))
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        for turned in range(2):
            liked = card_worth(rules, state, worth, kind, turned)
            count = _note(state, 2 * kind + turned, liked, actions, worths, count)
    return count


@inner
def shortlist(
    rules: Rules, state: State, worth: Worth, paper: Worth, actions: Numbers, worths: Numbers
) -> int:
    """Write the actions of the mover, who is to place, that are worth most, the best first; how many.

    At most as many as there is room for. Chance decides between equals. `paper` is balanced play's scratch.
    """
    if number_at(rules, IS_CARDS):
        return _shortlist_cards(rules, state, worth, actions, worths)
    prepare(rules, state, worth, paper)
    opening, pairs, count = board.is_opening(rules, state), number_at(rules, PAIRS), 0
    exact = number_at(rules, ORDER_MATTERS) != 0
    held = word_at(state, KINDS_HELD + 8 * whole(state[SEAT]))
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        for word in range(number_at(rules, WORDS)):
            places = board.legal_word(rules, state, word, opening)
            for turned in range(2):
                left = places if not turned else lawful_turned(rules, state, kind, word, places)
                while left:
                    action = (2 * kind + turned) * pairs + 64 * word + lowest_bit(left)
                    left &= left - _1
                    liked = placement_worth(rules, state, paper, action)
                    if exact:
                        liked = _exact(rules, state, worth, action, liked)
                    count = _note(state, action, liked, actions, worths, count)
    return count
