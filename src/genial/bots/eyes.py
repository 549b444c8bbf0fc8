"""What a player sees on the table: everything, or only what a person would notice.

People rarely blunder at random. They count the near symbols of a line but not the far ones, and sometimes
miss a whole line, more often when there are many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

from genial.core.actions import Action, Place, Play
from genial.core.bits import members
from genial.core.board import Pair
from genial.core.layout import ALL_DIRECTIONS, FAR, Layout
from genial.core.open_cards import OpenCards
from genial.core.pairs import legal_pairs
from genial.core.points import Points, colour_points, tile_points
from genial.core.tiles import SYMBOLS, Tile
from genial.core.view import View


class Options(NamedTuple):
    """One tile on each pair of cells, turned one way, or one card, with the points seen for each.

    There may be a thousand, and most score the same, so they become actions only on demand.
    """

    tile: Tile
    points: Sequence[Points]
    pairs: Sequence[Pair] | None = None
    """The pairs of cells; None for a card."""
    turned: bool = False

    def action(self, number: int) -> Action:
        """One option as an action."""
        if self.pairs is None:
            return Play(self.tile)
        pair = self.pairs[number]
        return Place(self.tile, pair.turned if self.turned else pair.cells)


class Eyes(Protocol):
    """How a player looks at the table."""

    def options(self, view: View, rng: Random) -> Iterator[Options]:
        """Everything that may be placed or played, with its points as this player sees them."""


@dataclass(frozen=True, slots=True)
class Sharp:
    """Overlooks nothing."""

    def options(self, view: View, rng: Random) -> Iterator[Options]:
        if isinstance(view.table, OpenCards):
            return _cards(view, view.table)
        return _tiles(view, view.table)


SHARP = Sharp()


@dataclass(frozen=True, slots=True)
class Blinkered:
    """Sees lines only as far as `reach`, and each time misses `missed` of the six directions altogether. With
    cards, misses the rows of that many other seats.
    """

    reach: int
    missed: int

    def options(self, view: View, rng: Random) -> Iterator[Options]:
        if isinstance(view.table, OpenCards):
            others = [seat for seat in range(view.setup.seats) if seat != view.seat]
            missed = rng.sample(others, min(self.missed, len(others)))
            rows = tuple(() if seat in missed else row for seat, row in enumerate(view.table.rows))
            return _cards(view, OpenCards(rows))
        return _tiles(view, view.table, rng.sample(ALL_DIRECTIONS, 6 - self.missed), self.reach)


def _cards(view: View, seen: OpenCards) -> Iterator[Options]:
    for action in view.actions():
        assert isinstance(action, Play)
        first, second = SYMBOLS[action.tile]
        yield Options(action.tile, [(seen.matches(first), seen.matches(second))])


def _tiles(
    view: View, layout: Layout, directions: Collection[int] = ALL_DIRECTIONS, reach: int = FAR
) -> Iterator[Options]:
    numbers = list(members(legal_pairs(view)))
    pairs = [layout.board.pairs[number] for number in numbers]
    colours = colour_points(layout, numbers, directions, reach)
    for tile, there, turned in tile_points(view.racks[view.seat], colours):
        yield Options(tile, there, pairs)
        yield Options(tile, turned, pairs, turned=True)
