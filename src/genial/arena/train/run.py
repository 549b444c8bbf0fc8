"""A run: generation after generation of self-play and learning, stored in a folder so that it can resume."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from genial.arena.statistics import Estimate, mean_estimate, score_estimate
from genial.arena.train import reports
from genial.arena.train.curves import curves
from genial.arena.train.learn import Learner
from genial.arena.train.plan import CARD, Plan
from genial.arena.train.reports import Report
from genial.arena.train.workshop import AnyWorkshop, Floats, Played
from genial.kernel.api import Game
from genial.kernel.weights import write


class Watcher(Protocol):
    """Shows the progress of a run."""

    def begin(self, text: str, total: int) -> Callable[[], object]:
        """Something begins that takes `total` steps. Returns what to call after each."""

    def tell(self, report: Report) -> None:
        """A generation is done."""


class Run:
    """A run of a plan, new or continued."""

    def __init__(self, plan: Plan, watcher: Watcher) -> None:
        self.plan, self._watcher = plan, watcher
        self._solo = Game.of(plan.variant, plan.seats).tables.setup.title.is_solo
        self._window: deque[Played] = deque(maxlen=plan.window)
        self.learner = Learner.load(plan.kept) if plan.kept.exists() else None
        self.reports = reports.read(plan.log, self._generation)
        self._begun = perf_counter() - (self.reports[-1].seconds if self.reports else 0.0)

    @property
    def complete(self) -> bool:
        """True if nothing is left to do."""
        return self._generation >= self.plan.generations or (self._generation > 0 and self._spent >= 1)

    def train(self) -> None:
        """Do all remaining generations."""
        with _workshop(self.plan) as workshop:
            self.plan.folder.mkdir(parents=True, exist_ok=True)
            while not self.complete:
                generation = self._generation
                played = self._play(workshop, generation)
                losses = self._learn(workshop, played, generation)
                self._keep(workshop, losses)

    @property
    def _generation(self) -> int:
        """How many are done."""
        return self.learner.generation if self.learner else 0

    @property
    def _seconds(self) -> float:
        """Time spent in the run, without the time between stopping and continuing."""
        return perf_counter() - self._begun

    @property
    def _spent(self) -> float:
        """The share of the time that is used up."""
        return self._seconds / 60 / self.plan.minutes

    def _play(self, workshop: AnyWorkshop, generation: int) -> Played:
        plan = self.plan
        advance = self._watcher.begin(f"{plan.name}, generation {generation + 1}: play", plan.chunks)
        played: Played = workshop.play(self.learner, generation, advance)
        return played

    def _learn(self, workshop: AnyWorkshop, played: Played, generation: int) -> NDArray[np.float64]:
        plan = self.plan
        rng = np.random.default_rng([plan.seed, generation])
        steps = max(1, int(plan.passes * len(played) / plan.batch))
        window = [played]
        if self.learner is None:
            # Balanced play's games are only a start: they are learned from twice, and then never again.
            self.learner = Learner.begin(workshop.samples(played), self._solo, rng)
            steps *= 2
        else:
            self._window.append(played)
            window = [*self._window]
        rate = plan.rate * (plan.last_rate / plan.rate) ** max(self._spent, generation / plan.generations)
        advance = self._watcher.begin(f"{plan.name}, generation {generation + 1}: learn", steps)
        losses = workshop.learn(self.learner, window, steps, rate, rng, advance)
        self.learner.generation = generation + 1
        self.learner.games += played.games
        return losses

    def _keep(self, workshop: AnyWorkshop, losses: NDArray[np.float64]) -> None:
        """Save the state of the run, its weights, and how well they play."""
        plan, learner = self.plan, self.learner
        assert learner is not None
        share, lead = strength(workshop.contest(learner), plan.seats)
        share_loss, lead_loss = (round(float(loss), 4) for loss in losses)
        seconds = round(self._seconds, 3)
        report = Report(learner.generation, learner.games, seconds, share_loss, lead_loss, share, lead)
        learner.save(plan.kept)
        write(plan.weights, array("f", learner.weights))
        reports.append(plan.log, report)
        self.reports = (*self.reports, report)
        plan.curves.write_text(curves(plan.name, self.reports, self._solo), encoding="utf-8")
        self._watcher.tell(report)


def _workshop(plan: Plan) -> AbstractContextManager[AnyWorkshop]:
    """Where a plan is carried out; each imports what the other may lack."""
    if plan.device == CARD:
        from genial.arena.train.card import on_card

        return on_card(plan)
    from genial.arena.train.cores import on_cores

    return on_cores(plan)


def strength(results: Floats, seats: int) -> tuple[Estimate, Estimate]:
    """Mean share and lead of a contest. Games of one deal are correlated, so deals are what is counted."""
    deals = results.reshape(-1, seats, 2).mean(axis=1).astype(float)
    return score_estimate(deals[:, 0].tolist(), len(results)), mean_estimate(deals[:, 1].tolist())
