"""The travel edition for two: classic with fewer tiles (TRAVEL)."""

from __future__ import annotations

from dataclasses import replace

from genial.core.about import About, SampleGame
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

EDITIONS = {
    TRAVEL: About(
        names={"en": "Travel edition", "de": "Reise-Edition", "nl": "Reiseditie"},
        page="travel",
        turns={2: 18},
        game=SampleGame(
            seats=2,
            seed="1",
            moves="""
                PP@f2,e1 BB@g10,f10 OB@e8,f9 PP@e2,f3 YP@d2,d1 OB@d8,e9 OG@c8,b7 OO@d7,c7
            """,
        ),
    ),
}
