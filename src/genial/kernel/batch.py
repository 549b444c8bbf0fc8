"""Many games at once: states in one buffer, stepped on all cores, finished games dealt anew by themselves."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import sha256
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from genial.kernel import play
from genial.kernel.api import Game
from genial.kernel.cards import random_kind
from genial.kernel.compiled import Numbers, Rules, State, compiled, inner, whole
from genial.kernel.legal import is_legal, may_swap, write_mask
from genial.kernel.observe import write_observation
from genial.kernel.playout import random_placement
from genial.kernel.rng import below
from genial.kernel.scoring import write_ranks
from genial.kernel.state import END_TURN, OVER, PHASE, SEAT
from genial.kernel.tables import ACTIONS, IS_CARDS, ORDER_MATTERS, PAIRS
from genial.kernel.words import number_at

_SMALL = 256
"""Fewer games than this for each thread are not worth waking it."""
Matrix = NDArray[np.uint8]


@compiled
def _step(
    rules: Rules,
    fresh: State,
    states: Matrix,
    actions: Numbers,
    over: State,
    ranks: Matrix,
    low: int,
    high: int,
) -> int:
    illegal = 0
    for n in range(low, high):
        state = states[n]
        illegal += play.try_act(rules, state, whole(actions[n]))
        over[n] = state[PHASE] == OVER
        if over[n]:
            write_ranks(rules, state, ranks[n])
            play.begin(rules, fresh, state)
    return illegal


@compiled
def _masks(rules: Rules, states: Matrix, masks: Matrix, low: int, high: int) -> int:
    for n in range(low, high):
        write_mask(rules, states[n], masks[n])
    return 0


@compiled
def _observe(rules: Rules, states: Matrix, out: Matrix, low: int, high: int) -> int:
    for n in range(low, high):
        write_observation(rules, states[n], whole(states[n, SEAT]), out[n])
    return 0


@inner
def _lawful(rules: Rules, state: State, placement: int) -> int:
    """A double turned round is an action of its own only where that makes a difference (DOUBLE-TRACK)."""
    if number_at(rules, ORDER_MATTERS) and not is_legal(rules, state, placement):
        return placement - number_at(rules, PAIRS)
    return placement


@compiled
def _choose(rules: Rules, states: Matrix, actions: Numbers, low: int, high: int) -> int:
    for n in range(low, high):
        state = states[n]
        if state[PHASE] == END_TURN:
            actions[n] = number_at(rules, ACTIONS) - 2 + (may_swap(rules, state) and below(state, 2))
        elif number_at(rules, IS_CARDS):
            actions[n] = 2 * random_kind(rules, state) + below(state, 2)
        else:
            actions[n] = _lawful(rules, state, random_placement(rules, state))
    return 0


@compiled
def _deal(rules: Rules, fresh: State, states: Matrix, seed: int) -> None:
    for n in range(len(states)):
        play.new(rules, fresh, states[n], seed + n)


class Batch:
    """N games of one kind, stepped together. Buffers are written anew each time; copy what you want to keep.

    >>> batch = Batch(Game.of("classic", 2), 4, seed=1)
    >>> batch.step(batch.choose())
    0
    >>> batch.masks().shape
    (4, 1264)
    """

    def __init__(self, game: Game, count: int, *, seed: int, threads: int | None = None) -> None:
        self.game, self.count = game, count
        rules = game.tables.rules
        self.states: Matrix = np.zeros((count, game.tables.state_size), np.uint8)
        self.actions: Numbers = np.zeros(count, np.int32)
        self.over: State = np.zeros(count, np.uint8)
        """Whether a game ended by the last step; its state is then already the next game's."""
        self.ranks: Matrix = np.zeros((count, game.tables.setup.seats), np.uint8)
        """The ranks of the games that ended by the last step."""
        self._masks: Matrix | None = None
        self._observations: Matrix | None = None
        self._rules = rules
        self._threads = max(1, min(threads or os.cpu_count() or 1, count // _SMALL))
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        # Hashed, so that the streams of neighbouring seeds lie far apart.
        begin = int.from_bytes(sha256(f"genial-batch|{seed}".encode()).digest()[:8], "big") >> 2
        _deal(rules, game.fresh, self.states, begin)

    def step(self, actions: Numbers) -> int:
        """Do one action in every game; how many were not lawful, and so were left out.

        Games that end are dealt anew: `over` and `ranks` tell.
        """
        return self._spread(
            lambda low, high: _step(
                self._rules, self.game.fresh, self.states, actions, self.over, self.ranks, low, high
            )
        )

    def choose(self) -> Numbers:
        """A random lawful action for every game."""
        self._spread(lambda low, high: _choose(self._rules, self.states, self.actions, low, high))
        return self.actions

    def masks(self) -> Matrix:
        """The lawful actions of every game, a bit each."""
        masks = self._masks
        if masks is None:
            masks = self._masks = np.zeros((self.count, self.game.mask_bytes), np.uint8)
        self._spread(lambda low, high: _masks(self._rules, self.states, masks, low, high))
        return masks

    def observe(self) -> Matrix:
        """What the seat to move may know, in every game."""
        out = self._observations
        if out is None:
            out = self._observations = np.zeros((self.count, self.game.observation_bytes), np.uint8)
        self._spread(lambda low, high: _observe(self._rules, self.states, out, low, high))
        return out

    def seats(self) -> State:
        """The seat to move in every game."""
        return self.states[:, SEAT]

    def close(self) -> None:
        """Let the threads go."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def _spread(self, work: Callable[[int, int], int]) -> int:
        """Share the games out over the threads; compiled code runs without the interpreter's lock."""
        if self._pool is None:
            return work(0, self.count)
        bounds = [self.count * n // self._threads for n in range(self._threads + 1)]
        waiting: list[Future[int]] = [
            self._pool.submit(work, low, high) for low, high in pairwise(bounds[1:])
        ]
        return work(0, bounds[1]) + sum(future.result() for future in waiting)
