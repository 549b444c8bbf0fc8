"""What one viewer of a table may know: the whole state, and each entry as it comes.

Every viewer gets every entry's number, so that numbers have no gaps; what it may not know is left out of the
entry. A viewer is a set of places; empty is a spectator.
"""

from __future__ import annotations

from typing import Any, cast

from msgspec import Struct

from genial.core.events import Event, seen_by
from genial.core.guidance import Guidance, what_now
from genial.core.moves import Phase
from genial.core.record import event_data, event_from
from genial.core.viewdata import view_data
from genial.server.decisions import PHRASES, REACTIONS, TEAM_PHRASES, ask_target, closed_talk, step_back
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
    kind_of,
)
from genial.server.legal import LegalMoves, legal_moves
from genial.server.settings import TableSettings
from genial.server.sides import ResultView, SideView, leaving_cards, result_view, side_views
from genial.server.table import Game, Table, dealt_events
from genial.server.viewtypes import EntryData, ViewData

Viewer = frozenset[int]
CURTAIN: Viewer = frozenset({-1})
"""A device that holds several places, while none of them looks: it sees no rack, and is no spectator."""


class PlaceView(Struct, frozen=True):
    """Who holds a place, as everybody may know."""

    kind: str
    name: str
    bot: str | None
    away: bool
    yours: bool
    seat: int | None
    """In the game at hand."""


class ClockView(Struct, frozen=True):
    """Thinking time in milliseconds."""

    left: list[int]
    mover: int | None
    since: int
    deadline: int | None
    now: int


class GameView(Struct, frozen=True):
    """The game at hand, as this viewer may know it."""

    number: int
    seq: int
    """The last entry that changed it: what an action must name."""
    first: int
    commitment: str
    places: list[int]
    """The place that holds each seat."""
    view: ViewData
    mover: int | None
    """The place to move."""
    now: str
    """The code of the sentence that tells the mover what to do."""
    now_params: dict[str, Any]
    sides: list[SideView]
    """The tracks, with what is worth marking on them."""
    leaving: list[int | None]
    """Card game: for each seat the place in its row of the open card that goes at the end of its turn."""
    result: ResultView | None


class AskedView(Struct, frozen=True):
    """Somebody asks to let the game return to an earlier entry."""

    place: int
    to: int
    agreed: list[int]
    """The places that said yes; who asks is one of them."""


class SeriesView(Struct, frozen=True):
    """What was noted so far, by place (SERIES)."""

    games: int
    played: int
    notes: list[list[int]]
    totals: list[int]
    ranks: list[int]


class TableView(Struct, frozen=True):
    """A whole table for one viewer."""

    id: str
    seq: int
    status: str
    settings: TableSettings
    places: list[PlaceView]
    viewer: list[int]
    host: bool
    code: str | None
    """For those who sit here: what to read out to others."""
    watch: str | None
    commitment: str | None
    """The hash of the next game's secret: to be seen before one adds bits to its deal (DEAL)."""
    game: GameView | None
    series: SeriesView | None
    clock: ClockView | None
    asked: AskedView | None
    back: bool
    """Whether the viewer may take back a placement of the turn at hand."""
    ask_to: int | None
    """The entry that the viewer may ask the others to return to: before the own last placement."""
    chat: list[EntryData]
    talk: str
    """What the viewer may say now: nothing (`off`), the `phrases`, or anything (`open`)."""
    phrases: tuple[str, ...]
    legal: LegalMoves | None
    """For the seat to move: where each tile may lie, with points."""


class NowView(Struct, frozen=True):
    """How a table stands after its last entry, for one viewer."""

    status: str
    game_seq: int | None
    """What an action must name."""
    mover: int | None
    phase: str | None
    bonus: int
    now: str | None
    """The code of the sentence that tells the mover what to do."""
    now_params: dict[str, Any]
    clock: ClockView | None
    legal: LegalMoves | None


class EntryView(Struct, frozen=True):
    """One entry for one viewer."""

    seq: int
    time: int
    kind: str
    data: EntryData


class EntryMessage(Struct, frozen=True, tag="entry"):
    """What goes out for each entry. `now` is left to the last of several that were written together."""

    entry: EntryView
    now: NowView | None


def table_view(table: Table, viewer: Viewer, device: str, now: int) -> TableView:
    """Everything that the viewer may know of a table."""
    mine = table.places_of(device)
    talk, phrases = _talk(table, viewer)
    return TableView(
        id=table.id,
        seq=table.seq,
        status=table.status,
        settings=table.settings,
        places=[place_view(table, place, mine) for place in range(len(table.holders))],
        viewer=sorted(viewer - CURTAIN),
        host=device == table.host,
        code=table.code if mine or device == table.host else None,
        watch=table.watch if (mine or device == table.host) and table.settings.spectators else None,
        commitment=table.committed.commitment if table.committed else None,
        game=game_view(table.game, viewer) if table.game else None,
        series=_series_view(table),
        clock=_clock_view(table, now),
        asked=_asked_view(table),
        back=_may_step_back(table, viewer),
        ask_to=_ask_target(table, viewer),
        chat=[
            cast(EntryData, _entry_data(table, entry, viewer) | {"seq": entry.seq}) for entry in table.chat
        ],
        talk=talk,
        phrases=phrases,
        legal=legal_for(table, viewer),
    )


