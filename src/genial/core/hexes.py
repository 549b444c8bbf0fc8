"""Hexagonal cells in axial coordinates (AXES)."""

from __future__ import annotations

Cell = tuple[int, int]
"""A cell (q, r). The centre of every board is (0, 0)."""

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The steps to the six neighbours: right, lower right, lower left, left, upper left, upper right."""


def step(cell: Cell, direction: int, distance: int = 1) -> Cell:
    """The cell `distance` steps away in a direction.

    >>> step((0, 0), 1, 3)
    (0, 3)
    """
    q, r = DIRECTIONS[direction]
    return cell[0] + q * distance, cell[1] + r * distance


def distance(cell: Cell, other: Cell = (0, 0)) -> int:
    """How many steps lie between two cells.

    >>> distance((5, -5))
    5
    """
    q, r = cell[0] - other[0], cell[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def hexagon(radius: int) -> tuple[Cell, ...]:
    """All cells of the regular hexagon around the centre, by q, then r.

    >>> len(hexagon(5)), len(hexagon(6)), len(hexagon(7))
    (91, 127, 169)
    """
    span = range(-radius, radius + 1)
    return tuple((q, r) for q in span for r in span if abs(q + r) <= radius)
