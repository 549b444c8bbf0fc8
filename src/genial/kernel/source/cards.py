"""The card game on a flat state: hands, open rows, draw pile and discard pile as kinds and counts."""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source.compiled import State, inlined, inner, whole
from genial.kernel.source.rng import below
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import bonus_for, has_weakest, is_complete, move_marker, step_of
from genial.kernel.source.supply import draw, draw_kind, put_on_rack, take_off_rack
from genial.kernel.source.words import put_word


@inner
def deal(rules: Rules, state: State) -> None:
    """Deal hands and open cards from the state's own stream; the state must be fresh."""
    for seat in range(rules.seats):
        draw(rules, state, seat, rules.rack)
    for _ in range(rules.open_cards):
        for seat in range(rules.seats):
            add_open(state, seat, draw_kind(rules, state))


@inner
def add_open(state: State, seat: int, kind: int) -> None:
    """Add a card at the end of a seat's row."""
    row = at.ROWS + 8 * seat
    state[row] += 1
    state[row + state[row]] = kind


@inner
def discard_oldest(state: State, seat: int) -> None:
    """Move a seat's oldest open card to the discard pile."""
    row = at.ROWS + 8 * seat
    state[at.DISCARD + state[row + 1]] += 1
    state[at.DISCARDED] += 1
    for n in range(1, state[row]):
        state[row + n] = state[row + n + 1]
    state[row + state[row]] = 0
    state[row] -= 1


@inner
def matches(rules: Rules, state: State, colour: int) -> int:
    """How many open cards show a colour (CARD-SCORING)."""
    found = 0
    for seat in range(rules.seats):
        row = at.ROWS + 8 * seat
        for n in range(1, whole(state[row]) + 1):
            kind = whole(state[row + n])
            found += rules.first_colour[kind] == colour or rules.second_colour[kind] == colour
    return found


@inner
def stepped(rules: Rules, state: State, seat: int, colour: int, points: int) -> int:
    """The step of a marker after scoring points: at most one region ahead of the last marker (REGIONS)."""
    place = step_of(rules, state, seat, colour)
    behind = rules.regions - 1
    for other in range(at.COLOURS):
        if other != colour:
            behind = min(behind, rules.region_of[step_of(rules, state, seat, other)])
    furthest = rules.region_end[min(behind + 1, rules.regions - 1)]
    return max(place, min(place + points, furthest))


@inner
def play(rules: Rules, state: State, kind: int, turned: int) -> None:
    """Play one of the mover's cards; if turned, its second symbol is scored first."""
    seat = whole(state[at.SEAT])
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    if turned:
        first, second = second, first
    # The cards that were open before it was played; both symbols are counted before either marker moves.
    some, more = matches(rules, state, first), matches(rules, state, second)
    put_word(state, at.GAIN, np.uint64(0))
    earned, done = 0, False
    for colour, points in ((first, some), (second, more)):
        before = step_of(rules, state, seat, colour)
        after = stepped(rules, state, seat, colour, points)
        move_marker(rules, state, seat, colour, after)
        state[at.GAIN + colour] += np.uint8(after - before)
        earned += bonus_for(rules, before, after)
        done = done or after > before
    state[at.EARNED] = earned
    add_open(state, seat, kind)
    held = take_off_rack(state, seat, kind)
    bonus = max(whole(state[at.BONUS]) - 1, 0) + earned if held else 0
    state[at.BONUS] = bonus
    if done and is_complete(rules, state, seat):  # CARD-END
        state[at.PHASE], state[at.BONUS], state[at.REASON] = at.OVER, 0, rules.complete
    elif bonus:  # CARD-BONUS: the oldest card goes before the next is played
        discard_oldest(state, seat)
    else:
        state[at.TURN] += 1
        if state[at.TURN] == 0:
            state[at.TURN + 1] += 1
        state[at.PHASE] = at.END_TURN


@inlined
def may_swap(rules: Rules, state: State) -> bool:
    """True if the mover may swap the hand (CARD-SWAP)."""
    seat = whole(state[at.SEAT])
    return bool(
        rules.swaps
        and state[at.PHASE] == at.END_TURN
        and state[at.RACK_SIZES + seat] != 0
        and not has_weakest(rules, state, seat)
    )


