"""Every action as a number: the one numbering shared by kernel, environments and data sets.

A placement has the number (2 x kind + turned) x pairs + pair: the kind of its tile in `tiles.TILES`, whether
the tile's first symbol lies on the second cell of the pair, and the pair of cells in `Board.pairs`. In the
card game there is one "pair", and "turned" means that the second symbol is scored first. Refill and swap come
last.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.bits import bit_set
from genial.core.board import Board
from genial.core.placements import Placements
from genial.core.tiles import ORDER, TILES, is_double, normal
from genial.core.title import Setup


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers of all actions of a title for one seat count, lawful or not."""

    board: Board | None
    pairs: int
    """Pairs of cells; 1 for the card game."""

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return 2 * len(TILES) * self.pairs + 2

    @property
    def refill(self) -> int:
        return self.count - 2

    @property
    def swap(self) -> int:
        return self.count - 1

    def number_of(self, action: Action) -> int:
        """The number of an action.

        >>> from genial.core.title import setup
        >>> from genial.core.titles import title_of
        >>> cards = numbering(setup(title_of("cards"), 2))
        >>> cards.number_of(Play("OR")), cards.number_of(Swap())
        (3, 43)
        """
        if isinstance(action, Refill):
            return self.refill
        if isinstance(action, Swap):
            return self.swap
        kind = normal(action.tile)
        group, turned = 2 * ORDER[kind], action.tile != kind
        if isinstance(action, Play) or self.board is None:
            return group + turned
        pair = self.board.pair_number[action.cells]
        turned ^= self.board.pairs[pair].cells != action.cells
        return (group + turned) * self.pairs + pair

    def number_among(self, action: Action, lawful: int) -> int:
        """The number of an action among the lawful ones, given as a set of bits.

        A double laid the other way round is the same action where its order changes nothing, and then has
        only one number (DOUBLE-TRACK).
        """
        number = self.number_of(action)
        if isinstance(action, Place) and is_double(action.tile) and not lawful >> number & 1:
            first, second = action.cells
            return self.number_of(Place(action.tile, (second, first)))
        return number

    def action_of(self, number: int) -> Action:
        """The action of a number.

        >>> from genial.core.title import setup
        >>> from genial.core.titles import title_of
        >>> classic = numbering(setup(title_of("classic"), 2))
        >>> classic.action_of(0), classic.action_of(classic.refill)
        (Place(tile='RR', cells=((-5, 0), (-4, 0))), Refill())
        """
        if not 0 <= number < self.count:
            raise ValueError(f"Actions have the numbers 0 to {self.count - 1}, but the number is {number}.")
        if number >= self.refill:
            return Refill() if number == self.refill else Swap()
        group, pair = divmod(number, self.pairs)
        tile, turned = TILES[group >> 1], group & 1
        if self.board is None:
            return Play(tile[::-1] if turned else tile)
        cells = self.board.pairs[pair]
        return Place(tile, cells.turned if turned else cells.cells)

    def numbers_of(self, actions: Iterable[Action]) -> int:
        """The numbers of some actions as a set of bits; fast for the result of `actions()`.

        >>> import genial
        >>> position = genial.new("cards", seed=7)
        >>> numbers = numbering(position.setup).numbers_of(position.actions())
        >>> numbers.bit_count() == len(position.actions())
        True
        """
        if not isinstance(actions, Placements):
            return bit_set(self.number_of(action) for action in actions)
        found = 0
        for tile, turned, places in actions.groups:
            found |= places << (2 * ORDER[tile] + turned) * self.pairs
        return found


@cache
def numbering(setup: Setup) -> Numbering:
    """The numbering of a title for one seat count.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> [numbering(setup(title_of("classic"), seats)).count for seats in (2, 3, 4)]
    [10082, 14366, 19406]
    """
    board = setup.board
    return Numbering(board, len(board.pairs) if board else 1)
