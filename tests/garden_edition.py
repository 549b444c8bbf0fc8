"""Garden: a made-up edition for tests. Its board, tile set, rack and track differ from every printed one."""

from dataclasses import replace

from genial.core.about import About
from genial.core.tiles import TileSet
from genial.core.title import BoardPlan, Opening
from genial.core.titles.classic import CLASSIC
from genial.core.tracks import RaceTrack

GARDEN = replace(
    CLASSIC,
    variant="garden",
    seats=(2, 3),
    plan=BoardPlan(radius={2: 3, 3: 4}, ring=2, printed="POYGBR", opening=Opening.FIRST_ROUND),
    tiles={2: TileSet(pairs=4, doubles=1), 3: TileSet(pairs=4, doubles=2)},
    rack=4,
    track=RaceTrack(12, bonus_steps=(5, 12)),
)

EDITIONS = {GARDEN: About(names={"en": "Garden", "de": "Garten"})}
