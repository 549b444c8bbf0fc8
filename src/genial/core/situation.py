"""One moment of a game as the rules see it, whether everything is known or only what a viewer may see."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from genial.core.events import Ended
from genial.core.layout import Layout
from genial.core.open_cards import OpenCards
from genial.core.tiles import Tile
from genial.core.title import Setup
from genial.core.tracks import Markers


class Phase(Enum):
    """What the game is waiting for."""

    DEAL = "deal"
    """The first racks, hands and open cards."""
    PLACE = "place"
    """A tile or card from the seat to move."""
    END_TURN = "end-turn"
    """The act that ends the mover's turn: refill or, where lawful, swap."""
    DRAW = "draw"
    """Tiles that the engine owes the seat to move."""
    ENDING = "ending"
    """The end, already settled but not yet recorded."""
    OVER = "over"


class Situation(Protocol):
    """What a position and a view of it have in common. Racks that may not be seen contain hidden tiles."""

    @property
    def setup(self) -> Setup: ...
    @property
    def table(self) -> Layout | OpenCards: ...
    @property
    def racks(self) -> tuple[tuple[Tile, ...], ...]: ...
    @property
    def tracks(self) -> tuple[Markers, ...]: ...
    @property
    def seat(self) -> int: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def bonus(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def supply(self) -> int: ...
    @property
    def result(self) -> Ended | None: ...


def markers_of(situation: Situation, seat: int) -> Markers:
    """A seat's markers from its own point of view."""
    sides = situation.setup.title.sides
    return sides.seen_by(seat, situation.tracks[sides.track_of(seat)])


def weakest(situation: Situation, seat: int) -> tuple[int, ...]:
    """The colours that share a seat's lowest step, as numbers."""
    return situation.setup.title.track.weakest(markers_of(situation, seat))
