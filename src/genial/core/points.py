"""What every tile of a rack would score on every pair of cells, computed column by column.

Scoring each placement separately takes many times as long, and bots and screens need this every turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from genial.core.board import Board
from genial.core.layout import ALL_DIRECTIONS, FAR, NOTHING, Layout
from genial.core.tiles import SYMBOLS, Tile

Points = tuple[int, int]
"""The points of a tile's first symbol and of its second, before caps."""


class TileColumns(NamedTuple):
    """What one kind of tile would score on each of the given pairs of cells."""

    tile: Tile
    there: list[Points]
    """With its first symbol on the pair's first cell."""
    turned: list[Points]


@dataclass(frozen=True, slots=True)
class ColourPoints:
    """What a symbol of one colour scores on each pair of cells: on the first cell, and on the second."""

    on_first: list[int]
    on_second: list[int]


def tile_points(tiles: Sequence[Tile], colours: Sequence[ColourPoints]) -> list[TileColumns]:
    """The points of each kind of tile, from those of its colours."""
    found = []
    for tile in dict.fromkeys(tiles):
        first, second = (colours[colour] for colour in SYMBOLS[tile])
        there = list(zip(first.on_first, second.on_second, strict=True))
        turned = list(zip(first.on_second, second.on_first, strict=True))
        found.append(TileColumns(tile, there, turned))
    return found


def colour_points(
    layout: Layout,
    pairs: Sequence[int],
    directions: Collection[int] = ALL_DIRECTIONS,
    reach: int = FAR,
) -> list[ColourPoints]:
    """The points of each colour on these pairs of cells.

    Lines count only in the given directions and up to `reach`: this limits how much of the board a player
    sees.
    """
    table = layout.points_table(directions, reach)
    of_pairs = _picker(pairs)
    of_firsts, of_seconds = (_picker(of_pairs(cells)) for cells in _cells_of_pairs(layout.board))
    points = [ColourPoints([*of_firsts(column)], [*of_seconds(column)]) for column in table]
    if layout.stacking:  # 3D-SCORING: not towards the other half
        for n, number in enumerate(pairs):
            pair = layout.board.pairs[number]
            below_first, below_second = layout.symbols[pair.first], layout.symbols[pair.second]
            if below_second != NOTHING and pair.direction in directions:
                run = layout.run_towards(pair.first, pair.direction, below_second)
                points[below_second].on_first[n] -= min(run, reach)
            if below_first != NOTHING and pair.direction + 3 in directions:
                run = layout.run_towards(pair.second, pair.direction + 3, below_first)
                points[below_first].on_second[n] -= min(run, reach)
    return points


@cache
def _cells_of_pairs(board: Board) -> tuple[list[int], list[int]]:
    """The first cells of all pairs of a board, and the second cells."""
    return [pair.first for pair in board.pairs], [pair.second for pair in board.pairs]


def _picker(numbers: Sequence[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """A function that picks the values with these numbers out of a column."""
    # With a single item, itemgetter does not return a tuple, and it needs at least one.
    return itemgetter(*numbers) if len(numbers) > 1 else lambda column: [column[n] for n in numbers]
