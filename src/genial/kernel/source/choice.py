"""A choice, as a search that is started, continued in small pieces, and then asked for its result.

Sequential halving: the better half of the candidates goes on, again and again, and each part of the work
spends the same share of the nodes on those still in the race. All candidates of a round face the same worlds
and the same random numbers.

    space = bytearray(choice_size(rules, settings))
    choice_begin(rules, settings, worth, weights, worlds, wanted, space, seed)
    while left := choice_step(rules, worth, weights, worlds, space, budget, hurry):
        ...  # look at the clock; `left` parts of the work are left to share the time between
    choice_result(space, rows)
"""

from __future__ import annotations

import numpy as np

from genial.kernel import settings, totals
from genial.kernel import state as at
from genial.kernel.source.balanced import Worth
from genial.kernel.source.compiled import Numbers, State, compiled, inner, whole
from genial.kernel.source.endgame import is_near, solve
from genial.kernel.source.features import Floats
from genial.kernel.source.foresight import look_ahead
from genial.kernel.source.frame import (
    ASKED,
    BY_VALUE,
    CANDIDATES,
    CURSOR,
    DEPTH,
    EXACT,
    FIRST,
    IS_NEW,
    KIND,
    LAST,
    LEFT,
    LINES,
    LIVE,
    LOOKED_AT,
    NODES_LEFT,
    PLAYOUTS,
    ROUND,
    ROWS_AT,
    SEED,
    SETTINGS_AT,
    Doubles,
    Frame,
    frame_of,
    most_exact,
    size_of,
)
from genial.kernel.source.legal import may_swap
from genial.kernel.source.play import copy
from genial.kernel.source.player import prospect
from genial.kernel.source.rules import Rules
from genial.kernel.source.search import play_out
from genial.kernel.source.shortlist import shortlist
from genial.kernel.source.words import doubles_in, longs_in, put_word

_SOLVED = 200
"""The most worlds to solve exactly."""
_MOVES = 64
"""The most moves of an exact endgame that take as long as a playout."""


@compiled
def choice_size(rules: Rules, told: Doubles) -> int:
    """How many bytes of memory a search with these settings needs."""
    return size_of(rules, told)


@compiled
def choice_begin(
    rules: Rules,
    told: Doubles,
    worth: Worth,
    weights: Floats,
    worlds: State,
    wanted: Numbers,
    space: State,
    seed: int,
) -> int:
    """Start a search for the mover of some worlds (`settings`). Returns how many candidates it has."""
    kept = doubles_in(space, SETTINGS_AT)
    for n in range(settings.COUNT):
        kept[n] = told[n]
    frame = frame_of(rules, worth, weights, worlds, space)
    numbers = frame.numbers
    numbers[KIND], numbers[SEED] = _kind(frame), seed
    numbers[CANDIDATES] = numbers[ASKED] = numbers[LINES] = numbers[ROUND] = 0
    numbers[DEPTH], numbers[IS_NEW] = -1, 0
    numbers[NODES_LEFT] = whole(told[settings.NODES])
    _list_candidates(frame, wanted)
    numbers[LIVE] = numbers[CANDIDATES]
    for n in range(numbers[LIVE]):
        frame.live[n] = n
    numbers[LEFT] = 1 if numbers[KIND] == EXACT else _halvings(numbers[CANDIDATES])
    _begin_part(frame)
    return whole(numbers[CANDIDATES])


@compiled
def choice_step(
    rules: Rules, worth: Worth, weights: Floats, worlds: State, space: State, budget: int, hurry: int
) -> int:
    """Continue for about as long as `budget` playouts take. Returns how many parts of the work are left.

    With `hurry` the current part ends with its round. However the work is sliced, the result is the same.
    """
    frame = frame_of(rules, worth, weights, worlds, space)
    numbers, spent = frame.numbers, 0
    if hurry:
        _cut_short(frame)
    while numbers[LEFT] > 0:
        if numbers[ROUND] >= numbers[LAST]:
            _next_part(frame)
        elif spent < budget:
            spent += _look(frame, budget - spent)
        else:
            break
    return whole(numbers[LEFT])


