"""Looking ahead by value: each candidate in the same redealt worlds, until the seat is to move again.

All seats play by one look ahead, and the learned value judges what has come of it. Far fewer moves are made
than in a playout to the end, and better ones. The totals are those of `kernel.search`.
"""

from __future__ import annotations

from math import tanh

from genial.kernel.balanced import Worth
from genial.kernel.compiled import Numbers, Rules, State, compiled, inner, whole
from genial.kernel.features import Floats
from genial.kernel.play import act
from genial.kernel.player import Desk, choose
from genial.kernel.search import LEAD, NODES, SCORE, SQUARES, WINS, Totals, add_places, enter, stream_of
from genial.kernel.state import END_TURN, OVER, PHASE, SEAT
from genial.kernel.tables import SEATS, STATE_SIZE
from genial.kernel.value import evaluate
from genial.kernel.words import number_at


@inner
def _play_round(
    rules: Rules, state: State, action: int, worth: Worth, weights: Floats, desk: Desk, row: Totals
) -> None:
    """Do an action, then play on until everybody has had a turn; note what the next seat's brings it."""
    seats = number_at(rules, SEATS)
    turns, feared = 0, -1
    while True:
        ends = state[PHASE] == END_TURN
        act(rules, state, action, True, False, state)
        if ends:
            turns += 1
            if turns == 1 and state[PHASE] != OVER:
                feared = whole(state[SEAT])
                add_places(rules, state, feared, -1.0, row)
        if feared >= 0 and (turns >= 2 or state[PHASE] == OVER):
            add_places(rules, state, feared, 1.0, row)
            feared = -1
        if state[PHASE] == OVER or turns >= seats:
            return
        action = choose(rules, state, worth, weights, 0.0, 0.0, desk)


@inner
def _judge(
    rules: Rules,
    state: State,
    seat: int,
    lead_weight: float,
    lead_scale: float,
    weights: Floats,
    desk: Desk,
    row: Totals,
) -> None:
    """Add what the value says of a state."""
    seats = number_at(rules, SEATS)
    evaluate(rules, state, seat, weights, desk.scratch)
    share, lead = float(desk.scratch[0]), float(desk.scratch[1])
    ahead = 0.5 + 0.5 * tanh(lead / lead_scale)
    score = (1.0 - lead_weight) * share + lead_weight * ahead
    row[NODES] += 1.0
    row[SCORE] += score
    row[SQUARES] += score * score
    row[LEAD] += lead
    if seats == 2:
        row[WINS + seat] += share
        row[WINS + 1 - seat] += 1.0 - share
        return
    # Who beats so many of the others, one by one, beats all of them about so often.
    total = 0.0
    for other in range(seats):
        evaluate(rules, state, other, weights, desk.scratch)
        total += float(desk.scratch[0]) ** (seats - 1)
    for other in range(seats):
        evaluate(rules, state, other, weights, desk.scratch)
        row[WINS + other] += float(desk.scratch[0]) ** (seats - 1) / max(total, 1e-9)


@compiled
def foresights(
    rules: Rules,
    worlds: State,
    redealing: bool,
    state: State,
    worth: Worth,
    weights: Floats,
    desk: Desk,
    actions: Numbers,
    live: Numbers,
    first: int,
    last: int,
    seed: int,
    lead_weight: float,
    lead_scale: float,
    totals: Totals,
) -> None:
    """Look ahead with the live candidates in the rounds from first to last, much as `search.playouts`."""
    size = number_at(rules, STATE_SIZE)
    count = len(worlds) // size
    for turn in range(first, last):
        world = worlds[size * (turn % count) : size * (turn % count + 1)]
        seat, stream = whole(world[SEAT]), stream_of(state, seed, turn)
        for n in range(len(live)):
            enter(rules, world, redealing, stream, state)
            row = totals[live[n]]
            _play_round(rules, state, whole(actions[live[n]]), worth, weights, desk, row)
            _judge(rules, state, seat, lead_weight, lead_scale, weights, desk, row)
