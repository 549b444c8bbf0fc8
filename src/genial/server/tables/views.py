"""What one viewer of a table may know: the whole state, and each entry as it comes.

Every viewer gets every entry's number, so that numbers have no gaps; the parts a viewer may not know are left
out. Views depend on nothing but the table, the viewer and the time of day.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import Raw, Struct

from genial.core.events import Event, seen_by
from genial.core.guidance import what_now
from genial.core.legal import LegalMoves, legal_moves
from genial.core.notation import move_text
from genial.core.position import Log
from genial.core.record import event_data
from genial.core.sides import Sides
from genial.core.view import View
from genial.core.viewdata import view_data
from genial.server.tables.absences import Absence, Choice
from genial.server.tables.decisions import (
    PHRASES,
    REACTIONS,
    TEAM_PHRASES,
    OnLeave,
    ask_target,
    closed_talk,
    is_held_back,
    on_leave,
    side_count,
    step_back,
)
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
    kind_of,
)
from genial.server.tables.settings import TableSettings
from genial.server.tables.sides import (
    CourseView,
    ResultView,
    SideView,
    course_view,
    leaving_cards,
    result_view,
    side_views,
)
from genial.server.tables.table import Game, Table
from genial.server.tables.viewtypes import EntryData, ViewData

_T = TypeVar("_T")


class Viewer(NamedTuple):
    """Somebody looking at a table. Equal viewers are told the same, byte for byte."""

    looks: frozenset[int] = frozenset()
    """The viewer's places whose racks are shown: at most one at a time, and none behind a curtain."""
    own: frozenset[int] = frozenset()
    """The places the device holds; none for a spectator."""
    host: bool = False


SPECTATOR = Viewer()


def viewer_of(table: Table, device: str, before: Viewer = SPECTATOR) -> Viewer:
    """What a device may look at now: what it looked at before, as far as it still holds those places.

    Somebody who sits down in one place sees that rack; a device with several places starts behind a curtain.
    """
    own = table.places_of(device)
    looks = before.looks & own if before.own else own if len(own) == 1 else SPECTATOR.looks
    return Viewer(looks, own, bool(device) and device == table.host)


class PlaceView(Struct, frozen=True):
    """Who holds a place, as everybody may know it."""

    kind: str
    name: str
    bot: str | None
    away: bool
    yours: bool
    host: bool
    """True if the holder set the table up."""
    seat: int | None
    """In the current game."""
    mark: str
    """Stands for the holder's device at this table, in chat too; empty for house bots."""
    shares: list[int]
    """The device's other places; only where people on other devices play too, or may join."""
    covered: int
    """Moves a bot made for this person since their own last move (LEAVING)."""


class ClockView(Struct, frozen=True):
    """Thinking time in milliseconds."""

    left: list[int]
    mover: int | None
    since: int
    deadline: int | None
    now: int


class GameView(Struct, frozen=True):
    """The current game, as this viewer may know it."""

    number: int
    seq: int
    """The last entry that changed it; an action must name this number."""
    first: int
    commitment: str
    places: list[int]
    """The place that holds each seat."""
    view: ViewData
    told: int
    """How many events there have been. If the view has fewer, the new ones are in the entries."""
    mover: int | None
    """The place whose turn it is."""
    now: str
    """The code of the message that tells the mover what to do."""
    now_params: dict[str, Any]
    sides: list[SideView]
    """The tracks, with what should be highlighted on them."""
    leaving: list[int | None]
    """Card game: for each seat, the index in its row of the open card it discards at the end of its turn."""
    result: ResultView | None
    course: CourseView | None
    """How the game went; only once it is over."""


class AskedView(Struct, frozen=True):
    """Somebody asks the others to let the game return to an earlier entry."""

    place: int
    to: int
    agreed: list[int]
    """The places that said yes, including the one that asked."""


class OfferView(Struct, frozen=True):
    """Somebody offers the next game: a rematch, or the next of a series."""

    place: int
    """The place that offered it."""
    ready: list[int]
    """The places that have accepted, including the one that offered."""
    waits: list[int]
    """The places of people who haven't answered yet."""


class ChoiceView(Struct, frozen=True):
    """What one of the people waiting would like."""

    place: int
    choice: Choice


