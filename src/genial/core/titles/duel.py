"""The duel: two players pull at shared pegs. Reconstructed: the printed rules are unavailable (DUEL)."""

from __future__ import annotations

from dataclasses import replace

from genial.core.about import About, SampleGame
from genial.core.sides import Sides
from genial.core.title import Citations
from genial.core.titles.classic import CLASSIC
from genial.core.tracks import PegTrack

REACH = 9

DUEL = replace(
    CLASSIC,
    variant="duel",
    seats=(2,),
    sides=Sides.SHARED,
    track=PegTrack(REACH),
    reconstructed=True,
    cites=Citations(
        track="DUEL",
        bonus="DUEL",
        swap="DUEL",
        ranking="DUEL",
        ends={"board-full": "DUEL", "all-max": "DUEL"},
    ),
)

EDITIONS = {
    DUEL: About(
        names={"en": "Duel (reconstructed)", "de": "Duell (rekonstruiert)", "nl": "Duel (gereconstrueerd)"},
        page="duel",
        turns={2: 18},
        decisive_lead=2.0,
        game=SampleGame(
            seats=2,
            seed="3",
            moves="""
                BB@g10,f10 RR@b2,b1 BB@e10,e9 RR@c3,b3 RP@d4,e4 RB@e5,e6 RO@f6,f5 BP@f9,f8 RP@g6,g7 GB@d8,d9
                swap
            """,
        ),
    ),
}
