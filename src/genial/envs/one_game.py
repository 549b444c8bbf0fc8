"""One game for an environment: a kernel state that steps at full speed, and core's account of it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genial.bots.bot import Bot
from genial.bots.driver import UNHURRIED, choose
from genial.bots.searcher import own_nodes
from genial.core.actions import Action, Place, Play, Swap
from genial.core.events import Dealt, Drew, Event, Opened, Reshuffled
from genial.core.fold import fold, next_event
from genial.core.layout import Layout
from genial.core.moves import event_of
from genial.core.notation import move_text
from genial.core.open_cards import OpenCards
from genial.core.position import Position, before_dealing
from genial.core.record import record_of
from genial.core.tiles import NORMAL, arranged
from genial.core.title import Setup
from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.convert import tiles_of
from genial.kernel.state import State

Bytes = NDArray[np.uint8]
Mask = NDArray[np.int8]
"""One byte per action: 1 if it is lawful."""
_EXAMPLES = 5
_SEEDS = 2**63


class IllegalMove(ValueError):
    """An action that is not lawful now. Nothing was changed."""


class _Calls(NamedTuple):
    """The kernel entries called at every step, with the rules already bound."""

    mask: Any
    observe: Any


@cache
def _calls(game: Game) -> _Calls:
    bound, rules = game.engine.bound, game.tables.rules
    return _Calls(bound("mask", rules), bound("observe", rules))


def refusal(game: Game, state: State, number: object) -> IllegalMove:
    """What is wrong with an action, and what would be lawful."""
    if game.is_over(state):
        return IllegalMove("The game is over: nothing can be done until it is reset.")
    setup, lawful = game.tables.setup, list(game.legal(state).numbers)
    few = ", ".join(f"{n} ({move_text(setup, game.action_of(n))})" for n in lawful[:_EXAMPLES])
    more = f" and {len(lawful) - _EXAMPLES} more" if len(lawful) > _EXAMPLES else ""
    try:
        got = f"action {number} ({move_text(setup, game.action_of(int(number)))})"  # type: ignore[call-overload]
    except (TypeError, ValueError):
        got = f"{number!r}, which isn't a number from 0 to {game.actions - 1}"
    return IllegalMove(f"Seat {game.seat(state)} cannot do {got} now. Lawful: {few}{more}.")


class OneGame:
    """A game in progress. The kernel deals from its own stream, so a seed and the actions are the whole game.

    >>> play = OneGame("classic", 2)
    >>> play.deal(7)
    >>> play.step(int(play.mask().nonzero()[0][0]))
    >>> play.position().phase.value
    'end-turn'
    """

    def __init__(self, variant: str, seats: int | None = None) -> None:
        self.game = Game.of(variant, seats)
        # What every step needs is looked up once.
        self._calls, self._wide, self._count = (
            _calls(self.game),
            self.game.observation_bytes,
            self.game.actions,
        )
        self._bits = bytearray(self.game.mask_bytes)
        self._bit_array = np.frombuffer(self._bits, np.uint8)
        self.state: State = self.game.new(0)
        self.deal(0)

    def deal(self, seed: int) -> None:
        """Start a new game."""
        self.state = self.game.new(seed % _SEEDS)
        self.actions: list[int] = []
        """The actions so far, by number."""
        self._first = bytes(self.state)
        self._told: tuple[Position, State] | None = None
        self._told_actions = 0

    @property
    def setup(self) -> Setup:
        return self.game.tables.setup

    @property
    def seats(self) -> int:
        return self.setup.seats

    def tracks(self) -> Bytes:
        """The markers' steps, as a numpy array."""
        return np.frombuffer(self.state, np.uint8)[at.TRACKS : at.RACKS]

    @property
    def is_over(self) -> bool:
        return self.state[at.PHASE] == at.OVER

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self.state[at.SEAT]

    def step(self, number: int) -> None:
        """Do an action; raises `IllegalMove` with the reason, and changes nothing, if it is not lawful."""
        try:
            refused = self.game.step(self.state, number)
        except Exception as error:  # not even a number
            raise refusal(self.game, self.state, number) from error
        if refused:
            raise refusal(self.game, self.state, number)
        self.actions.append(number)

    def mask(self) -> Mask:
        """What the seat to move may do, one byte per action. Only for that seat: it reveals the rack."""
        self._calls.mask(self.state, self._bits)
        return np.unpackbits(self._bit_array, count=self._count, bitorder="little").view(np.int8)

    def chosen_by(self, bot: Bot, chance: Random) -> int:
        """What a bot in the seat to move does, given what that seat may know.

        It counts nodes rather than seconds, so that the same seed gives the same game on every machine.
        """
        view = self.position().view({self.seat})
        return self._number_of(choose(bot, view, chance, own_nodes(bot), UNHURRIED).action)

    def _number_of(self, action: Action) -> int:
        self._calls.mask(self.state, self._bits)
        return self.game.tables.numbering.number_among(action, int.from_bytes(self._bits, "little"))

    def observe(self, seat: int) -> Bytes:
        """What a seat may know (`core.observation`)."""
        out: Bytes = np.empty(self._wide, np.uint8)
        self._calls.observe(self.state, seat, out)
        return out

    # Core's account of the game

    def position(self) -> Position:
        """The position in core with its whole past, for bots, pictures and records."""
        if self._told is None:
            self._told = _dealt(self.game, self._first), bytearray(self._first)
            self._told_actions = 0
        position, state = self._told
        for number in self.actions[self._told_actions :]:
            before = position
            self.game.step(state, number)
            position = _followed(self.game, before, state, number)
        self._told = position, state
        self._told_actions = len(self.actions)
        return position

    def record(self) -> dict[str, Any]:
        """The record of the game so far, which can be judged by `genial.check`."""
        return record_of(self.position())

    def __reduce__(self) -> tuple[object, ...]:
        setup = self.setup
        return _restored, (setup.title.variant, setup.seats, self._first, bytes(self.state), self.actions[:])