class AbsentView(Struct, frozen=True):
    """The game waits for somebody who is away; the others may choose what happens to it (LEAVING)."""

    place: int
    end_in: int | None
    """Milliseconds until they may end the game; None if they may not."""
    choices: list[ChoiceView]
    """So far. Once everybody present has chosen the same, it is done."""


class SeriesView(Struct, frozen=True):
    """The notes so far, by place (SERIES)."""

    games: int
    played: int
    notes: list[list[int]]
    totals: list[int]
    ranks: list[int]


class TableView(Struct, frozen=True):
    """A whole table, for one viewer."""

    id: str
    seq: int
    status: str
    settings: TableSettings
    closed: str | None
    """Why the table is closed: by its `host`, by the `operator`, or because it `expired`."""
    places: list[PlaceView]
    viewer: list[int]
    host: bool
    code: str | None
    """The table code; only for those who sit here, to read out to others."""
    watch: str | None
    commitment: str | None
    """The hash of the next game's secret, shown before anybody adds bits to its deal (DEAL)."""
    game: GameView | None
    series: SeriesView | None
    clock: ClockView | None
    asked: AskedView | None
    offer: OfferView | None
    """The offer of the next game, if there is one after a game."""
    declined: int | None
    """The place that declined another place's last offer."""
    absent: list[AbsentView]
    on_leave: OnLeave
    """What happens to the game if the viewer leaves for good (LEAVING)."""
    on_resign: OnLeave
    """The same for resigning; a bot then keeps the place."""
    back: bool
    """True if the viewer may take back a placement of the current turn."""
    ask_to: int | None
    """The entry before the viewer's last placement, if they may ask the others to return there."""
    continued: bool
    """True if the game continues a record and several people play: whoever set it up may know the tiles."""
    chat: list[EntryData]
    muted: list[str]
    """The marks of the people whom the host has muted."""
    talk: str
    """What the viewer may say now: nothing (`off`), the `phrases`, or anything (`open`)."""
    talk_later: bool
    """True if what the viewer says is shown to everybody only when the game is over (TEAM)."""
    phrases: tuple[str, ...]
    legal: LegalMoves | None
    """For the seat to move: where each tile may go, with points."""


class EntryView(Struct, frozen=True):
    """One entry for one viewer."""

    seq: int
    time: int
    kind: str
    data: EntryData


class Told:
    """A cache of what has been told about a table; most of it is the same for the next viewer.

    Only what may be known of a position depends on the viewer, so there is one list of events for each set of
    seats. It may be dropped at any time.
    """

    def __init__(self) -> None:
        self._tapes: dict[frozenset[int], _Tape] = {}
        self._made: dict[Hashable, tuple[object, Any]] = {}

    def once(self, name: Hashable, given: object, make: Callable[[], _T]) -> _T:
        """What was last made from the same input, or else what is made now."""
        before, made = self._made.get(name, (None, None))
        if before != given:
            made = make()
            self._made[name] = (given, made)
        return cast(_T, made)

    def events(self, log: Log, seats: frozenset[int]) -> Raw:
        """All events up to a position, as these seats may know them."""
        tape = self._tapes.get(seats)
        if tape is None:
            tape = self._tapes[seats] = _Tape(seats)
        return tape.upto(log)


class _Tape:
    """A game's events, as some seats may know them."""

    __slots__ = ("_events", "_last", "_seats")

    def __init__(self, seats: frozenset[int]) -> None:
        self._seats = seats
        self._last: Log = None
        self._events: list[bytes] = []

    def upto(self, log: Log) -> Raw:
        fresh: list[bytes] = []
        before = log
        while before is not None and before is not self._last:
            before, event = before
            fresh.append(msgspec.json.encode(event_data(seen_by(event, self._seats))))
        if before is None:  # another game, or moves of this one were taken back
            self._events.clear()
        self._events.extend(reversed(fresh))
        self._last = log
        return Raw(b"[" + b",".join(self._events) + b"]")


