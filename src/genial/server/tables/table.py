"""A table: its places, the current game and earlier ones. An immutable value: entries give the next one.

Tables and messages name places; core and records name seats. Which place has which seat changes from game to
game (FIRST-SEAT, SERIES).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from genial.core.actions import Place, Play
from genial.core.deal import SCHEME, Dealer
from genial.core.events import Ended, Event
from genial.core.fair import game_seed
from genial.core.fold import fold
from genial.core.position import Position, dealt
from genial.core.record import RULES, read, record_of
from genial.core.referee import replay
from genial.core.series import Series
from genial.core.tiles import arranged
from genial.core.title import Setup, setup
from genial.core.titles import title_of
from genial.server.tables.absences import Absence
from genial.server.tables.clocks import ClockState, clock_begun
from genial.server.tables.entries import (
    Acted,
    Answered,
    Asked,
    Body,
    Chatted,
    Chose,
    Closed,
    Committed,
    Created,
    Declined,
    Entry,
    Holder,
    Lapsed,
    Missed,
    Mixed,
    Muted,
    Offered,
    Removed,
    Resumed,
    Revealed,
    Seated,
    Started,
    TakenBack,
    Unmissed,
)
from genial.server.tables.errors import NotFound
from genial.server.tables.marks import mark_of
from genial.server.tables.settings import TableSettings

CHAT_KEPT = 100
_NO_SETTINGS = TableSettings("classic", 2)
_NO_CLOCK = ClockState()
"""What a table has before its first entry."""
_NONE_YET = (0, 0, 0, 0)
"""Per-place counters before anything has happened, for as many places as a table can have."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a table, from the deal on."""

    number: int
    started: Started
    since: int
    """The entry that started it."""
    series: Series
    """As it stood when the game began: it maps places to seats."""
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    positions: tuple[tuple[int, Position], ...]
    """The position after each entry that changed it; taking back shortens the list."""
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
        return frozenset(self.seat_of(place) for place in places)

    @property
    def mover(self) -> int | None:
        """The place whose turn it is, while the game runs."""
        return None if self.position.is_over else self.place_of(self.position.seat)

    def record(self, *, proven: bool = True) -> dict[str, Any]:
        """The game as a record; with the key `deal` only once it is over and the secret is out.

        With `proven` False the deal has only the seed: where the player also holds the secret, it proves
        nothing.
        """
        start = self.started.start
        if start is not None and not start.get("unfinished"):
            return dict(start)  # it was imported as a finished record, and is exported unchanged
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
            proof = {"commitment": self.started.commitment, "secret": secret, "bits": bits}
            extras["deal"] = {"scheme": SCHEME, "seed": game_seed(secret, bits)} | (proof if proven else {})
        return record_of(self.position, **extras)


