"""Numbers about a state for a value function, colour by colour: what a seat may know, nothing hidden.

For each colour: how many playable cells would score at least 1, 2, 3, 4, 5, 6, 8 and 10, the best such cell,
the seat's own marker, the furthest other one, the tiles on the own rack that show the colour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genial.kernel.cards import matches
from genial.kernel.compiled import Rules, State, compiled, inner, whole
from genial.kernel.scoring import place_of
from genial.kernel.state import COLOURS, KINDS, PLACES, RACK_STRIDE, RACKS
from genial.kernel.tables import (
    CELL_AT,
    CELL_PAIRS,
    CELLS,
    DIRECTED,
    FIRST_COLOUR,
    GRID_SIZE,
    IS_CARDS,
    PLANES,
    SEATS,
    SECOND_COLOUR,
    TRACK_OF,
    WORDS,
)
from genial.kernel.words import number_at, set_at, word_at

LIMITS = (1, 2, 3, 4, 5, 6, 8, 10)
BEST, OWN, OTHERS, HELD = len(LIMITS), len(LIMITS) + 1, len(LIMITS) + 2, len(LIMITS) + 3
COUNT = len(LIMITS) + 4
"""How many features a colour has."""


@inner
def is_playable(rules: Rules, state: State, cell: int) -> bool:
    """Whether half of some tile can lie on a cell, by core's number."""
    words = number_at(rules, WORDS)
    for word in range(words):
        pairs = set_at(rules, number_at(rules, CELL_PAIRS) + 4 * (words * cell + word))
        if pairs & word_at(state, PLACES + 8 * word):
            return True
    return False


@inner
def best_on(rules: Rules, state: State, cell: int, colour: int) -> int:
    """The most points of a colour on a grid cell, wherever its other half lies."""
    directed, best = number_at(rules, DIRECTED), 0
    for direction in range(directed):
        plane = number_at(rules, PLANES) + number_at(rules, GRID_SIZE) * (colour * directed + direction)
        best = max(best, whole(state[plane + cell]))
    return best


@compiled
def features(rules: Rules, state: State, seat: int, out: NDArray[np.float32]) -> None:
    """Write the features of each colour, as a seat may know them, into an array of six rows."""
    out[:, :] = 0
    for colour in range(COLOURS):
        if number_at(rules, IS_CARDS):
            out[colour, BEST] = matches(rules, state, colour)
        out[colour, OWN] = place_of(rules, state, seat, colour)
        for other in range(number_at(rules, SEATS)):
            if number_at(rules, TRACK_OF + other) != number_at(rules, TRACK_OF + seat):
                out[colour, OTHERS] = max(out[colour, OTHERS], place_of(rules, state, other, colour))
    for kind in range(KINDS):
        count = state[RACKS + RACK_STRIDE * seat + kind]
        out[number_at(rules, FIRST_COLOUR + kind), HELD] += count
        if number_at(rules, FIRST_COLOUR + kind) != number_at(rules, SECOND_COLOUR + kind):
            out[number_at(rules, SECOND_COLOUR + kind), HELD] += count
    if number_at(rules, IS_CARDS):
        return
    for n in range(number_at(rules, CELLS)):
        if is_playable(rules, state, n):
            cell = number_at(rules, number_at(rules, CELL_AT) + n)
            for colour in range(COLOURS):
                points = best_on(rules, state, cell, colour)
                out[colour, BEST] = max(out[colour, BEST], points)
                for n_limit in range(len(LIMITS)):
                    out[colour, n_limit] += points >= LIMITS[n_limit]