@compiled
def choice_result(space: State, rows: Doubles) -> int:
    """Write a row for each candidate (`totals`), with means instead of sums. Returns how many there are.

    Those that got furthest come first, then by score. This may be called before the search is done.
    """
    count, found = whole(longs_in(space, 0)[CANDIDATES]), doubles_in(space, ROWS_AT)
    for candidate in range(count):
        row = doubles_in(found, totals.WIDTH * candidate)
        place = candidate
        while place > 0 and _is_better(row, doubles_in(rows, totals.WIDTH * (place - 1))):
            place -= 1
        for n in range(totals.WIDTH * candidate - 1, totals.WIDTH * place - 1, -1):
            rows[n + totals.WIDTH] = rows[n]
        _write_means(row, doubles_in(rows, totals.WIDTH * place))
    return count


@inner
def _mean(row: Doubles) -> float:
    return float(row[totals.SCORE] / max(row[totals.NODES], 1.0))


@inner
def _is_better(row: Doubles, means: Doubles) -> bool:
    """True if a candidate comes before one whose means are already written."""
    if row[totals.STAGE] != means[totals.STAGE]:
        return bool(row[totals.STAGE] > means[totals.STAGE])
    return bool(_mean(row) > means[totals.SCORE])


@inner
def _write_means(row: Doubles, out: Doubles) -> None:
    nodes = max(row[totals.NODES], 1.0)
    for n in range(totals.WIDTH):
        out[n] = row[n] if n < totals.SCORE else row[n] / nodes


# Candidates


@inner
def _kind(frame: Frame) -> int:
    """How the search looks ahead."""
    if frame.settings[settings.ENDGAME] and is_near(frame.rules, frame.worlds):
        return EXACT
    return BY_VALUE if frame.settings[settings.LEARNED] else PLAYOUTS


@inner
def _list_candidates(frame: Frame, wanted: Numbers) -> None:
    """List those that are wanted, then the actions that balanced play or the learned value likes best."""
    for n in range(whole(frame.settings[settings.WANTED])):
        _add_candidate(frame, whole(wanted[n]))
    frame.numbers[ASKED] = frame.numbers[CANDIDATES]
    for n in range(_list_liked(frame)):
        _add_candidate(frame, whole(frame.desk.actions[n]))


@inner
def _add_candidate(frame: Frame, action: int) -> None:
    """Add a candidate, unless it is there already."""
    count = whole(frame.numbers[CANDIDATES])
    for n in range(count):
        if doubles_in(frame.rows, totals.WIDTH * n)[totals.ACTION] == action:
            return
    row = doubles_in(frame.rows, totals.WIDTH * count)
    for n in range(totals.WIDTH):
        row[n] = 0.0
    row[totals.ACTION] = action
    frame.numbers[CANDIDATES] = count + 1


@inner
def _list_liked(frame: Frame) -> int:
    """Note the actions liked best on the desk, best first. Returns how many."""
    rules, state, desk = frame.rules, frame.state, frame.desk
    copy(frame.worlds, state, rules.state_size)
    if state[at.PHASE] == at.END_TURN:
        refill = rules.actions - 2
        if may_swap(rules, state):
            desk.actions[0], desk.actions[1] = refill + 1, refill
            return 2
        desk.actions[0] = refill
        return 1
    width = whole(frame.settings[settings.WIDTH])
    looked_at = LOOKED_AT * width if frame.settings[settings.LEARNED] else width
    if frame.numbers[KIND] == EXACT:
        width = looked_at = most_exact(rules)
    # Ties are broken at random, from a separate stream.
    put_word(state, at.RNG, ~np.uint64(frame.numbers[SEED]))
    count = shortlist(rules, state, frame.worth, desk, looked_at)
    if frame.settings[settings.LEARNED]:
        _order_by_value(frame, count)
    return min(count, width)


