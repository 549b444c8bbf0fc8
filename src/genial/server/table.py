"""A table: places, the game at hand and the games before it. Its state is the fold of its entries.

Tables and messages name places; core and records name seats. Which place sits where changes from game to
game (FIRST-SEAT, SERIES).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from genial.core.deal import SCHEME, Dealer
from genial.core.events import Ended, Event
from genial.core.fair import game_seed
from genial.core.fold import fold
from genial.core.position import Position, dealt
from genial.core.record import RULES, event_from, record_of
from genial.core.referee import load
from genial.core.series import Series
from genial.core.tiles import arranged
from genial.core.title import Setup, setup
from genial.core.titles import title_of
from genial.server.clocks import ClockState
from genial.server.entries import (
    Acted,
    Answered,
    Asked,
    Body,
    Chatted,
    Closed,
    Committed,
    Created,
    Entry,
    Holder,
    Mixed,
    Resumed,
    Revealed,
    Seated,
    Started,
    TakenBack,
)
from genial.server.errors import NotFound
from genial.server.settings import TableSettings

CHAT_KEPT = 100


@dataclass(slots=True)
class Game:
    """One game of a table, from its deal on."""

    number: int
    started: Started
    since: int
    """The entry that began it."""
    series: Series
    """As it stood when the game began: it says which place has which seat."""
    names: list[str]
    bots: list[str | None]
    positions: list[tuple[int, Position]]
    """The position after each entry that changed it; taking back cuts the list."""
    taken_back: int = 0

    @property
    def position(self) -> Position:
        return self.positions[-1][1]

    @property
    def seq(self) -> int:
        """The last entry that changed the game."""
        return self.positions[-1][0]

    @property
    def result(self) -> Ended | None:
        return self.position.result

    def seat_of(self, place: int) -> int:
        return self.series.seat_of(place)

    def place_of(self, seat: int) -> int:
        return self.series.place_of(seat)

    def seats_of(self, places: frozenset[int]) -> frozenset[int]:
        # A curtain is a viewer without a place: it has no seat.
        return frozenset(self.seat_of(place) for place in places if place >= 0)

    @property
    def mover(self) -> int | None:
        """The place to move, while the game runs."""
        return None if self.position.is_over else self.place_of(self.position.seat)

    def record(self) -> dict[str, Any]:
        """The game as a record; the key `deal` only once it is over and the secret is out."""
        start = self.started.start
        if start is not None and not start.get("unfinished"):
            return dict(start)  # it came as a finished record, and goes as it came
        extras: dict[str, Any] = {
            "names": [self.names[self.place_of(seat)] for seat in range(self.series.setup.seats)],
            "places": [self.place_of(seat) for seat in range(self.series.setup.seats)],
            "bots": [self.bots[self.place_of(seat)] for seat in range(self.series.setup.seats)],
        }
        if self.started.rules != 1:
            extras["rules"] = self.started.rules
        if self.series.games > 1:
            extras["options"] = {"series": self.series.games, "game": self.series.played + 1}
        if self.taken_back:
            extras["practice"] = {"taken_back": self.taken_back}
        if self.result and self.started.start is None:
            secret, bits = self.started.secret, self.started.bits
            extras["deal"] = {
                "scheme": SCHEME,
                "seed": game_seed(secret, bits),
                "commitment": self.started.commitment,
                "secret": secret,
                "bits": bits,
            }
        return record_of(self.position, **extras)


@dataclass(slots=True)
class Table:
    """Everything about one table, hidden tiles included. Views of it are made in `views.py`."""

    id: str
    seq: int = 0
    time: int = 0
    created: int = 0
    settings: TableSettings = field(default_factory=lambda: TableSettings("classic", 2))
    host: str = ""
    code: str = ""
    watch: str = ""
    start: dict[str, Any] | None = None
    """The record that the first game goes on from, if it does."""
    holders: list[Holder] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    series: Series | None = None
    """The series at hand, with what was noted after each finished game."""
    committed: Committed | None = None
    """What the server bound itself to for the next game."""
    bits: list[str] = field(default_factory=list)
    """What each place has added to the next deal since then."""
    asked: Asked | None = None
    agreed: set[int] = field(default_factory=set)
    chat: deque[Entry] = field(default_factory=lambda: deque(maxlen=CHAT_KEPT))
    clock: ClockState = field(default_factory=ClockState)
    closed: Closed | None = None
    rules: int = RULES
    """The version of the rulings that the game at hand is played by."""

    @property
    def setup(self) -> Setup:
        return setup_of(self.settings, self.rules)

    @property
    def game(self) -> Game | None:
        """The game at hand, running or just over."""
        return self.games[-1] if self.games else None

    @property
    def is_running(self) -> bool:
        return self.game is not None and self.game.result is None and self.closed is None

    @property
    def may_be_watched(self) -> bool:
        """Whether everybody may look on: a public table that has spectators and has begun."""
        return self.settings.public and self.settings.spectators and bool(self.games) and not self.closed

    @property
    def status(self) -> str:
        """`open` before the first game, `running`, `between` games of a series, `over`, or `closed`."""
        if self.closed:
            return "closed"
        if self.is_running:
            return "running"
        if self.series is None:
            return "open"
        return "over" if self.series.is_over else "between"

    def places_of(self, device: str) -> frozenset[int]:
        """The places that a device holds, away or not."""
        return frozenset(n for n, holder in enumerate(self.holders) if holder.device == device)

    @property
    def people(self) -> list[int]:
        """The places held by people who are there."""
        return [n for n, holder in enumerate(self.holders) if holder.kind == "person" and not holder.away]

    @property
    def open_places(self) -> list[int]:
        return [n for n, holder in enumerate(self.holders) if holder.kind == "open"]

    def game_at(self, seq: int) -> Game | None:
        """The game that an entry belongs to."""
        return next((game for game in reversed(self.games) if game.since <= seq), None)

    def bot_to_move(self) -> str | None:
        """The bot whose turn it is: at a bot's place, or in place of a person who is away."""
        if not self.is_running or self.game is None or self.game.mover is None:
            return None
        holder = self.holders[self.game.mover]
        return holder.bot if holder.kind == "bot" or holder.away else None

    # The fold

    def evolve(self, entry: Entry) -> None:
        """Take in the next entry."""
        assert entry.seq == self.seq + 1, f"entry {entry.seq} after {self.seq}"
        self._take_in(entry, entry.body)
        self.seq, self.time = entry.seq, entry.time

    def _take_in(self, entry: Entry, body: Body) -> None:
        match body:
            case Created():
                self.created = entry.time
                self.settings, self.host = body.settings, body.host
                self.code, self.watch, self.start = body.code, body.watch, body.start
                self.holders = [Holder("open") for _ in range(body.settings.seats)]
                self.bits = [""] * body.settings.seats
            case Committed():
                self.committed = body
            case Mixed():
                self.bits[body.place] = body.bits
            case Seated():
                self.holders[body.place] = body.holder
                if not self.games:  # whoever sits down before the first game brings bits along
                    self.bits[body.place] = body.holder.bits
            case Started():
                self._start(entry, body)
            case Acted():
                self._act(entry, body)
            case TakenBack():
                self._take_back(entry, body)
            case Asked():
                self.asked, self.agreed = body, {body.place}
            case Answered():
                self.agreed.add(body.place)
                if not body.yes:
                    self.asked = None
            case Chatted():
                self.chat.append(entry)
            case Resumed():
                self.clock.resume(entry.time, body.charged)
            case Revealed():
                pass
            case Closed():
                self.closed = body

    def _start(self, entry: Entry, body: Started) -> None:
        self.rules = body.rules
        if self.series is None or self.series.is_over:
            self.series = Series(self.setup, self.settings.games, body.first)
        dealer = Dealer(game_seed(body.secret, body.bits))
        if body.start is None:
            position = dealt(self.setup, dealer)
        else:
            past = load(body.start)
            position = past.change(dealer=dealer, bag=dealer.bag(arranged(past.bag)))
        names = [holder.name for holder in self.holders]
        bots = [holder.bot if holder.kind == "bot" else None for holder in self.holders]
        game = Game(body.number, body, entry.seq, self.series, names, bots, [(entry.seq, position)])
        self.games.append(game)
        self.bits = [""] * self.settings.seats
        self.committed = self.asked = None
        if position.result:
            self.series = self.series.noting(position.result)
        self.clock.begin(self.settings.clock, self.settings.seats, game.mover, entry.time)

    def _act(self, entry: Entry, body: Acted) -> None:
        game = self.game
        assert game is not None
        assert self.series is not None
        position = folded(game.position, body)
        game.positions.append((entry.seq, position))
        self.asked = None
        self.clock.moved(body.place, game.mover, entry.time)
        if position.result:
            self.series = self.series.noting(position.result)

    def _take_back(self, entry: Entry, body: TakenBack) -> None:
        game = self.game
        assert game is not None
        game.positions = [kept for kept in game.positions if kept[0] <= body.to]
        # The last one kept counts as changed now: what was sent for the later ones is stale.
        game.positions[-1] = (entry.seq, game.positions[-1][1])
        game.taken_back += body.across_draw
        self.asked = None
        self.clock.moved(None, game.mover, entry.time)


def folded(position: Position, body: Acted) -> Position:
    """The position after what somebody did."""
    for data in body.events:
        position = fold(position, event_from(data))
    return position


def setup_of(settings: TableSettings, rules: int) -> Setup:
    """The titles of one version of the rulings. A later version keeps the ones before it reachable here."""
    if rules != RULES:
        raise NotFound("rules-unknown", got=rules, expected=RULES)
    return setup(title_of(settings.variant), settings.seats)


def rebuilt(table: str, entries: list[Entry]) -> Table:
    """A table from its log."""
    found = Table(table)
    for entry in entries:
        found.evolve(entry)
    return found


def dealt_events(game: Game) -> tuple[Event, ...]:
    """What had happened in a game when it began: the deal, or the record it goes on from."""
    return game.positions[0][1].events
