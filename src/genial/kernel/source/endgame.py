"""The exact endgame: when few pairs of cells are left, every placement of every seat is tried to the end.

In one redealt world, whose draws are fixed by its stream, each mover does what is best for itself. This
settles who gets the last spaces, which playouts can only guess. A swap is made whenever possible. The lines
are on a stack in the search's memory, so that the search can be paused and resumed within a world.
"""

from __future__ import annotations

from genial.kernel import state as at
from genial.kernel import totals
from genial.kernel.source import board
from genial.kernel.source.compiled import State, inner, whole
from genial.kernel.source.frame import (
    DEPTH,
    IS_NEW,
    LINES,
    MOST_PAIRS,
    OUTCOME,
    OUTCOME_LEAD,
    OUTCOME_WINS,
    Doubles,
    Frame,
    most_exact,
)
from genial.kernel.source.legal import list_placements
from genial.kernel.source.play import act, copy
from genial.kernel.source.player import ending
from genial.kernel.source.rules import Rules
from genial.kernel.source.search import enter, lead_of, note_score, score_of, win_of
from genial.kernel.source.words import bit_count, bytes_in, doubles_in, ints_in, word_at


@inner
def is_near(rules: Rules, state: State) -> bool:
    """True if so few pairs of cells are left on a flat board that every line can be tried.

    Not in solo games: there the lines would know which tile comes next.
    """
    if rules.is_cards or rules.stacking or rules.is_solo:
        return False
    if board.is_opening(rules, state):
        return False
    pairs = 0
    for word in range(rules.words):
        pairs += bit_count(word_at(state, at.OPEN_PAIRS + 8 * word))
    return pairs <= MOST_PAIRS


@inner
def _act(rules: Rules, state: State, action: int) -> None:
    """Do an action, and end the turn if nothing else is left to do."""
    act(rules, state, action)
    while state[at.PHASE] == at.END_TURN:
        act(rules, state, ending(rules, state))


@inner
def _judge(frame: Frame, state: State, asker: int, outcome: Doubles) -> None:
    """Write the outcome of a finished game."""
    rules = frame.rules
    for seat in range(rules.seats):
        outcome[seat] = score_of(rules, frame.settings, state, seat)
        outcome[OUTCOME_WINS + seat] = win_of(rules, state, seat)
    outcome[OUTCOME_LEAD] = lead_of(rules, state, asker)


@inner
def _begin(frame: Frame, turn: int, candidate: int) -> None:
    """Set up the first state of all lines: the world of a round, after the candidate."""
    state = frame.stack.states
    enter(frame, turn, state)
    _act(frame.rules, state, whole(doubles_in(frame.rows, totals.WIDTH * candidate)[totals.ACTION]))
    frame.numbers[DEPTH], frame.numbers[IS_NEW] = 0, 1


@inner
def _go_on(frame: Frame, asker: int, moves: int) -> int:
    """Continue for at most `moves` moves. Returns how many were made. Below depth 0 all is known."""
    rules, numbers, counts = frame.rules, frame.numbers, frame.stack.counts
    size, most = rules.state_size, most_exact(rules)
    depth, is_new, done = numbers[DEPTH], numbers[IS_NEW], 0
    while depth >= 0 and done < moves:
        done += 1
        state = bytes_in(frame.stack.states, size * depth)
        actions = ints_in(frame.stack.actions, most * depth)
        outcome = doubles_in(frame.stack.outcomes, OUTCOME * depth)
        if state[at.PHASE] == at.OVER:
            _judge(frame, state, asker, outcome)
            numbers[LINES] += 1
        elif is_new:
            counts[2 * depth], counts[2 * depth + 1] = list_placements(rules, state, actions), 0
            outcome[whole(state[at.SEAT])] = -1.0
        if state[at.PHASE] != at.OVER and counts[2 * depth + 1] < counts[2 * depth]:
            following = bytes_in(state, size)
            copy(state, following, size)
            _act(rules, following, whole(actions[counts[2 * depth + 1]]))
            counts[2 * depth + 1] += 1
            depth, is_new = depth + 1, 1
            continue
        # Everything that can follow is known: the mover before takes it if it is the best so far.
        depth, is_new = depth - 1, 0
        if depth >= 0:
            _take_if_best(frame, depth)
    numbers[DEPTH], numbers[IS_NEW] = depth, is_new
    return done


@inner
def _take_if_best(frame: Frame, depth: int) -> None:
    """An action's outcome becomes its state's outcome if its mover likes nothing better."""
    mover = whole(frame.stack.states[frame.rules.state_size * depth + at.SEAT])
    best = doubles_in(frame.stack.outcomes, OUTCOME * depth)
    found = doubles_in(frame.stack.outcomes, OUTCOME * (depth + 1))
    if found[mover] > best[mover]:
        for n in range(OUTCOME):
            best[n] = found[n]


@inner
def solve(frame: Frame, turn: int, candidate: int, moves: int) -> int:
    """Solve the world of a round after a candidate, or resume that, for about `moves` moves.

    Returns how many. Below depth 0 it is done, and the outcome is added to the candidate's row.
    """
    asker = whole(frame.worlds[at.SEAT])
    if frame.numbers[DEPTH] < 0:
        _begin(frame, turn, candidate)
    done = _go_on(frame, asker, moves)
    if frame.numbers[DEPTH] < 0:
        row, outcome = doubles_in(frame.rows, totals.WIDTH * candidate), frame.stack.outcomes
        note_score(row, outcome[asker], outcome[OUTCOME_LEAD])
        for seat in range(frame.rules.seats):
            row[totals.WINS + seat] += outcome[OUTCOME_WINS + seat]
    return done
