"""The board games: a turn step by step, like core's fold, on a flat state.

Every function trusts the state and assumes the action is lawful; `legal.py` decides what is lawful. `keep`
says whether the planes of points are kept up to date: random play does not need them and counts on the board.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source.compiled import State, inlined, inner, whole
from genial.kernel.source.gains import (
    counted,
    cover_pairs,
    cover_spots,
    lay_flat,
    lay_stacked,
    looked_up,
    support_around,
)
from genial.kernel.source.rng import below
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import has_weakest, is_complete, score
from genial.kernel.source.supply import draw, draw_given, draw_kind, note_held, put_on_rack, take_off_rack
from genial.kernel.source.words import byte_at, put_byte, word_at

_ALL_TOUCHED = 63


@inner
def deal(rules: Rules, state: State, keep: bool) -> None:
    """Deal a new game from the state's own stream; the state must be fresh (`convert.fresh`)."""
    if rules.loose_stones:  # 3D-START: the stones' cells are fixed, their colours are shuffled
        colours = np.uint64(0x050403020100)
        for left in range(at.COLOURS, 0, -1):
            shift = np.uint64(8 * below(state, left))
            colour = whole((colours >> shift) & np.uint64(255))
            lower = colours & ((np.uint64(1) << shift) - np.uint64(1))
            colours = lower | (colours >> (shift + np.uint64(8)) << shift)
            cell = rules.start_at[left - 1]
            state[at.START_COLOURS + left - 1] = colour
            lay_stacked(rules, state, cell, colour, keep)
    for seat in range(rules.seats):
        draw(rules, state, seat, rules.rack)


@inlined
def is_opening(rules: Rules, state: State) -> bool:
    """True if the next tile must touch a start cell with no tile next to it (FIRST-TILE, 3D-OPENING)."""
    if rules.every_start:
        return bool(state[at.TOUCHED] != _ALL_TOUCHED)
    return bool(state[at.TURN] < rules.round_one)


@inner
def beside_untouched(rules: Rules, state: State, word: int) -> np.uint64:
    """One word of the set of pairs beside start cells with no tile next to them."""
    words, found = rules.words, np.uint64(0)
    for start in range(at.COLOURS):
        if not state[at.TOUCHED] >> start & 1:
            found |= rules.beside[words * start + word]
    return found


@inlined
def legal_word(rules: Rules, state: State, word: int, opening: bool) -> np.uint64:
    """One word of the set of pairs where the next tile may go."""
    pairs = word_at(state, at.OPEN_PAIRS + 8 * word)
    return pairs & beside_untouched(rules, state, word) if opening else pairs


@inner
def can_place(rules: Rules, state: State) -> bool:
    """True if there is any space for the next tile."""
    opening = is_opening(rules, state)
    for word in range(rules.words):  # noqa: SIM110 - numba has no generators
        if legal_word(rules, state, word, opening) != np.uint64(0):
            return True
    return False


@inlined
def may_swap(rules: Rules, state: State) -> bool:
    """True if the mover may swap (SWAP): bag full enough, and no tile left shows a weakest colour."""
    seat = whole(state[at.SEAT])
    return bool(
        rules.swaps
        and state[at.PHASE] == at.END_TURN
        and byte_at(state, at.RACK_SIZES + seat) != 0
        and state[at.SUPPLY] >= rules.rack
        and not has_weakest(rules, state, seat)
    )


@inlined
def points(rules: Rules, state: State, cell: int, colour: int, partner: int, keep: bool) -> int:
    """What a symbol scores on a cell, with its other half in the partner's direction."""
    if keep:
        return looked_up(rules, state, cell, colour, partner)
    return counted(rules, state, cell, colour, partner)


