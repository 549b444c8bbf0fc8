"""Compiling everything at once, so that nobody waits later: what `genial warmup` does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np

import genial
from genial.kernel import convert, features, greedy, legal, observe, play, playout, redeal
from genial.kernel.api import Game
from genial.kernel.batch import Batch

Step = Callable[[], object]
STEPS = 16


def steps() -> Iterator[Step]:
    """Calls that compile every function that Python calls, or load it from the cache."""
    yield lambda: Game.of("classic", 2).new(1)
    game = Game.of("classic", 2)
    rules, state = game.tables.rules, game.new(1)
    out = np.zeros(game.observation_bytes, np.uint8)
    rows = np.zeros((6, features.COUNT), np.float32)
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
    yield lambda: features.features(rules, state, 0, rows)
    yield lambda: convert.from_core(genial.new("classic", seats=2, seed=1))
    yield _batch


def _batch() -> None:
    batch = Batch(Game.of("classic", 2), 2, seed=1)
    batch.step(batch.choose())
    batch.masks()
    batch.observe()


def warm_up(progress: Callable[[], None]) -> float:
    """Compile everything; the seconds that took."""
    begun = perf_counter()
    for call in steps():
        call()
        progress()
    return perf_counter() - begun