@inner
def _order_by_value(frame: Frame, count: int) -> None:
    """Order the actions on the desk by how much the learned value likes their results."""
    actions, likings = frame.desk.actions, frame.likings
    for n in range(count):
        action = actions[n]
        liked = prospect(frame.rules, frame.state, whole(action), frame.weights, frame.desk)
        place = n
        while place > 0 and likings[place - 1] < liked:
            likings[place], actions[place] = likings[place - 1], actions[place - 1]
            place -= 1
        likings[place], actions[place] = liked, action


# The race


@inner
def _halvings(candidates: int) -> int:
    """How many parts the work has: at the end of each but the last, half of the candidates drop out."""
    halvings = 1
    while 1 << halvings < candidates:
        halvings += 1
    return halvings


@inner
def _begin_part(frame: Frame) -> None:
    """Give each live candidate an equal part of this part's share of the nodes, at least one."""
    numbers = frame.numbers
    rounds = max(numbers[NODES_LEFT] // (numbers[LEFT] * numbers[LIVE]), 1)
    if numbers[KIND] == EXACT:
        rounds = _SOLVED
    numbers[FIRST], numbers[LAST], numbers[CURSOR] = numbers[ROUND], numbers[ROUND] + rounds, 0
    numbers[NODES_LEFT] -= rounds * numbers[LIVE]


@inner
def _next_part(frame: Frame) -> None:
    frame.numbers[LEFT] -= 1
    if frame.numbers[LEFT] > 0:
        _halve(frame)
        _begin_part(frame)


@inner
def _cut_short(frame: Frame) -> None:
    """Let this part end with the current round; every part has at least one round."""
    numbers = frame.numbers
    until = max(numbers[ROUND] + (numbers[CURSOR] > 0 or numbers[DEPTH] >= 0), numbers[FIRST] + 1)
    numbers[LAST] = min(numbers[LAST], until)


@inner
def _halve(frame: Frame) -> None:
    """Keep the better half of those in the race, and in addition those that were asked about."""
    numbers, stage, racing = frame.numbers, 0.0, 0
    for n in range(numbers[CANDIDATES]):
        stage = max(stage, doubles_in(frame.rows, totals.WIDTH * n)[totals.STAGE])
    for n in range(numbers[CANDIDATES]):
        racing += doubles_in(frame.rows, totals.WIDTH * n)[totals.STAGE] == stage
    for _ in range((racing + 1) // 2):
        doubles_in(frame.rows, totals.WIDTH * _best_at(frame, stage))[totals.STAGE] = stage + 1
    live = 0
    for n in range(numbers[CANDIDATES]):
        if n < numbers[ASKED] or doubles_in(frame.rows, totals.WIDTH * n)[totals.STAGE] > stage:
            frame.live[live] = n
            live += 1
    numbers[LIVE] = live


@inner
def _best_at(frame: Frame, stage: float) -> int:
    """The best candidate at exactly this stage; the first in a tie."""
    best, found = 0.0, -1
    for n in range(frame.numbers[CANDIDATES]):
        row = doubles_in(frame.rows, totals.WIDTH * n)
        if row[totals.STAGE] == stage and (found < 0 or _mean(row) > best):
            best, found = _mean(row), n
    return found


@inner
def _look(frame: Frame, budget: int) -> int:
    """Look ahead once with the next candidate, or as far as a budget goes. Returns the cost in playouts."""
    numbers, cost = frame.numbers, 1
    turn, candidate = whole(numbers[ROUND]), whole(frame.live[numbers[CURSOR]])
    if numbers[KIND] == EXACT:
        moves = solve(frame, turn, candidate, _MOVES * budget)
        cost = (moves + _MOVES - 1) // _MOVES
        if numbers[DEPTH] >= 0:
            return cost
    elif numbers[KIND] == BY_VALUE:
        look_ahead(frame, turn, candidate)
    else:
        play_out(frame, turn, candidate)
    numbers[CURSOR] += 1
    if numbers[CURSOR] == numbers[LIVE]:
        numbers[CURSOR] = 0
        numbers[ROUND] += 1
        if numbers[KIND] == EXACT and numbers[LINES] > frame.settings[settings.NODES]:
            numbers[LAST] = numbers[ROUND]
    return cost
