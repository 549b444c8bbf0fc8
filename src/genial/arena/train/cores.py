"""Self-play and learning on all cores of this machine; the games can also be played on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from genial.arena.cluster import pool_at
from genial.arena.train.games import NO_WEIGHTS, Floats, Gathered, Players
from genial.arena.train.learn import Learner
from genial.arena.train.plan import SLICE, Plan
from genial.arena.train.workshop import Advance, Heat, stream_of
from genial.kernel.network import WEIGHTS
from genial.kernel.source.gradient import GRADIENT_SCRATCH, add_gradients, turned_round


@contextmanager
def on_cores(plan: Plan) -> Iterator[Cores]:
    """A workshop with as many threads as the plan says."""
    with ThreadPoolExecutor(plan.jobs) as pool, pool_at(plan.ray, pool) as far:
        yield Cores(plan, Players(plan.variant, plan.seats, plan.candidates, far), pool)


@dataclass(frozen=True, slots=True)
class Cores:
    """Each thread plays its own games, and learns from slices of a batch."""

    plan: Plan
    players: Players
    pool: ThreadPoolExecutor

    def play(self, learner: Learner | None, generation: int, advance: Advance) -> Gathered:
        plan = self.plan
        seeds = [stream_of(plan.seed, plan.name, generation, n) for n in range(plan.chunks)]
        weights = learner.weights if learner else NO_WEIGHTS
        return self.players.gather(weights, Heat(plan.heat), seeds, advance)

    def samples(self, gathered: Gathered) -> NDArray[np.uint8]:
        return gathered.samples

    def learn(
        self,
        learner: Learner,
        window: Sequence[Gathered],
        steps: int,
        rate: float,
        rng: np.random.Generator,
        advance: Advance,
    ) -> NDArray[np.float64]:
        """Every slice of a batch comes from one generation, and one thread computes its gradient."""
        total, batch = np.zeros(2), self.plan.batch
        for _ in range(steps):
            drawn = [window[n] for n in rng.integers(len(window), size=batch // SLICE)]
            rows = [rng.integers(len(part.samples), size=SLICE) for part in drawn]
            turned = turned_round(learner.weights)
            found = list(self.pool.map(partial(_slope, learner, turned), drawn, rows))
            gradient: Floats = np.add.reduce([slope for slope, _ in found]) / np.float32(batch)
            learner.adam.step(learner.weights, gradient, np.float32(rate) * learner.paces)
            total += np.add.reduce([losses for _, losses in found]) / (batch * steps)
            advance()
        return total

    def contest(self, learner: Learner) -> Floats:
        plan = self.plan
        return self.players.contest(learner.weights, NO_WEIGHTS, plan.contest, plan.seed)


def _slope(
    learner: Learner, turned: Floats, part: Gathered, rows: NDArray[np.int64]
) -> tuple[Floats, NDArray[np.float64]]:
    """The gradient of a slice, and its losses."""
    gradient, losses = np.zeros(WEIGHTS, np.float32), np.zeros(2)
    scratch = np.zeros(GRADIENT_SCRATCH, np.float32)
    samples, targets, solo = part.samples, part.targets, learner.solo
    add_gradients(learner.weights, turned, samples, targets, rows, solo, scratch, gradient, losses)
    return gradient, losses
