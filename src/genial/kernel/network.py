"""The network of the learned value: features, layers, and their positions in weights and scratch space.

`source/features.py` and `source/value.py` compute with it; `weights.py` reads its weights.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from genial.kernel.state import COLOURS

# Features of each colour. Boards: how many playable cells would score at least each limit, and the best.
LIMITS = (1, 2, 3, 4, 5, 6, 8, 10)
BEST, OWN, OTHER, HELD = len(LIMITS), len(LIMITS) + 1, len(LIMITS) + 2, len(LIMITS) + 3
"""OWN and OTHER: the markers of the seat and its opponent. HELD: the seat's tiles that show the colour."""
HELD_DOUBLES, UNSEEN = HELD + 1, HELD + 2
"""UNSEEN: symbols of the colour on tiles that the seat cannot see: in the bag and on the other racks."""
COUNT = UNSEEN + 1
"""How many features each colour has."""
# Cards, instead of LIMITS: open cards showing the colour in front of the seat, the next two and all others,
# and the same for each seat's oldest card, which is discarded first.
ROW, OLDEST, ROWS_APART = 0, 4, 4

# Features of the table as a whole
PLACING, ENDING, OWED, OTHERS_OWED = 0, 1, 2, 3
"""Whether the seat has to place or to end its turn; bonus moves owed by the seat, or by another mover."""
PLAYABLE, ROOM, LEFT, OWN_RACK, OTHER_RACK = 4, 5, 6, 7, 8
"""PLAYABLE: cells that can be covered. ROOM: pairs of cells. LEFT: tiles in the bag."""
LAST, WAIT, OTHER_WAIT, OPENING = 9, 10, 11, 12
"""LAST: turns left in 3D's last round. WAIT: seats to move before this one; OTHER_WAIT: before the other."""
TABLE_COUNT = 13

FIRST, SECOND, THIRD, FOURTH = 48, 32, 48, 32
"""The widths of the layers. Half of the second is ordered by the seat's markers, half by the opponent's."""
HALF = SECOND // 2
OUTPUTS = 2

# Where the parts of the network start in the weights; a layer's weights are ordered by input.
_SHAPES = {
    "table": (TABLE_COUNT, FIRST),
    "colour": (COUNT, FIRST),
    "colour bias": (FIRST,),
    "second": (FIRST, SECOND),
    "second bias": (SECOND,),
    "own order": (COLOURS, HALF, THIRD),
    "other order": (COLOURS, HALF, THIRD),
    "third table": (TABLE_COUNT, THIRD),
    "third bias": (THIRD,),
    "fourth": (THIRD, FOURTH),
    "fourth bias": (FOURTH,),
    "output": (FOURTH, OUTPUTS),
    "output bias": (OUTPUTS,),
}


class Part(NamedTuple):
    """A part of the weights: its start and its shape."""

    begin: int
    shape: tuple[int, ...]


def _parts() -> dict[str, Part]:
    found, begin = {}, 0
    for name, shape in _SHAPES.items():
        found[name] = Part(begin, shape)
        begin += prod(shape)
    return found


PARTS = _parts()
WEIGHTS = sum(prod(shape) for shape in _SHAPES.values())
"""How many weights a network has."""

LEAD_UNIT = 8.0
"""The unit of the network's second output, in steps of the track."""
LEAD_PULL = 0.05
"""What a step of the lead counts against the log odds of the share: won games are played well, too."""
LEAD_LOSS = 0.5
"""In training: how much an error in the lead counts compared to one in the share."""
OPEN, ENDED, NONE = 0, 1, 2
"""The result of trying a move in lockstep games: the game goes on, is over, or there was no move."""

FEATURE_COUNT = COLOURS * COUNT + TABLE_COUNT
# Offsets in the scratch space: features, layers (the first two for each colour), outputs
TABLE_AT = COLOURS * COUNT
BASE_AT = -(-FEATURE_COUNT // 16) * 16
"""What the table adds to the first layer, the same for all colours."""
FIRST_AT = BASE_AT + FIRST
SECOND_AT = FIRST_AT + COLOURS * FIRST
THIRD_AT = SECOND_AT + COLOURS * SECOND
FOURTH_AT = THIRD_AT + THIRD
OUTPUT_AT = FOURTH_AT + FOURTH
SCRATCH = OUTPUT_AT + 16
