"""The classic board game: 2 to 4 players, two teams of two, and solo."""

from __future__ import annotations

from dataclasses import replace

from genial.core.about import About, SampleGame
from genial.core.sides import Sides
from genial.core.tiles import TileSet
from genial.core.title import BoardPlan, Citations, EndRule, Opening, Title
from genial.core.tracks import RaceTrack

BOARD = BoardPlan(
    radius={1: 5, 2: 5, 3: 6, 4: 7},  # BOARD
    ring=5,
    printed="RGBOYP",  # PRINTED
    opening=Opening.FIRST_ROUND,
)
TILES = TileSet(pairs=6, doubles=5)  # TILES
END = EndRule(complete="all-max", stuck="board-full")

CLASSIC = Title(
    variant="classic",
    seats=(2, 3, 4),
    plan=BOARD,
    tiles={2: TILES, 3: TILES, 4: TILES},
    rack=6,
    track=RaceTrack(18, bonus_steps=(18,)),  # BONUS
    end=END,
)

TEAM = replace(
    CLASSIC,
    variant="classic-team",
    seats=(4,),
    sides=Sides.TEAMS,
    track=RaceTrack(18, boards=2, bonus_steps=(18, 36)),  # DOUBLE-TRACK
    cites=Citations(track="DOUBLE-TRACK"),
)

SOLO = replace(
    CLASSIC,
    variant="classic-solo",
    seats=(1,),
    tiles={1: TILES},
    rack=1,
    track=RaceTrack(18, boards=2),  # SOLO: no bonus moves
    swaps=False,
    cites=Citations(track="DOUBLE-TRACK", bonus="SOLO", swap="SOLO", turn="SOLO"),
)

EDITIONS = {
    CLASSIC: About(
        names={"en": "Classic", "de": "Klassisch", "nl": "Klassiek"},
        page="classic",
        turns={2: 17, 3: 16, 4: 14},
        patience=1.6,
        game=SampleGame(
            seats=2,
            seed="11",
            moves="""
                OO@k5,j6 BB@f10,e10 YB@f9,e9 OO@i7,i6 OY@h8,g8 YB@g9,g10 PP@f2,e1 YB@e8,d8 PP@g2,f3 RP@e3,f4
                PP@g3,h2 GP@i1,i2 OO@h6,h7 GB@b7,c7 GB@c8,d9 YG@c6,b6 RR@b2,a2 swap RO@c3,d3 YY@d7,e7 RY@c2,c1
                RR@e2,d2 GP@j1,j2 YG@b5,a5 OP@j3,k2 RO@h5,g6 RG@a3,a4 RB@b3,c4 PP@h3,g4 OB@i8,h9 swap YP@f8,f7
                YY@d6,c5 OY@f6,e6 RB@d4,d5 OG@g1,h1 RY@e5,e4 OB@j5,i5 OB@k3,j4 RO@f5,g5
            """,
        ),
    ),
    TEAM: About(
        names={"en": "Classic teams", "de": "Klassisch im Team", "nl": "Klassiek in teams"},
        page="classic",
        turns={4: 15},
        game=SampleGame(
            seats=4,
            seed="2",
            moves="""
                RR@d4,d3 OO@n7,n8 RY@l5,l4 OG@d10,d9 GG@d8,e9 OG@c10,c9 OG@e10,f10 RR@e4,e5 RO@e3,e2 RG@b6,c7
                OG@f11,g11 RP@f3,g3 OG@g12,h12 OB@f12,g13 YG@i11,i12 OB@e12,f13 swap YG@j11,j12 PP@h2,g2
                OG@b9,b8 BB@h14,g14 BB@i14,h15 swap OO@e11,d11 YG@k11,k12 RP@f4,g4 RR@f6,f5 RO@a7,a8 OP@h1,g1
                YY@i10,h11 YY@h10,g10 RO@f2,e1 YP@j2,i2 YB@j13,i13 YB@f9,g9 YG@e8,d7 YY@l11,l10 PP@i3,h4
                RY@f7,f8
            """,
        ),
    ),
    SOLO: About(
        names={"en": "Classic solo", "de": "Klassisch solo", "nl": "Klassiek solo"},
        page="classic",
        turns={1: 38},
        game=SampleGame(
            seats=1,
            seed="1",
            moves="""
                GG@b6,a5 YP@d1,e1 RB@b1,c2 RG@b2,c3 BP@d2,e2 YG@d7,c7 OY@e7,e8 GB@d4,d3 YB@f9,f10 RB@a2,b3
                RP@f3,f2 BP@e4,e3 YG@c6,b5 GB@e5,f5 YY@g9,g8 RG@a3,a4 GG@c8,b7 RR@g3,f4 GG@c4,b4 RY@g10,h9
                GP@g2,g1 RP@h2,h1 RR@h3,g4 RB@h4,g5
            """,
        ),
    ),
}
