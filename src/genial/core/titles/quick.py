"""The quick game: classic for two on a smaller board, with a shorter track. Our own; not a printed game."""

from __future__ import annotations

from dataclasses import replace

from genial.core.about import About
from genial.core.titles.classic import BOARD, CLASSIC
from genial.core.titles.travel import TRAVEL
from genial.core.tracks import RaceTrack

QUICK = replace(
    CLASSIC,
    variant="quick",
    seats=(2,),
    plan=replace(BOARD, radius={2: 4}, ring=4),
    tiles=TRAVEL.tiles,
    track=RaceTrack(12, bonus_steps=(12,)),
)

EDITIONS = {
    QUICK: About(
        names={"en": "Quick game", "de": "Kurze Partie", "nl": "Kort spel"},
        like=CLASSIC,
        ours=True,
        turns={2: 11},
    ),
}
