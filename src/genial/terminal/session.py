"""A game at one keyboard: who sits where, who is looking at the screen, taking back, saving, resuming."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import genial
from genial.bots import bot_named
from genial.bots.child import BotFailure
from genial.bots.driver import stand_in
from genial.bots.external import ExternalBot, player_named
from genial.bots.searcher import SearchBot
from genial.core.actions import Action
from genial.core.errors import SetupError
from genial.core.events import Drew, Event, Placed, Played, Reshuffled, Swapped
from genial.core.fold import fold, next_event
from genial.core.messages import LANGUAGES, listed
from genial.core.position import Position
from genial.core.record import deal_key, dump, record_of
from genial.core.referee import replay
from genial.core.series import MOST_GAMES, Series
from genial.core.shown import shown
from genial.core.sides import Sides
from genial.core.situation import Phase
from genial.core.title import Setup
from genial.core.view import EVERYONE, View
from genial.kernel.engine import is_coming, may_run
from genial.terminal.bot_worker import BotWorker
from genial.terminal.saves import new_path, read_record, write_whole
from genial.terminal.words import bot_name, say

_LEARNED = Drew | Swapped | Reshuffled
"""Events that show somebody new tiles: nothing can be taken back across them."""
_SEED_ROOM = 120
"""How many characters of a seed are kept for the other games of a series."""


class Session:
    """A game with people and bots, saved to a file after every action; on its own, or in a series (SERIES).

    Bots and names are given by seat. In a series the seats rotate from game to game, while the places stay.

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
        series: Series | None = None,
    ) -> None:
        self.position = position
        self.bots = tuple(bots)
        players = [None if name is None else player_named(name) for name in bots]
        self._programs = [bot if isinstance(bot, ExternalBot) else None for bot in players]
        self._searchers = [bot for bot in players if isinstance(bot, SearchBot)]
        self.given_names = tuple(shown(name) for name in names)
        self.series = series or Series(position.setup, games=1)
        """The series as it was before this game."""
        self.language = language if language in LANGUAGES else "en"
        self.path = path
        self.trouble: str | None = None
        """Why the last action could not be saved, if it could not."""
        self.bot_trouble: str | None = None
        """Why another bot acted for the last one, if it did."""
        self._earlier = list(earlier)
        self._at_keyboard: int | None = None
        self._following: Session | None = None

    # Seating

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
        """True if a bot has to act now."""
        return not self.is_over and self.bots[self.position.seat] is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The display name of each seat."""
        return tuple(self._name(seat) for seat in range(self.setup.seats))

    def _name(self, seat: int) -> str:
        if seat < len(self.given_names) and self.given_names[seat]:
            return self.given_names[seat]
        bot = self.bots[seat]
        if bot is not None:
            alike = self.bots.count(bot) > 1
            name = bot_name(bot, self.language)
            return f"{name} {self.series.place_of(seat) + 1}" if alike else name
        if len(self.people) == 1:
            return say("you", self.language)
        return say("player", self.language, number=self.series.place_of(seat) + 1)

    @property
    def kernel_note(self) -> str | None:
        """What to tell people once if bots play worse than their names say, because there is no kernel."""
        if not self._searchers or may_run():
            return None
        names = dict.fromkeys(bot_name(bot.name, self.language) for bot in self._searchers)
        others = dict.fromkeys(bot_name(bot.fallback.name, self.language) for bot in self._searchers)
        return say(
            "kernel-coming" if is_coming() else "kernel-missing",
            self.language,
            count=len(names),
            names=listed(list(names), self.language),
            others=listed(list(others), self.language),
        )

    def side_name(self, seat: int) -> str:
        """The name of a seat, or of its whole team."""
        if self.setup.title.sides is Sides.TEAMS:
            return " + ".join(self.names[seat % 2 :: 2])
        return self.names[seat]

    def place_name(self, place: int, *, team: bool) -> str:
        """The name of a place at the table, or of its whole team, whatever its seat in this game."""
        places = range(place, self.setup.seats, 2) if team else (place,)
        return " + ".join(self.names[self.series.seat_of(found)] for found in places)

    # The series

    @property
    def standing(self) -> Series:
        """The series so far, including this game if it is over."""
        result = self.position.result
        return self.series if result is None else self.series.noting(result)

    @property
    def following(self) -> Session | None:
        """The next game of the series, once this one is over; None if it was the last.

        It is saved when it is first requested, so that nothing is lost between two games.
        """
        standing = self.standing
        if self._following is None and self.is_over and not standing.is_over:
            setup, dealer = self.setup, self.position.dealer
            seed = _next_seed(dealer.seed, standing.played) if dealer else None
            seats = [self.series.seat_of(standing.place_of(seat)) for seat in range(setup.seats)]
            self._following = Session(
                genial.new(setup.title.variant, seats=setup.seats, seed=seed),
                [self.bots[seat] for seat in seats],
                names=[self.given_names[seat] if seat < len(self.given_names) else "" for seat in seats],
                language=self.language,
                series=standing,
            )
            if self.path is not None:
                self._following.keep_in(new_path(self.path.parent, setup.title.variant))
        return self._following

    # Who is looking at the screen

    @property
    def curtain_for(self) -> int | None:
        """The seat that must be handed the keyboard before its rack may be shown."""
        seat = self.position.seat
        hidden = len(self.people) > 1 and seat in self.people and seat != self._at_keyboard
        return seat if hidden and not self.is_over else None

    def lift_curtain(self) -> None:
        """The person to move has the keyboard now."""
        self._at_keyboard = self.position.seat

    def drop_curtain(self) -> None:
        """Show nobody's rack until a person takes the keyboard."""
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
        """Do an action for the seat to move; raises IllegalAction and changes nothing if it is not lawful."""
        before = self.position
        self.position, events = before.apply(action)
        if any(isinstance(event, _LEARNED) for event in events):
            self._earlier.clear()
        elif before.phase is Phase.PLACE and self.bots[before.seat] is None:
            self._earlier.append(before)
        self._keep()
        _ = self.following  # saves the next game at once
        return events

    async def bot_action(self, worker: BotWorker) -> Action:
        """The action of the bot to move; its randomness follows from the seed, even in a resumed game."""
        position, seat = self.position, self.position.seat
        bot, program, view = self.bots[seat], self._programs[seat], position.view({seat})
        assert bot is not None
        seed = f"{position.dealer.seed if position.dealer else ''}|{seat}|{len(position.events)}"
        self.bot_trouble = None
        if program is not None:
            return await self._program_action(program, view, Random(seed))
        choice = await worker.choice_of(bot, view, seed)
        if choice.fallback:
            self.bot_trouble = say("bot-failed", self.language, name=self.names[seat])
        return choice.action

    async def _program_action(self, program: ExternalBot, view: View, rng: Random) -> Action:
        """The same for a user's program, which has its own process and deadline."""
        try:
            return await asyncio.to_thread(program.choose, view, rng)
        except BotFailure as failure:
            self.bot_trouble = failure.text(self.language)
            return stand_in(view, rng).action
        except asyncio.CancelledError:
            program.kill()  # this also ends the thread that waits for it
            raise

    @property
    def can_take_back(self) -> bool:
        """True if the last placement of a person can be taken back: nobody has seen new tiles since.

        Usually it belongs to the current turn. If nothing is drawn (the last round of 3D, an empty bag) the
        turn has already passed on; then bots have no say, and other people have not looked at the screen yet.
        """
        return self.back_to is not None

    @property
    def back_to(self) -> int | None:
        """The seat whose placement can be taken back, if any."""
        if not self._earlier or self.is_over:
            return None
        seat = self._earlier[-1].seat
        free = len(self.people) == 1 or self._at_keyboard is None
        return seat if free or seat == self._at_keyboard == self.position.seat else None

    def take_back(self) -> bool:
        """Take back the last placement of a person, if possible. Returns whether it was."""
        if not self.can_take_back:
            return False
        self.position = self._earlier.pop()
        if self.position.seat != self._at_keyboard:
            self.drop_curtain()
        self._keep()
        return True

    # Saving and resuming

    def record(self) -> dict[str, Any]:
        """The game as a record that can be continued: it contains every rack and the seed."""
        # A bot is saved under its own name, which is the same in every language.
        names = [name if bot is None else bot for name, bot in zip(self.names, self.bots, strict=True)]
        extras: dict[str, Any] = {"names": names} if any(self.given_names) else {}
        if self.series.games > 1:
            extras["places"] = [self.series.place_of(seat) for seat in range(self.setup.seats)]
            extras["options"] = {
                "series": self.series.games,
                "game": self.series.played + 1,
                "noted": [list(game) for game in self.series.notes],
            }
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
        """Save the game in this file from now on."""
        self.path = path
        self._keep()

    @classmethod
    def resume(cls, path: Path, language: str = "en") -> Session:
        """Load a game from a file to continue it; this turn's placements can still be taken back.

        Raises a GenialError if the file contains no lawful game, OSError if it cannot be read.
        """
        record = read_record(path)
        positions = list(replay(record))
        position = positions[-1]
        if position.dealer is None and not position.is_over:
            raise SetupError("no-dealer", ruling="DEAL")
        while (event := next_event(position)) is not None:
            position = fold(position, event)
        bots, names = _players(record.extras, record.setup.seats)
        earlier = [] if position is not positions[-1] else _since_the_last_draw(positions, bots)
        return cls(
            position,
            bots,
            names=names,
            language=language,
            path=path,
            earlier=earlier,
            series=_series(record.extras, record.setup),
        )


