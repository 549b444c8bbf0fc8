"""Learning from samples: batches drawn from the last generations, gradients on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from genial.arena.train.games import Advance, Gathered
from genial.arena.train.network import Adam, begin_weights, paces_of
from genial.kernel.gradient import GRADIENT_SCRATCH, add_gradients, turned_round
from genial.kernel.value import WEIGHTS

Floats = NDArray[np.float32]
SLICE = 512
"""A batch is cut into slices of so many states, each of one generation, whatever the number of threads."""


@dataclass(slots=True)
class Learner:
    """Weights that are being learned, and all that is needed to go on with them."""

    weights: Floats
    paces: Floats
    solo: bool
    adam: Adam = field(default_factory=Adam)
    generation: int = 0
    games: int = 0

    @staticmethod
    def begin(gathered: Gathered, solo: bool, rng: np.random.Generator) -> Learner:
        """A new one; the first samples say how large features are."""
        paces = paces_of(gathered.samples)
        return Learner(begin_weights(paces, rng), paces, solo)

    def learn(
        self,
        window: Sequence[Gathered],
        steps: int,
        batch: int,
        rate: float,
        rng: np.random.Generator,
        pool: ThreadPoolExecutor,
        advance: Advance,
    ) -> NDArray[np.float64]:
        """Take so many steps; the mean losses of share and lead."""
        total = np.zeros(2)
        for _ in range(steps):
            drawn = [window[n] for n in rng.integers(len(window), size=batch // SLICE)]
            rows = [rng.integers(len(part.samples), size=SLICE) for part in drawn]
            found = list(pool.map(partial(self._slope, turned_round(self.weights)), drawn, rows))
            gradient: Floats = np.add.reduce([slope for slope, _ in found]) / np.float32(batch)
            self.adam.step(self.weights, gradient, np.float32(rate) * self.paces)
            total += np.add.reduce([losses for _, losses in found]) / (batch * steps)
            advance()
        return total

    def _slope(
        self, turned: Floats, part: Gathered, rows: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.float64]]:
        """The gradient of a slice, and its losses."""
        gradient, losses = np.zeros(WEIGHTS, np.float32), np.zeros(2)
        scratch = np.zeros(GRADIENT_SCRATCH, np.float32)
        samples, targets = part.samples, part.targets
        add_gradients(self.weights, turned, samples, targets, rows, self.solo, scratch, gradient, losses)
        return gradient, losses

    def save(self, path: Path) -> None:
        """Write it to a file, all or nothing."""
        beside = path.with_suffix(".part.npz")
        np.savez(
            beside,
            weights=self.weights,
            paces=self.paces,
            mean=self.adam.mean,
            square=self.adam.square,
            numbers=np.array([self.adam.steps, self.generation, self.games, self.solo], np.int64),
        )
        beside.replace(path)

    @staticmethod
    def load(path: Path) -> Learner:
        """Go on with one."""
        with np.load(path) as found:
            kept: dict[str, Any] = dict(found)
        steps, generation, games, solo = kept["numbers"].tolist()
        adam = Adam(kept["mean"], kept["square"], steps)
        return Learner(kept["weights"], kept["paces"], bool(solo), adam, generation, games)
