"""What lies on the board, where tiles fit, and what they would score: tables kept up to date tile by tile.

On a flat board a symbol's points on a cell do not depend on where the other half lies, so a colour has one
plane of points. On stacked tiles it has six, one for each direction of the other half, which does not count
(3D-SCORING). A tile changes the planes only along the lines through its cells.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source.compiled import State, inlined, inner, whole
from genial.kernel.source.rules import Rules
from genial.kernel.source.words import byte_at, put_byte, put_word, word_at
from genial.kernel.tables import NO_PAIR

YES = 255
_1 = np.uint64(1)


@inlined
def step_of(rules: Rules, direction: int) -> int:
    """The grid step of a direction, in the order of core's DIRECTIONS."""
    stride = rules.stride
    axis = direction % 3
    step = stride if axis == 0 else 1 if axis == 1 else 1 - stride
    return step if direction < 3 else -step


@inlined
def run(state: State, cell: int, step: int, colour: int) -> int:
    """How many symbols of a colour follow in a row next to a cell in one direction."""
    found = 0
    cell += step
    while byte_at(state, cell) == colour:
        found += 1
        cell += step
    return found


@inlined
def counted(rules: Rules, state: State, cell: int, colour: int, partner: int) -> int:
    """The points of a symbol on a cell, counted on the board: every direction but the partner's."""
    stride = rules.stride
    cell += at.GRID
    found = (
        run(state, cell, stride, colour)
        + run(state, cell, -stride, colour)
        + run(state, cell, 1, colour)
        + run(state, cell, -1, colour)
        + run(state, cell, 1 - stride, colour)
        + run(state, cell, stride - 1, colour)
    )
    if rules.stacking:  # on a flat board the partner's cell is free and counts nothing
        found -= run(state, cell, step_of(rules, partner), colour)
    return found


@inlined
def looked_up(rules: Rules, state: State, cell: int, colour: int, partner: int) -> int:
    """The same, looked up in the planes."""
    size = rules.grid_size
    plane = rules.planes
    plane += size * (6 * colour + partner if rules.stacking else colour)
    return whole(byte_at(state, plane + cell))


@inlined
def _raise_flat(state: State, plane: int, cell: int, step: int, colour: int) -> None:
    # Only the two cells at the ends of the line see the new symbol; what lies between is covered for good.
    ahead, behind = (
        run(state, at.GRID + cell, step, colour) + 1,
        run(state, at.GRID + cell, -step, colour) + 1,
    )
    end, other_end = plane + cell + step * ahead, plane + cell - step * behind
    put_byte(state, end, np.uint8(byte_at(state, end) + behind))
    put_byte(state, other_end, np.uint8(byte_at(state, other_end) + ahead))


@inlined
def lay_flat(rules: Rules, state: State, cell: int, colour: int) -> None:
    """Put a symbol on a free cell of a flat board, updating the planes."""
    stride, size = rules.stride, rules.grid_size
    plane = rules.planes + size * colour
    _raise_flat(state, plane, cell, stride, colour)
    _raise_flat(state, plane, cell, 1, colour)
    _raise_flat(state, plane, cell, stride - 1, colour)
    put_byte(state, at.GRID + cell, np.uint8(colour))


@inlined
def cover_spots(rules: Rules, state: State, cell: int) -> None:
    """Mark that no tile fits on the pairs of a covered cell any longer."""
    stride, size = rules.stride, rules.grid_size
    spots = rules.spots + cell
    nothing = np.uint8(0)
    put_byte(state, spots, nothing)
    put_byte(state, spots - stride, nothing)
    put_byte(state, spots + size, nothing)
    put_byte(state, spots + size - 1, nothing)
    put_byte(state, spots + 2 * size, nothing)
    put_byte(state, spots + 2 * size + stride - 1, nothing)


