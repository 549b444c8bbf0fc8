"""Games in which the value learned so far plays against itself, with all that is needed to learn from them.

States that the value may be asked about are noted with what became of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genial.kernel.balanced import Worth
from genial.kernel.compiled import Numbers, Rules, State, compiled, inner, whole
from genial.kernel.features import Floats, are_opponents, write_common, write_opponent
from genial.kernel.play import act, begin
from genial.kernel.player import Desk, chance, choose
from genial.kernel.rng import below
from genial.kernel.scoring import standing
from genial.kernel.state import END_TURN, OVER, PHASE, RNG, SEAT
from genial.kernel.tables import IS_SOLO, SEATS
from genial.kernel.value import FEATURE_COUNT, ahead, evaluate
from genial.kernel.words import number_at, put_word

Samples = NDArray[np.uint8]
"""A row a state: its features as bytes."""

SHARE, LEAD = 0, 1
"""What is learned: whether the seat ended ahead of its opponent, and by how much (`value.evaluate`)."""
MOST_A_GAME = 2048
"""No game notes more states than this; with less room left in the samples none is begun."""


@inner
def _note(
    rules: Rules, state: State, seat: int, scratch: Floats, samples: Samples, pairs: State, count: int
) -> int:
    """Note a state as a seat sees it, beside each opponent; how many are noted then."""
    write_common(rules, state, seat, scratch)
    for other in range(number_at(rules, SEATS)):
        if are_opponents(rules, seat, other) or number_at(rules, IS_SOLO):
            if not number_at(rules, IS_SOLO):
                write_opponent(rules, state, other, scratch)
            for n in range(FEATURE_COUNT):
                samples[count, n] = np.uint8(scratch[n])
            pairs[count] = 4 * seat + other
            count += 1
    return count


@inner
def _judge(rules: Rules, state: State, pairs: State, targets: Floats, first: int, last: int) -> None:
    """Write what became of the noted states."""
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

    A wild game in so many is played hotter by far, so that the value knows unusual states too.
    """
    count, games = 0, 0
    while count + MOST_A_GAME <= len(samples):
        begin(rules, fresh, state)
        first = count
        warmth = 1.0
        if chance(state) < wild:
            warmth = 1.0 + 5.0 * chance(state)
        while state[PHASE] != OVER:
            mover, placing = whole(state[SEAT]), state[PHASE] != END_TURN
            action = choose(rules, state, worth, weights, warmth * heat, warmth * heat_of_worth, desk)
            act(rules, state, action, True, False, state)
            if state[PHASE] == OVER:
                break
            if placing:  # what a player compares
                count = _note(rules, state, mover, desk.scratch, samples, pairs, count)
            elif below(state, 2):  # what a search meets at the end of a turn, seen by either side
                viewer = below(state, number_at(rules, SEATS))
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
    """Play duplicate games: each deal once with the weights on each seat, others' weights on all the rest.

    Results: for each game the share of the opponents beaten and the lead. Empty weights: balanced play.
    """
    seats = number_at(rules, SEATS)
    for game in range(games):
        seat = game % seats
        put_word(state, RNG, np.uint64(seed + game // seats) * np.uint64(0x9E3779B97F4A7C15))
        begin(rules, fresh, state)
        while state[PHASE] != OVER:
            mine = whole(state[SEAT]) == seat
            action = choose(rules, state, worth, weights if mine else others, 0.0, 0.0, desk)
            act(rules, state, action, True, False, state)
        evaluate(rules, state, seat, weights, desk.scratch)
        results[game, SHARE], results[game, LEAD] = desk.scratch[0], desk.scratch[1]
