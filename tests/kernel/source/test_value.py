"""The learned value: what it may know, what it says at the end, its gradient, the players based on it."""

from __future__ import annotations

from array import array
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from tests.play import GAMES, games, seeds, walk

from genial.core.position import Position
from genial.kernel import network
from genial.kernel.api import Game
from genial.kernel.network import COUNT, OTHER, OWN
from genial.kernel.source import gradient, value
from genial.kernel.source.called import rules_of, state_of
from genial.kernel.source.features import Floats, features
from genial.kernel.state import State
from genial.kernel.weights import weights_of

pytestmark = pytest.mark.slow  # numba takes minutes to compile this; in `make test` the library plays


def some_weights(seed: int = 1) -> Floats:
    return np.random.default_rng(seed).normal(0, 0.05, network.WEIGHTS).astype(np.float32)


def valued(game: Game, state: State, seat: int, weights: Floats) -> float:
    return value.value(rules_of(game.tables), state_of(state), seat, weights, value.new_scratch())


def some_positions(game: tuple[str, int], seed: int, count: int = 4) -> list[Position]:
    positions = walk(game, seed, greedily=seed % 2 == 0)
    return Random(seed).sample(positions, count)


@given(games, seeds)
@settings(max_examples=30)
def test_what_a_seat_cannot_see_does_not_change_its_value(game: tuple[str, int], seed: int) -> None:
    kernel, weights, rng = Game.of(*game), some_weights(), Random(seed)
    for position in some_positions(game, seed):
        for seat in range(game[1]):
            other = position.determinize({seat}, rng)
            here, there = Game.from_core(position, seed=1), Game.from_core(other, seed=2)
            assert valued(kernel, here, seat, weights) == valued(kernel, there, seat, weights)


@given(games, seeds)
@settings(max_examples=20)
def test_a_finished_game_is_valued_by_its_ranks(game: tuple[str, int], seed: int) -> None:
    kernel, scratch = Game.of(*game), value.new_scratch()
    state = kernel.new(seed)
    kernel.playout(state, "greedy")
    ranks, sides = kernel.ranks(state), kernel.tables.setup.title.sides
    for seat in range(game[1]):
        value.value(rules_of(kernel.tables), state_of(state), seat, some_weights(), scratch)
        beaten = [
            (ranks[seat] < rank) + 0.5 * (ranks[seat] == rank)
            for other, rank in enumerate(ranks)
            if sides.side_of(other) != sides.side_of(seat)
        ]
        assert scratch[0] == pytest.approx(sum(beaten) / len(beaten) if beaten else 0)


@given(seeds)
@settings(max_examples=20)
def test_the_value_does_not_depend_on_which_colour_is_which(seed: int) -> None:
    """Colours differ only in what is known about them, so their rows may be shuffled."""
    rng, weights = np.random.default_rng(seed), some_weights()
    scratch = value.new_scratch()
    rows = rng.integers(0, 12, network.FEATURE_COUNT).astype(np.float32)
    colours = rows[: network.TABLE_AT].reshape(6, -1)
    colours[:, OWN] = rng.permutation(12)[:6]  # markers apart, so that their order is clear
    colours[:, OTHER] = rng.permutation(12)[:6]
    found = []
    for order in (np.arange(6), rng.permutation(6)):
        scratch[: network.FEATURE_COUNT] = rows
        scratch[: network.TABLE_AT] = colours[order].ravel()
        value.outputs(weights, scratch)
        found.append(scratch[:2].copy())
    assert found[0] == pytest.approx(found[1], rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("solo", [False, True])
def test_the_gradient_is_that_of_the_losses(solo: bool) -> None:
    rng = np.random.default_rng(3)
    samples = rng.integers(0, 4, (40, network.FEATURE_COUNT)).astype(np.uint8)
    targets = np.stack([rng.integers(0, 2, 40), rng.normal(0, 4, 40)], axis=1).astype(np.float32)
    weights = some_weights()

    def run(weights: Floats) -> tuple[float, Floats]:
        found, losses = np.zeros(network.WEIGHTS, np.float32), np.zeros(2)
        gradient.add_gradients(
            weights,
            gradient.turned_round(weights),
            samples,
            targets,
            np.arange(40),
            solo,
            np.zeros(gradient.GRADIENT_SCRATCH, np.float32),
            found,
            losses,
        )
        return losses[0] + (1 if solo else network.LEAD_LOSS) / 2 * losses[1], found

    _, slopes = run(weights)
    for _ in range(5):
        step = rng.normal(0, 3e-4, network.WEIGHTS).astype(np.float32)
        change = (run(weights + step)[0] - run(weights - step)[0]) / 2
        assert change == pytest.approx(float(step @ slopes), rel=0.02, abs=2e-3)


def test_learned_weights_favour_the_leader() -> None:
    """With all its markers a little further on, a seat must like the state better."""
    learned = [(game, weights) for game in GAMES if (weights := weights_of(*game)) is not None]
    assert ("classic", 2) in [game for game, _ in learned]
    for (variant, seats), weights in learned:
        game, better = Game.of(variant, seats), 0
        for seed in range(20):
            state = game.new(seed)
            for _ in range(16):
                game.step(state, game.legal(state).numbers[0])
            better += led(game, state, weights, 2) > led(game, state, weights, 0)
        assert better >= 18, (variant, seats)


def led(game: Game, state: State, weights: array[float], further: int) -> float:
    """The lead of seat 0 if all its markers were `further` steps ahead."""
    scratch = value.new_scratch()
    features(rules_of(game.tables), state_of(state), 0, 1 % game.tables.setup.seats, scratch)
    scratch[: network.TABLE_AT].reshape(6, COUNT)[:, OWN] += further
    value.outputs(np.frombuffer(weights, np.float32), scratch)
    return float(scratch[1])
