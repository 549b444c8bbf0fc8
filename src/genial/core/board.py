"""Boards: cells, straight lines and pairs of neighbours. What lies on them is in `layout.py`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from genial.core.bits import bit_set
from genial.core.hexes import DIRECTIONS, Cell, hexagon, step


@dataclass(frozen=True, slots=True)
class Pair:
    """Two neighbouring cells, by number: where a tile can lie."""

    first: int
    second: int
    direction: int
    """From first to second, in `DIRECTIONS`."""
    cells: tuple[Cell, Cell]
    turned: tuple[Cell, Cell]
    """The same two cells, the second one first."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A hexagon of cells with six start cells, and the tables that follow from that.

    Cells and pairs have numbers: their positions in `cells` and `pairs`.

    >>> board = hexagonal_board(5, 5)
    >>> len(board.cells), len(board.pairs), board.cells[board.start[0]]
    (91, 240, (0, -5))
    """

    radius: int
    ring: int
    cells: tuple[Cell, ...]
    start: tuple[int, ...]
    """The six cells that carry a printed symbol or a start stone, clockwise from the top left."""
    number: dict[Cell, int]
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    """For each cell and direction, the cells in a straight line, the nearest first."""
    neighbours: tuple[tuple[int, ...], ...]
    pairs: tuple[Pair, ...]
    pair_number: dict[tuple[Cell, Cell], int]
    """The number of a pair, by its cells in either order."""
    pairs_of: tuple[int, ...]
    """For each cell, the set of pairs that it belongs to."""
    pairs_beside: tuple[int, ...]
    """For each cell, the set of pairs that touch it from outside."""

    def __reduce__(self) -> tuple[object, ...]:
        return hexagonal_board, (self.radius, self.ring)


@cache
def hexagonal_board(radius: int, ring: int) -> Board:
    """The board of this radius with its start cells on the corners of the hexagon of radius `ring`."""
    cells = hexagon(radius)
    number = {cell: n for n, cell in enumerate(cells)}

    def ray(cell: Cell, direction: int) -> tuple[int, ...]:
        seen = []
        while (cell := step(cell, direction)) in number:
            seen.append(number[cell])
        return tuple(seen)

    rays = tuple(tuple(ray(cell, direction) for direction in range(6)) for cell in cells)
    neighbours = tuple(tuple(line[0] for line in lines if line) for lines in rays)
    pairs = tuple(
        Pair(a, rays[a][d][0], d, (cells[a], cells[rays[a][d][0]]), (cells[rays[a][d][0]], cells[a]))
        for a in range(len(cells))
        for d in range(3)
        if rays[a][d]
    )
    pair_number = {cells: n for n, pair in enumerate(pairs) for cells in (pair.cells, pair.turned)}
    pairs_of = tuple(
        bit_set(pair_number[cell, cells[other]] for other in neighbours[n]) for n, cell in enumerate(cells)
    )
    pairs_beside = tuple(_beside(n, neighbours, pairs_of) for n in range(len(cells)))
    # Clockwise from the upper left corner, as PRINTED lists them.
    corners = tuple(number[DIRECTIONS[d][0] * ring, DIRECTIONS[d][1] * ring] for d in (4, 5, 0, 1, 2, 3))
    return Board(
        radius, ring, cells, corners, number, rays, neighbours, pairs, pair_number, pairs_of, pairs_beside
    )


def _beside(cell: int, neighbours: tuple[tuple[int, ...], ...], pairs_of: tuple[int, ...]) -> int:
    touching = 0
    for other in neighbours[cell]:
        touching |= pairs_of[other]
    return touching & ~pairs_of[cell]
