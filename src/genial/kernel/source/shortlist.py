"""The few placements or cards of the mover that balanced play likes best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from genial.kernel import state as at
from genial.kernel.source import board
from genial.kernel.source.balanced import Worth, card_worth, gained, placement_worth, prepare, scratch_size
from genial.kernel.source.compiled import Numbers, State, inlined, inner, whole
from genial.kernel.source.features import Floats
from genial.kernel.source.gains import looked_up
from genial.kernel.source.legal import is_double, lawful_turned
from genial.kernel.source.rng import next_word
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import advanced, step_of
from genial.kernel.source.value import new_scratch
from genial.kernel.source.words import lowest_bit, word_at
from genial.kernel.tables import STATE_SIZE

_1 = np.uint64(1)
_CHANCE = 1 << 16
"""Ties are broken at random: a random number is added below the last digit of the worth."""


class Desk(NamedTuple):
    """What a player needs at hand: scratch space for one thread."""

    trial: State
    """A state to try an action in."""
    paper: Worth
    """Balanced play's scratch paper."""
    scratch: Floats
    """The learned value's scratch space."""
    actions: Numbers
    worths: Numbers
    room: int
    """How many placements it considers."""


def new_desk(rules: Rules, room: int) -> Desk:
    """A desk for a player who considers `room` placements."""
    return Desk(
        np.zeros(int(rules[STATE_SIZE]), np.uint8),
        np.zeros(scratch_size(rules), np.uint16),
        new_scratch(),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        room,
    )


@inlined
def _note(state: State, action: int, worth: int, desk: Desk, most: int, count: int) -> int:
    """Insert an action into the list of the `most` best. Returns how many there are by then."""
    actions, worths = desk.actions, desk.worths
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
    """What a double is worth if its second half continues where the first one stopped (DOUBLE-TRACK).

    Balanced play adds its halves up, which is faster and nearly right.
    """
    pairs = rules.pairs
    group = action // pairs
    kind, pair = group >> 1, action - group * pairs
    if not is_double(rules, kind):
        return liked
    seat, colour = whole(state[at.SEAT]), rules.first_colour[kind]
    direction = rules.pair_direction[pair]
    some = looked_up(rules, state, rules.pair_first[pair], colour, direction)
    more = looked_up(rules, state, rules.pair_second[pair], colour, direction + 3)
    if group & 1:
        some, more = more, some
    before = step_of(rules, state, seat, colour)
    return gained(rules, worth, seat, before, advanced(rules, advanced(rules, before, some), more))


@inner
def _shortlist_cards(rules: Rules, state: State, worth: Worth, desk: Desk, most: int) -> int:
    count, held = 0, word_at(state, at.KINDS_HELD + 8 * whole(state[at.SEAT]))
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        for turned in range(2):
            liked = card_worth(rules, state, worth, kind, turned)
            count = _note(state, 2 * kind + turned, liked, desk, most, count)
    return count


@inner
def shortlist(rules: Rules, state: State, worth: Worth, desk: Desk, most: int) -> int:
    """Note on a desk what is worth most to the mover, who has to place, best first. Returns how many.

    At most `most`. Ties are broken at random.
    """
    if rules.is_cards:
        return _shortlist_cards(rules, state, worth, desk, most)
    paper = desk.paper
    prepare(rules, state, worth, paper)
    opening, pairs, count = board.is_opening(rules, state), rules.pairs, 0
    exact = rules.order_matters != 0
    held = word_at(state, at.KINDS_HELD + 8 * whole(state[at.SEAT]))
    while held:
        kind = lowest_bit(held)
        held &= held - _1
        for word in range(rules.words):
            lawful = board.legal_word(rules, state, word, opening)
            for turned in range(2):
                left = lawful if not turned else lawful_turned(rules, state, kind, word, lawful)
                while left:
                    action = (2 * kind + turned) * pairs + 64 * word + lowest_bit(left)
                    left &= left - _1
                    liked = placement_worth(rules, state, paper, action)
                    if exact:
                        liked = _exact(rules, state, worth, action, liked)
                    count = _note(state, action, liked, desk, most, count)
    return count
