"""Looking ahead by playouts: each candidate in the same redealt worlds, with the same random numbers.

A playout does the candidate, then plays balanced for all seats to the end. The outcomes are summed in the
candidate's row.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import settings, totals
from genial.kernel import state as at
from genial.kernel.source.balanced import choose
from genial.kernel.source.compiled import State, inlined, inner, whole
from genial.kernel.source.frame import SEED, Doubles, Frame
from genial.kernel.source.maths import tanh
from genial.kernel.source.play import act, copy
from genial.kernel.source.redeal import deal_anew
from genial.kernel.source.rng import next_word
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import ahead, are_opponents, is_ahead, standing, step_of
from genial.kernel.source.words import bytes_in, doubles_in, put_word

_APART = np.uint64(0x9E3779B97F4A7C15)
"""The distance between the streams of two rounds."""


@inner
def enter(frame: Frame, turn: int, state: State) -> None:
    """Make a state the world of a round: the same for all its candidates, random numbers included.

    What is hidden is redealt where that is exact; otherwise each round takes the next world.
    """
    rules, size = frame.rules, frame.rules.state_size
    world = bytes_in(frame.worlds, size * (turn % whole(frame.settings[settings.WORLDS])))
    put_word(state, at.RNG, np.uint64(frame.numbers[SEED]) + np.uint64(turn) * _APART)
    stream = next_word(state) >> np.uint64(1)
    copy(world, state, size)
    if frame.settings[settings.REDEALING]:
        deal_anew(rules, state, 1 << whole(world[at.SEAT]), whole(stream))
    else:
        put_word(state, at.RNG, stream)


@inner
def _share(rules: Rules, state: State, seat: int) -> float:
    """The share of its opponents that a seat has beaten; ties count half."""
    beaten, opponents = 0.0, 0
    for other in range(rules.seats):
        if are_opponents(rules, seat, other):
            opponents += 1
            beaten += ahead(rules, state, seat, other)
    return beaten / opponents


@inner
def lead_of(rules: Rules, state: State, seat: int) -> float:
    """A seat's lead over the best opponent's lowest marker; solo: its own lowest (duel: colours won)."""
    best = -1
    for other in range(rules.seats):
        if are_opponents(rules, seat, other):
            best = max(best, standing(rules, state, other, 0))
    return float(standing(rules, state, seat, 0) - max(best, 0))


@inner
def win_of(rules: Rules, state: State, seat: int) -> float:
    """A seat's share of the win: all of it, its part among those tied for first, or nothing."""
    first = 0
    for other in range(rules.seats):
        if is_ahead(rules, state, other, seat):
            return 0.0
        first += not is_ahead(rules, state, seat, other)
    return 1.0 / first


@inlined
def blended(told: Doubles, share: float, lead: float) -> float:
    """Share and lead combined into one number."""
    weight = told[settings.LEAD_WEIGHT]
    far = 0.5 + 0.5 * tanh(lead / told[settings.LEAD_SCALE])
    return float((1.0 - weight) * share + weight * far)


@inner
def score_of(rules: Rules, told: Doubles, state: State, seat: int) -> float:
    """What a finished game is worth to a seat: share and lead; solo: mostly the lowest marker."""
    lead = lead_of(rules, state, seat)
    if rules.is_solo:
        for rank in range(1, at.COLOURS):
            lead += told[settings.LEAD_WEIGHT] * standing(rules, state, seat, rank) / rank
        return lead
    return blended(told, _share(rules, state, seat), lead)


@inlined
def note_score(row: Doubles, score: float, lead: float) -> None:
    """Count one more node of a candidate."""
    row[totals.NODES] += 1.0
    row[totals.SCORE] += score
    row[totals.SQUARES] += score * score
    row[totals.LEAD] += lead


@inner
def _judge(frame: Frame, state: State, seat: int, row: Doubles) -> None:
    """Add the outcome of a finished game for a seat."""
    rules = frame.rules
    note_score(row, score_of(rules, frame.settings, state, seat), lead_of(rules, state, seat))
    for other in range(rules.seats):
        row[totals.WINS + other] += win_of(rules, state, other)


@inner
def add_markers(rules: Rules, state: State, seat: int, sign: float, row: Doubles) -> None:
    """Add a seat's markers, times `sign`, to what is feared of it."""
    for colour in range(at.COLOURS):
        row[totals.FEAR + colour] += sign * step_of(rules, state, seat, colour)


@inner
def _play_out(frame: Frame, state: State, action: int, row: Doubles) -> None:
    """Do an action, then play balanced for all; note what the next seat scores in its next turn."""
    rules, worth, paper = frame.rules, frame.worth, frame.desk.paper
    seat, seats = whole(state[at.SEAT]), rules.seats
    feared = seats
    while True:
        act(rules, state, action)
        moving = whole(state[at.SEAT])
        if feared == seats and moving != seat:
            feared = moving
            add_markers(rules, state, feared, -1.0, row)
        if feared < seats and (moving != feared or state[at.PHASE] == at.OVER):
            add_markers(rules, state, feared, 1.0, row)
            feared = seats + 1
        if state[at.PHASE] == at.OVER:
            return
        action = choose(rules, state, worth, paper)


@inner
def play_out(frame: Frame, turn: int, candidate: int) -> None:
    """Play a candidate out in the world of a round."""
    state, row = frame.state, doubles_in(frame.rows, totals.WIDTH * candidate)
    enter(frame, turn, state)
    seat = whole(state[at.SEAT])
    _play_out(frame, state, whole(row[totals.ACTION]), row)
    _judge(frame, state, seat, row)
