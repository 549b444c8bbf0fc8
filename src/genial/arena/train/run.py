"""A run: generation after generation of self-play and learning, kept in a folder so that it can go on."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from genial.arena.cluster import pool_at
from genial.arena.train.games import NO_WEIGHTS, Floats, Gathered, Heat, Players, stream_of
from genial.arena.train.learn import Learner
from genial.kernel.api import Game


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run does."""

    variant: str
    seats: int
    folder: Path
    generations: int
    chunks: int
    """Of self-play in each generation."""
    passes: float
    """How often each new state is learned from, on average."""
    window: int
    """States of so many generations are learned from."""
    batch: int
    candidates: int
    """Placements that a player looks at."""
    heat: float
    rate: float
    last_rate: float
    contest: int
    """So many games against balanced play show after each generation what was learned."""
    minutes: float
    """The run ends with the first generation after these."""
    seed: int
    jobs: int
    ray: str | None
    """The cluster that plays, if another machine shall; this one learns."""

    @property
    def name(self) -> str:
        return f"{self.variant}-{self.seats}"

    @property
    def kept(self) -> Path:
        """Where the run stands."""
        return self.folder / f"{self.name}.npz"


class Watcher(Protocol):
    """Whoever shows how a run goes."""

    def begin(self, text: str, total: int) -> Callable[[], object]:
        """Something begins that takes so many steps; what to call after each."""

    def tell(self, report: dict[str, Any]) -> None:
        """A generation is done."""


class Run:
    """A run of a plan, begun or gone on with."""

    def __init__(self, plan: Plan, watcher: Watcher) -> None:
        self.plan, self._watcher = plan, watcher
        self._game = Game.of(plan.variant, plan.seats)
        self._window: deque[Gathered] = deque(maxlen=plan.window)
        self.learner = Learner.load(plan.kept) if plan.kept.exists() else None
        self._begun = perf_counter()

    def train(self) -> None:
        """Do all generations that are left."""
        plan = self.plan
        with ThreadPoolExecutor(plan.jobs) as pool, pool_at(plan.ray, pool) as far:
            plan.folder.mkdir(parents=True, exist_ok=True)
            players = Players(plan.variant, plan.seats, plan.candidates, far)
            for generation in range(self.learner.generation if self.learner else 0, plan.generations):
                if self._spent >= 1:
                    break
                gathered = self._play(players, generation)
                losses = self._learn(gathered, generation, pool)
                self._keep(losses, players)

    @property
    def _spent(self) -> float:
        """The part of the time that is gone."""
        return (perf_counter() - self._begun) / 60 / self.plan.minutes

    def _play(self, players: Players, generation: int) -> Gathered:
        plan = self.plan
        advance = self._watcher.begin(f"{plan.name}, generation {generation + 1}: play", plan.chunks)
        seeds = [stream_of(plan.seed, plan.name, generation, n) for n in range(plan.chunks)]
        weights = self.learner.weights if self.learner else NO_WEIGHTS
        return players.gather(weights, Heat(plan.heat), seeds, advance)

    def _learn(self, gathered: Gathered, generation: int, pool: ThreadPoolExecutor) -> NDArray[np.float64]:
        plan = self.plan
        rng = np.random.default_rng([plan.seed, generation])
        steps = max(1, int(plan.passes * len(gathered.samples) / plan.batch))
        window = [gathered]
        if self.learner is None:
            # Balanced play's games are only a begin: they are learned from twice, and then no more.
            self.learner = Learner.begin(gathered, self._game.tables.setup.title.is_solo, rng)
            steps *= 2
        else:
            self._window.append(gathered)
            window = [*self._window]
        rate = plan.rate * (plan.last_rate / plan.rate) ** max(self._spent, generation / plan.generations)
        advance = self._watcher.begin(f"{plan.name}, generation {generation + 1}: learn", steps)
        losses = self.learner.learn(window, steps, plan.batch, rate, rng, pool, advance)
        self.learner.generation = generation + 1
        self.learner.games += gathered.games
        return losses

    def _keep(self, losses: NDArray[np.float64], players: Players) -> None:
        """Write down where the run stands, its weights, and how well they play."""
        plan, learner = self.plan, self.learner
        assert learner is not None
        results = players.contest(learner.weights, NO_WEIGHTS, plan.contest, plan.seed)
        report = {
            "generation": learner.generation,
            "games": learner.games,
            "losses": [round(float(loss), 4) for loss in losses],
            **summary(results, plan.seats),
            "seconds": round(perf_counter() - self._begun, 1),
        }
        learner.save(plan.kept)
        np.save(plan.folder / f"{plan.name}.npy", learner.weights)
        with (plan.folder / f"{plan.name}.jsonl").open("a") as log:
            print(json.dumps(report), file=log)
        self._watcher.tell(report)


def summary(results: Floats, seats: int) -> dict[str, float]:
    """Mean share and lead of a contest, each with half of its 95% interval.

    Games of one deal hang together, so deals are what is counted.
    """
    deals = results.reshape(-1, seats, 2).mean(axis=1)
    means, margins = deals.mean(axis=0), 1.96 * deals.std(axis=0) / len(deals) ** 0.5
    names = ("share", "lead")
    found = {name: round(float(mean), 4) for name, mean in zip(names, means, strict=True)}
    return found | {
        f"{name} +-": round(float(margin), 4) for name, margin in zip(names, margins, strict=True)
    }
