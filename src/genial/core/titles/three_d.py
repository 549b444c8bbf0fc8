"""The 3D edition: tiles are stacked, and the game is seen from above."""

from __future__ import annotations

from dataclasses import replace

from genial.core.tiles import TileSet
from genial.core.title import BoardPlan, Citations, EndRule, Opening, Title
from genial.core.tracks import RaceTrack

RADIUS = 4  # 3D-BOARD: chosen; the other candidate is 3
RACK = 5
NO_DOUBLES = TileSet(pairs=4, doubles=0)

THREE_D = Title(
    variant="3d",
    seats=(2, 3, 4),
    plan=BoardPlan(
        radius=dict.fromkeys((1, 2, 3, 4), RADIUS),
        ring=3,
        printed=None,  # 3D-START
        opening=Opening.EVERY_START,
        stacking=True,
    ),
    tiles={2: NO_DOUBLES, 3: TileSet(pairs=4, doubles=2), 4: TileSet(pairs=4, doubles=3)},  # 3D-TILES
    rack=RACK,
    track=RaceTrack(27, bonus_places=(18, 27), one_bonus_a_tile=True),  # 3D-BONUS
    end=EndRule(complete="all-max", stuck="no-move", last_round_below=RACK),  # 3D-END
    cites=Citations(
        board="3D-BOARD",
        start="3D-START",
        tiles="3D-TILES",
        opening="3D-OPENING",
        placing="3D-SUPPORT",
        scoring="3D-SCORING",
        track="3D-BONUS",
        bonus="3D-BONUS",
        swap="3D-SWAP",
        ends=dict.fromkeys(("last-round", "no-move", "all-max"), "3D-END"),
    ),
)

SOLO = replace(
    THREE_D,
    variant="3d-solo",
    seats=(1,),
    tiles={1: NO_DOUBLES},
    rack=1,
    track=RaceTrack(27, boards=2),  # 3D-SOLO
    end=EndRule(complete="all-max", stuck="no-move"),
    swaps=False,
    cites=replace(
        THREE_D.cites,
        track="3D-SOLO",
        bonus="3D-SOLO",
        swap="3D-SOLO",
        turn="3D-SOLO",
        ends={"bag-empty": "3D-SOLO", "no-move": "3D-SOLO", "all-max": "ALL-MAX"},
    ),
)