@dataclass(frozen=True, slots=True)
class Table:
    """Everything about one table, hidden tiles included. `views.py` makes views of it."""

    id: str
    seq: int = 0
    time: int = 0
    created: int = 0
    settings: TableSettings = _NO_SETTINGS
    host: str = ""
    code: str = ""
    watch: str = ""
    start: dict[str, Any] | None = None
    """The record that the first game continues, if any."""
    holders: tuple[Holder, ...] = ()
    games: tuple[Game, ...] = ()
    series: Series | None = None
    """The current series, with the notes after each finished game."""
    committed: Committed | None = None
    """The server's commitment to the next game's secret."""
    bits: tuple[str, ...] = ()
    """The bits each place has added to the next deal since the commitment."""
    asked: Asked | None = None
    agreed: frozenset[int] = frozenset()
    ready: tuple[int, ...] = ()
    """The places that are ready for the next game; the first of them offered it."""
    declined: int | None = None
    """The place that declined another place's offer; cleared by the next offer."""
    offers: tuple[int, ...] = _NONE_YET
    """How often each place has offered a game since the last one."""
    absences: tuple[Absence, ...] = ()
    """The absent people whom the game is waiting for (LEAVING)."""
    covered: tuple[int, ...] = _NONE_YET
    """For each place, the moves a bot made for its person since their own last move (LEAVING)."""
    chat: tuple[Entry, ...] = ()
    muted: frozenset[str] = frozenset()
    """The marks of the people whom the host has muted."""
    removed: frozenset[str] = frozenset()
    """The marks of the people whom the host has removed."""
    clock: ClockState = _NO_CLOCK
    closed: Closed | None = None
    rules: int = RULES
    """The version of the rulings that the current game is played by."""

    @property
    def setup(self) -> Setup:
        return setup_of(self.settings, self.rules)

    @property
    def game(self) -> Game | None:
        """The current game, running or just over."""
        return self.games[-1] if self.games else None

    @property
    def is_running(self) -> bool:
        return self.game is not None and self.game.result is None and self.closed is None

    @property
    def may_be_watched(self) -> bool:
        """True if anybody may watch: a public table with spectators allowed, and begun."""
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
        """The places that a device holds, whether its person is away or not."""
        return frozenset(n for n, holder in enumerate(self.holders) if device and holder.device == device)

    def mark(self, device: str | None) -> str:
        """The public mark of a device at this table."""
        return mark_of(self.id, device or "")

    def has_removed(self, device: str) -> bool:
        """True if the host has removed this device."""
        return bool(self.removed) and self.mark(device) in self.removed

    def has_others(self, device: str | None) -> bool:
        """True if people on other devices play here, or can still sit down."""
        return any(
            holder.kind == "open" or (holder.kind == "person" and holder.device != device)
            for holder in self.holders
        )

    @property
    def goes_on(self) -> bool:
        """True if the current game continues a record. Whoever set that up may know the tiles."""
        return self.start is not None and len(self.games) <= 1 and self.status in ("open", "running")

    @property
    def people(self) -> list[int]:
        """The places of people who haven't left."""
        return [n for n, holder in enumerate(self.holders) if holder.kind == "person" and not holder.away]

    @property
    def deciding(self) -> frozenset[int]:
        """The places of people who have to agree to the next game; programs go along with it."""
        return frozenset(place for place in self.people if not self.holders[place].program)

    @property
    def awaited(self) -> frozenset[int]:
        """The places of people whose turn it is, or whose answer somebody is waiting for."""
        if not self.is_running or self.game is None:
            return frozenset()
        waited_for = {self.game.mover} | (set(self.people) - self.agreed if self.asked else set())
        return frozenset(self.people) & waited_for

    def absence(self, place: int) -> Absence | None:
        """The absence that the game is waiting out at this place, if any."""
        return next((absence for absence in self.absences if absence.place == place), None)

    @property
    def open_places(self) -> list[int]:
        return [n for n, holder in enumerate(self.holders) if holder.kind == "open"]

    def game_at(self, seq: int) -> Game | None:
        """The game that an entry belongs to."""
        return next((game for game in reversed(self.games) if game.since <= seq), None)

    def bot_to_move(self) -> str | None:
        """The bot whose turn it is: in a bot's place, or standing in for a person who is away."""
        if not self.is_running or self.game is None or self.game.mover is None:
            return None
        holder = self.holders[self.game.mover]
        return holder.bot if holder.kind == "bot" or holder.away else None

    # Applying entries

    def writing(self, bodies: Sequence[Body], now: int, move_id: str | None = None) -> Written:
        """Turn a decision into numbered entries, and the table after them."""
        # The clocks of several machines differ a little; the time in a log never goes back.
        time = max(now, self.time)
        entries = tuple(
            Entry(seq, time, body, move_id if seq == self.seq + 1 else None)
            for seq, body in enumerate(bodies, self.seq + 1)
        )
        return Written(entries, self.after(entries))

    def after(self, entries: Iterable[Entry]) -> Table:
        """The table after these entries, which must be the next ones of its log."""
        table = self
        for entry in entries:
            assert entry.seq == table.seq + 1, f"entry {entry.seq} after {table.seq}"
            changes = table._changes(entry, entry.body)
            table = replace(table, seq=entry.seq, time=entry.time, **changes)
            if table.absences:  # an absence only counts while the game waits for that place
                awaited = table.awaited
                kept = tuple(absence for absence in table.absences if absence.place in awaited)
                table = replace(table, absences=kept)
        return table

    def _changes(self, entry: Entry, body: Body) -> dict[str, Any]:
        match body:
            case Created(settings=settings):
                return {
                    "created": entry.time,
                    "settings": settings,
                    "host": body.host,
                    "code": body.code,
                    "watch": body.watch,
                    "start": body.start,
                    "holders": (Holder("open"),) * settings.seats,
                    "bits": ("",) * settings.seats,
                }
            case Committed():
                return {"committed": body}
            case Mixed():
                return {"bits": _put(self.bits, body.place, body.bits)}
            case Seated():
                seated: dict[str, Any] = {"holders": _put(self.holders, body.place, body.holder)}
                if not self.holders[body.place].away:
                    seated["covered"] = _put(self.covered, body.place, 0)
                if not self.games:  # before the first game, everyone who sits down brings bits along
                    seated["bits"] = _put(self.bits, body.place, body.holder.bits)
                return seated
            case Started():
                return self._started(entry, body)
            case Acted():
                return self._acted(entry, body)
            case TakenBack():
                return self._taken_back(entry, body)
            case Asked():
                return {"asked": body, "agreed": frozenset({body.place})}
            case Answered():
                return {"agreed": self.agreed | {body.place}, "asked": self.asked if body.yes else None}
            case Offered(place):
                offers = self.offers if self.ready else _put(self.offers, place, self.offers[place] + 1)
                return {"ready": (*self.ready, place), "offers": offers, "declined": None}
            case Lapsed(place):
                return {"ready": tuple(other for other in self.ready if other != place)}
            case Declined(place):
                own = bool(self.ready) and self.ready[0] == place
                return {"ready": (), "declined": None if own else place}
            case Missed(place, patience):
                return {"absences": (*self.absences, Absence(place, entry.time, patience))}
            case Unmissed(place):
                return {"absences": self._without_absence(place)}
            case Chose():
                return {
                    "absences": tuple(
                        each.choosing(body.place, body.choice) if each.place == body.absent else each
                        for each in self.absences
                    )
                }
            case Chatted():
                return {"chat": (*self.chat[1 - CHAT_KEPT :], entry)}
            case Muted(mark, muted):
                return {"muted": self.muted | {mark} if muted else self.muted - {mark}}
            case Removed(mark):
                return {"removed": self.removed | {mark}}
            case Resumed():
                return {"clock": self.clock.resumed(entry.time, body.charged), "absences": ()}
            case Revealed():
                return {}
            case Closed():
                return {"closed": body}

    def _started(self, entry: Entry, body: Started) -> dict[str, Any]:
        setup, series = setup_of(self.settings, body.rules), self.series
        if series is None or series.is_over:
            series = Series(setup, self.settings.games, body.first)
        dealer = Dealer(game_seed(body.secret, body.bits))
        if body.start is None:
            position = dealt(setup, dealer)
        else:
            *_, past = replay(read(body.start))
            position = past.change(dealer=dealer, bag=dealer.bag(arranged(past.bag))).settled()
        names = tuple(holder.name for holder in self.holders)
        bots = tuple(holder.bot if holder.kind == "bot" else None for holder in self.holders)
        game = Game(body.number, body, entry.seq, series, names, bots, ((entry.seq, position),))
        return {
            "rules": body.rules,
            "games": (*self.games, game),
            "series": series.noting(position.result) if position.result else series,
            "bits": ("",) * self.settings.seats,
            "committed": None,
            "asked": None,
            "ready": (),
            "declined": None,
            "offers": _NONE_YET,
            "covered": _NONE_YET,
            "clock": clock_begun(self.settings.clock, self.settings.seats, game.mover, entry.time),
        }

    def _acted(self, entry: Entry, body: Acted) -> dict[str, Any]:
        game, series = self.game, self.series
        assert game is not None
        assert series is not None
        position = body.after or folded(game.position, body.events)
        game = replace(game, positions=(*game.positions, (entry.seq, position)))
        return {
            "games": (*self.games[:-1], game),
            "series": series.noting(position.result) if position.result else series,
            "asked": None,
            # Anybody who acts is present.
            "absences": self.absences if body.bot else self._without_absence(body.place),
            "covered": _put(self.covered, body.place, self._covered_after(body)),
            "clock": self.clock.moved(body.place, game.mover, entry.time),
        }

    def _covered_after(self, body: Acted) -> int:
        covered = self.covered[body.place]
        if not self.holders[body.place].away:
            return 0 if body.action is not None else covered
        return covered + isinstance(body.action, Place | Play)

    def _without_absence(self, place: int) -> tuple[Absence, ...]:
        return tuple(absence for absence in self.absences if absence.place != place)

    def _taken_back(self, entry: Entry, body: TakenBack) -> dict[str, Any]:
        game = self.game
        assert game is not None
        *kept, (_, last) = [earlier for earlier in game.positions if earlier[0] <= body.to]
        # The last position kept counts as changed now: clients' copies of the later ones are stale.
        game = replace(
            game, positions=(*kept, (entry.seq, last)), taken_back=game.taken_back + body.across_draw
        )
        return {
            "games": (*self.games[:-1], game),
            "asked": None,
            "clock": self.clock.moved(None, game.mover, entry.time),
        }


class Written(NamedTuple):
    """What to store, and the table once it is stored."""

    entries: tuple[Entry, ...]
    table: Table


def _put(values: tuple[Any, ...], place: int, value: object) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def folded(position: Position, events: Iterable[Event]) -> Position:
    """The position after some events."""
    for event in events:
        position = fold(position, event)
    return position


def setup_of(settings: TableSettings, rules: int) -> Setup:
    """The setup under one version of the rulings. A later version keeps the earlier ones available here."""
    if rules != RULES:
        raise NotFound("rules-unknown", got=rules, expected=RULES)
    return setup(title_of(settings.variant), settings.seats)


def table_mark(table_id: str) -> str:
    """The start of a table's id, for the log: enough to find the table, too little to enter it."""
    return table_id[:6]