@inlined
def cover_pairs(rules: Rules, state: State, first: int, second: int) -> np.uint64:
    """Remove the pairs of two covered cells from the set of open pairs. Returns those left, ORed together."""
    words = rules.words
    one, two = words * rules.cell_of[first], words * rules.cell_of[second]
    left = np.uint64(0)
    for n in range(words):
        gone = rules.cell_pairs[one + n] | rules.cell_pairs[two + n]
        kept = word_at(state, at.OPEN_PAIRS + 8 * n) & ~gone
        put_word(state, at.OPEN_PAIRS + 8 * n, kept)
        left |= kept
    return left


@inner
def change_stacked(rules: Rules, state: State, cell: int, colour: int, by: int) -> None:
    """A symbol appears on (by 1) or goes from (by -1) a cell: update the cells that see it along a line."""
    size = rules.grid_size
    plane = rules.planes + 6 * size * colour
    for direction in range(6):
        step = step_of(rules, direction)
        change = by * (1 + run(state, at.GRID + cell, step, colour))
        here = cell
        while True:
            here -= step
            for partner in range(6):
                if partner != direction:
                    where = plane + size * partner + here
                    put_byte(state, where, np.uint8(byte_at(state, where) + change))
            if byte_at(state, at.GRID + here) != colour:
                break


@inner
def lay_stacked(rules: Rules, state: State, cell: int, colour: int, keep: bool) -> None:
    """Put a symbol on a cell, on top of whatever lies there."""
    covered = whole(state[at.GRID + cell])
    if keep and covered < at.COLOURS:
        change_stacked(rules, state, cell, covered, -1)
    state[at.GRID + cell] = colour
    if keep:
        change_stacked(rules, state, cell, colour, 1)


@inner
def support_around(rules: Rules, state: State, cell: int) -> None:
    """Recheck every pair of a cell: same height, and not the two halves of one tile (3D-SUPPORT)."""
    size, spots = rules.grid_size, rules.spots
    heights, halves = rules.heights, rules.halves
    stacking = rules.stacking != 0
    for direction in range(3):
        step = step_of(rules, direction)
        for first in (cell, cell - step):
            pair = rules.pair_at[size * direction + first]
            if pair != NO_PAIR:
                height = byte_at(state, heights + first)
                fits = height == byte_at(state, heights + first + step) and (
                    height == 0 or (stacking and byte_at(state, halves + first) != direction)
                )
                put_byte(state, spots + size * direction + first, np.uint8(YES if fits else 0))
                word = at.OPEN_PAIRS + 8 * (pair >> 6)
                bit = _1 << np.uint64(pair & 63)
                put_word(state, word, word_at(state, word) | bit if fits else word_at(state, word) & ~bit)


@inner
def rebuild(rules: Rules, state: State) -> None:
    """Recompute open pairs, spots, planes and touched starts from symbols, heights and halves."""
    size, stacking = rules.grid_size, bool(rules.stacking)
    state[rules.spots : rules.state_size] = 0
    state[at.OPEN_PAIRS : at.OPEN_PAIRS + 64] = 0
    state[at.TOUCHED] = 0
    for n in range(rules.cells):
        cell = rules.cell_at[n]
        support_around(rules, state, cell)
        if state[rules.heights + cell]:
            state[at.TOUCHED] |= np.uint8(rules.near[cell])
        for colour in range(at.COLOURS):
            for partner in range(6 if stacking else 1):
                plane = rules.planes + size * (6 * colour + partner if stacking else colour)
                state[plane + cell] = counted(rules, state, cell, colour, partner)


@inner
def clear(rules: Rules, state: State) -> None:
    """Clear the board: free cells inside, the border around them."""
    size = rules.grid_size
    state[at.GRID : at.GRID + size] = at.OUTSIDE
    state[rules.heights : rules.heights + size] = 0
    state[rules.halves : rules.halves + size] = at.NO_HALF
    for n in range(rules.cells):
        state[at.GRID + rules.cell_at[n]] = at.FREE
