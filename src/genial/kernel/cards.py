"""The card game on a flat state: hands, open rows, draw pile and discard pile as kinds and counts."""

from __future__ import annotations

import numpy as np

from genial.kernel.compiled import Rules, State, inlined, inner, whole
from genial.kernel.rng import below
from genial.kernel.scoring import bonus_for, has_weakest, is_complete, move_marker, place_of
from genial.kernel.state import (
    BAG,
    BONUS,
    COLOURS,
    DISCARD,
    DISCARDED,
    EARNED,
    END_TURN,
    GAIN,
    KINDS,
    KINDS_HELD,
    OVER,
    PHASE,
    PLACE,
    RACK_SIZES,
    RACK_STRIDE,
    RACKS,
    REASON,
    RESHUFFLED,
    ROWS,
    SEAT,
    SUPPLY,
    TURN,
)
from genial.kernel.supply import draw, draw_kind, put_on_rack, take_off_rack
from genial.kernel.tables import (
    COMPLETE,
    FIRST_COLOUR,
    OPEN_CARDS,
    RACK,
    REGION_END,
    REGION_OF,
    REGIONS,
    SEATS,
    SECOND_COLOUR,
    SWAPS,
)
from genial.kernel.words import number_at, put_word


@inner
def deal(rules: Rules, state: State) -> None:
    """Deal hands and open cards from the state's own stream; the state is a fresh one."""
    for seat in range(number_at(rules, SEATS)):
        draw(rules, state, seat, number_at(rules, RACK))
    for _ in range(number_at(rules, OPEN_CARDS)):
        for seat in range(number_at(rules, SEATS)):
            add_open(state, seat, draw_kind(rules, state))


@inner
def add_open(state: State, seat: int, kind: int) -> None:
    """Put a card last before a seat."""
    row = ROWS + 8 * seat
    state[row] += 1
    state[row + state[row]] = kind


@inner
def discard_oldest(state: State, seat: int) -> None:
    """The oldest open card of a seat goes to the discard pile."""
    row = ROWS + 8 * seat
    state[DISCARD + state[row + 1]] += 1
    state[DISCARDED] += 1
    for n in range(1, state[row]):
        state[row + n] = state[row + n + 1]
    state[row + state[row]] = 0
    state[row] -= 1


@inner
def matches(rules: Rules, state: State, colour: int) -> int:
    """How many open cards show a colour (CARD-SCORING)."""
    found = 0
    for seat in range(number_at(rules, SEATS)):
        row = ROWS + 8 * seat
        for n in range(1, whole(state[row]) + 1):
            kind = whole(state[row + n])
            found += (
                number_at(rules, FIRST_COLOUR + kind) == colour
                or number_at(rules, SECOND_COLOUR + kind) == colour
            )
    return found


@inner
def stepped(rules: Rules, state: State, seat: int, colour: int, points: int) -> int:
    """Where a marker stands after so many steps: at most one region ahead of the last one (REGIONS)."""
    place = place_of(rules, state, seat, colour)
    behind = number_at(rules, REGIONS) - 1
    for other in range(COLOURS):
        if other != colour:
            behind = min(behind, number_at(rules, REGION_OF + place_of(rules, state, seat, other)))
    furthest = number_at(rules, REGION_END + min(behind + 1, number_at(rules, REGIONS) - 1))
    return max(place, min(place + points, furthest))


@inner
def play(rules: Rules, state: State, kind: int, turned: int) -> None:
    """Play a card of the mover; turned, its second symbol is scored first."""
    seat = whole(state[SEAT])
    first, second = number_at(rules, FIRST_COLOUR + kind), number_at(rules, SECOND_COLOUR + kind)
    if turned:
        first, second = second, first
    # The cards that lay open before it was played; both symbols are counted before either moves.
    some, more = matches(rules, state, first), matches(rules, state, second)
    put_word(state, GAIN, np.uint64(0))
    earned, done = 0, False
    for colour, points in ((first, some), (second, more)):
        before = place_of(rules, state, seat, colour)
        after = stepped(rules, state, seat, colour, points)
        move_marker(rules, state, seat, colour, after)
        state[GAIN + colour] += np.uint8(after - before)
        earned += bonus_for(rules, before, after)
        done = done or after > before
    state[EARNED] = earned
    add_open(state, seat, kind)
    held = take_off_rack(state, seat, kind)
    bonus = max(whole(state[BONUS]) - 1, 0) + earned if held else 0
    state[BONUS] = bonus
    if done and is_complete(rules, state, seat):  # CARD-END
        state[PHASE], state[BONUS], state[REASON] = OVER, 0, number_at(rules, COMPLETE)
    elif bonus:  # CARD-BONUS: the oldest card goes before the next is played
        discard_oldest(state, seat)
    else:
        state[TURN] += 1
        if state[TURN] == 0:
            state[TURN + 1] += 1
        state[PHASE] = END_TURN


