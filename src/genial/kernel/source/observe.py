"""What a seat may know, written into a caller's buffer.

The same layout serves every seat: the seat itself always comes first. Nothing hidden from it has any
influence: not the other racks, not the order of the bag, not whether another seat may swap.
"""

from __future__ import annotations

from genial.core.observation import MOST_OPEN, OFFSETS, TABLE
from genial.kernel import state as at
from genial.kernel.source.compiled import State, compiled, inner, whole
from genial.kernel.source.legal import may_swap
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import step_of

# The offsets of core's fields, as constants in compiled code.
PHASE_AT, MOVER_AT, BONUS_AT = OFFSETS["phase"], OFFSETS["mover"], OFFSETS["bonus"]
LAST_TURNS_AT, REASON_AT, SUPPLY_AT = OFFSETS["last_turns"], OFFSETS["reason"], OFFSETS["supply"]
DISCARDED_AT, TOUCHED_AT, MAY_SWAP_AT = OFFSETS["discarded"], OFFSETS["touched"], OFFSETS["may_swap"]
TURN_AT, RACK_SIZES_AT, MARKERS_AT = OFFSETS["turn"], OFFSETS["rack_sizes"], OFFSETS["markers"]
RACK_AT, UNSEEN_AT = OFFSETS["rack"], OFFSETS["unseen"]


@inner
def write_observation(rules: Rules, state: State, viewer: int, out: State) -> None:
    """Write what a seat may know."""
    seats = rules.seats
    for n in range(rules.observation_size):
        out[n] = 0
    mover = whole(state[at.SEAT])
    out[PHASE_AT], out[MOVER_AT], out[BONUS_AT] = (
        state[at.PHASE],
        (mover - viewer + seats) % seats,
        state[at.BONUS],
    )
    out[LAST_TURNS_AT], out[REASON_AT], out[SUPPLY_AT] = (
        state[at.LAST_TURNS],
        state[at.REASON],
        state[at.SUPPLY],
    )
    out[DISCARDED_AT], out[TOUCHED_AT] = state[at.DISCARDED], state[at.TOUCHED]
    out[MAY_SWAP_AT] = viewer == mover and state[at.PHASE] == at.END_TURN and may_swap(rules, state)
    out[TURN_AT], out[TURN_AT + 1] = state[at.TURN], state[at.TURN + 1]
    for n in range(seats):
        seat = (viewer + n) % seats
        out[RACK_SIZES_AT + n] = state[at.RACK_SIZES + seat]
        for colour in range(at.COLOURS):
            out[MARKERS_AT + at.COLOURS * n + colour] = step_of(rules, state, seat, colour)
    for kind in range(at.KINDS):
        out[RACK_AT + kind] = state[at.RACKS + at.RACK_STRIDE * viewer + kind]
    _write_unseen(rules, state, viewer, out)
    if rules.is_cards:
        for n in range(seats):
            row = at.ROWS + 8 * ((viewer + n) % seats)
            for card in range(state[row]):
                out[TABLE + MOST_OPEN * n + card] = state[row + 1 + card] + 1
        return
    cells = rules.cells
    for n in range(cells):
        cell = rules.cell_at[n]
        out[TABLE + n] = state[at.GRID + cell]
        if rules.stacking:
            out[TABLE + cells + n] = state[rules.heights + cell]
            out[TABLE + 2 * cells + n] = state[rules.halves + cell]


@inner
def _write_unseen(rules: Rules, state: State, viewer: int, out: State) -> None:
    # The bag and the other racks together; how they are divided is hidden, their sum is not.
    seats = rules.seats
    if rules.is_cards:
        for n in range(rules.tiles_in_all):
            out[UNSEEN_AT + (rules.tile_at[n] & 255)] += 1
        for kind in range(at.KINDS):
            out[UNSEEN_AT + kind] -= state[at.RACKS + at.RACK_STRIDE * viewer + kind]
        for seat in range(seats):
            for card in range(state[at.ROWS + 8 * seat]):
                out[UNSEEN_AT + state[at.ROWS + 8 * seat + 1 + card]] -= 1
        return
    for kind in range(at.KINDS):
        count = state[at.BAG + kind]
        for seat in range(seats):
            if seat != viewer:
                count += state[at.RACKS + at.RACK_STRIDE * seat + kind]
        out[UNSEEN_AT + kind] = count


@compiled
def observe(rules: Rules, state: State, viewer: int, out: State) -> None:
    """Write what a seat may know (`core.observation`)."""
    write_observation(rules, state, viewer, out)