def table_view(
    table: Table, viewer: Viewer, now: int, told: Told | None = None, *, past: bool = True
) -> TableView:
    """Everything the viewer may know of a table; `past` False leaves out the game's past events."""
    own, told = viewer.own, told or Told()
    talk, phrases = _talk(table, viewer)
    back = _may_step_back(table, viewer)
    return TableView(
        id=table.id,
        seq=table.seq,
        status=table.status,
        settings=table.settings,
        closed=table.closed.reason if table.closed else None,
        places=_places(table, own, told),
        viewer=sorted(viewer.looks),
        host=viewer.host,
        code=table.code if own or viewer.host else None,
        watch=table.watch if (own or viewer.host) and table.settings.spectators else None,
        commitment=table.committed.commitment if table.committed else None,
        game=game_view(table.game, viewer.looks, told, past=past) if table.game else None,
        series=told.once("series", table.series, lambda: _series_view(table)),
        clock=_clock_view(table, now),
        asked=_asked_view(table),
        offer=_offer_view(table),
        declined=table.declined,
        absent=[_absent_view(table, absence, now) for absence in table.absences],
        on_leave=on_leave(table, table.holders[min(own)].device or "") if own else "waits",
        on_resign="bot" if side_count(table) > 2 else "ends",
        back=back,
        ask_to=None if back or table.asked else _ask_target(table, viewer),
        continued=table.goes_on and table.has_others(table.host),
        chat=[
            cast(EntryData, _entry_data(table, entry, viewer) | {"seq": entry.seq}) for entry in table.chat
        ],
        muted=sorted(table.muted),
        talk=talk,
        talk_later=not own and closed_talk(table),
        phrases=phrases,
        legal=legal_for(table, viewer),
    )


def legal_for(table: Table, viewer: Viewer) -> LegalMoves | None:
    """The legal moves, if it is the viewer's turn."""
    game = table.game
    if game is None or not table.is_running or game.mover not in viewer.looks:
        return None
    return legal_moves(game.position)


def _places(table: Table, own: frozenset[int], told: Told) -> list[PlaceView]:
    given = (table.holders, table.covered, table.host, table.game.number if table.game else None)
    places = range(len(table.holders))
    return told.once(("places", own), given, lambda: [place_view(table, place, own) for place in places])


def place_view(table: Table, place: int, mine: frozenset[int]) -> PlaceView:
    """Who holds a place, as told to the holder of `mine`."""
    holder = table.holders[place]
    seat = table.game.seat_of(place) if table.game else None
    same = table.places_of(holder.device or "") - {place} if table.has_others(holder.device) else ()
    return PlaceView(
        kind=holder.kind,
        name=holder.name,
        bot=holder.bot,
        away=holder.away,
        yours=place in mine,
        host=holder.device == table.host,
        seat=seat,
        mark=table.mark(holder.device),
        shares=sorted(same),
        covered=table.covered[place],
    )


def game_view(game: Game, looks: frozenset[int], told: Told | None = None, *, past: bool = False) -> GameView:
    """A game as seen from these places; with its past events if `past` is set."""
    told = told or Told()
    seats = game.seats_of(looks)
    # Take the events from the cache: walking through all of them again would be the most expensive part.
    view = game.position.view(seats, past=False)
    # Guidance is for the mover alone: nobody else may learn from it whether a swap is possible.
    now = what_now(view)
    data = view_data(view) | {"events": told.events(game.position.log, seats) if past else []}
    return GameView(
        number=game.number,
        seq=game.seq,
        first=game.place_of(0),
        commitment=game.started.commitment,
        places=[game.place_of(seat) for seat in range(game.series.setup.seats)],
        view=cast(ViewData, data),
        told=told.once("told", (game.number, game.seq), lambda: len(game.position.events)),
        mover=game.mover,
        now=now.code,
        now_params=dict(now.params),
        sides=_sides(view, told),
        leaving=leaving_cards(view),
        result=result_view(view),
        course=_course(game, told),
    )


def _course(game: Game, told: Told) -> CourseView | None:
    return told.once("course", (game.number, game.seq), lambda: course_view(game.position))


def _sides(view: View, told: Told) -> list[SideView]:
    # Where every seat has its own track, everybody sees it the same way.
    alike = view.setup.title.sides is Sides.EACH
    given = (view.tracks, frozenset() if alike else view.viewer)
    return told.once("sides", given, lambda: side_views(view, view.viewer))


def _talk(table: Table, viewer: Viewer) -> tuple[str, tuple[str, ...]]:
    if table.settings.chat == "off":
        return "off", ()
    if viewer.own and closed_talk(table):
        return "phrases", TEAM_PHRASES
    return table.settings.chat, PHRASES + REACTIONS


