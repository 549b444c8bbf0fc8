"""The card game: cards match the open cards of all players, and markers pass gates together."""

from __future__ import annotations

from genial.core.about import About, SampleGame
from genial.core.tiles import TileSet
from genial.core.title import CardPlan, Citations, EndRule, Title
from genial.core.tracks import GatedTrack

DECK = TileSet(pairs=4, doubles=0)  # CARDS

CARDS = Title(
    variant="cards",
    seats=(2, 3, 4),
    plan=CardPlan(open_cards={2: 2, 3: 1, 4: 1}),  # CARDS
    tiles={2: DECK, 3: DECK, 4: DECK},
    rack=6,
    track=GatedTrack(region_ends=(0, 3, 6, 10), goal=7),  # REGIONS, CARD-END
    end=EndRule(complete="goal", stuck=None),
    cites=Citations(
        tiles="CARDS",
        scoring="CARD-SCORING",
        track="REGIONS",
        bonus="CARD-BONUS",
        swap="CARD-SWAP",
        turn="CARD-TURN-END",
        ends={"goal": "CARD-END"},
    ),
)

EDITIONS = {
    CARDS: About(
        names={"en": "Card game", "de": "Kartenspiel", "nl": "Kaartspel"},
        page="cards",
        turns={2: 16, 3: 16, 4: 13},
        decisive_lead=3.0,
        game=SampleGame(
            seats=2,
            seed="3",
            moves="""
                YR RO OR BO YB RB BO YP BP PR PO GY GP BG GY YG GB PB RB YP RG RY YP OP OY OY
            """,
        ),
    ),
}
