"""Self-play and learning on a graphics card: what is played there is learned there (`lockstep.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from genial.arena.errors import WrongContest
from genial.arena.train.layers import Network
from genial.arena.train.learn import Learner
from genial.arena.train.lockstep import Launcher, Lockstep, Noted
from genial.arena.train.network import Adam
from genial.arena.train.plan import Plan
from genial.arena.train.workshop import Advance, Floats, Heat, stream_of
from genial.kernel.api import Game

GAMES = 1 << 14
"""How many games advance in lockstep; they make up a chunk of self-play."""
SHOWN = 1 << 16
"""How many states are used to estimate the size of features."""


@contextmanager
def on_card(plan: Plan) -> Iterator[OnCard]:
    """A workshop on this machine's graphics card; raises SetupError if there is none."""
    from genial.kernel.gpu.card import Card, NoCard

    try:
        card = Card(Game.of(plan.variant, plan.seats))
    except NoCard as error:
        raise WrongContest("train-card", problem=str(error)) from None
    yield OnCard(plan, card)


class OnCard:
    """Plays thousands of games at once."""

    def __init__(self, plan: Plan, card: Launcher) -> None:
        self.plan, self._xp = plan, card.xp
        game = Game.of(plan.variant, plan.seats)
        self._games = Lockstep(game, card, GAMES, plan.candidates)
        contest = -(-plan.contest // plan.seats) * plan.seats
        self._contest = Lockstep(game, card, contest, plan.candidates)

    def play(self, learner: Learner | None, generation: int, advance: Advance) -> Noted:
        plan, parts = self.plan, []
        network = self._network(learner) if learner else None
        for n in range(plan.chunks):
            seed = stream_of(plan.seed, plan.name, generation, n)
            parts.append(self._games.gather(network, Heat(plan.heat), seed, plan.trust, plan.keep))
            advance()
        return Noted.joined(self._xp, parts)

    def samples(self, played: Noted) -> NDArray[np.uint8]:
        shown: NDArray[np.uint8] = self._here(played.samples[:SHOWN])
        return shown

    def learn(
        self,
        learner: Learner,
        window: Sequence[Noted],
        steps: int,
        rate: float,
        rng: np.random.Generator,
        advance: Advance,
    ) -> NDArray[np.float64]:
        """Every batch is drawn from all generations in the window; the weights are copied back at the end."""
        xp, plan = self._xp, self.plan
        network = self._network(learner, xp.asarray(learner.heads))
        adam, beside = (self._there(kept) for kept in (learner.adam, learner.heads_adam))
        chance = xp.random.default_rng(int(rng.integers(1 << 32)))
        paces, total = xp.asarray(learner.paces) * np.float32(rate), xp.zeros(2)
        ends = np.cumsum([len(part) for part in window])
        for _ in range(steps):
            part = window[int(np.searchsorted(ends, rng.integers(ends[-1]), side="right"))]
            samples, targets = part.rows((chance.random(plan.batch) * len(part)).astype(np.int64))
            gradient, heads, losses = network.slope(samples, targets, learner.solo, plan.beside)
            adam.step(network.weights, gradient, paces)
            if plan.beside:
                beside.step(network.heads, heads, np.float32(rate))
            total += xp.stack([losses.share, losses.lead])
            advance()
        learner.weights, learner.heads = self._here(network.weights), self._here(network.heads)
        learner.adam, learner.heads_adam = (
            Adam(self._here(kept.mean), self._here(kept.square), kept.steps) for kept in (adam, beside)
        )
        found: NDArray[np.float64] = self._here(total).astype(np.float64) / steps
        return found

    def contest(self, learner: Learner) -> Floats:
        found: Floats = self._here(self._contest.contest(self._network(learner), None, self.plan.seed))
        return found

    def _network(self, learner: Learner, heads: Any = None) -> Network:
        return Network(self._xp, self._xp.array(learner.weights), heads)

    def _there(self, adam: Adam) -> Adam:
        return Adam(self._xp.array(adam.mean), self._xp.array(adam.square), adam.steps)

    def _here(self, array: Any) -> Any:
        """An array from the card, copied to main memory."""
        return array.get() if hasattr(array, "get") else np.asarray(array)
