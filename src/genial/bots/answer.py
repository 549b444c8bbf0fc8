"""What a placement leaves for the next opponent: the expected worth of their best answer."""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from math import prod
from operator import add

from genial.bots.worth import Worth
from genial.core.actions import Place
from genial.core.bits import members
from genial.core.events import Placed
from genial.core.layout import Layout
from genial.core.situation import markers_of
from genial.core.tiles import HIDDEN, NORMAL, SYMBOLS, TILES, Tile
from genial.core.view import View


def best_answer(view: View, action: Place, worth: Worth) -> float:
    """The expected worth of the next opponent's best placement after this one.

    Their tiles can be any the viewer does not see, every rack being equally likely.
    """
    layout, setup = view.table, view.setup
    assert isinstance(layout, Layout)
    following = (view.seat + 1) % setup.seats
    if setup.seats == 1:
        return 0.0
    first, second = (layout.board.number[cell] for cell in action.cells)
    after = layout.lay(first, second, SYMBOLS[action.tile])
    best = _best_by_kind(after, _worth_table(after, view, following, worth))
    unseen = _unseen(view)
    held = len(view.racks[following])
    left, expected = 1.0, 0.0
    total = sum(unseen.values())
    for value, kind in sorted(((best[kind], kind) for kind in unseen), reverse=True):
        # This kind is the best on the rack if it is there and no better kind is.
        fewer = max(left - unseen[kind] / total, 0.0)
        expected += value * (_all(left, held) - _all(fewer, held))
        left = fewer
    return expected


def _all(share: float, count: int) -> float:
    """`share` to the power of `count`, multiplied out because powers differ between machines."""
    return prod(repeat(share, count))


def _unseen(view: View) -> Counter[Tile]:
    """How many tiles of each kind the viewer does not see: in the bag and on other racks."""
    unseen = Counter(view.setup.tiles)
    unseen.subtract(tile for rack in view.racks for tile in rack if tile != HIDDEN)
    unseen.subtract(_placed(view))
    return +unseen


def _placed(view: View) -> list[Tile]:
    return [NORMAL[event.tile] for event in view.events if isinstance(event, Placed)]


def _worth_table(layout: Layout, view: View, seat: int, worth: Worth) -> list[list[float]]:
    """For each colour, its worth to a seat on each cell."""
    markers, track = markers_of(view, seat), view.setup.title.track
    table = []
    for colour, row in enumerate(layout.points_table()):
        step = markers[colour]
        by_points = [0.0] * (max(row) + 1)
        for points in range(1, len(by_points)):
            after = track.advance(markers, colour, points)
            gained = worth.steps[after - worth.low] - worth.steps[step - worth.low]
            by_points[points] = gained + worth.bonus * track.bonus_moves(step, after)
        table.append([by_points[points] for points in row])
    return table


def _best_by_kind(layout: Layout, table: list[list[float]]) -> dict[Tile, float]:
    pairs = [layout.board.pairs[n] for n in members(layout.open_pairs)]
    if not pairs:
        return dict.fromkeys(TILES, 0.0)
    on_first = [[row[pair.first] for pair in pairs] for row in table]
    on_second = [[row[pair.second] for pair in pairs] for row in table]
    best = {}
    for kind in TILES:
        first, second = SYMBOLS[kind]
        there = max(map(add, on_first[first], on_second[second]))
        best[kind] = max(there, *map(add, on_first[second], on_second[first]))
    return best
