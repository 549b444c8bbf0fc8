"""Why a placement or card scores what it does: the lines and cards for clients to show."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.actions import Place, Play
from genial.core.hexes import Cell
from genial.core.moves import outcome
from genial.core.open_cards import OpenCards
from genial.core.situation import Situation
from genial.core.tiles import SYMBOLS, Tile


@dataclass(frozen=True, slots=True)
class Ray:
    """Matching symbols in one straight line from a half, the nearest first."""

    direction: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Half:
    """What one symbol of a tile or card scores."""

    colour: int
    points: int
    """Before caps and gates."""
    moved: int
    """How far its marker actually moves."""
    cell: Cell | None
    rays: tuple[Ray, ...]
    matches: tuple[tuple[int, int], ...]
    """Card game: seat and position in its row of every matching open card."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Both halves in the order scored, and what they score together."""

    halves: tuple[Half, Half]
    gain: tuple[int, ...]
    markers: tuple[int, ...]
    """The mover's markers afterwards, as the mover sees them."""
    bonus: int
    """Bonus moves earned."""


def explain(situation: Situation, action: Place | Play) -> Explanation:
    """The cells and rays that score, or the cards that match, for a lawful action.

    >>> import genial
    >>> from genial.core.actions import Place
    >>> position = genial.new("classic", seats=2, seed=7)
    >>> explain(position, Place("RO", ((1, -5), (2, -5)))).halves[0].rays
    (Ray(direction=3, cells=((0, -5),)),)
    """
    found = outcome(situation, action)
    markers = list(_markers_before(found.score.markers, found.score.gain))
    halves = []
    for number, (colour, points) in enumerate(found.halves):
        track = situation.setup.title.track
        step = track.advance(markers, colour, points) if points else markers[colour]
        moved, markers[colour] = step - markers[colour], step
        table = situation.table
        if isinstance(table, OpenCards):
            matches = _matches(table.rows, colour)
            halves.append(Half(colour, points, moved, None, (), matches))
        else:
            assert isinstance(action, Place)
            board = table.board
            cell, partner = action.cells[number], action.cells[1 - number]
            rays = tuple(
                Ray(direction, tuple(board.cells[n] for n in counted))
                for direction, counted in table.lines(board.number[cell], colour, board.number[partner])
            )
            halves.append(Half(colour, points, moved, cell, rays, ()))
    return Explanation((halves[0], halves[1]), found.score.gain, found.score.markers, found.score.bonus)


def _markers_before(after: tuple[int, ...], gain: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(step - moved for step, moved in zip(after, gain, strict=True))


def _matches(rows: tuple[tuple[Tile, ...], ...], colour: int) -> tuple[tuple[int, int], ...]:
    return tuple(
        (seat, n) for seat, row in enumerate(rows) for n, tile in enumerate(row) if colour in SYMBOLS[tile]
    )