def _next_seed(seed: str, played: int) -> str:
    """The seed of the next game of a series: `7`, `7-2`, `7-3`.

    >>> _next_seed("7", 1), _next_seed("7-2", 2)
    ('7-2', '7-3')
    """
    first = seed.removesuffix(f"-{played}") if played > 1 else seed
    return f"{first[:_SEED_ROOM]}-{played + 1}"


def _players(extras: Mapping[str, Any], seats: int) -> tuple[list[str | None], list[str]]:
    bots, names = extras.get("bots"), extras.get("names")
    if not isinstance(bots, list) or len(bots) != seats:
        bots = [None] * seats
    if not isinstance(names, list) or len(names) != seats or not all(isinstance(n, str) for n in names):
        names = []
    names = [name if bot is None else "" for name, bot in zip(names, bots, strict=False)]
    for bot in bots:
        if bot is not None:
            # A file may name our own bots, but never a program to start.
            bot_named(bot if isinstance(bot, str) else repr(bot))
    return bots, names


def _series(extras: Mapping[str, Any], setup: Setup) -> Series | None:
    """The series described by a record; None if it is a single game, or the description makes no sense."""
    options = extras.get("options")
    if not isinstance(options, dict):
        return None
    games, number, noted = (options.get(key) for key in ("series", "game", "noted"))
    if not isinstance(games, int) or not isinstance(noted, list) or number != len(noted) + 1:
        return None
    rows = [row for row in noted if isinstance(row, list) and len(row) == setup.seats]
    if len(rows) != len(noted) or not all(isinstance(points, int) for row in rows for points in row):
        return None
    if not 1 < games <= MOST_GAMES or len(rows) >= games:
        return None
    return Series(setup, games, notes=tuple(map(tuple, rows)))


def _since_the_last_draw(positions: list[Position], bots: Sequence[str | None]) -> list[Position]:
    """The positions in which a person placed something since anybody last saw new tiles."""
    found: list[Position] = []
    for before, after in pairwise(positions):
        event = after.log[1] if after.log else None
        if isinstance(event, _LEARNED):
            found.clear()
        elif isinstance(event, Placed | Played) and bots[before.seat] is None:
            found.append(before)
    return found
