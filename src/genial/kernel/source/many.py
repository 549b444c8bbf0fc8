"""One game of many: the work of one thread of the graphics card, on its own rows of the caller's arrays.

Single numbers of a game are arrays of one item here, so that every thread gets only pointers.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import totals
from genial.kernel.source.balanced import Worth
from genial.kernel.source.cards import best_play, random_kind
from genial.kernel.source.choice import choice_begin, choice_result, choice_step
from genial.kernel.source.compiled import Numbers, State, compiled, inner, whole
from genial.kernel.source.features import Floats
from genial.kernel.source.frame import Doubles
from genial.kernel.source.greedy import best_lawful
from genial.kernel.source.legal import is_legal, mark_lawful, may_swap
from genial.kernel.source.observe import write_observation
from genial.kernel.source.play import begin, copy, try_act
from genial.kernel.source.playout import play_out, random_placement
from genial.kernel.source.redeal import deal_anew
from genial.kernel.source.rng import below, next_word
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import step_of, write_ranks
from genial.kernel.source.words import put_word, word_at
from genial.kernel.state import COLOURS, END_TURN, MOST_SEATS, NOBODY, OVER, PHASE, RACKS, RNG, SEAT, TRACKS

_BUDGET = 1 << 30
"""More than any search takes: a thread of the card always runs to the end."""


@inner
def lawful(rules: Rules, state: State, placement: int) -> int:
    """The placement as a lawful action: a turned double is one only where it matters (DOUBLE-TRACK)."""
    if rules.order_matters and not is_legal(rules, state, placement):
        return placement - rules.pairs
    return placement


@compiled
def step(rules: Rules, fresh: State, state: State, action: Numbers, over: State, ranks: State) -> int:
    """Do an action; a game that ends is ranked and redealt. Returns 0, or 1 if the action is not lawful."""
    illegal = try_act(rules, state, whole(action[0]))
    over[0] = state[PHASE] == OVER
    if over[0]:
        write_ranks(rules, state, ranks)
        begin(rules, fresh, state, True)
    return illegal


@compiled
def turn(
    rules: Rules,
    fresh: State,
    state: State,
    action: Numbers,
    over: State,
    ranks: State,
    tracks: State,
    viewer: State,
    last: State,
) -> int:
    """Like `step`, and write what a redeal overwrites: the tracks, and what a seat sees of a game that ended.

    `viewer` is that seat; NOBODY is the seat that would have moved.
    """
    illegal = try_act(rules, state, whole(action[0]))
    for n in range(0, RACKS - TRACKS, 8):
        put_word(tracks, n, word_at(state, TRACKS + n))
    over[0] = state[PHASE] == OVER
    if over[0]:
        write_ranks(rules, state, ranks)
        seat = whole(state[SEAT]) if viewer[0] == NOBODY else whole(viewer[0])
        write_observation(rules, state, seat, last)
        begin(rules, fresh, state, True)
    return illegal


@compiled
def choose(rules: Rules, state: State, action: Numbers) -> None:
    """Choose a random lawful action."""
    if state[PHASE] == END_TURN:
        action[0] = rules.actions - 2 + (may_swap(rules, state) and below(state, 2))
    elif rules.is_cards:
        action[0] = 2 * random_kind(rules, state) + below(state, 2)
    else:
        action[0] = lawful(rules, state, random_placement(rules, state))


@compiled
def choose_best(rules: Rules, state: State, action: Numbers) -> None:
    """Choose a lawful action that scores the most points; swap whenever allowed."""
    if state[PHASE] == END_TURN:
        action[0] = rules.actions - 2 + may_swap(rules, state)
    elif rules.is_cards:
        action[0] = best_play(rules, state)
    else:
        action[0] = best_lawful(rules, state)


@compiled
def masks(rules: Rules, state: State, out: State) -> int:
    """Write the lawful actions, one bit each, into a row of zeros. Returns how many there are."""
    return mark_lawful(rules, state, out)


@compiled
def observe(rules: Rules, state: State, out: State) -> None:
    """Write what the seat to move may know."""
    write_observation(rules, state, whole(state[SEAT]), out)


@compiled
def playouts(
    rules: Rules,
    given: State,
    state: State,
    policy: int,
    viewers: int,
    times: int,
    seed: int,
    ranks: State,
    sums: Numbers,
) -> int:
    """Play a given state out `times` times, on a copy. Returns how many tiles or cards that took.

    What the viewers, one bit per seat, may not see is redealt each time; nothing if they are negative. `sums`
    gets, for each seat, the sums of ranks, wins (shared ones too) and lowest steps.
    """
    seats, placements, stream = rules.seats, 0, np.uint64(seed)
    for n in range(3 * MOST_SEATS):
        sums[n] = 0
    for _ in range(times):
        copy(given, state, rules.state_size)
        put_word(state, RNG, stream)
        if viewers >= 0:
            deal_anew(rules, state, viewers, whole(next_word(state)))
        placements += play_out(rules, state, policy)
        stream = word_at(state, RNG)
        write_ranks(rules, state, ranks)
        for seat in range(seats):
            lowest = step_of(rules, state, seat, 0)
            for colour in range(1, COLOURS):
                lowest = min(lowest, step_of(rules, state, seat, colour))
            sums[seat] += ranks[seat]
            sums[MOST_SEATS + seat] += ranks[seat] == 1
            sums[2 * MOST_SEATS + seat] += lowest
    return placements


@compiled
def search(
    rules: Rules,
    told: Doubles,
    worth: Worth,
    weights: Floats,
    state: State,
    stream: State,
    space: State,
    rows: Doubles,
    action: Numbers,
) -> int:
    """Search to the end (`choice`), with the seed in `stream`; writes the best action. Returns the count."""
    wanted = action  # nobody asks about one
    choice_begin(rules, told, worth, weights, state, wanted, space, whole(word_at(stream, 0)))
    while choice_step(rules, worth, weights, state, space, _BUDGET, 0):
        pass
    count = choice_result(space, rows)
    action[0] = whole(rows[totals.ACTION])
    return count
