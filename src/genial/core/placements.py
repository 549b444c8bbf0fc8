"""Every lawful placement as a sequence that knows its length without being written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from genial.core.actions import Place
from genial.core.bits import members, nth_member
from genial.core.board import Board
from genial.core.tiles import NORMAL, Tile, is_double


class Placements(Sequence[Place]):
    """For each kind of tile on the rack, each pair of cells: as it is, then turned round.

    A double looks the same turned round. It counts as a second action only where the order of its halves
    changes the points (DOUBLE-TRACK); `order_matters` gives those pairs.
    """

    __slots__ = ("_board", "_length", "groups")

    def __init__(
        self, board: Board, rack: tuple[Tile, ...], lawful: int, order_matters: dict[Tile, int] | None = None
    ) -> None:
        self._board = board
        self.groups: list[tuple[Tile, bool, int]] = []
        """Each kind, turned round or not, with the set of pairs where that is lawful."""
        for tile in dict.fromkeys(rack):
            turned = (order_matters or {}).get(tile, 0) if is_double(tile) else lawful
            self.groups += [(tile, False, lawful), (tile, True, turned)]
        self._length = sum([lawful.bit_count() for _, _, lawful in self.groups])

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Place]:
        pairs = self._board.pairs
        for tile, turned, lawful in self.groups:
            for n in members(lawful):
                yield Place(tile, pairs[n].turned if turned else pairs[n].cells)

    @overload
    def __getitem__(self, index: int) -> Place: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Place]: ...

    def __getitem__(self, index: int | slice) -> Place | Sequence[Place]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(self._length))]
        left = index + self._length if index < 0 else index
        if not 0 <= left < self._length:
            raise IndexError(f"placement {index} of {self._length}")
        for tile, turned, lawful in self.groups:
            count = lawful.bit_count()
            if left < count:
                pair = self._board.pairs[nth_member(lawful, left)]
                return Place(tile, pair.turned if turned else pair.cells)
            left -= count
        raise AssertionError("the groups add up to the length")

    def __contains__(self, action: object) -> bool:
        """True if the placement is lawful; `BR` turned round is `RB`."""
        if not isinstance(action, Place):
            return False
        number = self._board.pair_number.get(action.cells)
        kind = NORMAL.get(action.tile)
        return number is not None and any(
            tile == kind and lawful >> number & 1 for tile, turned, lawful in self.groups if not turned
        )
