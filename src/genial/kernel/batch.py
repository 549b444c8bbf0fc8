"""Many games at once: states in one buffer, stepped on all cores; finished games are redealt at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from genial.kernel.api import Game
from genial.kernel.entries import BALANCED, GREEDY, MASKS, RANDOM, SEEN
from genial.kernel.state import RACKS, SEAT, TRACKS
from genial.kernel.streams import first_stream

POLICIES = {"random": RANDOM, "greedy": GREEDY, "balanced": BALANCED}
"""How `choose` chooses; balanced play uses a table of worth."""

_SMALL, _LIGHT = 256, 1024
"""A thread with fewer games than this is not worth waking. LIGHT: for a step alone, which is quick."""
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
"""Actions by number."""


class Batch:
    """N games of one kind, stepped together. Buffers are overwritten each time; copy what you want to keep.

    >>> batch = Batch(Game.of("classic", 2), 4, seed=1)
    >>> batch.step(batch.choose())
    0
    >>> batch.masks().shape
    (4, 1264)
    """

    def __init__(self, game: Game, count: int, *, seed: int, threads: int | None = None) -> None:
        self.game, self.count = game, count
        self.states: Bytes = np.zeros((count, game.tables.state_size), np.uint8)
        self.actions: Numbers = np.zeros(count, np.int32)
        self.over: Bytes = np.zeros(count, np.uint8)
        """Whether a game ended with the last step; its state is then already that of the next game."""
        self.ranks: Bytes = np.zeros((count, game.tables.setup.seats), np.uint8)
        """The ranks of the games that ended with the last step."""
        self.tracks: Bytes = np.zeros((count, RACKS - TRACKS), np.uint8)
        """The tracks after the last `turn`, from before any redeal."""
        self._masks: Bytes | None = None
        self._observations: Bytes | None = None
        self._lasts: Bytes | None = None
        self._scratch: NDArray[np.uint16] | None = None
        self._engine, self._rules = game.engine, game.tables.rules
        self._threads = max(1, min(threads or os.cpu_count() or 1, count // _SMALL))
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        self.deal(seed)

    def deal(self, seed: int) -> None:
        """Start a new game everywhere."""
        self._engine.deal_many(self._rules, self.game.fresh, self.states, first_stream(seed), 0, self.count)

    def step(self, actions: Numbers) -> int:
        """Do one action in every game. Returns how many were not lawful and therefore skipped.

        Games that end are redealt; see `over` and `ranks`.
        """
        return sum(
            self._spread(
                self._engine.step_many,
                *(self._rules, self.game.fresh, self.states, self._taken(actions), self.over, self.ranks),
                least=_LIGHT,
            )
        )

    def turn(
        self,
        actions: Numbers,
        *,
        viewers: Bytes,
        seats: Bytes,
        lasts: Bytes | None = None,
        masks: Bytes | None = None,
        seen: Bytes | None = None,
    ) -> int:
        """Like `step`, and in the same pass write everything a learner needs into arrays you provide.

        `seats`: who has to move. `lasts`: for games that ended, what their viewer saw last; the viewer
        `state.NOBODY` is the seat that would have moved. `masks` and `seen`: as from `masks` and `observe`.
        """
        if lasts is None:
            if self._lasts is None:
                self._lasts = np.zeros((self.count, self.game.observation_bytes), np.uint8)
            lasts = self._lasts
        views = (0 if masks is None else MASKS) | (0 if seen is None else SEEN)
        return sum(
            self._spread(
                self._engine.turn_many,
                *(self._rules, self.game.fresh, self.states, self._taken(actions), self.over, self.ranks),
                *(self.tracks, viewers, lasts, seats),
                *(seats if masks is None else masks, seats if seen is None else seen, views),
                least=_SMALL if views else _LIGHT,
            )
        )

    def choose(
        self, policy: str = "random", asked: Bytes | None = None, worth: NDArray[np.uint16] | None = None
    ) -> Numbers:
        """A lawful action for every game, or only for those marked in `asked`: the others keep theirs.

        Random, greedy or balanced play; the last uses a table of worth (`kernel.worth`). Randomness comes
        from each game's own stream.
        """
        if asked is None and policy == "random":
            self._spread(self._engine.choose_many, self._rules, self.states, self.actions, least=_LIGHT)
            return self.actions
        if policy == "balanced" and worth is None:
            raise ValueError("Balanced play needs a table of worth.")
        if self._scratch is None:
            wide = self._engine.balanced_size(self._rules)
            self._scratch = np.zeros((self._threads, wide), np.uint16)
        self._spread(
            self._engine.choose_where,
            *(self._rules, self.states, np.ones(self.count, np.uint8) if asked is None else asked),
            *(self.actions, POLICIES[policy], self._scratch[0] if worth is None else worth),
            each=self._scratch,
        )
        return self.actions

    def masks(self, out: Bytes | None = None) -> Bytes:
        """The lawful actions of every game, one bit each; in your own array if you pass one."""
        masks = self._masks if out is None else out
        if masks is None:
            masks = self._masks = np.zeros((self.count, self.game.mask_bytes), np.uint8)
        self._spread(self._engine.mask_many, self._rules, self.states, masks)
        return masks

    def observe(self, out: Bytes | None = None) -> Bytes:
        """What the seat to move may know in every game; in your own array if you pass one."""
        out = self._observations if out is None else out
        if out is None:
            out = self._observations = np.zeros((self.count, self.game.observation_bytes), np.uint8)
        self._spread(self._engine.observe_many, self._rules, self.states, out)
        return out

    def spread(self, masks: Bytes, out: NDArray[np.int8]) -> None:
        """Expand masks to one byte per action."""
        self._spread(self._engine.spread_many, self._rules, masks, out)

    def seats(self) -> Bytes:
        """The seat to move in every game."""
        return self.states[:, SEAT]

    def close(self) -> None:
        """Shut down the threads."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def _taken(self, actions: Numbers) -> Numbers:
        wanted: Numbers = np.ascontiguousarray(actions, np.int32)
        if len(wanted) != self.count:
            raise ValueError(f"There are {self.count} games, but {len(wanted)} actions.")
        return wanted

    def _spread(
        self, work: Callable[..., Any], *arrays: Any, each: Any = None, least: int = _SMALL
    ) -> list[Any]:
        """Divide the games among the threads; compiled code runs without the GIL.

        `each` has one row per thread, and each thread gets at least `least` games.
        """
        threads = max(1, min(self._threads, self.count // least)) if self._pool else 1
        bounds = [self.count * n // threads for n in range(threads + 1)]
        parts = [
            (*arrays, *(() if each is None else (each[n],)), low, high)
            for n, (low, high) in enumerate(pairwise(bounds))
        ]
        waiting = [self._pool.submit(work, *part) for part in parts[1:]] if self._pool else []
        return [work(*parts[0]), *(future.result() for future in waiting)]
