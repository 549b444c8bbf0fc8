"""The open cards of the card game, and what a played card matches."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.tiles import SYMBOLS, Tile


@dataclass(frozen=True, slots=True)
class OpenCards:
    """The row of open cards in front of each seat, the oldest first.

    >>> OpenCards((("RB",), ("BP",))).matches(4)
    2
    """

    rows: tuple[tuple[Tile, ...], ...]

    def matches(self, colour: int) -> int:
        """How many open cards show this colour (CARD-SCORING)."""
        return sum(colour in SYMBOLS[tile] for row in self.rows for tile in row)

    def add(self, seat: int, tile: Tile) -> OpenCards:
        """Add a card at the end of a seat's row."""
        return self._with_row(seat, (*self.rows[seat], tile))

    def drop_oldest(self, seat: int) -> tuple[OpenCards, Tile]:
        """The cards without a seat's oldest one, and that card."""
        oldest, *rest = self.rows[seat]
        return self._with_row(seat, tuple(rest)), oldest

    def _with_row(self, seat: int, row: tuple[Tile, ...]) -> OpenCards:
        return OpenCards(tuple(row if n == seat else old for n, old in enumerate(self.rows)))
