"""Games in which the value learned so far plays against itself, with everything needed to learn from them.

States that the value may be asked about are noted together with their outcomes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genial.kernel import state as at
from genial.kernel.network import FEATURE_COUNT
from genial.kernel.source.balanced import Worth
from genial.kernel.source.compiled import Numbers, State, compiled, inlined, inner, whole
from genial.kernel.source.features import Floats, write_common, write_opponent
from genial.kernel.source.maths import log
from genial.kernel.source.play import act, begin
from genial.kernel.source.player import ending, tried
from genial.kernel.source.rng import below, next_word
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import ahead, are_opponents, standing
from genial.kernel.source.shortlist import Desk, shortlist
from genial.kernel.source.value import evaluate
from genial.kernel.source.words import put_word

Samples = NDArray[np.uint8]
"""One row per state: its features as bytes."""

SHARE, LEAD = 0, 1
"""What is learned: whether the seat ended ahead of its opponent, and by how much (`value.evaluate`)."""
MOST_A_GAME = 2048
"""No game notes more states than this; with less room left in the samples none is started."""


@inlined
def _chance(state: State) -> float:
    """A random number strictly between 0 and 1."""
    return (float(next_word(state) >> np.uint64(11)) + 0.5) * 2.0**-53


@inner
def _choose(
    rules: Rules, state: State, worth: Worth, weights: Floats, heat: float, heat_of_worth: float, desk: Desk
) -> int:
    """The mover's action, as in `player.choose` but randomised; without weights balanced play chooses."""
    if state[at.PHASE] == at.END_TURN:
        return ending(rules, state)
    best, found = -1e30, 0
    for n in range(shortlist(rules, state, worth, desk, desk.room)):
        if len(weights):
            liked, warmth = tried(rules, state, n, weights, desk), heat
        else:
            liked, warmth = float(desk.worths[n]), heat_of_worth
        if warmth > 0:
            liked -= warmth * log(-log(_chance(state)))  # the largest is then a draw from the softmax
        if liked > best:
            best, found = liked, whole(desk.actions[n])
    return found


@inner
def _note(
    rules: Rules, state: State, seat: int, scratch: Floats, samples: Samples, pairs: State, count: int
) -> int:
    """Note a state as a seat sees it, once per opponent. Returns how many are noted by then."""
    write_common(rules, state, seat, scratch)
    for other in range(rules.seats):
        if are_opponents(rules, seat, other) or rules.is_solo:
            if not rules.is_solo:
                write_opponent(rules, state, other, scratch)
            for n in range(FEATURE_COUNT):
                samples[count, n] = np.uint8(scratch[n])
            pairs[count] = 4 * seat + other
            count += 1
    return count


@inner
def _judge(rules: Rules, state: State, pairs: State, targets: Floats, first: int, last: int) -> None:
    """Write the outcomes of the noted states."""
    for n in range(first, last):
        seat, other = whole(pairs[n]) >> 2, whole(pairs[n]) & 3
        lead = standing(rules, state, seat, 0)
        if seat != other:
            lead -= standing(rules, state, other, 0)
            targets[n, SHARE] = ahead(rules, state, seat, other)
        targets[n, LEAD] = lead


@compiled
def gather(
    rules: Rules,
    fresh: State,
    state: State,
    worth: Worth,
    weights: Floats,
    heat: float,
    heat_of_worth: float,
    wild: float,
    desk: Desk,
    samples: Samples,
    pairs: State,
    targets: Floats,
    counts: Numbers,
) -> None:
    """Play games until the samples are nearly full; write how many samples and games there are.

    Now and then a game is played with much more randomness, so that the value knows unusual states too.
    """
    count, games = 0, 0
    while count + MOST_A_GAME <= len(samples):
        begin(rules, fresh, state, True)
        first = count
        warmth = 1.0
        if _chance(state) < wild:
            warmth = 1.0 + 5.0 * _chance(state)
        while state[at.PHASE] != at.OVER:
            mover, placing = whole(state[at.SEAT]), state[at.PHASE] != at.END_TURN
            action = _choose(rules, state, worth, weights, warmth * heat, warmth * heat_of_worth, desk)
            act(rules, state, action)
            if state[at.PHASE] == at.OVER:
                break
            if placing:  # what a player compares
                count = _note(rules, state, mover, desk.scratch, samples, pairs, count)
            elif below(state, 2):  # what a search meets at the end of a turn, seen by either side
                viewer = below(state, rules.seats)
                count = _note(rules, state, viewer, desk.scratch, samples, pairs, count)
        _judge(rules, state, pairs, targets, first, count)
        games += 1
    counts[0], counts[1] = count, games


@compiled
def contest(
    rules: Rules,
    fresh: State,
    state: State,
    worth: Worth,
    weights: Floats,
    others: Floats,
    seed: int,
    games: int,
    desk: Desk,
    results: Floats,
) -> None:
    """Play duplicate games: each deal once with the weights on each seat, and the others' on all the rest.

    Results: for each game the share of the opponents beaten and the lead. Empty weights mean balanced play.
    """
    seats = rules.seats
    for game in range(games):
        seat = game % seats
        put_word(state, at.RNG, np.uint64(seed + game // seats) * np.uint64(0x9E3779B97F4A7C15))
        begin(rules, fresh, state, True)
        while state[at.PHASE] != at.OVER:
            mine = whole(state[at.SEAT]) == seat
            action = _choose(rules, state, worth, weights if mine else others, 0.0, 0.0, desk)
            act(rules, state, action)
        evaluate(rules, state, seat, weights, desk.scratch)
        results[game, SHARE], results[game, LEAD] = desk.scratch[0], desk.scratch[1]
