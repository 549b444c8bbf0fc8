"""Where one tile can go and what each place scores, for lists and for the heat map."""

from __future__ import annotations

from typing import NamedTuple

from genial.core.actions import Place, Play
from genial.core.bits import members
from genial.core.hexes import Cell
from genial.core.layout import Layout
from genial.core.moves import outcome
from genial.core.notation import move_text
from genial.core.pairs import legal_pairs
from genial.core.points import colour_points, tile_points
from genial.core.situation import markers_of
from genial.core.tiles import SYMBOLS, Tile, is_double, normal
from genial.core.tracks import Score, score
from genial.core.view import View


class Choice(NamedTuple):
    """A lawful move and what it would score."""

    action: Place | Play
    score: Score


def choices(view: View, tile: Tile) -> list[Choice]:
    """Every lawful placement of a tile, or both orders of a card, the most points first.

    >>> import genial
    >>> view = genial.new("classic", seats=2, seed=7).view({0})
    >>> best = choices(view, view.racks[0][0])[0]
    >>> sum(best.score.gain)
    1
    """
    if not isinstance(view.table, Layout):
        orders = (tile,) if is_double(tile) else (tile, tile[::-1])
        found = [Choice(Play(spelled), outcome(view, Play(spelled)).score) for spelled in orders]
    else:
        found = _placings(view, view.table, tile)
    return sorted(found, key=lambda c: (-sum(c.score.gain), -c.score.bonus, move_text(view.setup, c.action)))


def _placings(view: View, layout: Layout, tile: Tile) -> list[Choice]:
    markers, track = markers_of(view, view.seat), view.setup.title.track
    kind, numbers = normal(tile), list(members(legal_pairs(view)))
    if kind not in view.racks[view.seat]:
        return []
    (_, there, turned), *_ = tile_points([kind], colour_points(layout, numbers))
    found: list[Choice] = []
    for number, straight, reverse in zip(numbers, there, turned, strict=True):
        pair = layout.board.pairs[number]
        one, other = (
            score(track, markers, zip(SYMBOLS[kind], points, strict=True)) for points in (straight, reverse)
        )
        found.append(Choice(Place(kind, pair.cells), one))
        # A double turned round is the same move, unless the order of its halves matters (DOUBLE-TRACK).
        if not is_double(kind) or one != other:
            found.append(Choice(Place(kind, pair.turned), other))
    return found


def best_points(view: View, tile: Tile) -> dict[Cell, int]:
    """For each cell, the most points a tile can score with its first symbol there: the heat map."""
    found: dict[Cell, int] = {}
    turned = normal(tile) != tile
    for choice in choices(view, tile):
        if isinstance(choice.action, Place):
            for cell in choice.action.cells if is_double(tile) else (choice.action.cells[turned],):
                found[cell] = max(found.get(cell, 0), sum(choice.score.gain))
    return found
