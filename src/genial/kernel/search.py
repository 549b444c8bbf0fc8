"""Looking ahead by playing out: each candidate in the same redealt worlds, with the same chance.

A playout does the candidate, then balanced play for all seats to the end. What comes of it is added up in a
row of totals for each candidate; Python decides which candidates go on, and looks at the clock.
"""

from __future__ import annotations

from math import tanh

import numpy as np
from numpy.typing import NDArray

from genial.kernel.balanced import Worth, card_worth, choose, placement_worth, prepare
from genial.kernel.compiled import Numbers, Rules, State, compiled, inlined, inner, whole
from genial.kernel.play import act, copy
from genial.kernel.redeal import deal_anew
from genial.kernel.rng import next_word
from genial.kernel.scoring import is_ahead, place_of, standing
from genial.kernel.state import COLOURS, MOST_SEATS, OVER, PHASE, RNG, SEAT
from genial.kernel.tables import ACTIONS, IS_CARDS, IS_SHARED, IS_SOLO, PAIRS, SEATS, STATE_SIZE, TRACK_OF
from genial.kernel.words import number_at, put_word

Totals = NDArray[np.float64]
"""A row for each candidate, sums over its playouts."""

NODES, SCORE, SQUARES, LEAD = 0, 1, 2, 3
FEAR = 4
"""The points of the next opponent's next turn, by colour."""
WINS = FEAR + COLOURS
"""Each seat's share of the win."""
WIDTH = WINS + MOST_SEATS


@inlined
def _are_opposed(rules: Rules, seat: int, other: int) -> bool:
    if number_at(rules, IS_SHARED):
        return seat != other
    return number_at(rules, TRACK_OF + seat) != number_at(rules, TRACK_OF + other)


@inner
def _share(rules: Rules, state: State, seat: int) -> float:
    """The share of the opposing seats that a seat has beaten; ties count half."""
    beaten, opposed = 0.0, 0
    for other in range(number_at(rules, SEATS)):
        if _are_opposed(rules, seat, other):
            opposed += 1
            if is_ahead(rules, state, seat, other):
                beaten += 1.0
            elif not is_ahead(rules, state, other, seat):
                beaten += 0.5
    return beaten / opposed


@inner
def lead_of(rules: Rules, state: State, seat: int) -> float:
    """How far a seat's lowest marker is before the best opponent's; solo: where it stands (duel: colours)."""
    best = -1
    for other in range(number_at(rules, SEATS)):
        if _are_opposed(rules, seat, other):
            best = max(best, standing(rules, state, other, 0))
    return float(standing(rules, state, seat, 0) - max(best, 0))


@inner
def win_of(rules: Rules, state: State, seat: int) -> float:
    """A seat's share of the win: all of it, its part among those who are first, or nothing."""
    first = 0
    for other in range(number_at(rules, SEATS)):
        if is_ahead(rules, state, other, seat):
            return 0.0
        first += not is_ahead(rules, state, seat, other)
    return 1.0 / first


@inner
def score_of(rules: Rules, state: State, seat: int, lead_weight: float, lead_scale: float) -> float:
    """What a finished game is to a seat: share and lead as one number; solo: mostly the lowest marker."""
    lead = lead_of(rules, state, seat)
    if number_at(rules, IS_SOLO):
        for rank in range(1, COLOURS):
            lead += lead_weight * standing(rules, state, seat, rank) / rank
        return lead
    ahead = 0.5 + 0.5 * tanh(lead / lead_scale)
    return (1.0 - lead_weight) * _share(rules, state, seat) + lead_weight * ahead


@inner
def _judge(rules: Rules, state: State, seat: int, lead_weight: float, lead_scale: float, row: Totals) -> None:
    """Add what a finished game brought a seat."""
    score = score_of(rules, state, seat, lead_weight, lead_scale)
    row[NODES] += 1.0
    row[SCORE] += score
    row[SQUARES] += score * score
    row[LEAD] += lead_of(rules, state, seat)
    for other in range(number_at(rules, SEATS)):
        row[WINS + other] += win_of(rules, state, other)


