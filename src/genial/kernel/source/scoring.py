"""Tracks as numbers: moving markers, counting bonus moves, what counts for a swap, and who is ahead."""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source.compiled import State, inlined, inner, whole
from genial.kernel.source.rules import Rules
from genial.kernel.source.words import byte_at, put_byte, put_word, word_at
from genial.kernel.tables import (
    MOST_POINTS,
    STEPS_ON_TRACK,
)

NO_PLACE = 255


@inlined
def markers_at(rules: Rules, seat: int) -> int:
    """Where the markers of a seat's track are in the state."""
    return at.TRACKS + 8 * rules.track_of[seat]


@inlined
def is_turned(rules: Rules, seat: int) -> bool:
    """True if a seat sees the shared pegs from the other side (DUEL)."""
    return bool(rules.is_shared) and seat == 1


@inlined
def step_of(rules: Rules, state: State, seat: int, colour: int) -> int:
    """The step of a marker from its seat's point of view, counted from the track's lowest."""
    step = whole(byte_at(state, markers_at(rules, seat) + colour))
    return rules.span - step if is_turned(rules, seat) else step


@inlined
def advanced(rules: Rules, step: int, points: int) -> int:
    """The step of a marker after its symbol has scored."""
    return rules.advance[MOST_POINTS * step + min(points, MOST_POINTS - 1)]


@inlined
def bonus_for(rules: Rules, before: int, after: int) -> int:
    """The bonus moves that a marker earns on its way."""
    return rules.bonus_for[STEPS_ON_TRACK * before + after]


@inlined
def move_marker(rules: Rules, state: State, seat: int, colour: int, step: int) -> None:
    """Move a marker to this step, as its seat sees it."""
    stored = rules.span - step if is_turned(rules, seat) else step
    put_byte(state, markers_at(rules, seat) + colour, np.uint8(stored))


@inlined
def score(rules: Rules, state: State, seat: int, first: int, points: int, second: int, more: int) -> bool:
    """Score two symbols one after the other, noting gain and bonus. Returns if the track may be complete."""
    put_word(state, at.GAIN, np.uint64(0))
    before = step_of(rules, state, seat, first)
    after = advanced(rules, before, points)
    if first == second:  # DOUBLE-TRACK: the second half continues where the first one stopped
        after = advanced(rules, after, more)
        earned, done = 0, False
    else:
        before_more = step_of(rules, state, seat, second)
        after_more = advanced(rules, before_more, more)
        move_marker(rules, state, seat, second, after_more)
        put_byte(state, at.GAIN + second, np.uint8(after_more - before_more))
        earned = bonus_for(rules, before_more, after_more)
        done = bool(rules.done[after_more])
    move_marker(rules, state, seat, first, after)
    put_byte(state, at.GAIN + first, np.uint8(after - before))
    earned += bonus_for(rules, before, after)
    put_byte(state, at.EARNED, np.uint8(earned))
    return done or bool(rules.done[after])


@inner
def is_complete(rules: Rules, state: State, seat: int) -> bool:
    """True if all six markers are as far as the game requires (ALL-MAX, CARD-END)."""
    done = 0
    for colour in range(at.COLOURS):
        done += rules.done[step_of(rules, state, seat, colour)]
    return done == at.COLOURS


@inlined
def weakest_kinds(rules: Rules, state: State, seat: int) -> np.uint64:
    """The kinds showing a colour that shares the lowest step (SWAP); in the duel, among the open colours."""
    lowest = NO_PLACE
    for colour in range(at.COLOURS):
        step = step_of(rules, state, seat, colour)
        if step < lowest and rules.open[step]:
            lowest = step
    shown = np.uint64(0)
    for colour in range(at.COLOURS):
        if step_of(rules, state, seat, colour) == lowest:
            shown |= rules.shows[colour]
    return shown


@inlined
def has_weakest(rules: Rules, state: State, seat: int) -> bool:
    """True if a rack shows a colour that shares the lowest step."""
    return bool(word_at(state, at.KINDS_HELD + 8 * seat) & weakest_kinds(rules, state, seat))


@inner
def standing(rules: Rules, state: State, seat: int, rank: int) -> int:
    """The rank-th number by which two seats are compared: ascending steps (RANKING), or the duel's own."""
    if rules.is_shared:  # DUEL: colours on the seat's side, then their distances
        middle = rules.span // 2
        own, distances = 0, 0
        for colour in range(at.COLOURS):
            step = step_of(rules, state, seat, colour)
            if step > middle:
                own += 1
                distances += step - middle
        return own if rank == 0 else distances if rank == 1 else 0
    # The rank-th smallest: the step with at most `rank` smaller ones and more than `rank` not larger.
    for colour in range(at.COLOURS):
        step = step_of(rules, state, seat, colour)
        smaller, not_larger = 0, 0
        for other in range(at.COLOURS):
            smaller += step_of(rules, state, seat, other) < step
            not_larger += step_of(rules, state, seat, other) <= step
        if smaller <= rank < not_larger:
            return step
    return 0


@inner
def is_ahead(rules: Rules, state: State, seat: int, other: int) -> bool:
    """True if a seat is strictly ahead of another."""
    for rank in range(at.COLOURS):
        mine, theirs = standing(rules, state, seat, rank), standing(rules, state, other, rank)
        if mine != theirs:
            return mine > theirs
    return False


@inlined
def ahead(rules: Rules, state: State, seat: int, other: int) -> float:
    """1 if a seat is ahead of another, 0 if it is behind, otherwise a half."""
    return 0.5 + 0.5 * (is_ahead(rules, state, seat, other) - is_ahead(rules, state, other, seat))


@inlined
def are_opponents(rules: Rules, seat: int, other: int) -> bool:
    """True if two seats play against each other; in the duel they do, on one track."""
    if rules.is_shared:
        return seat != other
    return bool(rules.track_of[seat] != rules.track_of[other])


@inner
def write_ranks(rules: Rules, state: State, out: State) -> None:
    """Write the rank of each seat: 1 plus the number of seats strictly ahead."""
    for seat in range(rules.seats):
        out[seat] = 1
        for other in range(rules.seats):
            if other != seat and is_ahead(rules, state, other, seat):
                out[seat] += 1
