"""A player that looks one move ahead: it values the results of its likeliest placements, and takes the best.

Balanced play proposes the placements, the learned value judges them. The player knows only what its seat
knows, so in a redealt world it stands for what an opponent would do there, and a search can build on it.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.network import LEAD_PULL
from genial.kernel.source.balanced import Worth
from genial.kernel.source.compiled import State, inlined, inner, whole
from genial.kernel.source.features import Floats
from genial.kernel.source.legal import may_swap
from genial.kernel.source.maths import log
from genial.kernel.source.play import act, copy
from genial.kernel.source.rules import Rules
from genial.kernel.source.shortlist import Desk, shortlist
from genial.kernel.source.value import evaluate, worth_of
from genial.kernel.source.words import put_word, word_at


@inlined
def _log_odds(share: float) -> float:
    kept = min(max(share, 0.001), 0.999)
    return log(kept / (1 - kept))


@inner
def _liking(rules: Rules, state: State, seat: int, weights: Floats, scratch: Floats) -> float:
    """How much a seat likes a state: in solo its lowest marker, otherwise log odds of the share, and lead."""
    evaluate(rules, state, seat, weights, scratch)
    if rules.is_solo:
        return float(scratch[1])
    return _log_odds(float(scratch[0])) + LEAD_PULL * float(scratch[1])


@inlined
def ending(rules: Rules, state: State) -> int:
    """How a player ends its turn: by swapping, if possible."""
    return rules.actions - 2 + may_swap(rules, state)


@inner
def tried(rules: Rules, state: State, n: int, weights: Floats, desk: Desk) -> float:
    """How much the mover likes the result of the n-th action on its desk."""
    copy(state, desk.trial, rules.state_size)
    # What is drawn after the action must not be known before it.
    put_word(desk.trial, at.RNG, word_at(state, at.RNG) + np.uint64(n + 1))
    act(rules, desk.trial, whole(desk.actions[n]))
    return _liking(rules, desk.trial, whole(state[at.SEAT]), weights, desk.scratch)


@inner
def choose(rules: Rules, state: State, worth: Worth, weights: Floats, desk: Desk) -> int:
    """The mover's action, looking one move ahead."""
    if state[at.PHASE] == at.END_TURN:
        return ending(rules, state)
    best, found = -1e30, 0
    for n in range(shortlist(rules, state, worth, desk, desk.room)):
        liked = tried(rules, state, n, weights, desk)
        if liked > best:
            best, found = liked, whole(desk.actions[n])
    return found


@inner
def prospect(rules: Rules, state: State, action: int, weights: Floats, desk: Desk) -> float:
    """What the result of a lawful placement or card is worth to the mover, by the value alone."""
    copy(state, desk.trial, rules.state_size)
    act(rules, desk.trial, action)
    return worth_of(rules, desk.trial, whole(state[at.SEAT]), weights, desk.scratch)
