"""What lies on a board, where the next tile may go, and what it would score there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from genial.core.bits import bit_set, members
from genial.core.board import Board

NOTHING = 6
"""In `symbols`: a free cell. In `halves`: a printed symbol or start stone, which has no other half."""
ALL_DIRECTIONS = range(6)
FAR = 100
"""Longer than any line."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The board from above: the topmost symbol of each cell, its height, and where its other half is."""

    board: Board
    stacking: bool
    """True if tiles may lie on tiles (3D-SUPPORT)."""
    start: tuple[int, ...]
    """The cell of each colour's printed symbol or start stone."""
    symbols: bytes
    heights: bytes
    """How many pieces lie on each cell; printed symbols count as one."""
    halves: bytes
    """For each topmost half, the direction of its other half."""
    open_pairs: int
    """The set of cell pairs on which a tile can physically lie."""

    def lay(self, first: int, second: int, colours: tuple[int, int]) -> Layout:
        """The layout with one more tile, its first symbol on the first cell."""
        board = self.board
        direction = next(d for d, ray in enumerate(board.rays[first]) if ray and ray[0] == second)
        symbols, heights, halves = bytearray(self.symbols), bytearray(self.heights), bytearray(self.halves)
        symbols[first], symbols[second] = colours
        halves[first], halves[second] = direction, (direction + 3) % 6
        heights[first] += 1
        heights[second] += 1
        changed = board.pairs_of[first] | board.pairs_of[second]
        open_pairs = self.open_pairs & ~changed
        if self.stacking:
            open_pairs |= bit_set(n for n in members(changed) if _supports(board, n, heights, halves))
        return Layout(
            board, self.stacking, self.start, bytes(symbols), bytes(heights), bytes(halves), open_pairs
        )

    def points(self, cell: int, colour: int, partner: int) -> int:
        """What a symbol scores on a cell: matches in unbroken lines, in every direction but its partner's."""
        symbols = self.symbols
        found = 0
        for ray in self.board.rays[cell]:
            if ray and ray[0] != partner:
                for other in ray:
                    if symbols[other] != colour:
                        break
                    found += 1
        return found

    def lines(self, cell: int, colour: int, partner: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The same in detail: each scoring direction, with the cells counted, the nearest first."""
        found = []
        for direction, ray in enumerate(self.board.rays[cell]):
            counted = []
            for other in ray if ray and ray[0] != partner else ():
                if self.symbols[other] != colour:
                    break
                counted.append(other)
            if counted:
                found.append((direction, tuple(counted)))
        return tuple(found)

    def points_table(
        self, directions: Collection[int] = ALL_DIRECTIONS, reach: int = FAR
    ) -> tuple[list[int], ...]:
        """For each colour, what it would score on each available cell, all directions together.

        On a flat board the partner's cell is free and counts nothing, so a tile scores the sum of two
        entries. On stacked tiles subtract `run_towards` the partner.
        """
        symbols = self.symbols
        table = tuple([0] * len(symbols) for _ in range(NOTHING))
        for cell, rays in enumerate(self.board.rays):
            if symbols[cell] != NOTHING and not self.stacking:
                continue
            for direction in directions:
                ray = rays[direction]
                if ray and (colour := symbols[ray[0]]) != NOTHING:
                    run = 0
                    for other in ray:  # as in `_run`; calling it would take half as long again
                        if symbols[other] != colour:
                            break
                        run += 1
                    table[colour][cell] += run if run < reach else reach
        return table

    def run_towards(self, cell: int, direction: int, colour: int) -> int:
        """How many symbols of this colour follow in a row from a cell in one direction."""
        return _run(self.board.rays[cell][direction], self.symbols, colour)

    def untouched_starts(self) -> list[int]:
        """The start cells with no tile next to them."""
        heights, neighbours = self.heights, self.board.neighbours
        return [cell for cell in self.board.start if not any(heights[n] for n in neighbours[cell])]


def _run(ray: tuple[int, ...], symbols: bytes, colour: int) -> int:
    found = 0
    for other in ray:
        if symbols[other] != colour:
            break
        found += 1
    return found


def _supports(board: Board, pair_number: int, heights: bytearray | bytes, halves: bytearray | bytes) -> bool:
    # 3D-SUPPORT: both cells at one height, and above the ground not the two halves of one tile.
    pair = board.pairs[pair_number]
    height = heights[pair.first]
    return height == heights[pair.second] and (height == 0 or halves[pair.first] != pair.direction)


@cache
def empty_layout(board: Board, start: tuple[int, ...], stacking: bool) -> Layout:
    """A board before the first tile; `start` gives the start cell of each colour."""
    symbols = bytearray([NOTHING] * len(board.cells))
    heights = bytearray(len(board.cells))
    for colour, cell in enumerate(start):
        symbols[cell] = colour
        heights[cell] = 1
    halves = bytes([NOTHING] * len(board.cells))
    open_pairs = bit_set(
        n for n, pair in enumerate(board.pairs) if heights[pair.first] == heights[pair.second] == 0
    )
    return Layout(board, stacking, start, bytes(symbols), bytes(heights), halves, open_pairs)


def restored_layout(empty: Layout, symbols: bytes, heights: bytes, halves: bytes) -> Layout:
    """The layout with these tops, its open pairs recomputed; for positions read from text."""
    board = empty.board
    open_pairs = bit_set(
        n
        for n, pair in enumerate(board.pairs)
        if _supports(board, n, heights, halves) and (empty.stacking or heights[pair.first] == 0)
    )
    return Layout(board, empty.stacking, empty.start, symbols, heights, halves, open_pairs)
