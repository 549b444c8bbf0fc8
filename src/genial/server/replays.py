"""A game that is over, or a record that somebody brings, moment by moment: what a replay shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec import Struct, structs

from genial.core.actions import Action, Place, Play, Swap
from genial.core.errors import SetupError
from genial.core.events import Event, Placed, Played, Swapped
from genial.core.notation import move_text
from genial.core.position import Position
from genial.core.record import Record, event_data, record_of
from genial.core.referee import replay
from genial.core.series import Series
from genial.core.tiles import NORMAL
from genial.server.entries import Started
from genial.server.table import Game
from genial.server.views import GameView, game_view
from genial.server.viewtypes import EventData, ViewData

_NAME_LENGTH = 24


class Frame(Struct, frozen=True):
    """One moment: after an act and the draws that followed it."""

    move: str | None
    """The act that led here, in notation; None for the start."""
    act: EventData | None
    game: GameView
    """Everything open, without the events so far: the moves of the frames before tell them."""
    lowest: list[int]
    """The lowest marker of each seat."""
    sums: list[int]
    """All markers of each seat together."""


class Replay(Struct, frozen=True):
    """A game from its deal to its end. Frame n stands after n places, plays and swaps."""

    variant: str
    seats: int
    names: list[str]
    """By seat; empty where nobody was named."""
    bots: list[str | None]
    finished: bool
    frames: list[Frame]


def action_of(event: Event) -> Action | None:
    """The action that an event came from, where it was one that counts."""
    match event:
        case Placed(tile=tile, cells=(first, second)):
            # A record may write BR for RB; actions are listed with the tile's usual letters.
            usual = NORMAL[tile]
            return Place(usual, (first, second) if usual == tile else (second, first))
        case Played(tile=tile):
            return Play(tile)
        case Swapped():
            return Swap()
    return None


def moments(record: Record) -> list[Position]:
    """The position after each act and all that followed it, judged on the way; raises Breach."""
    found: list[Position] = []
    for position in replay(record):
        fresh = position.log is not None and isinstance(position.log[1], Placed | Played | Swapped)
        if fresh or not found:
            found.append(position)
        else:
            found[-1] = position
    return found


def game_of(record: Record, positions: list[Position]) -> Game:
    """A record as a game of a table whose places are its seats."""
    seats = record.setup.seats
    names = [str(name)[:_NAME_LENGTH] for name in _listed(record, "names")]
    bots = [None if bot is None else str(bot)[:_NAME_LENGTH] for bot in _listed(record, "bots")]
    started = Started(0, 0, "", [], "")
    numbered = list(enumerate(positions))
    padded = [*names, *[""] * seats][:seats]
    return Game(0, started, 0, Series(record.setup, 1), padded, [*bots, *[None] * seats][:seats], numbered)


def _listed(record: Record, key: str) -> list[object]:
    found = record.extras.get(key)
    return found if isinstance(found, list) else []


def replay_of(game: Game, positions: list[Position]) -> Replay:
    """All moments of a game. Everything in it may be seen: it is over, or its record was brought whole."""
    setup = game.series.setup
    by_seat = [game.place_of(seat) for seat in range(setup.seats)]
    return Replay(
        variant=setup.title.variant,
        seats=setup.seats,
        names=[game.names[place] for place in by_seat],
        bots=[game.bots[place] for place in by_seat],
        finished=positions[-1].is_over,
        frames=list(_frames(game, positions)),
    )


def _frames(game: Game, positions: list[Position]) -> Iterator[Frame]:
    everyone = frozenset(range(game.series.setup.seats))
    sides = game.series.setup.title.sides
    for ply, position in enumerate(positions):
        act = last_act(position) if ply else None
        action = action_of(act) if act else None
        shown = game_view(_at(game, position), everyone)
        bare = cast(ViewData, {**shown.view, "events": []})
        tracks = [
            sides.seen_by(seat, position.tracks[sides.track_of(seat)]) for seat in range(position.setup.seats)
        ]
        yield Frame(
            move=move_text(position.setup, action) if action else None,
            act=cast(EventData, event_data(act)) if act else None,
            game=structs.replace(shown, view=bare),
            lowest=[min(markers) for markers in tracks],
            sums=[sum(markers) for markers in tracks],
        )


def _at(game: Game, position: Position) -> Game:
    return Game(
        game.number, game.started, game.since, game.series, game.names, game.bots, [(game.seq, position)]
    )


def last_act(position: Position) -> Event | None:
    """The last place, play or swap before a position."""
    log = position.log
    while log is not None:
        log, event = log
        if isinstance(event, Placed | Played | Swapped):
            return event
    return None


def start_from(positions: list[Position], ply: int) -> dict[str, object]:
    """The unfinished record of a game up to one of its moments, to be played on from there."""
    last = len(positions) - 1
    if ply > last:
        raise SetupError("ply-unknown", ply=ply, last=last)
    if positions[ply].is_over:
        raise SetupError("continue-over", ply=ply, last=last - 1)
    return record_of(positions[ply])
