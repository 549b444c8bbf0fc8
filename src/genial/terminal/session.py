"""A game at one keyboard: who sits where, whose eyes are on the screen, taking back, saving, resuming."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from genial.bots import bot_named
from genial.bots.child import BotFailure
from genial.bots.external import player_named
from genial.core.actions import Action
from genial.core.errors import SetupError
from genial.core.events import Drew, Event, Placed, Played, Swapped
from genial.core.fold import fold, next_event
from genial.core.messages import LANGUAGES
from genial.core.moves import Phase
from genial.core.position import Position
from genial.core.record import deal_key, dump, record_of
from genial.core.referee import replay
from genial.core.sides import Sides
from genial.core.title import Setup
from genial.core.view import EVERYONE, View
from genial.terminal.saves import read_record, write_whole
from genial.terminal.words import say

_FALLBACK = "greedy"
"""Acts where a program fails."""


class Session:
    """A game with people and bots, kept in a file after every act.

    >>> import genial
    >>> session = Session(genial.new("classic", seats=2, seed=7), [None, "balanced"])
    >>> session.people, session.position.seat
    ((0,), 0)
    >>> _ = session.act(session.position.actions()[0])
    >>> session.position.phase.value, session.take_back(), session.position.phase.value
    ('end-turn', True, 'place')
    """

    def __init__(
        self,
        position: Position,
        bots: Sequence[str | None],
        *,
        names: Sequence[str] = (),
        language: str = "en",
        path: Path | None = None,
        earlier: Sequence[Position] = (),
    ) -> None:
        self.position = position
        self.bots = tuple(bots)
        self._players = [None if name is None else player_named(name) for name in bots]
        self.given_names = tuple(_printable(name) for name in names)
        self.language = language if language in LANGUAGES else "en"
        self.path = path
        self.trouble: str | None = None
        """Why the last act could not be written to the file, if it could not."""
        self.bot_trouble: str | None = None
        """Why another bot acted for the last one, if it did."""
        self._earlier = list(earlier)
        self._at_keyboard: int | None = None

    # Who sits where

    @property
    def setup(self) -> Setup:
        return self.position.setup

    @property
    def people(self) -> tuple[int, ...]:
        """The seats played from this keyboard."""
        return tuple(seat for seat, bot in enumerate(self.bots) if bot is None)

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def bot_to_move(self) -> bool:
        """Whether a bot is to act now."""
        return not self.is_over and self.bots[self.position.seat] is not None

    @property
    def names(self) -> tuple[str, ...]:
        """What each seat is called on the screen."""
        return tuple(self._name(seat) for seat in range(self.setup.seats))

    def _name(self, seat: int) -> str:
        if seat < len(self.given_names) and self.given_names[seat]:
            return self.given_names[seat]
        bot = self.bots[seat]
        if bot is not None:
            alike = self.bots.count(bot) > 1
            return f"{bot} {seat + 1}" if alike else bot
        if len(self.people) == 1:
            return say("you", self.language)
        return say("player", self.language, number=seat + 1)

    def side_name(self, seat: int) -> str:
        """The name of a seat, or of its whole team."""
        if self.setup.title.sides is Sides.TEAMS:
            return " + ".join(self.names[seat % 2 :: 2])
        return self.names[seat]

    # Whose eyes are on the screen

    @property
    def curtain_for(self) -> int | None:
        """The seat to which the keyboard must be handed before its rack may be shown."""
        seat = self.position.seat
        hidden = len(self.people) > 1 and seat in self.people and seat != self._at_keyboard
        return seat if hidden and not self.is_over else None

    def lift_curtain(self) -> None:
        """The person to move has the keyboard now."""
        self._at_keyboard = self.position.seat

    def drop_curtain(self) -> None:
        """Nobody's rack is to be seen until a person takes the keyboard."""
        self._at_keyboard = None

    @property
    def at_keyboard(self) -> int | None:
        """The seat whose rack may be shown now, if any."""
        return self.people[0] if len(self.people) == 1 else self._at_keyboard

    def view(self) -> View:
        """What may be on the screen now."""
        if self.is_over:
            return self.position.view(EVERYONE)
        seat = self.at_keyboard
        return self.position.view(frozenset() if seat is None else {seat})

    def events_since(self, seat: int) -> int:
        """The number of the first event after the last one that this seat caused."""
        events = self.position.events
        for number in range(len(events), 0, -1):
            event = events[number - 1]
            if isinstance(event, Placed | Played | Swapped | Drew) and event.seat == seat:
                return number
        return len(events)

    # Acting and taking back

    def act(self, action: Action) -> tuple[Event, ...]:
        """Do what the seat to move wants; raises IllegalAction and changes nothing if it may not."""
        before = self.position
        self.position, events = before.apply(action)
        told_nothing_new = all(isinstance(event, Placed | Played) for event in events)
        if told_nothing_new and self.position.seat == before.seat and not self.bots[before.seat]:
            self._earlier.append(before)
        else:
            self._earlier.clear()
        self._keep()
        return events

    def bot_action(self) -> Action:
        """What the bot to move wants to do; its chance follows from the seed, also in a resumed game."""
        position = self.position
        bot = self._players[position.seat] or bot_named(_FALLBACK)
        seed = position.dealer.seed if position.dealer else ""
        rng = Random(f"{seed}|{position.seat}|{len(position.events)}")
        view = position.view({position.seat})
        self.bot_trouble = None
        try:
            return bot.choose(view, rng)
        except BotFailure as failure:
            self.bot_trouble = failure.text(self.language)
            return bot_named(_FALLBACK).choose(view, rng)

    @property
    def can_take_back(self) -> bool:
        """Whether the last placement of this turn can be taken back: nothing new was learned since."""
        return bool(self._earlier)

    def take_back(self) -> bool:
        """Take back the last placement of this turn."""
        if not self._earlier:
            return False
        self.position = self._earlier.pop()
        self._keep()
        return True

    # Saving and resuming

    def record(self) -> dict[str, Any]:
        """The game as a record that can be played on: it holds every rack and the seed."""
        extras: dict[str, Any] = {"names": list(self.names)} if any(self.given_names) else {}
        return record_of(self.position, **extras, bots=list(self.bots), **deal_key(self.position))

    def save(self, path: Path) -> None:
        """Write the game to a file."""
        write_whole(path, dump(self.record()))

    def _keep(self) -> None:
        if self.path is None:
            return
        try:
            self.save(self.path)
            self.trouble = None
        except OSError as error:
            self.trouble = error.strerror or str(error)

    def keep_in(self, path: Path) -> None:
        """Keep the game in this file from now on."""
        self.path = path
        self._keep()

    @classmethod
    def resume(cls, path: Path, language: str = "en") -> Session:
        """The game of a file, to be played on; this turn's placements can still be taken back.

        Raises a GenialError if the file holds no lawful game, OSError if it cannot be read.
        """
        record = read_record(path)
        positions = list(replay(record))
        position = positions[-1]
        if position.dealer is None and not position.is_over:
            raise SetupError("no-dealer", ruling="DEAL")
        while (event := next_event(position)) is not None:
            position = fold(position, event)
        bots, names = _players(record.extras, record.setup.seats)
        earlier = [] if position is not positions[-1] else _this_turn(positions)
        if bots[position.seat] is not None:
            earlier = []
        return cls(position, bots, names=names, language=language, path=path, earlier=earlier)


def _printable(name: str) -> str:
    # Names come from files too, and must not steer the terminal.
    return "".join(letter for letter in name if letter.isprintable()).strip()[:24]


def _players(extras: Mapping[str, Any], seats: int) -> tuple[list[str | None], list[str]]:
    bots, names = extras.get("bots"), extras.get("names")
    if not isinstance(bots, list) or len(bots) != seats:
        bots = [None] * seats
    if not isinstance(names, list) or len(names) != seats or not all(isinstance(n, str) for n in names):
        names = []
    for bot in bots:
        if bot is not None:
            # A file may name bots of the house, never a program to start.
            bot_named(bot if isinstance(bot, str) else repr(bot))
    return bots, names


def _this_turn(positions: list[Position]) -> list[Position]:
    # Positions before each placement that ends the record, as long as the same seat is to move.
    now, found = positions[-1], []
    if now.phase not in (Phase.PLACE, Phase.END_TURN):
        return []
    for before, after in zip(reversed(positions[:-1]), reversed(positions[1:]), strict=True):
        if after.log is None or not isinstance(after.log[1], Placed | Played) or before.seat != now.seat:
            break
        found.append(before)
    return found[::-1]
