"""The classic board game: 2 to 4 players, two teams of two, and solo."""

from __future__ import annotations

from dataclasses import replace

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
    track=RaceTrack(18, bonus_places=(18,)),  # BONUS
    end=END,
)

TEAM = replace(
    CLASSIC,
    variant="classic-team",
    seats=(4,),
    sides=Sides.TEAMS,
    track=RaceTrack(18, boards=2, bonus_places=(18, 36)),  # DOUBLE-TRACK
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
