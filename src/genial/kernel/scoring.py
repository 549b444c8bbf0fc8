"""Tracks on numbers: moving markers, counting bonus moves, what a swap looks at, and who is ahead."""

from __future__ import annotations

import numpy as np

from genial.kernel.compiled import Rules, State, inlined, inner, whole
from genial.kernel.state import COLOURS, EARNED, GAIN, KINDS_HELD, TRACKS
from genial.kernel.tables import (
    ADVANCE,
    BONUS_FOR,
    DONE,
    IS_SHARED,
    MOST_POINTS,
    OPEN,
    PLACES_ON_TRACK,
    SEATS,
    SHOWS,
    SPAN,
    TRACK_OF,
)
from genial.kernel.words import byte_at, number_at, put_byte, put_word, set_at, word_at

NO_PLACE = 255


@inlined
def markers_at(rules: Rules, seat: int) -> int:
    """Where the markers of a seat's track stand in the state."""
    return TRACKS + 8 * number_at(rules, TRACK_OF + seat)


@inlined
def is_turned(rules: Rules, seat: int) -> bool:
    """Whether a seat looks at the shared pegs from the other side (DUEL)."""
    return bool(number_at(rules, IS_SHARED)) and seat == 1


@inlined
def place_of(rules: Rules, state: State, seat: int, colour: int) -> int:
    """The place of a marker as its seat sees it, counted from the track's lowest."""
    place = whole(byte_at(state, markers_at(rules, seat) + colour))
    return number_at(rules, SPAN) - place if is_turned(rules, seat) else place


@inlined
def advanced(rules: Rules, place: int, points: int) -> int:
    """Where a marker stands when its symbol has scored."""
    return number_at(rules, ADVANCE + MOST_POINTS * place + min(points, MOST_POINTS - 1))


@inlined
def bonus_for(rules: Rules, before: int, after: int) -> int:
    """The bonus moves that a marker earns on its way."""
    return number_at(rules, BONUS_FOR + PLACES_ON_TRACK * before + after)


@inlined
def move_marker(rules: Rules, state: State, seat: int, colour: int, place: int) -> None:
    """Put a marker where its seat sees this place."""
    stored = number_at(rules, SPAN) - place if is_turned(rules, seat) else place
    put_byte(state, markers_at(rules, seat) + colour, np.uint8(stored))


@inlined
def score(rules: Rules, state: State, seat: int, first: int, points: int, second: int, more: int) -> bool:
    """Score two symbols one after the other, noting gain and bonus; whether the track may be complete."""
    put_word(state, GAIN, np.uint64(0))
    before = place_of(rules, state, seat, first)
    after = advanced(rules, before, points)
    if first == second:  # DOUBLE-TRACK: the second half goes on where the first one stopped
        after = advanced(rules, after, more)
        earned, done = 0, False
    else:
        before_more = place_of(rules, state, seat, second)
        after_more = advanced(rules, before_more, more)
        move_marker(rules, state, seat, second, after_more)
        put_byte(state, GAIN + second, np.uint8(after_more - before_more))
        earned = bonus_for(rules, before_more, after_more)
        done = bool(number_at(rules, DONE + after_more))
    move_marker(rules, state, seat, first, after)
    put_byte(state, GAIN + first, np.uint8(after - before))
    earned += bonus_for(rules, before, after)
    put_byte(state, EARNED, np.uint8(earned))
    return done or bool(number_at(rules, DONE + after))


@inner
def is_complete(rules: Rules, state: State, seat: int) -> bool:
    """Whether all six markers are as far as the game asks (ALL-MAX, CARD-END)."""
    done = 0
    for colour in range(COLOURS):
        done += number_at(rules, DONE + place_of(rules, state, seat, colour))
    return done == COLOURS


@inlined
def weakest_kinds(rules: Rules, state: State, seat: int) -> np.uint64:
    """The kinds that show a colour which shares the lowest place (SWAP); in the duel of the open colours."""
    lowest = NO_PLACE
    for colour in range(COLOURS):
        place = place_of(rules, state, seat, colour)
        if place < lowest and number_at(rules, OPEN + place):
            lowest = place
    shown = np.uint64(0)
    for colour in range(COLOURS):
        if place_of(rules, state, seat, colour) == lowest:
            shown |= set_at(rules, SHOWS + 4 * colour)
    return shown


@inlined
def has_weakest(rules: Rules, state: State, seat: int) -> bool:
    """Whether a rack shows a colour that shares the lowest place."""
    return bool(word_at(state, KINDS_HELD + 8 * seat) & weakest_kinds(rules, state, seat))


@inner
def standing(rules: Rules, state: State, seat: int, rank: int) -> int:
    """The rank-th number that two seats are compared by: ascending places (RANKING), or the duel's own."""
    if number_at(rules, IS_SHARED):  # DUEL: colours on one's side, then their distances
        middle = number_at(rules, SPAN) // 2
        own, distances = 0, 0
        for colour in range(COLOURS):
            place = place_of(rules, state, seat, colour)
            if place > middle:
                own += 1
                distances += place - middle
        return own if rank == 0 else distances if rank == 1 else 0
    # The rank-th smallest: the place with at most `rank` smaller ones and more than `rank` not larger.
    for colour in range(COLOURS):
        place = place_of(rules, state, seat, colour)
        smaller, not_larger = 0, 0
        for other in range(COLOURS):
            smaller += place_of(rules, state, seat, other) < place
            not_larger += place_of(rules, state, seat, other) <= place
        if smaller <= rank < not_larger:
            return place
    return 0


@inner
def is_ahead(rules: Rules, state: State, seat: int, other: int) -> bool:
    """Whether a seat is strictly ahead of another one."""
    for rank in range(COLOURS):
        mine, theirs = standing(rules, state, seat, rank), standing(rules, state, other, rank)
        if mine != theirs:
            return mine > theirs
    return False


@inner
def write_ranks(rules: Rules, state: State, out: State) -> None:
    """The rank of each seat: 1 plus the number of seats strictly ahead."""
    for seat in range(number_at(rules, SEATS)):
        out[seat] = 1
        for other in range(number_at(rules, SEATS)):
            if other != seat and is_ahead(rules, state, other, seat):
                out[seat] += 1
