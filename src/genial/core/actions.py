"""The actions open to the seat to move."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.hexes import Cell
from genial.core.tiles import Tile


@dataclass(frozen=True, slots=True)
class Place:
    """Place a tile on two neighbouring cells: its first symbol on the first cell, scored first."""

    tile: Tile
    cells: tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card; its symbols are scored in the order written (CARD-SCORING)."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Refill:
    """End the turn and draw back up to a full rack or hand."""


@dataclass(frozen=True, slots=True)
class Swap:
    """End the turn by showing the whole rack or hand and drawing a new one (SWAP)."""


Action = Place | Play | Refill | Swap
