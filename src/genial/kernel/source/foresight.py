"""Looking ahead by value: each candidate in the same redealt worlds, until it is the seat's turn again.

All seats play by looking one move ahead, and the learned value judges the result. This takes far fewer moves
than a playout to the end, and better ones.
"""

from __future__ import annotations

from genial.kernel import state as at
from genial.kernel import totals
from genial.kernel.source.compiled import State, inner, whole
from genial.kernel.source.frame import Doubles, Frame
from genial.kernel.source.maths import power
from genial.kernel.source.play import act
from genial.kernel.source.player import choose
from genial.kernel.source.search import add_markers, blended, enter, note_score
from genial.kernel.source.value import evaluate
from genial.kernel.source.words import doubles_in


@inner
def _play_round(frame: Frame, state: State, action: int, row: Doubles) -> None:
    """Do an action, then play on until everybody has had a turn; note what the next seat's turn scores."""
    rules, worth, weights, desk = frame.rules, frame.worth, frame.weights, frame.desk
    turns, feared = 0, -1
    while True:
        ends = state[at.PHASE] == at.END_TURN
        act(rules, state, action)
        if ends:
            turns += 1
            if turns == 1 and state[at.PHASE] != at.OVER:
                feared = whole(state[at.SEAT])
                add_markers(rules, state, feared, -1.0, row)
        if feared >= 0 and (turns >= 2 or state[at.PHASE] == at.OVER):
            add_markers(rules, state, feared, 1.0, row)
            feared = -1
        if state[at.PHASE] == at.OVER or turns >= rules.seats:
            return
        action = choose(rules, state, worth, weights, desk)


@inner
def _judge(frame: Frame, state: State, seat: int, row: Doubles) -> None:
    """Add what the value says about a state."""
    rules, weights, scratch = frame.rules, frame.weights, frame.desk.scratch
    seats = rules.seats
    evaluate(rules, state, seat, weights, scratch)
    share, lead = float(scratch[0]), float(scratch[1])
    note_score(row, blended(frame.settings, share, lead), lead)
    if seats == 2:
        row[totals.WINS + seat] += share
        row[totals.WINS + 1 - seat] += 1.0 - share
        return
    # A seat that beats each of the others with the same chance beats all of them with its power.
    total = 0.0
    for other in range(seats):
        evaluate(rules, state, other, weights, scratch)
        total += power(float(scratch[0]), seats - 1)
    for other in range(seats):
        evaluate(rules, state, other, weights, scratch)
        row[totals.WINS + other] += power(float(scratch[0]), seats - 1) / max(total, 1e-9)


@inner
def look_ahead(frame: Frame, turn: int, candidate: int) -> None:
    """Look ahead with a candidate in the world of a round."""
    state, row = frame.state, doubles_in(frame.rows, totals.WIDTH * candidate)
    enter(frame, turn, state)
    seat = whole(state[at.SEAT])
    _play_round(frame, state, whole(row[totals.ACTION]), row)
    _judge(frame, state, seat, row)
