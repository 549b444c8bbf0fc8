"""The legal moves of the seat to move, small enough to send with every turn: the client has no rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from genial.core.actions import Place, Play, Swap
from genial.core.bits import members
from genial.core.errors import GenialError
from genial.core.explain import explain
from genial.core.guidance import guide
from genial.core.layout import Layout
from genial.core.moves import Phase, legal_places, markers_of, outcome, scored_places
from genial.core.notation import parse_move
from genial.core.position import Position
from genial.core.tiles import SYMBOLS, Tile
from genial.core.tracks import score


class TilePoints(Struct, frozen=True):
    """What one kind of tile would bring on each place: points of its two symbols, before caps."""

    tile: str
    there: list[tuple[int, int]]
    """Its first symbol on the pair's first cell: for each place [points of the first, of the second]."""
    turned: list[tuple[int, int]]
    results: list[tuple[int, int, int, int, int]]
    """For points whose markers move otherwise, or bring bonus moves: both points, both moves, bonus moves."""


class CardPoints(Struct, frozen=True):
    """What a card would bring, its symbols scored in the order written."""

    tile: str
    gain: list[int]
    bonus: int


class LegalMoves(Struct, frozen=True):
    """Places are numbers of pairs of cells, as `GET /api/boards/{variant}/{seats}` lists them."""

    phase: str
    places: list[int]
    limited: bool
    """Whether the opening permits fewer places than are free (FIRST-TILE, 3D-OPENING)."""
    tiles: list[TilePoints]
    cards: list[CardPoints]
    swap: bool


def legal_moves(position: Position) -> LegalMoves:
    """Everything that the seat to move may do, as compact numbers."""
    lawful = legal_places(position) if position.phase is Phase.PLACE else 0
    places, limited = list(members(lawful)), False
    tiles: list[TilePoints] = []
    if places and isinstance(position.table, Layout):
        limited = lawful != position.table.places
        tiles = _tile_points(position, position.table, places)
    cards = []
    for action in position.actions() if not isinstance(position.table, Layout) else ():
        if isinstance(action, Play):
            score = outcome(position, action).score
            cards.append(CardPoints(action.tile, list(score.gain), score.bonus))
    swap = position.phase is Phase.END_TURN and Swap() in position.actions()
    return LegalMoves(position.phase.value, places, limited, tiles, cards, swap)


def _tile_points(position: Position, layout: Layout, places: list[int]) -> list[TilePoints]:
    """The points of every tile of the rack on every place, in the order of the places."""
    tiles = {tile: TilePoints(tile, [], [], []) for tile in position.racks[position.seat]}
    if layout.stacking:
        for place in scored_places(position):
            points = tiles[place.tile]
            (points.turned if place.turned else points.there).append(place.points)
    else:
        _flat_points(layout, places, tiles)
    for tile, points in tiles.items():
        points.results.extend(_results(position, tile, {*points.there, *points.turned}))
    return list(tiles.values())


def _flat_points(layout: Layout, places: list[int], tiles: dict[Tile, TilePoints]) -> None:
    # As scored_places does, column by column: this is sent with every turn, and was half of its cost.
    table, pairs = layout.points_table(), layout.board.pairs
    firsts, seconds = [pairs[n].first for n in places], [pairs[n].second for n in places]
    for tile, points in tiles.items():
        first, second = (table[symbol].__getitem__ for symbol in SYMBOLS[tile])
        points.there.extend(zip(map(first, firsts), map(second, seconds), strict=True))
        points.turned.extend(zip(map(first, seconds), map(second, firsts), strict=True))


def _results(
    position: Position, tile: Tile, points: set[tuple[int, int]]
) -> Iterator[tuple[int, int, int, int, int]]:
    """What the markers really do, for the pairs of points where that is more than to move so far."""
    track, markers = position.setup.title.track, markers_of(position, position.seat)
    first, second = SYMBOLS[tile]
    for one, two in sorted(points):
        whole = score(track, markers, [(first, one), (second, two)])
        total = sum(whole.gain)
        if total != one + two or whole.bonus:
            moved = sum(score(track, markers, [(first, one)]).gain)
            yield one, two, moved, total - moved, whole.bonus


def explained(position: Position, text: str) -> dict[str, Any]:
    """The rays and consequences of one placement or card; raises what the engine says against it."""
    action = parse_move(position.setup, text)
    if not isinstance(action, Place | Play):
        raise GenialError("move-unreadable", text=text)
    position.apply(action)  # refuses what is not lawful
    explanation = explain(position, action)
    return {
        "gain": list(explanation.gain),
        "markers": list(explanation.markers),
        "bonus": explanation.bonus,
        "halves": [
            {
                "colour": half.colour,
                "points": half.points,
                "moved": half.moved,
                "cell": half.cell,
                "rays": [{"direction": ray.direction, "cells": ray.cells} for ray in half.rays],
                "matches": half.matches,
            }
            for half in explanation.halves
        ],
    }


def guided(
    position: Position, tile: str | None, cell: tuple[int, int] | None, direction: int | None
) -> dict[str, Any]:
    """The judgement of a half-made move, with what may be picked next."""
    found = guide(position, tile, cell, direction)
    return {
        "status": found.status.value,
        "code": found.code,
        "params": dict(found.params),
        "ruling": found.ruling,
        "tiles": found.tiles,
        "cells": found.cells,
        "directions": found.directions,
    }
