"""What happens in a game. The list of events is the record, the replay and the animation."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import ClassVar

from genial.core.hexes import Cell
from genial.core.tiles import HIDDEN, Tile


@dataclass(frozen=True, slots=True)
class Dealt:
    """The first rack or hand of a seat."""

    type: ClassVar[str] = "deal"
    seat: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A card dealt face up in front of a seat; the oldest first (CARDS)."""

    type: ClassVar[str] = "open"
    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile laid on the board: its first letter on the first cell."""

    type: ClassVar[str] = "place"
    seat: int
    tile: Tile
    cells: tuple[Cell, Cell]
    level: int
    gain: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A card played, its letters in the order they were scored."""

    type: ClassVar[str] = "play"
    seat: int
    tile: Tile
    gain: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Swapped:
    """The whole rack or hand, shown and given back."""

    type: ClassVar[str] = "swap"
    seat: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """Tiles drawn after a turn, or the next tile of a solo game."""

    type: ClassVar[str] = "draw"
    seat: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The discard pile became the draw pile (CARD-TURN-END)."""

    type: ClassVar[str] = "reshuffle"


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over. One track per seat; `by` is the seat that left, if any (LEAVING)."""

    type: ClassVar[str] = "end"
    reason: str
    tracks: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]
    by: int | None = None


Event = Dealt | Opened | Placed | Played | Swapped | Drew | Reshuffled | Ended

LEAVING_REASONS = ("resign", "time", "abandoned")
"""Reasons to end a game that come from the table, not from the rules (LEAVING)."""


def seen_by(event: Event, seats: Set[int]) -> Event:
    """The event as the holders of these seats may see it: tiles dealt to or drawn by others are hidden.

    >>> seen_by(Drew(1, ("RB", "OO")), {0})
    Drew(seat=1, tiles=('??', '??'))
    """
    if isinstance(event, Dealt | Drew) and event.seat not in seats:
        return replace(event, tiles=(HIDDEN,) * len(event.tiles))
    return event
