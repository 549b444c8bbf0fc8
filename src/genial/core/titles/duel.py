"""The duel: two players pull at shared pegs. Reconstructed: the printed sheet is not to be had (DUEL)."""

from __future__ import annotations

from dataclasses import replace

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