@inner
def end_turn(rules: Rules, state: State, swap: bool, given: bool, dealt: State) -> None:
    """Discard the oldest open card, then refill or swap the hand (CARD-TURN-END, CARD-SWAP)."""
    seat = whole(state[at.SEAT])
    discard_oldest(state, seat)
    if swap:  # the hand is discarded before the draw
        rack = at.RACKS + at.RACK_STRIDE * seat
        for kind in range(at.KINDS):
            state[at.DISCARD + kind] += state[rack + kind]
            state[rack + kind] = 0
        state[at.DISCARDED] += state[at.RACK_SIZES + seat]
        state[at.RACK_SIZES + seat] = 0
        put_word(state, at.KINDS_HELD + 8 * seat, np.uint64(0))
    state[at.RESHUFFLED] = 0
    if given:
        _draw_given(rules, state, seat, dealt)
    else:
        while state[at.RACK_SIZES + seat] < rules.rack and _has_card(state):
            put_on_rack(state, seat, draw_kind(rules, state))
            state[at.RACK_SIZES + seat] += 1
    state[at.SEAT] = (seat + 1) % rules.seats
    state[at.PHASE] = at.PLACE


@inner
def _has_card(state: State) -> bool:
    """True if a card can be drawn; an empty pile is replaced by the discard pile."""
    if state[at.SUPPLY] == 0 and state[at.DISCARDED]:
        _reshuffle(state)
    return bool(state[at.SUPPLY] != 0)


@inner
def _reshuffle(state: State) -> None:
    for kind in range(at.KINDS):
        state[at.BAG + kind] += state[at.DISCARD + kind]
        state[at.DISCARD + kind] = 0
    state[at.SUPPLY] += state[at.DISCARDED]
    state[at.DISCARDED] = 0
    state[at.RESHUFFLED] = 1


@inner
def _draw_given(rules: Rules, state: State, seat: int, dealt: State) -> None:
    count = 0
    for kind in range(at.KINDS):
        count += whole(dealt[kind])
    # A pile is reshuffled only when empty, so everything it held is among the cards dealt.
    if count > state[at.SUPPLY]:
        _reshuffle(state)
    for kind in range(at.KINDS):
        for _ in range(dealt[kind]):
            put_on_rack(state, seat, kind)
        state[at.BAG + kind] -= dealt[kind]
    state[at.SUPPLY] -= np.uint8(count)
    state[at.RACK_SIZES + seat] += np.uint8(count)


@inner
def random_kind(rules: Rules, state: State) -> int:
    """A random kind from the mover's hand, all equally likely."""
    rack, kinds = at.RACKS + at.RACK_STRIDE * whole(state[at.SEAT]), 0
    for kind in range(at.KINDS):
        kinds += state[rack + kind] > 0
    left = below(state, kinds)
    for kind in range(at.KINDS):
        if state[rack + kind]:
            if left == 0:
                return kind
            left -= 1
    return 0


@inner
def value(rules: Rules, state: State, kind: int, turned: int) -> int:
    """How many steps a card would score in this order."""
    seat = whole(state[at.SEAT])
    first, second = rules.first_colour[kind], rules.second_colour[kind]
    if turned:
        first, second = second, first
    some, more = matches(rules, state, first), matches(rules, state, second)
    before = step_of(rules, state, seat, first)
    gain = stepped(rules, state, seat, first, some) - before
    move_marker(rules, state, seat, first, before + gain)  # the first symbol can open the gate for the second
    gain += stepped(rules, state, seat, second, more) - step_of(rules, state, seat, second)
    move_marker(rules, state, seat, first, before)
    return gain


@inner
def best_play(rules: Rules, state: State) -> int:
    """The card and order that score the most steps, as 2 x kind + turned; starts at a random kind."""
    rack, best, found = at.RACKS + at.RACK_STRIDE * whole(state[at.SEAT]), -1, 0
    begin = below(state, at.KINDS)
    for n in range(at.KINDS):
        kind = (begin + n) % at.KINDS
        if state[rack + kind]:
            for turned in range(2):
                gain = value(rules, state, kind, turned)
                if gain > best:
                    best, found = gain, 2 * kind + turned
    return found