@inlined
def may_swap(rules: Rules, state: State) -> bool:
    """Whether the mover may swap the hand (CARD-SWAP)."""
    seat = whole(state[SEAT])
    return bool(
        number_at(rules, SWAPS)
        and state[PHASE] == END_TURN
        and state[RACK_SIZES + seat] != 0
        and not has_weakest(rules, state, seat)
    )


@inner
def end_turn(rules: Rules, state: State, swap: bool, given: bool, dealt: State) -> None:
    """The oldest open card goes, then the hand is filled or swapped (CARD-TURN-END, CARD-SWAP)."""
    seat = whole(state[SEAT])
    discard_oldest(state, seat)
    if swap:  # the hand is discarded before the draw
        rack = RACKS + RACK_STRIDE * seat
        for kind in range(KINDS):
            state[DISCARD + kind] += state[rack + kind]
            state[rack + kind] = 0
        state[DISCARDED] += state[RACK_SIZES + seat]
        state[RACK_SIZES + seat] = 0
        put_word(state, KINDS_HELD + 8 * seat, np.uint64(0))
    state[RESHUFFLED] = 0
    if given:
        _draw_given(rules, state, seat, dealt)
    else:
        while state[RACK_SIZES + seat] < number_at(rules, RACK) and _has_card(state):
            put_on_rack(state, seat, draw_kind(rules, state))
            state[RACK_SIZES + seat] += 1
    state[SEAT] = (seat + 1) % number_at(rules, SEATS)
    state[PHASE] = PLACE


@inner
def _has_card(state: State) -> bool:
    """Whether a card can be drawn; an empty pile is replaced by the discard pile."""
    if state[SUPPLY] == 0 and state[DISCARDED]:
        _reshuffle(state)
    return bool(state[SUPPLY] != 0)


@inner
def _reshuffle(state: State) -> None:
    for kind in range(KINDS):
        state[BAG + kind] += state[DISCARD + kind]
        state[DISCARD + kind] = 0
    state[SUPPLY] += state[DISCARDED]
    state[DISCARDED] = 0
    state[RESHUFFLED] = 1


@inner
def _draw_given(rules: Rules, state: State, seat: int, dealt: State) -> None:
    count = 0
    for kind in range(KINDS):
        count += whole(dealt[kind])
    # A pile is reshuffled only when it is empty, so what it held is all among the cards dealt.
    if count > state[SUPPLY]:
        _reshuffle(state)
    for kind in range(KINDS):
        for _ in range(dealt[kind]):
            put_on_rack(state, seat, kind)
        state[BAG + kind] -= dealt[kind]
    state[SUPPLY] -= np.uint8(count)
    state[RACK_SIZES + seat] += np.uint8(count)


@inner
def random_kind(rules: Rules, state: State) -> int:
    """Any kind on the mover's hand, each as likely as the others."""
    rack, kinds = RACKS + RACK_STRIDE * whole(state[SEAT]), 0
    for kind in range(KINDS):
        kinds += state[rack + kind] > 0
    left = below(state, kinds)
    for kind in range(KINDS):
        if state[rack + kind]:
            if left == 0:
                return kind
            left -= 1
    return 0


@inner
def value(rules: Rules, state: State, kind: int, turned: int) -> int:
    """How many steps a card would bring, scored in this order."""
    seat = whole(state[SEAT])
    first, second = number_at(rules, FIRST_COLOUR + kind), number_at(rules, SECOND_COLOUR + kind)
    if turned:
        first, second = second, first
    some, more = matches(rules, state, first), matches(rules, state, second)
    before = place_of(rules, state, seat, first)
    gain = stepped(rules, state, seat, first, some) - before
    move_marker(rules, state, seat, first, before + gain)  # the first symbol can open the gate for the second
    gain += stepped(rules, state, seat, second, more) - place_of(rules, state, seat, second)
    move_marker(rules, state, seat, first, before)
    return gain


@inner
def best_play(rules: Rules, state: State) -> int:
    """The card and order that bring the most steps, as 2 x kind + turned; chance decides where to begin."""
    rack, best, found = RACKS + RACK_STRIDE * whole(state[SEAT]), -1, 0
    begin = below(state, KINDS)
    for n in range(KINDS):
        kind = (begin + n) % KINDS
        if state[rack + kind]:
            for turned in range(2):
                gain = value(rules, state, kind, turned)
                if gain > best:
                    best, found = gain, 2 * kind + turned
    return found
