"""A player by one look ahead: it values what each of its likeliest placements leads to, and takes the best.

Balanced play names the placements, the learned value judges them. The player knows what its seat knows, so
inside a redealt world it is what an opponent would do there, and what a search can go on with.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from genial.kernel.balanced import Worth, scratch_size
from genial.kernel.compiled import Numbers, Rules, State, compiled, inlined, inner, whole
from genial.kernel.features import Floats
from genial.kernel.legal import may_swap
from genial.kernel.play import act, copy
from genial.kernel.rng import next_word
from genial.kernel.shortlist import shortlist
from genial.kernel.state import END_TURN, OVER, PHASE, RNG, SEAT
from genial.kernel.tables import ACTIONS, IS_SOLO, STATE_SIZE
from genial.kernel.value import evaluate, new_scratch, worth_of
from genial.kernel.words import number_at, put_word, word_at

LEAD_PULL = 0.05
"""What a place of the lead counts beside the log odds of the share: won games are played well, too."""


class Desk(NamedTuple):
    """What a player needs at hand: scratch space for one thread."""

    trial: State
    paper: Worth
    scratch: Floats
    actions: Numbers
    worths: Numbers


def new_desk(rules: Rules, candidates: int) -> Desk:
    """A desk for a player who looks at so many placements."""
    return Desk(
        np.zeros(int(rules[STATE_SIZE]), np.uint8),
        np.zeros(scratch_size(rules), np.uint16),
        new_scratch(),
        np.zeros(candidates, np.int32),
        np.zeros(candidates, np.int32),
    )


@inlined
def chance(state: State) -> float:
    """A number between 0 and 1, neither of them."""
    return (float(next_word(state) >> np.uint64(11)) + 0.5) * 2.0**-53


@inlined
def _log_odds(share: float) -> float:
    kept = min(max(share, 0.001), 0.999)
    return log(kept / (1 - kept))


@inner
def _liking(rules: Rules, state: State, seat: int, weights: Floats, scratch: Floats) -> float:
    """How much a seat likes a state: places of the lowest marker in solo, else log odds of the share."""
    evaluate(rules, state, seat, weights, scratch)
    if number_at(rules, IS_SOLO):
        return float(scratch[1])
    return _log_odds(float(scratch[0])) + LEAD_PULL * float(scratch[1])


@inner
def choose(
    rules: Rules, state: State, worth: Worth, weights: Floats, heat: float, heat_of_worth: float, desk: Desk
) -> int:
    """An act of the mover, by one look ahead.

    Without weights balanced play chooses, warmed by its own heat. A swap is taken where it is open.
    """
    if state[PHASE] == END_TURN:
        return number_at(rules, ACTIONS) - 2 + may_swap(rules, state)
    count = shortlist(rules, state, worth, desk.paper, desk.actions, desk.worths)
    seat, best, found = whole(state[SEAT]), -1e30, 0
    size, stream = number_at(rules, STATE_SIZE), word_at(state, RNG)
    for n in range(count):
        if len(weights):
            copy(state, desk.trial, size)
            # What is drawn after the act must not be known before it.
            put_word(desk.trial, RNG, stream + np.uint64(n + 1))
            act(rules, desk.trial, whole(desk.actions[n]), True, False, desk.trial)
            liked = _liking(rules, desk.trial, seat, weights, desk.scratch)
            warmth = heat
        else:
            liked, warmth = float(desk.worths[n]), heat_of_worth
        if warmth > 0:
            liked -= warmth * log(-log(chance(state)))  # the largest is then a draw from the softmax
        if liked > best:
            best, found = liked, whole(desk.actions[n])
    return found


@inner
def foresee(
    rules: Rules, state: State, seat: int, turns: int, worth: Worth, weights: Floats, desk: Desk
) -> float:
    """Play on by value until so many turns have ended (solo: placements); what it is then worth to a seat.

    The world must be one of the seat's own redealing. Share and lead stand in the desk's scratch space.
    """
    while state[PHASE] != OVER and turns > 0:
        turns -= state[PHASE] == END_TURN or number_at(rules, IS_SOLO) != 0
        act(rules, state, choose(rules, state, worth, weights, 0.0, 0.0, desk), True, False, state)
    return worth_of(rules, state, seat, weights, desk.scratch)


@compiled
def prospects(rules: Rules, state: State, actions: Numbers, weights: Floats, desk: Desk, out: Floats) -> None:
    """What each of some lawful placements or cards leads to is worth to the mover, by the value alone."""
    size, seat = number_at(rules, STATE_SIZE), whole(state[SEAT])
    for n in range(len(actions)):
        copy(state, desk.trial, size)
        act(rules, desk.trial, whole(actions[n]), True, False, desk.trial)
        out[n] = worth_of(rules, desk.trial, seat, weights, desk.scratch)


@compiled
def decide(rules: Rules, state: State, worth: Worth, weights: Floats, desk: Desk) -> int:
    """`choose` without chance but between equals, for Python."""
    return choose(rules, state, worth, weights, 0.0, 0.0, desk)
