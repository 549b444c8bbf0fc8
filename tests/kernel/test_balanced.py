"""Balanced play, compiled: it chooses as core's rule does, from the same table of worth."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from tests.play import games, seeds, walk

import genial
from genial.bots.search import playout_worth, worth_table
from genial.core.actions import Place, Play
from genial.core.moves import Phase, markers_of, outcome
from genial.core.position import Position
from genial.core.tiles import is_double
from genial.kernel import balanced, search
from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.tables import ORDER_MATTERS

_ROUNDING = 4 / balanced.UNIT


def _placing(game: tuple[str, int], seed: int) -> Position:
    positions = [p for p in walk(game, seed, greedily=True) if p.phase is Phase.PLACE]
    return positions[Random(seed).randrange(len(positions))]


@given(games, seeds)
@settings(max_examples=40)
def test_a_placement_is_worth_what_core_says(game: tuple[str, int], seed: int) -> None:
    position, compiled = _placing(game, seed), Game.of(*game)
    state = compiled.from_core(position)
    rules, setup = compiled.tables.rules, position.setup
    scratch = np.zeros(balanced.scratch_size(rules), np.uint16)
    numbers = compiled.legal(state).numbers
    worths = np.empty(len(numbers), np.int32)
    search.worths(rules, state, worth_table(setup), scratch, numbers, worths)
    worth, markers = playout_worth(setup.title), markers_of(position, position.seat)
    for n in Random(seed).sample(range(len(numbers)), min(60, len(numbers))):
        action = compiled.action_of(int(numbers[n]))
        assert isinstance(action, Place | Play)
        if rules[ORDER_MATTERS] and is_double(action.tile):
            continue  # DOUBLE-TRACK: the kernel takes both halves for one
        expected = worth.gained(markers, outcome(position, action).score)
        assert worths[n] / balanced.UNIT == pytest.approx(expected, abs=_ROUNDING)


@given(games, seeds)
@settings(max_examples=30)
def test_playouts_begin_with_the_placement_that_is_worth_most(game: tuple[str, int], seed: int) -> None:
    position, compiled = _placing(game, seed), Game.of(*game)
    state = compiled.from_core(position, seed)
    rules, worth = compiled.tables.rules, worth_table(position.setup)
    scratch = np.zeros(balanced.scratch_size(rules), np.uint16)
    numbers = compiled.legal(state).numbers
    worths = np.empty(len(numbers), np.int32)
    search.worths(rules, state, worth, scratch, numbers, worths)
    chosen = search.chosen(rules, state.copy(), worth, scratch)
    assert chosen in numbers
    assert worths[numbers == chosen] == worths.max()


def test_playouts_of_the_same_seed_are_the_same_and_add_up(variant: str, seats: int) -> None:
    compiled = Game.of(variant, seats)
    rules, world = compiled.tables.rules, compiled.new(5)
    state, scratch = world.copy(), np.zeros(balanced.scratch_size(rules), np.uint16)
    setup = genial.new(variant, seats=seats, seed=1).setup
    actions = compiled.legal(world).numbers[:3].copy()
    live = np.arange(3, dtype=np.int32)

    def totals(rounds: list[tuple[int, int]]) -> search.Totals:
        found = np.zeros((3, search.WIDTH))
        for first, last in rounds:
            search.playouts(
                rules,
                world,
                True,
                state,
                worth_table(setup),
                scratch,
                actions,
                live,
                first,
                last,
                9,
                0.1,
                6.0,
                found,
            )
        return found

    whole = totals([(0, 8)])
    assert (whole == totals([(0, 3), (3, 8)])).all()
    assert (whole[:, search.NODES] == 8).all()
    wins = whole[:, search.WINS : search.WINS + at.MOST_SEATS].sum(axis=1)
    assert wins == pytest.approx(np.full(3, 8.0))
    if seats > 1:
        assert (whole[:, search.SCORE] <= 8).all()
