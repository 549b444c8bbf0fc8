"""Balanced play's table of worth in the form compiled code needs: 16-bit numbers, one row per seat."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from genial.kernel.tables import STEPS_ON_TRACK

UNIT = 8192
"""The worth of 1; two halves and their bonus moves stay below 65,536."""
BONUS_WORTH = STEPS_ON_TRACK
"""In a row: the worth of a bonus move, after a marker's worth by step."""
WORTH_SIZE = STEPS_ON_TRACK + 1


def worth_table(steps: Sequence[float], bonus: float, seats: int) -> array[int]:
    """The table for `seats` seats that all value marker steps and bonus moves the same way.

    >>> worth_table([0.0, 0.5, 1.0], 0.25, seats=2)[:4].tolist()
    [0, 4096, 8192, 0]
    """
    row = array("H", bytes(2 * WORTH_SIZE))
    for step, worth in enumerate(steps):
        row[step] = round(UNIT * (worth - steps[0]))
    row[BONUS_WORTH] = round(UNIT * bonus)
    return row * seats
