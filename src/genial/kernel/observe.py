"""What a seat may know, written into a caller's buffer.

The same reader serves every seat: the seat itself always comes first. Nothing that is hidden from it has any
influence: not the other racks, not the order of the bag, not whether another seat may swap.
"""

from __future__ import annotations

from genial.kernel.compiled import Rules, State, compiled, inner, whole
from genial.kernel.legal import may_swap
from genial.kernel.scoring import place_of
from genial.kernel.state import (
    BAG,
    BONUS,
    COLOURS,
    DISCARDED,
    END_TURN,
    GRID,
    KINDS,
    LAST_TURNS,
    MOST_SEATS,
    PHASE,
    RACK_SIZES,
    RACK_STRIDE,
    RACKS,
    REASON,
    ROWS,
    SEAT,
    SUPPLY,
    TOUCHED,
    TURN,
)
from genial.kernel.tables import (
    CELL_AT,
    CELLS,
    HALVES,
    HEIGHTS,
    IS_CARDS,
    SEATS,
    STACKING,
    TILE_AT,
    TILES_IN_ALL,
)
from genial.kernel.words import number_at

# Where things stand in an observation
PHASE_AT, MOVER_AT, BONUS_AT, LAST_TURNS_AT, REASON_AT, SUPPLY_AT, DISCARDED_AT = 0, 1, 2, 3, 4, 5, 6
"""MOVER_AT: how many seats after the viewer the mover sits."""
TOUCHED_AT, MAY_SWAP_AT, TURN_AT = 7, 8, 9
"""MAY_SWAP_AT: whether the viewer may swap now; 0 while another seat is to move. TURN_AT: two bytes."""
RACK_SIZES_AT = 12
MARKERS_AT = 16
"""For each seat, the viewer first, six places from the track's lowest on; pegs as that seat sees them."""
RACK_AT = 40
"""The count of each kind on the viewer's rack."""
UNSEEN_AT = 61
"""The count of each kind in the bag or on other racks; in cards on the discard pile too."""
TABLE_AT = 82
"""Boards: the topmost symbol of each cell in core's order, 6 for none; 3D then has heights and the direction
of the other half. Cards: for each seat, the viewer first, three open cards, oldest first: kind + 1 or 0."""
_MOST_OPEN = 3


@inner
def write_observation(rules: Rules, state: State, viewer: int, out: State) -> None:
    """Write what a seat may know."""
    seats = number_at(rules, SEATS)
    out[:] = 0
    mover = whole(state[SEAT])
    out[PHASE_AT], out[MOVER_AT], out[BONUS_AT] = state[PHASE], (mover - viewer + seats) % seats, state[BONUS]
    out[LAST_TURNS_AT], out[REASON_AT], out[SUPPLY_AT] = state[LAST_TURNS], state[REASON], state[SUPPLY]
    out[DISCARDED_AT], out[TOUCHED_AT] = state[DISCARDED], state[TOUCHED]
    out[MAY_SWAP_AT] = viewer == mover and state[PHASE] == END_TURN and may_swap(rules, state)
    out[TURN_AT], out[TURN_AT + 1] = state[TURN], state[TURN + 1]
    for n in range(seats):
        seat = (viewer + n) % seats
        out[RACK_SIZES_AT + n] = state[RACK_SIZES + seat]
        for colour in range(COLOURS):
            out[MARKERS_AT + COLOURS * n + colour] = place_of(rules, state, seat, colour)
    for kind in range(KINDS):
        out[RACK_AT + kind] = state[RACKS + RACK_STRIDE * viewer + kind]
    _write_unseen(rules, state, viewer, out)
    if number_at(rules, IS_CARDS):
        for n in range(seats):
            row = ROWS + 8 * ((viewer + n) % seats)
            for card in range(state[row]):
                out[TABLE_AT + _MOST_OPEN * n + card] = state[row + 1 + card] + 1
        return
    cells = number_at(rules, CELLS)
    for n in range(cells):
        cell = number_at(rules, number_at(rules, CELL_AT) + n)
        out[TABLE_AT + n] = state[GRID + cell]
        if number_at(rules, STACKING):
            out[TABLE_AT + cells + n] = state[number_at(rules, HEIGHTS) + cell]
            out[TABLE_AT + 2 * cells + n] = state[number_at(rules, HALVES) + cell]


@inner
def _write_unseen(rules: Rules, state: State, viewer: int, out: State) -> None:
    # The bag and the other racks together; how they are divided is hidden, their sum is not.
    seats = number_at(rules, SEATS)
    if number_at(rules, IS_CARDS):
        for n in range(number_at(rules, TILES_IN_ALL)):
            out[UNSEEN_AT + (number_at(rules, TILE_AT + n) & 255)] += 1
        for kind in range(KINDS):
            out[UNSEEN_AT + kind] -= state[RACKS + RACK_STRIDE * viewer + kind]
        for seat in range(seats):
            for card in range(state[ROWS + 8 * seat]):
                out[UNSEEN_AT + state[ROWS + 8 * seat + 1 + card]] -= 1
        return
    for kind in range(KINDS):
        count = state[BAG + kind]
        for seat in range(seats):
            if seat != viewer:
                count += state[RACKS + RACK_STRIDE * seat + kind]
        out[UNSEEN_AT + kind] = count


@compiled
def observe(rules: Rules, state: State, viewer: int, out: State) -> None:
    """`write_observation`, for Python."""
    write_observation(rules, state, viewer, out)


def observation_bytes(rules: Rules) -> int:
    """How long an observation is.

    >>> from genial.kernel.tables import tables
    >>> observation_bytes(tables("classic", 2).rules)
    173
    """
    if rules[IS_CARDS]:
        return TABLE_AT + _MOST_OPEN * MOST_SEATS
    return TABLE_AT + int(rules[CELLS]) * (3 if rules[STACKING] else 1)
