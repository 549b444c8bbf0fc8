"""What speaks for a move, in facts that everybody can see."""

from __future__ import annotations

from random import Random

import pytest

import genial
from genial.core.actions import Action, Place, Play
from genial.core.explain import explain
from genial.core.layout import Layout
from genial.core.position import Position
from genial.core.tiles import SYMBOLS
from genial.core.titles import TITLES
from genial.server.study.reasons import Reason, reason


def played(variant: str, seats: int, seed: int, turns: int) -> Position:
    """A game up to a placement, in which everybody takes the most points out of a few random moves."""
    rng, position = Random(seed), genial.new(variant, seats=seats, seed=seed)

    def points(action: Action) -> int:
        return sum(explain(position, action).gain) if isinstance(action, Place | Play) else 0

    while not position.is_over and (position.turn < turns or position.phase is not genial.Phase.PLACE):
        position, _events = position.apply(max(rng.choices(position.actions(), k=40), key=points))
    return position


@pytest.mark.parametrize("variant", TITLES)
def test_every_placement_has_a_reason_unless_the_sides_share_a_track(variant: str) -> None:
    title = TITLES[variant]
    position = played(variant, min(title.seats), 3, 7)
    for action in position.actions():
        found = reason(position, action)
        if isinstance(action, Place | Play) and title.sides.value != "shared":
            assert found is not None
            after = explain(position, action).markers
            assert found.after == min(after) >= found.before
            assert found.weakest == [colour for colour in range(6) if after[colour] == found.after]
            assert not set(found.lifted) & set(found.weakest) or found.after > found.before
            assert bool(found.full) == bool(explain(position, action).bonus)
            assert (found.rival is None) == (min(title.seats) == 1)
        else:
            assert found is None


def test_the_rival_is_the_opponent_with_the_highest_lowest_marker() -> None:
    position = played("classic", 3, 5, 15)
    own = position.seat
    lowest = {seat: min(position.tracks[seat]) for seat in range(3) if seat != own}
    found = next(reason(position, each) for each in position.actions() if isinstance(each, Place))
    assert found is not None
    assert found.rival is not None
    assert found.rival.lowest == max(lowest.values()) == lowest[found.rival.seat]


def test_a_block_covers_the_best_space_for_an_opponents_weakest_colour() -> None:
    """Counted again the slow way, over many positions; some of them have a block."""
    blocks = 0
    for seed in range(8):
        position = played("classic", 2, seed, 32)
        if position.is_over:
            continue
        layout = position.table
        assert isinstance(layout, Layout)
        number = layout.board.number
        for action in position.actions():
            if not isinstance(action, Place):
                continue
            found = reason(position, action)
            assert isinstance(found, Reason)
            if found.block is None:
                continue
            blocks += 1
            other = 1 - position.seat
            markers = position.tracks[other]
            assert found.block.seat == other
            assert markers[found.block.colour] == min(markers)
            assert found.block.colour not in SYMBOLS[action.tile]
            first, second = (number[cell] for cell in action.cells)
            there = max(layout.points(cell, found.block.colour, -1) for cell in (first, second))
            assert found.block.points == there == most(layout, found.block.colour) >= 2
    assert blocks


def most(layout: Layout, colour: int) -> int:
    """The most that one symbol could score on any cell of a free pair."""
    board = layout.board
    found = [0]
    for n, pair in enumerate(board.pairs):
        if layout.open_pairs >> n & 1:
            for cell in (pair.first, pair.second):
                found.append(layout.points(cell, colour, -1))
    return max(found)
