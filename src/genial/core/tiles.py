"""Tiles and cards: two symbols each, named by their two letters, such as `RB` or `OO`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations_with_replacement

from genial.core.colours import COLOURS, NUMBER
from genial.core.errors import NotationError

Tile = str
"""Two letters of `COLOURS`. Written in the order of `COLOURS` unless the order means something."""

HIDDEN: Tile = "??"
"""A tile that the viewer may not see; the number of tiles is always public."""

TILES: tuple[Tile, ...] = tuple(a + b for a, b in combinations_with_replacement(COLOURS, 2))
"""The 21 kinds of tile, in canonical order."""

ORDER = {tile: number for number, tile in enumerate(TILES)}
"""The position of each kind in `TILES`."""

NORMAL = {a + b: min(a + b, b + a, key=lambda t: ORDER.get(t, 99)) for a in COLOURS for b in COLOURS}
"""Both spellings of every kind, mapped to the canonical one: `BR` is `RB`."""

SYMBOLS = {tile: (NUMBER[tile[0]], NUMBER[tile[1]]) for tile in NORMAL}
"""The two colour numbers of a tile, in the order written."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """How many there are of each pair of different symbols and of each double.

    >>> len(TileSet(pairs=6, doubles=5).tiles())
    120
    """

    pairs: int
    doubles: int

    def tiles(self) -> tuple[Tile, ...]:
        """Every tile of the set, in canonical order."""
        return tuple(tile for tile in TILES for _ in range(self.doubles if is_double(tile) else self.pairs))


def is_double(tile: Tile) -> bool:
    """True if both symbols are the same."""
    return tile[0] == tile[1]


def normal(tile: object) -> Tile:
    """The canonical spelling of a tile.

    >>> normal("BR")
    'RB'
    """
    kind = NORMAL.get(tile) if isinstance(tile, str) else None
    if kind is None:
        raise NotationError("tile-unknown", ruling="COLOURS", tile=tile)
    return kind


def arranged(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Tiles in canonical order and spelling, the way racks are stored.

    >>> arranged(["BR", "RR", "OR"])
    ('RR', 'RO', 'RB')
    """
    return tuple(sorted((NORMAL[tile] for tile in tiles), key=ORDER.__getitem__))


def without(tiles: tuple[Tile, ...], gone: Iterable[Tile]) -> tuple[Tile, ...]:
    """The remaining tiles, in their order, once some are taken; each must be present.

    >>> without(("RR", "RB", "RB"), ["RB"])
    ('RR', 'RB')
    """
    left = list(tiles)
    for tile in gone:
        left.remove(NORMAL[tile])
    return tuple(left)


def missing(tiles: tuple[Tile, ...], wanted: Iterable[Tile]) -> Tile | None:
    """The first kind that is wanted more often than it is present, or None.

    >>> missing(("RR", "RB"), ["RB", "BR"])
    'RB'
    """
    short = Counter(NORMAL[tile] for tile in wanted) - Counter(tiles)
    return min(short, key=ORDER.__getitem__, default=None)
