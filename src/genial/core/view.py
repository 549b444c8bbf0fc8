"""What one viewer may know. Everything the engine sends to players passes through here."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from genial.core import moves
from genial.core.actions import Action
from genial.core.errors import HiddenError
from genial.core.events import Ended, Event, seen_by
from genial.core.layout import Layout
from genial.core.open_cards import OpenCards
from genial.core.situation import Phase
from genial.core.tiles import HIDDEN, Tile
from genial.core.title import Setup
from genial.core.tracks import Markers

if TYPE_CHECKING:
    from genial.core.position import Position

EVERYONE: Literal["everyone"] = "everyone"
"""The viewer of a finished game: all racks and all draws are open."""

Viewer = Set[int] | Literal["everyone"]
"""A set of seats (empty: a spectator), or everyone after the end."""


@dataclass(frozen=True, slots=True)
class View:
    """A position as some seats may know it. What they may not see is a hidden tile; only the count shows.

    >>> import genial
    >>> view = genial.new("classic", seats=2, seed=7).view({0})
    >>> view.racks[1]
    ('??', '??', '??', '??', '??', '??')
    """

    viewer: frozenset[int]
    setup: Setup
    table: Layout | OpenCards
    racks: tuple[tuple[Tile, ...], ...]
    tracks: tuple[Markers, ...]
    supply: int
    discarded: int
    phase: Phase
    seat: int
    turn: int
    bonus: int
    last_turns: int | None
    result: Ended | None
    events: tuple[Event, ...]

    def actions(self) -> Sequence[Action]:
        """What the seat to move may do if the viewer holds that seat; otherwise nothing."""
        return moves.actions(self) if self.seat in self.viewer else ()

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER


def seats_of(viewer: Viewer, seats: int, is_over: bool) -> frozenset[int]:
    """The seats whose tiles a viewer may see."""
    if viewer == EVERYONE:
        if not is_over:
            raise HiddenError("view-not-over")
        return frozenset(range(seats))
    if isinstance(viewer, str) or not all(seat in range(seats) for seat in viewer):
        raise HiddenError("viewer-unknown", viewer=str(viewer), seats=seats)
    return frozenset(viewer)


def view_of(position: Position, viewer: Viewer, *, past: bool = True) -> View:
    """What a viewer may know of a position; without its events if `past` is False."""
    seats = seats_of(viewer, position.setup.seats, position.is_over)
    return View(
        viewer=seats,
        setup=position.setup,
        table=position.table,
        racks=tuple(
            rack if seat in seats else (HIDDEN,) * len(rack) for seat, rack in enumerate(position.racks)
        ),
        tracks=position.tracks,
        supply=len(position.bag),
        discarded=len(position.discard),
        phase=position.phase,
        seat=position.seat,
        turn=position.turn,
        bonus=position.bonus,
        last_turns=position.last_turns,
        result=position.result,
        events=tuple(seen_by(event, seats) for event in position.events) if past else (),
    )
