"""Balanced play, compiled: it chooses as core's rule does, from the same table of worth."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from tests.play import games, seeds, walk

from genial.bots.search import playout_worth
from genial.core.actions import Place, Play
from genial.core.moves import outcome
from genial.core.position import Position
from genial.core.situation import Phase, markers_of
from genial.core.tiles import is_double
from genial.kernel.api import Game
from genial.kernel.source import balanced
from genial.kernel.source.called import rules_of, state_of
from genial.kernel.source.compiled import Numbers, State, compiled, whole
from genial.kernel.source.rules import Rules
from genial.kernel.tables import ORDER_MATTERS
from genial.kernel.worth import UNIT, worth_table

pytestmark = pytest.mark.slow  # numba takes minutes to compile this; in `make test` the library plays

_ROUNDING = 4 / UNIT


@compiled
def _worths(
    rules: Rules, state: State, worth: balanced.Worth, paper: balanced.Worth, actions: Numbers, out: Numbers
) -> None:
    """Write how balanced play rates each of some lawful placements or cards."""
    if not rules.is_cards:
        balanced.prepare(rules, state, worth, paper)
    for n in range(len(actions)):
        action = whole(actions[n])
        if rules.is_cards:
            out[n] = balanced.card_worth(rules, state, worth, action >> 1, action & 1)
        else:
            out[n] = balanced.placement_worth(rules, state, paper, action)


@compiled
def _chosen(rules: Rules, state: State, worth: balanced.Worth, paper: balanced.Worth) -> int:
    """The number of balanced play's action."""
    return balanced.choose(rules, state, worth, paper)


def _table(position: Position) -> balanced.Worth:
    worth = playout_worth(position.setup.title)
    return np.array(worth_table(worth.steps, worth.bonus, position.setup.seats), np.uint16)


def _placing(game: tuple[str, int], seed: int) -> Position:
    positions = [p for p in walk(game, seed, greedily=True) if p.phase is Phase.PLACE]
    return positions[Random(seed).randrange(len(positions))]


@given(games, seeds)
@settings(max_examples=40)
def test_a_placement_is_worth_what_core_says(game: tuple[str, int], seed: int) -> None:
    position, kernel = _placing(game, seed), Game.of(*game)
    state = state_of(kernel.from_core(position))
    rules, setup = rules_of(kernel.tables), position.setup
    scratch = np.zeros(balanced.scratch_size(rules), np.uint16)
    numbers = np.frombuffer(kernel.legal(state).numbers, np.int32)
    worths = np.empty(len(numbers), np.int32)
    _worths(rules, state, _table(position), scratch, numbers, worths)
    worth, markers = playout_worth(setup.title), markers_of(position, position.seat)
    for n in Random(seed).sample(range(len(numbers)), min(60, len(numbers))):
        action = kernel.action_of(int(numbers[n]))
        assert isinstance(action, Place | Play)
        if rules[ORDER_MATTERS] and is_double(action.tile):
            continue  # DOUBLE-TRACK: the kernel treats both halves as one
        expected = worth.gained(markers, outcome(position, action).score)
        assert worths[n] / UNIT == pytest.approx(expected, abs=_ROUNDING)


@given(games, seeds)
@settings(max_examples=30)
def test_playouts_begin_with_the_placement_that_is_worth_most(game: tuple[str, int], seed: int) -> None:
    position, kernel = _placing(game, seed), Game.of(*game)
    state = state_of(kernel.from_core(position, seed))
    rules, worth = rules_of(kernel.tables), _table(position)
    scratch = np.zeros(balanced.scratch_size(rules), np.uint16)
    numbers = np.frombuffer(kernel.legal(state).numbers, np.int32)
    worths = np.empty(len(numbers), np.int32)
    _worths(rules, state, worth, scratch, numbers, worths)
    chosen = _chosen(rules, state.copy(), worth, scratch)
    assert chosen in numbers
    assert worths[numbers == chosen] == worths.max()