def _asked_view(table: Table) -> AskedView | None:
    asked = table.asked
    return AskedView(asked.place, asked.to, sorted(table.agreed)) if asked else None


def _offer_view(table: Table) -> OfferView | None:
    ready = table.ready
    return OfferView(ready[0], sorted(ready), sorted(table.deciding - set(ready))) if ready else None


def _absent_view(table: Table, absence: Absence, now: int) -> AbsentView:
    may_end = side_count(table) <= 2 and table.game is not None and table.game.mover == absence.place
    choices = [ChoiceView(place, choice) for place, choice in absence.choices]
    return AbsentView(absence.place, absence.left(now) if may_end else None, choices)


def _may_step_back(table: Table, viewer: Viewer) -> bool:
    game = table.game
    if game is None or not table.is_running:
        return False
    return any(step_back(game, place) is not None for place in viewer.looks)


def _ask_target(table: Table, viewer: Viewer) -> int | None:
    targets = [to for place in viewer.looks if (to := ask_target(table, place)) is not None]
    return max(targets, default=None)


def _series_view(table: Table) -> SeriesView | None:
    series = table.series
    if series is None:
        return None
    return SeriesView(
        series.games, series.played, [list(n) for n in series.notes], list(series.totals), list(series.ranks)
    )


def _clock_view(table: Table, now: int) -> ClockView | None:
    clock = table.clock
    if clock.rules is None:
        return None
    return ClockView(list(clock.left), clock.mover, clock.since, clock.deadline(), now)


def entry_view(table: Table, entry: Entry, viewer: Viewer) -> EntryView:
    """An entry as the viewer may know it."""
    data = cast(EntryData, _entry_data(table, entry, viewer))
    return EntryView(entry.seq, entry.time, kind_of(entry.body), data)


def _entry_data(table: Table, entry: Entry, viewer: Viewer) -> dict[str, Any]:
    game = table.game_at(entry.seq)
    match entry.body:
        case Created(settings=settings):
            return {"variant": settings.variant, "seats": settings.seats}
        case Seated(place, holder):
            return {"place": place, **_holder_data(holder)}
        case Started() as body if game is not None:
            return _started_data(game, body, viewer)
        case Acted() as body if game is not None:
            return _acted_data(game, body, viewer)
        case Chatted() as body:
            return {"hidden": True} if is_held_back(table, entry) else _plain(body)
        case Committed(number=number, commitment=commitment):
            return {"number": number, "commitment": commitment}
        case Mixed(place=place):
            return {"place": place}
        case TakenBack() | Asked() | Answered() | Resumed() | Revealed() | Closed() as body:
            return _plain(body)
        case Muted() | Removed() | Missed() | Unmissed() | Chose() as body:
            return _plain(body)
        case Offered() | Lapsed() | Declined() as body:
            return _plain(body)
    return {}


def _holder_data(holder: Holder) -> dict[str, Any]:
    # The device, and its bits before the deal, are nobody else's business.
    return {"kind": holder.kind, "name": holder.name, "bot": holder.bot, "away": holder.away}


def _started_data(game: Game, body: Started, viewer: Viewer) -> dict[str, Any]:
    return {
        "number": game.number,
        "first": game.place_of(0),
        "commitment": body.commitment,
        "bits": body.bits,
        "places": [game.place_of(seat) for seat in range(game.series.setup.seats)],
        # What had happened by then: the deal, or the record that it continues.
        "events": _seen(game.positions[0][1].events, game, viewer),
    }


def _acted_data(game: Game, body: Acted, viewer: Viewer) -> dict[str, Any]:
    # Refills and swaps show in their events; the action's text adds only the move itself.
    action = "" if body.action is None else move_text(game.series.setup, body.action)
    events = _seen(body.events, game, viewer)
    return {"place": body.place, "action": action, "events": events, "bot": body.bot}


def _seen(events: tuple[Event, ...], game: Game, viewer: Viewer) -> list[dict[str, Any]]:
    seats = game.seats_of(viewer.looks)
    return [event_data(seen_by(event, seats)) for event in events]


def _plain(body: Body) -> dict[str, Any]:
    return {name: getattr(body, name) for name in body.__struct_fields__}
