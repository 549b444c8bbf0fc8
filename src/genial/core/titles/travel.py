"""The travel edition for two: classic with fewer tiles (TRAVEL)."""

from __future__ import annotations

from dataclasses import replace

from genial.core.tiles import TileSet
from genial.core.title import Citations
from genial.core.titles.classic import CLASSIC

TRAVEL = replace(
    CLASSIC,
    variant="travel",
    seats=(2,),
    tiles={2: TileSet(pairs=3, doubles=2)},  # TRAVEL-TILES
    cites=Citations(board="TRAVEL", start="TRAVEL", tiles="TRAVEL-TILES"),
)