@inlined
def place(
    rules: Rules, state: State, kind: int, turned: int, pair: int, keep: bool, given: bool, dealt: State
) -> None:
    """Place one of the mover's tiles on a pair of cells; if turned, its first symbol lies on the second cell.

    Also does what follows automatically (the next solo tile, the last round, the end); `dealt` names the next
    solo tile if an external dealer deals.
    """
    seat = whole(state[at.SEAT])
    first = rules.first_colour[kind]
    second = rules.second_colour[kind]
    cell = rules.pair_first[pair]
    other = rules.pair_second[pair]
    direction = rules.pair_direction[pair]
    opposite = direction + 3
    if turned:
        cell, other, direction, opposite = other, cell, opposite, direction
    some = points(rules, state, cell, first, direction, keep)
    more = points(rules, state, other, second, opposite, keep)
    done = score(rules, state, seat, first, some, second, more)
    heights, halves = rules.heights, rules.halves
    put_byte(state, at.LEVEL, byte_at(state, heights + cell))
    put_byte(state, heights + cell, np.uint8(byte_at(state, heights + cell) + 1))
    put_byte(state, heights + other, np.uint8(byte_at(state, heights + other) + 1))
    put_byte(state, halves + cell, np.uint8(direction))
    put_byte(state, halves + other, np.uint8(opposite))
    left = np.uint64(1)
    if rules.stacking:
        lay_stacked(rules, state, cell, first, keep)
        lay_stacked(rules, state, other, second, keep)
        support_around(rules, state, cell)
        support_around(rules, state, other)
    else:
        if keep:
            lay_flat(rules, state, cell, first)
            lay_flat(rules, state, other, second)
            cover_spots(rules, state, cell)
            cover_spots(rules, state, other)
        else:
            put_byte(state, at.GRID + cell, np.uint8(first))
            put_byte(state, at.GRID + other, np.uint8(second))
        left = cover_pairs(rules, state, cell, other)
    state[at.TOUCHED] |= np.uint8(rules.near[cell] | rules.near[other])
    held = take_off_rack(state, seat, kind)
    # The first tile of a turn is owed in any case; a bonus move pays for itself. BONUS, 3D-BONUS, TEAM: they
    # are lost when the rack is empty.
    bonus = max(whole(state[at.BONUS]) - 1, 0) + whole(state[at.EARNED]) if held else 0
    state[at.BONUS] = bonus
    if done and is_complete(rules, state, seat):  # ALL-MAX
        finish(state, rules.complete)
    elif rules.stuck_at_once and left == np.uint64(0):  # BOARD-FULL
        finish(state, rules.stuck)
    elif bonus:
        must_place(rules, state)
    else:
        _placements_done(rules, state, given, dealt)


@inlined
def _placements_done(rules: Rules, state: State, given: bool, dealt: State) -> None:
    state[at.TURN] += 1
    if rules.is_solo:
        if state[at.SUPPLY] == 0:
            finish(state, at.BAG_EMPTY)
            return
        if given:
            draw_given(state, 0, dealt)
        else:
            draw(rules, state, 0, 1)
        must_place(rules, state)
    elif state[at.LAST_TURNS] == 0:
        state[at.PHASE] = at.END_TURN
    elif state[at.LAST_TURNS] == 1:  # 3D-END: no refill or swap in the last round
        finish(state, at.LAST_ROUND)
    else:
        state[at.LAST_TURNS] -= 1
        state[at.SEAT] = (whole(state[at.SEAT]) + 1) % rules.seats
        must_place(rules, state)


@inlined
def must_place(rules: Rules, state: State) -> None:
    """The seat to move has to place a tile; if it cannot, the game ends."""
    state[at.PHASE] = at.PLACE
    # A full flat board was noticed at once; only the opening rule can leave no space.
    if rules.stuck and (rules.stacking or is_opening(rules, state)) and not can_place(rules, state):
        finish(state, rules.stuck)


@inlined
def finish(state: State, reason: int) -> None:
    """End the game."""
    state[at.PHASE], state[at.BONUS], state[at.REASON] = at.OVER, 0, reason


@inlined
def end_turn(rules: Rules, state: State, swap: bool, given: bool, dealt: State) -> None:
    """The mover refills or swaps the rack; then it is the next seat's turn."""
    seat = whole(state[at.SEAT])
    if swap:
        _swap(rules, state, seat, given, dealt)
    elif given:
        draw_given(state, seat, dealt)
    else:
        draw(rules, state, seat, rules.rack - whole(byte_at(state, at.RACK_SIZES + seat)))
    if state[at.SUPPLY] < rules.last_round_below:  # 3D-END
        state[at.LAST_TURNS] = rules.seats
    following = seat + 1
    state[at.SEAT] = following if following < rules.seats else 0
    must_place(rules, state)


@inner
def _swap(rules: Rules, state: State, seat: int, given: bool, dealt: State) -> None:
    # SWAP: new tiles are drawn first, then the old ones go back into the bag. Meanwhile the rack holds both.
    old = whole(state[at.RACK_SIZES + seat])
    rack = at.RACKS + at.RACK_STRIDE * seat
    shown = np.uint64(0)  # three bits per kind: a rack holds at most six tiles
    for kind in range(at.KINDS):
        shown |= np.uint64(state[rack + kind]) << np.uint64(3 * kind)
        state[rack + kind] = 0
    state[at.RACK_SIZES + seat] = 0
    if given:
        draw_given(state, seat, dealt)
    else:
        for _ in range(rules.rack):
            put_on_rack(state, seat, draw_kind(rules, state))
    for kind in range(at.KINDS):
        state[at.BAG + kind] += np.uint8((shown >> np.uint64(3 * kind)) & np.uint64(7))
    state[at.SUPPLY] += np.uint8(old)
    note_held(state, seat)
