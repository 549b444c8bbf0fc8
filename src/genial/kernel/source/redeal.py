"""Redealing: a state that some seats cannot tell from the true one, for search with hidden information.

Hidden racks are redealt from all tiles that the viewers cannot see: the bag and the other racks. That is
simpler than core's redealing, which also knows what could have been in the bag when a tile was drawn: here,
after a swap, the swapped tiles may turn up in the swapper's own new rack.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source.compiled import State, compiled, inner, whole
from genial.kernel.source.rng import next_word
from genial.kernel.source.rules import Rules
from genial.kernel.source.supply import draw
from genial.kernel.source.words import put_word


@inner
def deal_anew(rules: Rules, state: State, viewers: int, seed: int) -> None:
    """Redeal what the viewers, one bit per seat, may not see; future draws are new too."""
    put_word(state, at.RNG, np.uint64(seed))
    next_word(state)
    seats = rules.seats
    if rules.is_solo:
        return  # the one tile in play lies open, and the bag has no order here
    for seat in range(seats):
        if not viewers >> seat & 1:
            rack = at.RACKS + at.RACK_STRIDE * seat
            for kind in range(at.KINDS):
                state[at.BAG + kind] += state[rack + kind]
                state[rack + kind] = 0
            state[at.SUPPLY] += state[at.RACK_SIZES + seat]
            put_word(state, at.KINDS_HELD + 8 * seat, np.uint64(0))
    for seat in range(seats):
        if not viewers >> seat & 1:
            size = whole(state[at.RACK_SIZES + seat])
            state[at.RACK_SIZES + seat] = 0
            draw(rules, state, seat, size)


@compiled
def redeal(rules: Rules, state: State, viewers: int, seed: int) -> None:
    """Redeal what the viewers, one bit per seat, may not see; future draws are new too."""
    deal_anew(rules, state, viewers, seed)
