"""The board games: a turn step by step, as core's fold has it, on a flat state.

Every function takes the state as it is and the act as lawful; `legal.py` says what is lawful. `keep` says
whether the planes of points are kept up to date: random play needs none, and then counts on the board.
"""

from __future__ import annotations

import numpy as np

from genial.kernel.compiled import Rules, State, inlined, inner, whole
from genial.kernel.gains import (
    counted,
    cover_places,
    cover_spots,
    lay_flat,
    lay_stacked,
    looked_up,
    support_around,
)
from genial.kernel.rng import below
from genial.kernel.scoring import has_weakest, is_complete, score
from genial.kernel.state import (
    BAG,
    BAG_EMPTY,
    BONUS,
    COLOURS,
    EARNED,
    END_TURN,
    GRID,
    KINDS,
    LAST_ROUND,
    LAST_TURNS,
    LEVEL,
    OVER,
    PHASE,
    PLACE,
    PLACES,
    RACK_SIZES,
    RACK_STRIDE,
    RACKS,
    REASON,
    SEAT,
    START_COLOURS,
    SUPPLY,
    TOUCHED,
    TURN,
)
from genial.kernel.supply import draw, draw_given, draw_kind, note_held, put_on_rack, take_off_rack
from genial.kernel.tables import (
    BESIDE,
    COMPLETE,
    EVERY_START,
    FIRST_COLOUR,
    HALVES,
    HEIGHTS,
    IS_SOLO,
    LAST_ROUND_BELOW,
    LOOSE_STONES,
    NEAR,
    PAIR_DIRECTION,
    PAIR_FIRST,
    PAIR_SECOND,
    RACK,
    ROUND_ONE,
    SEATS,
    SECOND_COLOUR,
    STACKING,
    START_AT,
    STUCK,
    STUCK_AT_ONCE,
    SWAPS,
    WORDS,
)
from genial.kernel.words import byte_at, number_at, put_byte, set_at, word_at

_ALL_TOUCHED = 63


@inner
def deal(rules: Rules, state: State) -> None:
    """Deal a new game from the state's own stream; the state is a fresh one (`convert.fresh`)."""
    if number_at(rules, LOOSE_STONES):  # 3D-START: the stones' cells are fixed, their colours are shuffled
        colours = np.uint64(0x050403020100)
        for left in range(COLOURS, 0, -1):
            shift = np.uint64(8 * below(state, left))
            colour = whole((colours >> shift) & np.uint64(255))
            lower = colours & ((np.uint64(1) << shift) - np.uint64(1))
            colours = lower | (colours >> (shift + np.uint64(8)) << shift)
            cell = number_at(rules, START_AT + left - 1)
            state[START_COLOURS + left - 1] = colour
            lay_stacked(rules, state, cell, colour, True)
    for seat in range(number_at(rules, SEATS)):
        draw(rules, state, seat, number_at(rules, RACK))


@inlined
def is_opening(rules: Rules, state: State) -> bool:
    """Whether the next tile must touch a start cell that no tile lies beside (FIRST-TILE, 3D-OPENING)."""
    if number_at(rules, EVERY_START):
        return bool(state[TOUCHED] != _ALL_TOUCHED)
    return bool(state[TURN] < number_at(rules, ROUND_ONE))


@inner
def beside_untouched(rules: Rules, state: State, word: int) -> np.uint64:
    """One word of the set of pairs beside start cells that no tile lies beside."""
    words, found = number_at(rules, WORDS), np.uint64(0)
    for start in range(COLOURS):
        if not state[TOUCHED] >> start & 1:
            found |= set_at(rules, number_at(rules, BESIDE) + 4 * (words * start + word))
    return found


@inlined
def legal_word(rules: Rules, state: State, word: int, opening: bool) -> np.uint64:
    """One word of the set of pairs where the next tile may lie."""
    places = word_at(state, PLACES + 8 * word)
    return places & beside_untouched(rules, state, word) if opening else places


@inner
def can_place(rules: Rules, state: State) -> bool:
    """Whether there is any place for the next tile."""
    opening = is_opening(rules, state)
    for word in range(number_at(rules, WORDS)):
        if legal_word(rules, state, word, opening) != np.uint64(0):
            return True
    return False


@inlined
def may_swap(rules: Rules, state: State) -> bool:
    """Whether the mover may swap (SWAP): bag full enough, and no tile left shows a weakest colour."""
    seat = whole(state[SEAT])
    return bool(
        number_at(rules, SWAPS)
        and state[PHASE] == END_TURN
        and byte_at(state, RACK_SIZES + seat) != 0
        and state[SUPPLY] >= number_at(rules, RACK)
        and not has_weakest(rules, state, seat)
    )


@inlined
def points(rules: Rules, state: State, cell: int, colour: int, partner: int, keep: bool) -> int:
    """What a symbol scores on a cell, its other half lying in the partner's direction."""
    if keep:
        return looked_up(rules, state, cell, colour, partner)
    return counted(rules, state, cell, colour, partner)


