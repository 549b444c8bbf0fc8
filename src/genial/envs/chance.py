"""Games in which chance is a player of its own: start stones and tiles are drawn one by one.

A tile is drawn as one of 21 kinds, weighted by how many are in the bag; that is exact, and no node of a game
tree has more than 21 outcomes. Nothing here knows the order of a bag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from genial.core.actions import Action, Refill
from genial.core.colours import COLOURS
from genial.core.errors import IllegalAction
from genial.core.events import Dealt, Drew, Event, Opened
from genial.core.fold import end_event, fold, owed, supplied
from genial.core.moves import event_of
from genial.core.position import Position, before_dealing
from genial.core.situation import Phase
from genial.core.tiles import HIDDEN, NORMAL, ORDER, TILES, Tile
from genial.core.title import BoardPlan, Setup, setup
from genial.core.titles import title_of
from genial.core.view import View

MOST_OUTCOMES = len(TILES)
"""Outcomes of chance: the kinds of tiles, or the six start cells."""


@dataclass(frozen=True, eq=False)
class Moment:
    """One moment of a game: a player has to act, chance has to draw, or the game is over.

    >>> moment = begin(setup(title_of("classic"), 2))
    >>> moment.is_chance, moment.outcomes()[:2]
    (True, [(0, 5), (1, 6)])
    >>> while moment.is_chance:
    ...     moment = moment.after_chance(moment.outcomes()[0][0])
    >>> moment.position.racks
    (('RR', 'RR', 'RR', 'RR', 'RR', 'RO'), ('RO', 'RO', 'RO', 'RO', 'RO', 'RY'))
    """

    position: Position
    """Without a dealer; the bag is in canonical order."""
    stones: tuple[int, ...] | None = None
    """Start cells drawn so far, by number, one per colour; None once all are placed (3D-START)."""
    owed: int = 0
    """How many tiles chance draws for the next event."""
    drawn: tuple[Tile, ...] = ()
    """The ones it has drawn so far."""

    # What can happen

    @property
    def is_chance(self) -> bool:
        """True if chance has to draw a stone or a tile."""
        return self.owed > 0 or self.stones is not None

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    def outcomes(self) -> list[tuple[int, int]]:
        """What chance may draw, each with its weight: kinds with their number in the bag, or start cells."""
        if self.stones is not None:
            return [(cell, 1) for cell in range(len(COLOURS)) if cell not in self.stones]
        left = Counter(self.position.bag)
        left.subtract(self.drawn)
        return [(kind, left[tile]) for kind, tile in enumerate(TILES) if left[tile] > 0]

    # What happens

    def after(self, action: Action) -> Moment:
        """The moment after a player's action. Raises IllegalAction."""
        if self.is_chance:
            raise IllegalAction("refill-not-now", ruling=self.position.setup.title.cites.turn)
        if not isinstance(action, Refill):
            return _settled(fold(self.position, event_of(self.position, action)))
        if self.position.phase is not Phase.END_TURN:
            raise IllegalAction("refill-not-now", ruling=self.position.setup.title.cites.turn)
        return _drawing(self.position)

    def after_chance(self, outcome: int) -> Moment:
        """The moment after a stone or a tile has been drawn."""
        if self.stones is not None:
            return self._after_stone(outcome)
        drawn = (*self.drawn, TILES[outcome])
        if len(drawn) < self.owed:
            return replace(self, drawn=drawn)
        return _settled(fold(self.position, supplied(self.position, drawn)))

    def _after_stone(self, outcome: int) -> Moment:
        assert self.stones is not None
        laid = (*self.stones, outcome)
        if len(laid) < len(COLOURS) - 1:
            return replace(self, stones=laid)
        last = sum(range(len(COLOURS))) - sum(laid)
        return _laid(self.position.setup, (*laid, last))

    # What is known

    def view(self, seat: int | None, *, past: bool = True) -> View:
        """What a seat, or a spectator, may know. While tiles are drawn, they appear in the rack one by one.

        `past=False` leaves out the events.
        """
        view = self.position.view(set() if seat is None else {seat}, past=past)
        if not self.is_chance:
            return view
        racks, mover = list(view.racks), view.seat
        if view.phase is not Phase.DEAL:
            racks[mover] += self.drawn if seat == mover else (HIDDEN,) * len(self.drawn)
        return replace(view, racks=tuple(racks), supply=view.supply - len(self.drawn), phase=Phase.PLACE)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, from first to last."""
        return self.position.events

    # A moment never changes, and its pickle is what happened: positions hold their past as a chain.

    def __copy__(self) -> Moment:
        return self

    def __deepcopy__(self, memo: object) -> Moment:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        found = self.position.setup
        start = getattr(self.position.table, "start", None)
        told = (self.stones, start, self.events, self.owed, self.drawn)
        return _restored, (found.title.variant, found.seats, *told)


def begin(found: Setup) -> Moment:
    """The first moment of a game, before anything is dealt."""
    plan = found.title.plan
    if isinstance(plan, BoardPlan) and plan.printed is None:
        return Moment(before_dealing(found), stones=())
    return _settled(before_dealing(found))


def _laid(found: Setup, stones: Sequence[int]) -> Moment:
    plan = found.title.plan
    assert isinstance(plan, BoardPlan)
    cells = plan.board(found.seats).start
    return _settled(before_dealing(found, tuple(cells[stone] for stone in stones)))


def _settled(position: Position) -> Moment:
    """The next moment with a decision, once the engine's own events are done."""
    while position.phase is Phase.ENDING:
        position = fold(position, end_event(position))
    if position.phase in (Phase.DEAL, Phase.DRAW):
        return _drawing(position)
    return Moment(position)


def _drawing(position: Position) -> Moment:
    while not (count := owed(position)):
        position = fold(position, supplied(position, ()))
    return Moment(position, owed=count)


def _restored(
    variant: str,
    seats: int,
    stones: tuple[int, ...] | None,
    start: tuple[int, ...] | None,
    events: tuple[Event, ...],
    count: int,
    drawn: tuple[Tile, ...],
) -> Moment:
    position = before_dealing(setup(title_of(variant), seats), start)
    for event in events:
        position = fold(position, event)
    return Moment(position, stones, count, drawn)


def outcome_numbers(events: Sequence[Event]) -> list[int]:
    """The outcomes of chance in these events, tile by tile.

    >>> from genial.core.events import Drew, Placed
    >>> outcome_numbers([Drew(0, ("RR", "OR")), Drew(1, ("PP",))])
    [0, 1, 20]
    """
    found: list[int] = []
    for event in events:
        match event:
            case Dealt(tiles=tiles) | Drew(tiles=tiles):
                found += [ORDER[NORMAL[tile]] for tile in tiles]
            case Opened(tile=tile):
                found.append(ORDER[NORMAL[tile]])
    return found
