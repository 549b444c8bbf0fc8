"""Games that the kernel plays and that leave a record: dealt by DEAL, written as core's events.

The state says what is lawful, what it gains, and when and how the game ends; core's dealer deals the tiles.
"""

from __future__ import annotations

import genial
from genial.core.actions import Place, Play
from genial.core.deal import Dealer
from genial.core.events import Drew, Ended, Event, Placed, Played, Reshuffled, Swapped
from genial.core.observation import REASONS
from genial.core.position import Log, Position
from genial.core.tiles import TILES, Tile
from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.convert import counts, tiles_of
from genial.kernel.state import State


class RecordedGame:
    """A game in a kernel state, with its past as core's events.

    >>> played = RecordedGame("travel", 2, seed=7)
    >>> while not played.is_over:
    ...     played.apply(played.game.legal(played.state).numbers[0])
    >>> from genial.core.record import record_of
    >>> genial.check(record_of(played.position())).status
    'lawful'
    """

    def __init__(self, variant: str, seats: int, *, seed: int | str) -> None:
        start = genial.new(variant, seats=seats, seed=seed)
        assert start.dealer is not None
        self.game = Game.of(variant, seats)
        self.state: State = self.game.from_core(start)
        self._bag: tuple[Tile, ...] = start.bag
        self._dealer: Dealer = start.dealer
        self._log: Log = start.log

    @property
    def is_over(self) -> bool:
        return self.game.is_over(self.state)

    def position(self) -> Position:
        """The position in core with its past, for writing a record."""
        return self.game.to_core(self.state).change(bag=self._bag, dealer=self._dealer, log=self._log)

    def apply(self, number: int) -> None:
        """Do a lawful action, by number."""
        if number >= self.game.refill:
            self._end_turn(number)
        else:
            self._place(number)
        if self.is_over:
            self._note(self._end())

    def _place(self, number: int) -> None:
        seat, supply = self.game.seat(self.state), self.state[at.SUPPLY]
        self._follow(number, self._bag[:1])
        action = self.game.action_of(number)
        gain = tuple(self.state[at.GAIN : at.GAIN + at.COLOURS])
        if isinstance(action, Place):
            self._note(Placed(seat, action.tile, action.cells, self.state[at.LEVEL], gain))
        elif isinstance(action, Play):
            self._note(Played(seat, action.tile, gain))
        if self.state[at.SUPPLY] < supply:  # solo's next tile
            self._note(Drew(seat, self._bag[:1]))
            self._bag = self._bag[1:]

    def _end_turn(self, number: int) -> None:
        seat, swap, setup = self.game.seat(self.state), number == self.game.swap, self.game.tables.setup
        begin = at.RACKS + at.RACK_STRIDE * seat
        rack = tiles_of(self.state[begin : begin + at.KINDS])
        wanted, piles = setup.title.rack - (0 if swap else len(rack)), setup.board is None
        events: list[Event] = [Swapped(seat, rack)] if swap else []
        drawn = self._bag[:wanted]
        events += [Drew(seat, drawn)] if drawn else []
        self._bag = self._bag[wanted:]
        if (
            piles and len(drawn) < wanted
        ):  # CARD-TURN-END: the oldest open card and a swapped hand are there too
            discard = tiles_of(self.state[at.DISCARD : at.DISCARD + at.KINDS])
            discard += (TILES[self.state[at.ROWS + 8 * seat + 1]], *(rack if swap else ()))
            self._bag, self._dealer = self._dealer.reshuffle(discard)
            more = self._bag[: wanted - len(drawn)]
            events += [Reshuffled(), Drew(seat, more)]
            drawn, self._bag = drawn + more, self._bag[len(more) :]
        elif swap and not piles:  # SWAP: back into the bag after the draw
            self._bag, self._dealer = self._dealer.give_back(self._bag, rack)
        self._follow(number, drawn)
        for event in events:
            self._note(event)

    def _end(self) -> Ended:
        title, tracks = self.game.tables.setup.title, self.game.to_core(self.state).tracks
        shown = tuple(tracks[title.sides.track_of(seat)] for seat in range(self.game.tables.setup.seats))
        return Ended(REASONS[self.state[at.REASON]], shown, self.game.ranks(self.state))

    def _follow(self, number: int, dealt: tuple[Tile, ...]) -> None:
        if self.game.follow(self.state, number, counts(dealt)):
            raise ValueError(f"Action {number} isn't allowed now: {self.game.action_of(number)}.")

    def _note(self, event: Event) -> None:
        self._log = (self._log, event)