@inner
def add_places(rules: Rules, state: State, seat: int, sign: float, row: Totals) -> None:
    """Add where a seat's markers stand to what is feared of it, or take that off."""
    for colour in range(COLOURS):
        row[FEAR + colour] += sign * place_of(rules, state, seat, colour)


@inner
def _play_out(rules: Rules, state: State, action: int, worth: Worth, scratch: Worth, row: Totals) -> None:
    """Do an action, then balanced play for all; note what the next seat's next turn brings it."""
    seat, feared = whole(state[SEAT]), number_at(rules, SEATS)
    while True:
        act(rules, state, action, True, False, state)
        moving = whole(state[SEAT])
        if feared == number_at(rules, SEATS) and moving != seat:
            feared = moving
            add_places(rules, state, feared, -1.0, row)
        if feared < number_at(rules, SEATS) and (moving != feared or state[PHASE] == OVER):
            add_places(rules, state, feared, 1.0, row)
            feared = number_at(rules, SEATS) + 1
        if state[PHASE] == OVER:
            return
        action = choose(rules, state, worth, scratch)


@inner
def stream_of(state: State, seed: int, turn: int) -> np.uint64:
    """The chance of one round, the same for all its candidates. The state is used to draw it."""
    put_word(state, RNG, np.uint64(seed) + np.uint64(turn) * np.uint64(0x9E3779B97F4A7C15))
    return next_word(state) >> np.uint64(1)


@inner
def enter(rules: Rules, world: State, redealing: bool, stream: np.uint64, state: State) -> None:
    """Make the state a world: what is hidden in it dealt anew where that is exact, else its chance alone."""
    copy(world, state, number_at(rules, STATE_SIZE))
    if redealing:
        deal_anew(rules, state, 1 << whole(world[SEAT]), whole(stream))
    else:
        put_word(state, RNG, stream)


@compiled
def playouts(
    rules: Rules,
    worlds: State,
    redealing: bool,
    state: State,
    worth: Worth,
    scratch: Worth,
    actions: Numbers,
    live: Numbers,
    first: int,
    last: int,
    seed: int,
    lead_weight: float,
    lead_scale: float,
    totals: Totals,
) -> None:
    """Play the live candidates out in the rounds from first to last; worlds lie one behind the other.

    Where redealing is exact it is done here, anew in each round; else each round takes the next world.
    """
    size = number_at(rules, STATE_SIZE)
    count = len(worlds) // size
    for turn in range(first, last):
        world = worlds[size * (turn % count) : size * (turn % count + 1)]
        seat, stream = whole(world[SEAT]), stream_of(state, seed, turn)
        for n in range(len(live)):
            enter(rules, world, redealing, stream, state)
            row = totals[live[n]]
            _play_out(rules, state, whole(actions[live[n]]), worth, scratch, row)
            _judge(rules, state, seat, lead_weight, lead_scale, row)


@compiled
def worths(rules: Rules, state: State, worth: Worth, scratch: Worth, actions: Numbers, out: Numbers) -> None:
    """Write what balanced play thinks of each of some lawful actions; ending the turn is worth nothing."""
    refill, pairs = number_at(rules, ACTIONS) - 2, number_at(rules, PAIRS)
    if not number_at(rules, IS_CARDS):
        prepare(rules, state, worth, scratch)
    for n in range(len(actions)):
        action = whole(actions[n])
        group = action // pairs
        if action >= refill:
            out[n] = action - refill
        elif number_at(rules, IS_CARDS):
            out[n] = card_worth(rules, state, worth, group >> 1, group & 1)
        else:
            out[n] = placement_worth(rules, state, scratch, action)


@compiled
def chosen(rules: Rules, state: State, worth: Worth, scratch: Worth) -> int:
    """What balanced play does, by its number."""
    return choose(rules, state, worth, scratch)