def now_view(table: Table, viewer: Viewer, now: int) -> NowView:
    """What a viewer is told with the last entry, so that no client needs rules to go on."""
    game = table.game
    position = game.position if game else None
    say = _say(game, viewer) if game else None
    return NowView(
        status=table.status,
        game_seq=game.seq if game else None,
        mover=game.mover if game and table.is_running else None,
        phase=position.phase.value if position else None,
        bonus=position.bonus if position else 0,
        now=say.code if say else None,
        now_params=dict(say.params) if say else {},
        clock=_clock_view(table, now),
        legal=legal_for(table, viewer),
    )


def _say(game: Game, viewer: Viewer) -> Guidance:
    """The sentence for the mover, as this viewer may know it."""
    # Only the end of a turn has a secret, whether a swap is open; the rest is public and needs no view.
    hides = game.position.phase is Phase.END_TURN
    return what_now(game.position.view(game.seats_of(viewer)) if hides else game.position)


def legal_for(table: Table, viewer: Viewer) -> LegalMoves | None:
    """The legal moves, for the viewer who is to move and nobody else."""
    game = table.game
    if game is None or not table.is_running or game.mover not in viewer:
        return None
    return legal_moves(game.position)


def place_view(table: Table, place: int, mine: Viewer) -> PlaceView:
    """Who holds a place, told to the holder of `mine`."""
    holder = table.holders[place]
    seat = table.game.seat_of(place) if table.game else None
    return PlaceView(holder.kind, holder.name, holder.bot, holder.away, place in mine, seat)


def game_view(game: Game, viewer: Viewer) -> GameView:
    """A game as it stands, as the viewer may know it."""
    view = game.position.view(game.seats_of(viewer))
    # Guidance speaks to the mover: nobody else learns from it whether a swap is open.
    now = what_now(view)
    return GameView(
        number=game.number,
        seq=game.seq,
        first=game.place_of(0),
        commitment=game.started.commitment,
        places=[game.place_of(seat) for seat in range(game.series.setup.seats)],
        view=cast(ViewData, view_data(view)),
        mover=game.mover,
        now=now.code,
        now_params=dict(now.params),
        sides=side_views(view, view.viewer),
        leaving=leaving_cards(view),
        result=result_view(view),
    )


def _talk(table: Table, viewer: Viewer) -> tuple[str, tuple[str, ...]]:
    if table.settings.chat == "off":
        return "off", ()
    if viewer and closed_talk(table):
        return "phrases", TEAM_PHRASES
    return table.settings.chat, PHRASES + REACTIONS


def _asked_view(table: Table) -> AskedView | None:
    asked = table.asked
    return AskedView(asked.place, asked.to, sorted(table.agreed)) if asked else None


def _may_step_back(table: Table, viewer: Viewer) -> bool:
    game = table.game
    if game is None or not table.is_running:
        return False
    return any(step_back(game, place) is not None for place in viewer)


def _ask_target(table: Table, viewer: Viewer) -> int | None:
    if table.asked or _may_step_back(table, viewer):
        return None
    found = [to for place in viewer if (to := ask_target(table, place)) is not None]
    return max(found, default=None)


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
        case Started() if game is not None:
            return _started_data(game, viewer)
        case Acted() as body if game is not None:
            return _acted_data(game, body, viewer)
        case Chatted() as body:
            return _chat_data(table, body, viewer)
        case Committed(number=number, commitment=commitment):
            return {"number": number, "commitment": commitment}
        case Mixed(place=place):
            return {"place": place}
        case TakenBack() | Asked() | Answered() | Resumed() | Revealed() | Closed() as body:
            return _plain(body)
    return {}


def _holder_data(holder: Holder) -> dict[str, Any]:
    # Neither the device nor its bits before the deal concern anyone else.
    return {"kind": holder.kind, "name": holder.name, "bot": holder.bot, "away": holder.away}


def _started_data(game: Game, viewer: Viewer) -> dict[str, Any]:
    return {
        "number": game.number,
        "first": game.place_of(0),
        "commitment": game.started.commitment,
        "bits": game.started.bits,
        "places": [game.place_of(seat) for seat in range(game.series.setup.seats)],
        "events": _seen(dealt_events(game), game, viewer),
    }


def _acted_data(game: Game, body: Acted, viewer: Viewer) -> dict[str, Any]:
    events = tuple(event_from(data) for data in body.events)
    # Refill and swap are told by their events; the text of the action adds nothing but the move itself.
    return {
        "place": body.place,
        "action": body.action,
        "events": _seen(events, game, viewer),
        "bot": body.bot,
    }


def _seen(events: tuple[Event, ...], game: Game, viewer: Viewer) -> list[dict[str, Any]]:
    seats = game.seats_of(viewer)
    return [event_data(seen_by(event, seats)) for event in events]


def _chat_data(table: Table, body: Chatted, viewer: Viewer) -> dict[str, Any]:
    if body.place is None and viewer and closed_talk(table):
        return {"hidden": True}  # TEAM: players read no spectators' chat until the end
    return {"place": body.place, "name": body.name, "text": body.text, "phrase": body.phrase}


def _plain(body: Body) -> dict[str, Any]:
    return {name: getattr(body, name) for name in body.__struct_fields__}
