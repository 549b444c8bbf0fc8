"""What a replay shows: a finished game, or an uploaded record, moment by moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from msgspec import Struct

from genial.core.actions import Action, Place, Play, Swap
from genial.core.errors import SetupError
from genial.core.events import Event, Placed, Played, Swapped
from genial.core.notation import move_text
from genial.core.position import Position
from genial.core.record import Record, event_data, record_of
from genial.core.referee import replay
from genial.core.series import Series
from genial.core.shown import shown
from genial.core.tiles import NORMAL
from genial.core.title import Setup
from genial.server.tables.entries import Started
from genial.server.tables.errors import WrongSetup
from genial.server.tables.table import Game
from genial.server.tables.views import GameView, game_view
from genial.server.tables.viewtypes import EventData


class Frame(Struct, frozen=True):
    """One moment: after an act and the draws that followed it."""

    move: str | None
    """The act that led here, in notation; None at the start."""
    act: EventData | None
    game: GameView
    """With nothing hidden, and without past events: the moves of earlier frames tell those."""
    lowest: list[int]
    """Each seat's lowest marker."""
    sums: list[int]
    """The sum of each seat's markers."""


class Replay(Struct, frozen=True):
    """A game from its deal to its end. Frame n comes after n placements, plays and swaps."""

    variant: str
    seats: int
    names: list[str]
    """By seat; empty where there is no name."""
    bots: list[str | None]
    own: list[int]
    """The caller's seats."""
    finished: bool
    frames: list[Frame]


def action_of(event: Event) -> Action | None:
    """The action that an event came from, if it was a placement, a play or a swap."""
    match event:
        case Placed(tile=tile, cells=(first, second)):
            # A record may write BR for RB; actions use the tile's usual letters.
            usual = NORMAL[tile]
            return Place(usual, (first, second) if usual == tile else (second, first))
        case Played(tile=tile):
            return Play(tile)
        case Swapped():
            return Swap()
    return None


def moments(record: Record) -> list[Position]:
    """The position after each act and all that followed it, judged along the way; raises Breach."""
    reached: list[Position] = []
    for position in replay(record):
        fresh = position.log is not None and isinstance(position.log[1], Placed | Played | Swapped)
        if reached and not fresh:
            reached.pop()
        reached.append(position)
    return reached


def game_of(record: Record, positions: list[Position]) -> Game:
    """A record as a game."""
    seats = record.setup.seats
    names = [shown(str(name)) for name in _listed(record, "names")[:seats]]
    bots = [None if bot is None else shown(str(bot)) for bot in _listed(record, "bots")[:seats]]
    names_of, bots_of = (*names, *[""] * seats)[:seats], (*bots, *[None] * seats)[:seats]
    return lone_game(record.setup, enumerate(positions), names=names_of, bots=bots_of)


def lone_game(
    setup: Setup,
    positions: Iterable[tuple[int, Position]],
    *,
    number: int = 0,
    names: tuple[str, ...] = (),
    bots: tuple[str | None, ...] = (),
) -> Game:
    """A game that wasn't dealt at a table; its places are its seats."""
    return Game(number, Started(0, 0, "", [], ""), 0, Series(setup, 1), names, bots, tuple(positions))


def _listed(record: Record, key: str) -> list[object]:
    value = record.extras.get(key)
    return value if isinstance(value, list) else []


def replay_of(game: Game, positions: list[Position], own: Sequence[int] = ()) -> Replay:
    """All moments of a game. Nothing in it is secret: it is over, or its whole record was uploaded."""
    setup = game.series.setup
    by_seat = [game.place_of(seat) for seat in range(setup.seats)]
    return Replay(
        variant=setup.title.variant,
        seats=setup.seats,
        names=[game.names[place] for place in by_seat],
        bots=[game.bots[place] for place in by_seat],
        own=list(own),
        finished=positions[-1].is_over,
        frames=list(_frames(game, positions)),
    )


def _frames(game: Game, positions: list[Position]) -> Iterator[Frame]:
    setup = game.series.setup
    sides, seats = setup.title.sides, range(setup.seats)
    for ply, position in enumerate(positions):
        act = _last_act(position) if ply else None
        action = action_of(act) if act else None
        moment = replace(game, positions=((game.seq, position),))
        tracks = [sides.seen_by(seat, position.tracks[sides.track_of(seat)]) for seat in seats]
        yield Frame(
            move=move_text(setup, action) if action else None,
            act=cast(EventData, event_data(act)) if act else None,
            game=game_view(moment, frozenset(seats)),
            lowest=[min(markers) for markers in tracks],
            sums=[sum(markers) for markers in tracks],
        )


def _last_act(position: Position) -> Event | None:
    """The last placement, play or swap before a position."""
    log = position.log
    while log is not None:
        log, event = log
        if isinstance(event, Placed | Played | Swapped):
            return event
    return None


def start_from(positions: list[Position], ply: int) -> dict[str, object]:
    """The unfinished record of a game up to one of its moments, to play on from there."""
    last = len(positions) - 1
    if ply > last:
        raise SetupError("ply-unknown", ply=ply, last=last)
    if positions[ply].is_over:
        raise WrongSetup("continue-over", ply=ply, last=last - 1)
    return record_of(positions[ply])
