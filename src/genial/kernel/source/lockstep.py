"""Games that advance in lockstep, so that a value can judge the moves of all of them at once.

Each function handles one game, as in `many`: it offers moves, tries one, or continues with the chosen one.
What is noted about a state is its `features`, as bytes: a row for each opponent of the seat that looks.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.network import ENDED, FEATURE_COUNT, NONE, OPEN
from genial.kernel.source.balanced import Worth
from genial.kernel.source.compiled import Numbers, State, compiled, inner, whole
from genial.kernel.source.features import Floats, write_common, write_opponent
from genial.kernel.source.play import act, copy
from genial.kernel.source.player import ending
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import ahead, are_opponents, standing, step_of
from genial.kernel.source.shortlist import Desk, shortlist
from genial.kernel.source.words import bytes_in, floats_in, put_word, word_at


@compiled
def offer(
    rules: Rules, worth: Worth, state: State, paper: Worth, actions: Numbers, worths: Numbers, room: int
) -> None:
    """List the moves that balanced play likes best, best first; -1 where there are no more."""
    count = 0
    if state[at.PHASE] != at.OVER:
        desk = Desk(state, paper, floats_in(state, 0), actions, worths, room)
        count = shortlist(rules, state, worth, desk, room)
    for n in range(count, room):
        actions[n] = -1


@inner
def _look(rules: Rules, state: State, seat: int, samples: State) -> None:
    """Note what a seat sees, one row per opponent; in solo the only row has none."""
    write_common(rules, state, seat, samples)
    row = 0
    for other in range(rules.seats):
        if are_opponents(rules, seat, other):
            here = bytes_in(samples, FEATURE_COUNT * row)
            if row:
                for n in range(FEATURE_COUNT):
                    here[n] = samples[n]
            write_opponent(rules, state, other, here)
            row += 1


@compiled
def attempt(
    rules: Rules, given: State, state: State, action: Numbers, samples: State, outcome: Floats
) -> None:
    """Try a move on a copy of a game, and note what its mover sees afterwards.

    Outcome: whether the game is then over and, if so, the mover's share and lead, as in `value.evaluate`.
    """
    outcome[0], outcome[1], outcome[2] = np.float32(NONE), np.float32(0), np.float32(0)
    if action[0] < 0:
        return
    seat = whole(given[at.SEAT])
    copy(given, state, rules.state_size)
    # What is drawn after the action must not be known before it.
    put_word(state, at.RNG, word_at(given, at.RNG) + np.uint64(action[0] + 1))
    act(rules, state, whole(action[0]))
    if state[at.PHASE] != at.OVER:
        outcome[0] = np.float32(OPEN)
        _look(rules, state, seat, samples)
        return
    outcome[0] = np.float32(ENDED)
    if rules.is_solo:
        outcome[2] = np.float32(standing(rules, state, seat, 0))
        return
    share, lead, opponents = 0.0, 0, 0
    for other in range(rules.seats):
        if are_opponents(rules, seat, other):
            opponents += 1
            share += ahead(rules, state, seat, other)
            lead += standing(rules, state, seat, 0) - standing(rules, state, other, 0)
    outcome[1], outcome[2] = np.float32(share / opponents), np.float32(lead / opponents)


@compiled
def advance(rules: Rules, state: State, action: Numbers, finals: Floats) -> int:
    """Continue with a move, ending the turn where it ends. Returns how many tiles or cards were placed.

    Finals, once the game is over, for each seat: its share against each seat, its lead over each (over
    itself: its lowest marker), and the steps of its six markers.
    """
    if action[0] < 0 or state[at.PHASE] == at.OVER:
        return 0
    act(rules, state, whole(action[0]))
    while state[at.PHASE] == at.END_TURN:
        act(rules, state, ending(rules, state))
    if state[at.PHASE] == at.OVER:
        _write_finals(rules, state, finals)
    return 1


@inner
def _write_finals(rules: Rules, state: State, finals: Floats) -> None:
    seats = rules.seats
    for seat in range(seats):
        row = floats_in(finals, (2 * seats + at.COLOURS) * seat)
        for other in range(seats):
            row[other] = np.float32(ahead(rules, state, seat, other))
            lead = standing(rules, state, seat, 0)
            if other != seat:
                lead -= standing(rules, state, other, 0)
            row[seats + other] = np.float32(lead)
        for colour in range(at.COLOURS):
            row[2 * seats + colour] = np.float32(step_of(rules, state, seat, colour))


@compiled
def view(rules: Rules, state: State, seat: Numbers, samples: State) -> None:
    """Note what a given seat sees of a game that goes on."""
    if state[at.PHASE] != at.OVER:
        _look(rules, state, whole(seat[0]), samples)
