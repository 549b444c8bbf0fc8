"""Compiling everything at once, so that nobody waits later: what `genial warmup` does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np

import genial
from genial.kernel import (
    balanced,
    convert,
    endgame,
    features,
    foresight,
    greedy,
    legal,
    observe,
    play,
    player,
    playout,
    redeal,
    search,
    value,
)
from genial.kernel.api import Game
from genial.kernel.batch import Batch

Step = Callable[[], object]
STEPS = 20


def steps() -> Iterator[Step]:
    """Calls that compile every function that Python calls, or load it from the cache."""
    yield lambda: Game.of("classic", 2).new(1)
    game = Game.of("classic", 2)
    rules, state = game.tables.rules, game.new(1)
    out = np.zeros(game.observation_bytes, np.uint8)
    rows = value.new_scratch()
    dealt, mask = np.zeros(21, np.uint8), np.zeros(game.mask_bytes, np.uint8)
    yield lambda: game.step(state.copy(), 0)
    yield lambda: play.follow(rules, state.copy(), 0, dealt)
    yield lambda: legal.mask(rules, state, mask)
    yield lambda: game.legal(state)
    yield lambda: game.points(state, 0, out)
    yield lambda: playout.playout(rules, state.copy(), playout.RANDOM)
    yield lambda: playout.play_many(rules, game.fresh, state.copy(), playout.GREEDY, 1)
    yield lambda: game.ranks(state)
    yield lambda: greedy.choose_best(rules, state)
    yield lambda: greedy.scan(rules, state, 1)
    yield lambda: redeal.redeal(rules, state.copy(), 1, 1)
    yield lambda: observe.observe(rules, state, 0, out)
    yield lambda: features.features(rules, state, 0, 1, rows)
    yield lambda: value.value(rules, state, 0, np.zeros(value.WEIGHTS, np.float32), rows)
    yield lambda: convert.from_core(genial.new("classic", seats=2, seed=1))
    yield _batch
    yield from search_steps()


def search_steps() -> Iterator[Step]:
    """The same for what bots that look ahead call."""
    yield _playouts
    yield _foresights
    yield _endgame


def _batch() -> None:
    batch = Batch(Game.of("classic", 2), 2, seed=1)
    batch.step(batch.choose())
    batch.masks()
    batch.observe()


def _playouts() -> None:
    game = Game.of("classic", 2)
    rules, state, totals = game.tables.rules, game.new(1), np.zeros((1, search.WIDTH))
    worth, scratch = _worth(), np.zeros(balanced.scratch_size(rules), np.uint16)
    actions, live, liked = game.legal(state).numbers[:1].copy(), np.zeros(1, np.int32), np.zeros(1, np.int32)
    search.worths(rules, state, worth, scratch, actions, liked)
    search.chosen(rules, state, worth, scratch)
    search.playouts(
        rules, state, True, state.copy(), worth, scratch, actions, live, 0, 1, 1, 0.1, 6.0, totals
    )


def _foresights() -> None:
    game = Game.of("classic", 2)
    rules, state, totals = game.tables.rules, game.new(1), np.zeros((1, search.WIDTH))
    weights, desk, found = (
        np.zeros(value.WEIGHTS, np.float32),
        player.new_desk(rules, 1),
        np.zeros(1, np.float32),
    )
    actions, live = game.legal(state).numbers[:1].copy(), np.zeros(1, np.int32)
    player.prospects(rules, state, actions, weights, desk, found)
    foresight.foresights(
        rules, state, True, state.copy(), _worth(), weights, desk, actions, live, 0, 1, 1, 0.1, 6.0, totals
    )


def _endgame() -> None:
    game = Game.of("classic", 2)
    rules, state, totals = game.tables.rules, game.new(1), np.zeros((1, search.WIDTH))
    endgame.is_near(rules, state)
    stack, none = endgame.new_stack(rules), np.zeros(0, np.int32)
    endgame.exact(rules, state, True, stack, none, 0, 1, 0.1, 6.0, totals)


def _worth() -> balanced.Worth:
    return np.zeros(2 * balanced.WORTH_SIZE, np.uint16)


def warm_up(progress: Callable[[], None]) -> float:
    """Compile everything; the seconds that took."""
    begun = perf_counter()
    for call in steps():
        call()
        progress()
    return perf_counter() - begun
