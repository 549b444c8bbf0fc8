"""The endgame, exactly: where few places are left, every placement of every seat is tried to the end.

In one redealt world, whose draws are fixed by its stream, each mover does what is best for itself. That
answers who gets the last places, which playouts only guess. A swap is taken where it is open.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genial.kernel import board
from genial.kernel.compiled import Numbers, Rules, State, compiled, inner, whole
from genial.kernel.legal import mask_bytes, may_swap, write_legal
from genial.kernel.play import act, copy
from genial.kernel.redeal import deal_anew
from genial.kernel.rng import next_word
from genial.kernel.search import LEAD, NODES, SCORE, SQUARES, WINS, Totals, lead_of, score_of, win_of
from genial.kernel.state import END_TURN, MOST_SEATS, OVER, PHASE, PLACES, RNG, SEAT
from genial.kernel.tables import ACTIONS, IS_CARDS, IS_SOLO, RACK, SEATS, STACKING, STATE_SIZE, WORDS
from genial.kernel.words import bit_count, number_at, put_word, word_at

MOST_PLACES = 5
"""Exact up to so many places. At six, one world can take a tenth of a second."""
_DEPTH = MOST_PLACES + 2
"""A placement takes away a place at least, so no line is deeper."""
_LEAD, _WINS = MOST_SEATS, MOST_SEATS + 1
"""What comes of a line: each seat's score, the asker's lead, each seat's share of the win."""
_VALUES = 2 * MOST_SEATS + 1


class Stack(NamedTuple):
    """Scratch space for one thread: a state, its actions and the best that came of them, for each depth."""

    states: State
    actions: Numbers
    counts: Numbers
    values: NDArray[np.float64]
    mask: State
    points: State


def new_stack(rules: Rules) -> Stack:
    """Scratch space for one variant and seat count."""
    most = 2 * int(rules[RACK]) * MOST_PLACES
    return Stack(
        np.zeros((_DEPTH, int(rules[STATE_SIZE])), np.uint8),
        np.zeros((_DEPTH, most), np.int32),
        np.zeros((_DEPTH, 2), np.int32),
        np.zeros((_DEPTH, _VALUES)),
        np.zeros(mask_bytes(rules), np.uint8),
        np.zeros((most, 2), np.uint8),
    )


@compiled
def is_near(rules: Rules, state: State) -> bool:
    """Whether so few places are left on a flat board that every line can be looked at.

    Not in solo: there the lines would know which tile comes next.
    """
    if number_at(rules, IS_CARDS) or number_at(rules, STACKING) or number_at(rules, IS_SOLO):
        return False
    if board.is_opening(rules, state):
        return False
    places = 0
    for word in range(number_at(rules, WORDS)):
        places += bit_count(word_at(state, PLACES + 8 * word))
    return places <= MOST_PLACES


@inner
def _act(rules: Rules, state: State, action: int) -> None:
    """Do an action, and end the turn if that is all there is to do."""
    act(rules, state, action, True, False, state)
    while state[PHASE] == END_TURN:
        act(rules, state, number_at(rules, ACTIONS) - 2 + may_swap(rules, state), True, False, state)


@inner
def _judge(
    rules: Rules, state: State, asker: int, lead_weight: float, lead_scale: float, values: Totals
) -> None:
    """Write what comes of a finished game."""
    for seat in range(number_at(rules, SEATS)):
        values[seat] = score_of(rules, state, seat, lead_weight, lead_scale)
        values[_WINS + seat] = win_of(rules, state, seat)
    values[_LEAD] = lead_of(rules, state, asker)


@inner
def _solve(
    rules: Rules,
    stack: Stack,
    asker: int,
    lead_weight: float,
    lead_scale: float,
) -> int:
    """Leave what comes of the first state, everybody doing the best, in the first values; how many lines."""
    states, actions, counts, values = stack.states, stack.actions, stack.counts, stack.values
    size, depth, lines, fresh = number_at(rules, STATE_SIZE), 0, 0, True
    while depth >= 0:
        state = states[depth]
        if state[PHASE] == OVER:
            _judge(rules, state, asker, lead_weight, lead_scale, values[depth])
            lines += 1
        elif fresh:
            counts[depth, 0] = write_legal(rules, state, stack.mask, actions[depth], stack.points)
            counts[depth, 1] = 0
            values[depth, whole(state[SEAT])] = -1.0
        if state[PHASE] != OVER and counts[depth, 1] < counts[depth, 0]:
            copy(state, states[depth + 1], size)
            _act(rules, states[depth + 1], whole(actions[depth, counts[depth, 1]]))
            counts[depth, 1] += 1
            depth, fresh = depth + 1, True
            continue
        # All that can follow is known: the mover before takes it if it is the best so far.
        depth, fresh = depth - 1, False
        if depth >= 0:
            mover = whole(states[depth, SEAT])
            if values[depth + 1, mover] > values[depth, mover]:
                for n in range(_VALUES):
                    values[depth, n] = values[depth + 1, n]
    return lines


@compiled
def exact(
    rules: Rules,
    worlds: State,
    redealing: bool,
    stack: Stack,
    candidates: Numbers,
    turn: int,
    seed: int,
    lead_weight: float,
    lead_scale: float,
    totals: Totals,
) -> int:
    """Solve one world after each candidate, and add what comes of it to the totals; how many lines that were.

    Worlds lie one behind the other, as for `search.playouts`; the turn says which one it is.
    """
    size, lines = number_at(rules, STATE_SIZE), 0
    count = len(worlds) // size
    world = worlds[size * (turn % count) : size * (turn % count + 1)]
    asker, state, values = whole(world[SEAT]), stack.states[0], stack.values
    put_word(state, RNG, np.uint64(seed) + np.uint64(turn) * np.uint64(0x9E3779B97F4A7C15))
    stream = next_word(state) >> np.uint64(1)
    for n in range(len(candidates)):
        copy(world, state, size)
        if redealing:
            deal_anew(rules, state, 1 << asker, whole(stream))
        else:
            put_word(state, RNG, stream)
        _act(rules, state, whole(candidates[n]))
        lines += _solve(rules, stack, asker, lead_weight, lead_scale)
        score = values[0, asker]
        totals[n, NODES] += 1.0
        totals[n, SCORE] += score
        totals[n, SQUARES] += score * score
        totals[n, LEAD] += values[0, _LEAD]
        for seat in range(number_at(rules, SEATS)):
            totals[n, WINS + seat] += values[0, _WINS + seat]
    return lines
