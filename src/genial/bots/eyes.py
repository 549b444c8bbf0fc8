"""What a player sees on the table: everything, or what a person overlooks.

People rarely blunder at random. They count the near symbols of a line and not the far ones, and they miss a
line altogether, more often the more lines there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

from genial.core.actions import Action, Place, Play
from genial.core.bits import members
from genial.core.layout import Layout
from genial.core.moves import legal_places, points, scored_places
from genial.core.open_cards import OpenCards
from genial.core.tiles import SYMBOLS, Tile
from genial.core.view import View

Halves = tuple[tuple[int, int], tuple[int, int]]
"""Colour and points of each symbol, in the order scored."""


class Option(NamedTuple):
    """A placement or card, made into an action when it is wanted, and the points that are seen in it."""

    tile: Tile
    halves: Halves
    cells: tuple[tuple[int, int], tuple[int, int]] | None

    def action(self) -> Action:
        return Play(self.tile) if self.cells is None else Place(self.tile, self.cells)


class Eyes(Protocol):
    """How a player looks."""

    def options(self, view: View, rng: Random) -> Iterator[Option]:
        """Everything that may be placed or played, with its points as they are seen."""


@dataclass(frozen=True, slots=True)
class Sharp:
    """Nothing is overlooked."""

    def options(self, view: View, rng: Random) -> Iterator[Option]:
        if isinstance(view.table, OpenCards):
            for action in view.actions():
                assert isinstance(action, Play)
                yield Option(action.tile, points(view, action), None)
            return
        pairs = view.table.board.pairs
        for place in scored_places(view):
            pair, (first, second) = pairs[place.pair], SYMBOLS[place.tile]
            halves = (first, place.points[0]), (second, place.points[1])
            yield Option(place.tile, halves, pair.turned if place.turned else pair.cells)


SHARP = Sharp()


@dataclass(frozen=True, slots=True)
class Blinkered:
    """Lines are seen so far and no further, and in so many of the six directions none at all, another time
    others. Of the open cards the rows of so many seats."""

    reach: int
    missed: int

    def options(self, view: View, rng: Random) -> Iterator[Option]:
        if isinstance(view.table, OpenCards):
            yield from self._cards(view, view.table, rng)
        else:
            yield from self._places(view, view.table, rng)

    def _cards(self, view: View, table: OpenCards, rng: Random) -> Iterator[Option]:
        others = [seat for seat in range(view.setup.seats) if seat != view.seat]
        missed = rng.sample(others, min(self.missed, len(others)))
        seen = OpenCards(tuple(() if seat in missed else row for seat, row in enumerate(table.rows)))
        for action in view.actions():
            assert isinstance(action, Play)
            first, second = SYMBOLS[action.tile]
            yield Option(action.tile, ((first, seen.matches(first)), (second, seen.matches(second))), None)

    def _places(self, view: View, layout: Layout, rng: Random) -> Iterator[Option]:
        directions = sorted(rng.sample(range(6), 6 - self.missed))
        places, board = list(members(legal_places(view))), layout.board
        seen: dict[tuple[int, int, int], int] = {}

        def points_on(cell: int, colour: int, partner: int) -> int:
            key = (cell, colour, partner)
            if key not in seen:
                runs = [
                    min(layout.run_towards(cell, d, colour), self.reach) for d in directions if d != partner
                ]
                seen[key] = sum(runs)
            return seen[key]

        for tile in dict.fromkeys(view.racks[view.seat]):
            first, second = SYMBOLS[tile]
            for n in places:
                pair = board.pairs[n]
                there, back = pair.direction, pair.direction + 3
                one = (
                    (first, points_on(pair.first, first, there)),
                    (second, points_on(pair.second, second, back)),
                )
                two = (
                    (first, points_on(pair.second, first, back)),
                    (second, points_on(pair.first, second, there)),
                )
                yield Option(tile, one, pair.cells)
                yield Option(tile, two, pair.turned)