@inlined
def place(
    rules: Rules, state: State, kind: int, turned: int, pair: int, keep: bool, given: bool, dealt: State
) -> None:
    """Lay a tile of the mover on a pair of cells; turned, its first symbol lies on the second cell.

    What then goes on by itself (solo's next tile, the last round, the end) is done; `dealt` names solo's next
    tile where a dealer outside deals.
    """
    seat = whole(state[SEAT])
    first = number_at(rules, FIRST_COLOUR + kind)
    second = number_at(rules, SECOND_COLOUR + kind)
    cell = number_at(rules, number_at(rules, PAIR_FIRST) + pair)
    other = number_at(rules, number_at(rules, PAIR_SECOND) + pair)
    direction = number_at(rules, number_at(rules, PAIR_DIRECTION) + pair)
    opposite = direction + 3
    if turned:
        cell, other, direction, opposite = other, cell, opposite, direction
    some = points(rules, state, cell, first, direction, keep)
    more = points(rules, state, other, second, opposite, keep)
    done = score(rules, state, seat, first, some, second, more)
    heights, halves = number_at(rules, HEIGHTS), number_at(rules, HALVES)
    put_byte(state, LEVEL, byte_at(state, heights + cell))
    put_byte(state, heights + cell, np.uint8(byte_at(state, heights + cell) + 1))
    put_byte(state, heights + other, np.uint8(byte_at(state, heights + other) + 1))
    put_byte(state, halves + cell, np.uint8(direction))
    put_byte(state, halves + other, np.uint8(opposite))
    left = np.uint64(1)
    if number_at(rules, STACKING):
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
            put_byte(state, GRID + cell, np.uint8(first))
            put_byte(state, GRID + other, np.uint8(second))
        left = cover_places(rules, state, cell, other)
    near = number_at(rules, NEAR)
    state[TOUCHED] |= np.uint8(number_at(rules, near + cell) | number_at(rules, near + other))
    held = take_off_rack(state, seat, kind)
    # The first tile of a turn is owed anyway; a bonus move pays for itself. BONUS, 3D-BONUS, TEAM: they lapse
    # when the rack is empty.
    bonus = max(whole(state[BONUS]) - 1, 0) + whole(state[EARNED]) if held else 0
    state[BONUS] = bonus
    if done and is_complete(rules, state, seat):  # ALL-MAX
        finish(state, number_at(rules, COMPLETE))
    elif number_at(rules, STUCK_AT_ONCE) and left == np.uint64(0):  # BOARD-FULL
        finish(state, number_at(rules, STUCK))
    elif bonus:
        must_place(rules, state)
    else:
        _placements_done(rules, state, given, dealt)


@inlined
def _placements_done(rules: Rules, state: State, given: bool, dealt: State) -> None:
    state[TURN] += 1
    if number_at(rules, IS_SOLO):
        if state[SUPPLY] == 0:
            finish(state, BAG_EMPTY)
            return
        if given:
            draw_given(state, 0, dealt)
        else:
            draw(rules, state, 0, 1)
        must_place(rules, state)
    elif state[LAST_TURNS] == 0:
        state[PHASE] = END_TURN
    elif state[LAST_TURNS] == 1:  # 3D-END: no refill and no swap in the last round
        finish(state, LAST_ROUND)
    else:
        state[LAST_TURNS] -= 1
        state[SEAT] = (whole(state[SEAT]) + 1) % number_at(rules, SEATS)
        must_place(rules, state)


@inlined
def must_place(rules: Rules, state: State) -> None:
    """The seat to move has to place a tile; if it cannot, the game ends."""
    state[PHASE] = PLACE
    # On a flat board a full one was seen at once; only the opening can leave no place.
    if (
        number_at(rules, STUCK)
        and (number_at(rules, STACKING) or is_opening(rules, state))
        and not can_place(rules, state)
    ):
        finish(state, number_at(rules, STUCK))


@inlined
def finish(state: State, reason: int) -> None:
    """The game is over."""
    state[PHASE], state[BONUS], state[REASON] = OVER, 0, reason


@inlined
def end_turn(rules: Rules, state: State, swap: bool, given: bool, dealt: State) -> None:
    """The mover refills the rack, or swaps it; then the next seat is to move."""
    seat = whole(state[SEAT])
    if swap:
        _swap(rules, state, seat, given, dealt)
    elif given:
        draw_given(state, seat, dealt)
    else:
        draw(rules, state, seat, number_at(rules, RACK) - whole(byte_at(state, RACK_SIZES + seat)))
    if state[SUPPLY] < number_at(rules, LAST_ROUND_BELOW):  # 3D-END
        state[LAST_TURNS] = number_at(rules, SEATS)
    following = seat + 1
    state[SEAT] = following if following < number_at(rules, SEATS) else 0
    must_place(rules, state)


@inner
def _swap(rules: Rules, state: State, seat: int, given: bool, dealt: State) -> None:
    # SWAP: new tiles are drawn first, then the old ones go back into the bag. The rack holds both meanwhile.
    old = whole(state[RACK_SIZES + seat])
    rack = RACKS + RACK_STRIDE * seat
    shown = np.uint64(0)  # three bits a kind: a rack holds six tiles at most
    for kind in range(KINDS):
        shown |= np.uint64(state[rack + kind]) << np.uint64(3 * kind)
        state[rack + kind] = 0
    state[RACK_SIZES + seat] = 0
    if given:
        draw_given(state, seat, dealt)
    else:
        for _ in range(number_at(rules, RACK)):
            put_on_rack(state, seat, draw_kind(rules, state))
    for kind in range(KINDS):
        state[BAG + kind] += np.uint8((shown >> np.uint64(3 * kind)) & np.uint64(7))
    state[SUPPLY] += np.uint8(old)
    note_held(state, seat)
