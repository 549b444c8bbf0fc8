"""How a game went, in retrospect: the deciding figure after each move, and where the game turned.

It turned at the move from which the winner stayed ahead in what finally decided: the lowest colour or, where
that was tied, the lowest colours up to the one that broke the tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genial.core.events import Placed, Played, Swapped
from genial.core.position import Position
from genial.core.ranking import decision, standing
from genial.core.sides import Sides
from genial.core.tiles import Tile
from genial.core.title import Setup
from genial.core.tracks import Markers


@dataclass(frozen=True, slots=True)
class Turned:
    """The move from which the winner stayed ahead of everybody, until the end, in what decided."""

    move: int
    """Its number, counting places, plays and swaps as a replay does."""
    seat: int
    tile: Tile
    before: int
    after: int
    """The winner's first figure before and after it."""


@dataclass(frozen=True, slots=True)
class Course:
    """The figure compared first, by seat (RANKING: the lowest marker; DUEL: the colours on their side)."""

    figures: tuple[tuple[int, ...], ...]
    """For each seat, before the first move and after every move."""
    turned: Turned | None
    """None if nobody won by being ahead: a solo game, a draw, or somebody left."""


def course(position: Position) -> Course:
    """How the game went up to a position."""
    setup = position.setup
    tracks, acts = list(setup.tracks), list[Placed | Played | Swapped]()
    rows = [_standings(setup, tracks)]
    for event in position.events:
        if not isinstance(event, Placed | Played | Swapped):
            continue
        if not isinstance(event, Swapped):
            _move(setup.title.sides, tracks, event)
        acts.append(event)
        rows.append(_standings(setup, tracks))
    figures = tuple(tuple(row[seat][0] for row in rows) for seat in range(setup.seats))
    decided = decision(setup.title.sides, setup.seats, position.tracks)
    compared = decided.index + 1 if decided else 0
    return Course(figures, _turned(rows, acts, _winners(position), compared))


def _move(sides: Sides, tracks: list[Markers], event: Placed | Played) -> None:
    number = sides.track_of(event.seat)
    own = sides.seen_by(event.seat, tracks[number])
    moved = tuple([step + gain for step, gain in zip(own, event.gain, strict=True)])
    tracks[number] = sides.seen_by(event.seat, moved)


def _standings(setup: Setup, tracks: Sequence[Markers]) -> list[tuple[int, ...]]:
    return [standing(setup.title.sides, seat, tuple(tracks)) for seat in range(setup.seats)]


def _winners(position: Position) -> frozenset[int]:
    """The seats of the one side that won on its markers; empty if no single side did (LEAVING)."""
    sides, seats, result = position.setup.title.sides, position.setup.seats, position.result
    if result is None or result.by is not None or sides.side_count(seats) < 2:
        return frozenset()
    first = frozenset(seat for seat, rank in enumerate(result.ranks) if rank == 1)
    return first if len({sides.side_of(seat) for seat in first}) == 1 else frozenset()


def _turned(
    rows: Sequence[Sequence[tuple[int, ...]]],
    acts: Sequence[Placed | Played | Swapped],
    winners: frozenset[int],
    compared: int,
) -> Turned | None:
    if not winners:
        return None
    winner = min(winners)

    def is_ahead(row: Sequence[tuple[int, ...]]) -> bool:
        own = row[winner][:compared]
        return all(own > other[:compared] for seat, other in enumerate(row) if seat not in winners)

    behind = max(number for number, row in enumerate(rows) if not is_ahead(row))  # nobody is at the start
    act = acts[behind]
    assert isinstance(act, Placed | Played), "a swap moves no marker"
    before, after = rows[behind][winner][0], rows[behind + 1][winner][0]
    return Turned(behind + 1, act.seat, act.tile, before, after)
