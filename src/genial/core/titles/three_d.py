"""The 3D edition: tiles are stacked, and the game is seen from above."""

from __future__ import annotations

from dataclasses import replace

from genial.core.about import About, SampleGame
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
    track=RaceTrack(27, bonus_steps=(18, 27), one_bonus_a_tile=True),  # 3D-BONUS
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

EDITIONS = {
    THREE_D: About(
        names={"en": "3D", "de": "3D", "nl": "3D"},
        page="3d",
        turns={2: 19, 3: 15, 4: 13},
        game=SampleGame(
            seats=2,
            seed="2",
            moves="""
                RY@b4,b3 RB@c6,d7 OP@f2,g2 BP@h4,h3 GP@f4,g3 RB@c5,d6 GB@e5,d5 YB@c3,d4 YB@c2,d3 OB@d1,d2
                OG@g2,g3 swap RG@c5,d5 YG@d4,e5 OY@d2,d3 OY@e3,e4 OY@e2,e3 RG@d5,e5 swap GP@f5,g4 RY@a4,a3
                BP@i3,i2 GP@f4,f5 OY@e3,d3 BP@e7,e6 YP@f4,g3 RP@d6,e6 swap RP@c5,d6 BP@i3,h3 RG@d6,d5
            """,
        ),
    ),
    SOLO: About(
        names={"en": "3D solo", "de": "3D solo", "nl": "3D solo"},
        page="3d",
        turns={1: 60},
        game=SampleGame(
            seats=1,
            seed="2",
            moves="""
                OP@f2,g2 RY@b4,b3 OG@g4,g5 YG@f7,g6 YG@e7,f6 RB@c6,d7 YP@i3,i2 RB@c5,d6 OY@g5,f6 BP@d8,e9
                GP@e2,f2 YB@e7,d7 YG@g7,h6 RG@b6,c7 GB@f6,e7 OB@f5,e6 YB@b4,c5 OY@h5,g6 OP@h4,h3 RP@c7,d8
                OY@g5,g6 YP@i2,h2 OB@g5,f6 RG@c6,d6 YG@i4,i5 GP@d7,c7
            """,
        ),
    ),
}
