"""A position: one moment of a game, as a value that never changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Union

from genial.core import moves
from genial.core.actions import Action, Refill
from genial.core.deal import Dealer
from genial.core.errors import IllegalAction, SetupError
from genial.core.events import LEAVING_REASONS, Ended, Event
from genial.core.fold import end_event, fold, next_event, supply_event
from genial.core.layout import Layout, empty_layout
from genial.core.open_cards import OpenCards
from genial.core.ranking import ranks_when_left
from genial.core.situation import Phase
from genial.core.tiles import Tile, arranged
from genial.core.title import BoardPlan, Setup
from genial.core.tracks import Markers
from genial.core.view import View, Viewer, view_of

if TYPE_CHECKING:
    from genial.core.determinize import Rng

Log = Union["tuple[Log, Event]", None]
"""The events so far as a linked list, newest first, so that positions share their past."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything about one moment of a game, including what is hidden from players.

    `actions` says what the seat to move may do; `apply` gives the next position and the events. The
    position itself never changes: keep the earlier one to undo.

    >>> import genial
    >>> position = genial.new("classic", seats=2, seed=7)
    >>> len(position.actions())
    540
    >>> later, events = position.apply(position.actions()[0])
    >>> events[0].tile, events[0].cells, later.phase.value
    ('OB', ((-5, 1), (-4, 1)), 'end-turn')
    """

    setup: Setup
    table: Layout | OpenCards
    racks: tuple[tuple[Tile, ...], ...]
    tracks: tuple[Markers, ...]
    bag: tuple[Tile, ...]
    """Bag, supply or draw pile: in drawing order if there is a dealer, otherwise in canonical order."""
    dealer: Dealer | None = None
    phase: Phase = Phase.DEAL
    seat: int = 0
    """The seat to move."""
    turn: int = 0
    """How many turns have completed their placements."""
    bonus: int = 0
    """Bonus moves that the seat to move still owes."""
    last_turns: int | None = None
    """Turns left in the last round, once it has begun (3D-END)."""
    discard: tuple[Tile, ...] = ()
    aside: tuple[Tile, ...] = ()
    """Swapped tiles that go back into the bag after the draw."""
    ending: str | None = None
    """The reason for the end, once it is settled."""
    result: Ended | None = None
    log: Log = field(default=None, compare=False, repr=False)

    # Player actions

    def actions(self) -> Sequence[Action]:
        """What the seat to move may do, as a sequence that knows its length."""
        return moves.actions(self)

    def apply(self, action: Action) -> tuple[Position, tuple[Event, ...]]:
        """The next position and the events that led there. Raises IllegalAction and changes nothing."""
        if self.phase is Phase.OVER:
            raise IllegalAction("game-over", ruling=self.setup.title.cites.turn)
        if isinstance(action, Refill):
            if self.phase is not Phase.END_TURN:
                raise IllegalAction("refill-not-now", ruling=self.setup.title.cites.turn)
            return self._run(supply_event(self))
        return self._run(moves.event_of(self, action))

    def leave(self, seat: int, reason: str) -> tuple[Position, tuple[Event, ...]]:
        """End the game because a seat resigns, overruns its clock or abandons the game (LEAVING)."""
        sides, seats = self.setup.title.sides, self.setup.seats
        if reason not in LEAVING_REASONS:
            expected = list(LEAVING_REASONS)
            raise IllegalAction("leave-reason", ruling="LEAVING", reason=reason, expected=expected)
        if seat not in range(seats):
            raise IllegalAction("seat-unknown", ruling="LEAVING", seat=seat, seats=seats)
        if sides.side_count(seats) > 2:
            raise IllegalAction("leave-many", ruling="LEAVING", seats=seats)
        if self.phase not in (Phase.PLACE, Phase.END_TURN):
            raise IllegalAction("game-over", ruling="LEAVING")
        end = end_event(self)
        ranks = ranks_when_left(sides, seats, seat)
        return self._run(Ended(reason, end.tracks, ranks, by=seat))

    def _run(self, event: Event | None) -> tuple[Position, tuple[Event, ...]]:
        position, events = self, []
        while event is not None:
            position = fold(position, event)
            events.append(event)
            event = next_event(position)
        return position, tuple(events)

    def settled(self) -> Position:
        """This position, or the next one in which a player has to act, after the engine's own events."""
        return self._run(next_event(self))[0]

    # What viewers see

    def view(self, viewer: Viewer, *, past: bool = True) -> View:
        """What the holders of a set of seats may know; an empty set is a spectator.

        `past=False` leaves out the events, for a caller that already has them.
        """
        return view_of(self, viewer, past=past)

    def determinize(self, viewer: Viewer, rng: Rng) -> Position:
        """A position that the viewer cannot tell from this one: what they may not know is redealt."""
        from genial.core.determinize import determinize  # imported late: it makes positions itself

        return determinize(self.view(viewer), rng)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, from first to last."""
        found, log = [], self.log
        while log is not None:
            log, event = log
            found.append(event)
        return tuple(reversed(found))

    @property
    def supply(self) -> int:
        """How many tiles can be drawn before a reshuffle."""
        return len(self.bag)

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    # Used by the fold

    def change(self, **changes: Any) -> Position:
        """A copy with some fields changed."""
        new = object.__new__(Position)
        for put, value in zip(_PUT, _values(self), strict=True):
            put(new, value)
        for name, value in changes.items():
            _set(new, name, value)
        return new

    def logged(self, earlier: Position, event: Event) -> Position:
        """This position with its past; only for one fresh from the fold that nobody has seen yet."""
        _set(self, "log", (earlier.log, event))
        return self

    def supply_front(self, count: int) -> tuple[Tile, ...]:
        """The next tiles out of the bag, which only a dealer knows."""
        if self.dealer is None:
            raise SetupError("no-dealer", ruling="DEAL")
        return self.bag[:count]

    def returned(self) -> Position:
        """The position with the tiles set aside mixed back into the bag."""
        if self.dealer is None:
            return self.change(bag=arranged(self.bag + self.aside), aside=())
        bag, dealer = self.dealer.give_back(self.bag, self.aside)
        return self.change(bag=bag, dealer=dealer, aside=())

    def reshuffled(self) -> Position:
        """The position with the discard pile as its draw pile."""
        if self.dealer is None:
            return self.change(bag=arranged(self.discard), discard=())
        bag, dealer = self.dealer.reshuffle(self.discard)
        return self.change(bag=bag, dealer=dealer, discard=())

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self


# A game makes hundreds of changes, so they are done in the fastest way a frozen class allows.
_set = object.__setattr__
_FIELDS = tuple(f.name for f in fields(Position))
_values = attrgetter(*_FIELDS)
_PUT = tuple(getattr(Position, name).__set__ for name in _FIELDS)


def before_dealing(
    setup: Setup, start: tuple[int, ...] | None = None, dealer: Dealer | None = None
) -> Position:
    """The position before the first tile is dealt.

    `start` gives the start cell of each colour if the start symbols are loose stones (3D-START).
    """
    plan = setup.title.plan
    table: Layout | OpenCards
    if isinstance(plan, BoardPlan):
        if start is None:
            start = plan.printed_start(setup.seats)
            if plan.printed is None and dealer is not None:
                start = dealer.start_stones(start)
        table = empty_layout(plan.board(setup.seats), start, plan.stacking)
    else:
        table = OpenCards(((),) * setup.seats)
    return Position(
        setup=setup,
        table=table,
        racks=((),) * setup.seats,
        tracks=setup.tracks,
        bag=dealer.bag(setup.tiles) if dealer else setup.tiles,
        dealer=dealer,
        phase=Phase.DRAW if setup.title.is_solo else Phase.DEAL,
    )


def dealt(setup: Setup, dealer: Dealer) -> Position:
    """The position once all racks, hands and open cards are dealt and the first seat has to move."""
    start = before_dealing(setup, dealer=dealer)
    return start.settled()