def _restored(variant: str, seats: int, first: bytes, state: bytes, actions: list[int]) -> OneGame:
    play = OneGame(variant, seats)
    play._first, play.state, play.actions = first, bytearray(state), actions
    return play


def _dealt(game: Game, first: bytes) -> Position:
    """The position before the first action, with the events of dealing."""
    dealt = game.to_core(first)
    start = dealt.table.start if isinstance(dealt.table, Layout) else None
    position = before_dealing(dealt.setup, start)
    deal = Drew if dealt.setup.title.is_solo else Dealt
    events: list[Event] = [deal(seat, rack) for seat, rack in enumerate(dealt.racks)]
    if isinstance(dealt.table, OpenCards):
        rows = list(enumerate(dealt.table.rows))
        events += [Opened(seat, row[n]) for n in range(len(rows[0][1])) for seat, row in rows]
    for event in events:
        position = fold(position, event)
    return position


def _followed(game: Game, position: Position, after: State, number: int) -> Position:
    """The position after an action; the kernel's state shows what it drew."""
    action, seat = game.action_of(number), position.seat
    left = Counter(position.racks[seat])
    if isinstance(action, Place | Play):
        left[NORMAL[action.tile]] -= 1
    elif isinstance(action, Swap):
        left.clear()
    begin = at.RACKS + at.RACK_STRIDE * seat
    held = Counter(tiles_of(after[begin : begin + at.KINDS]))
    drawn = arranged((held - left).elements())
    events: list[Event] = []
    if isinstance(action, Place | Play | Swap):
        events.append(event_of(position, action))
    pile = position.bag
    if position.setup.board is None and len(pile) < len(drawn):  # CARD-TURN-END: in the middle of a draw
        rest = arranged((Counter(drawn) - Counter(pile)).elements())
        events += [Drew(seat, pile)] if pile else []
        events += [Reshuffled(), Drew(seat, rest)]
    elif drawn:
        events.append(Drew(seat, drawn))
    for event in events:
        position = fold(position, event)
    while (following := next_event(position)) is not None:
        position = fold(position, following)
    return position
