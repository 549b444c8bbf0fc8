"""Looking ahead: candidates are played out in redealt worlds, and the better half goes on, again and again.

Sequential halving: each round spends the same share of the budget on the candidates that are still in it.
All candidates of a round meet the same worlds and the same chance. The clock is looked at between small
chunks of compiled work, so that a deadline is kept and there is a best candidate at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import ceil, log2
from random import Random
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genial.bots.bot import Advice, Budget, Candidate, Fear
from genial.bots.searcher import Insight
from genial.bots.worlds import worlds_of
from genial.bots.worth import Worth, balanced_worth
from genial.core.actions import Action, Place, Play
from genial.core.moves import Phase, outcome
from genial.core.title import Setup, Title
from genial.core.view import View
from genial.kernel import balanced, endgame, foresight, player, search, value
from genial.kernel.api import Game
from genial.kernel.features import Floats

_CHUNK = 32
"""So many playouts between two looks at the clock: a few milliseconds on the largest boards."""
_LOOKED_AT = 4
"""So many times the width are looked at by the learned value, which chooses the candidates from them."""
_REPLIES = 8
"""So many placements of each seat are looked at in what follows a candidate."""
_SOLVED = 200
"""So many worlds are solved exactly at most."""
_ALL = 1 << 20
"""More candidates than any position has."""
_NODES_A_WORLD = 50
"""It is not worth the time to have core make another world for fewer playouts."""
_Ints = NDArray[np.int32]


def searched(
    insight: Insight, view: View, rng: Random, budget: Budget | None, include: Sequence[Action]
) -> Advice:
    """What comes of each candidate, the best first."""
    begun = perf_counter()
    nodes, seconds = insight.nodes, insight.seconds
    if budget is not None and (budget.nodes or budget.seconds):
        # A budget of one kind takes the place of both of the bot's own.
        nodes, seconds = budget.nodes or 1 << 40, budget.seconds or float("inf")
    hunt = _Hunt(insight, view, rng, nodes, include)
    hunt.run(begun + seconds)
    return hunt.advice()


class _Hunt:
    """One search: candidates, their totals, and which of them are still in it."""

    def __init__(
        self, insight: Insight, view: View, rng: Random, nodes: int, include: Sequence[Action]
    ) -> None:
        self._view = view
        self._game = Game.of(view.setup.title.variant, view.setup.seats)
        self._nodes = nodes
        self._worlds = worlds_of(view, rng, min(insight.worlds, 1 + nodes // _NODES_A_WORLD))
        self._seed = rng.getrandbits(62)
        self._rules = self._game.tables.rules
        self._worth = worth_table(view.setup)
        self._scratch = np.zeros(balanced.scratch_size(self._rules), np.uint16)
        self._state = np.zeros(self._game.tables.state_size, np.uint8)
        self._sage = _sage(view.setup) if insight.learned else None
        self._lead = _lead_counts(view.setup.title, insight.lead)
        self._exact = insight.endgame and endgame.is_near(self._rules, self._worlds.states[0])
        self._actions = self._candidates(_ALL if self._exact else insight.width, include)
        self._asked = len(include)
        self._totals = np.zeros((len(self._actions), search.WIDTH))
        self._live: _Ints = np.arange(len(self._actions), dtype=np.int32)
        self._stage = np.zeros(len(self._actions), np.int32)
        self._rounds = 0

    def _candidates(self, width: int, include: Sequence[Action]) -> _Ints:
        """Those to be included, then the actions that balanced play likes best."""
        state = self._worlds.states[0]
        numbers = self._game.legal(state).numbers
        Random(self._seed).shuffle(order := list(range(len(numbers))))
        numbers = numbers[order]
        liked = np.empty(len(numbers), np.int32)
        search.worths(self._rules, state, self._worth, self._scratch, numbers, liked)
        liked_best = numbers[np.argsort(-liked, kind="stable")]
        if self._sage is not None and self._view.phase is Phase.PLACE:
            liked_best = self._promising(liked_best[: _LOOKED_AT * width])
        wanted = [self._game.number_of(action) for action in include]
        return np.array(wanted + [n for n in liked_best[:width].tolist() if n not in wanted], np.int32)

    def _promising(self, numbers: _Ints) -> _Ints:
        """Placements in the order in which the learned value likes them."""
        assert self._sage is not None
        prospects = np.empty(len(numbers), np.float32)
        state = self._worlds.states[0]
        player.prospects(self._rules, state, numbers, self._sage.weights, self._sage.desk, prospects)
        return numbers[np.argsort(-prospects, kind="stable")]

    def run(self, deadline: float) -> None:
        """Spend the budget, in equal parts for each halving, or as much of it as there is time for."""
        if self._exact:
            self._solve(deadline)
            return
        halvings, nodes = max(ceil(log2(len(self._actions))), 1), self._nodes
        for left in range(halvings, 0, -1):
            if left < halvings:
                self._halve()
            rounds = max(nodes // (left * len(self._live)), 1)
            now = perf_counter()
            self._play(rounds, now + (deadline - now) / left)
            nodes -= rounds * len(self._live)

    def _solve(self, deadline: float) -> None:
        """Solve world after world for all candidates; a line to the end is a node."""
        stack, lines = endgame.new_stack(self._rules), 0
        worlds = self._worlds.states.ravel()
        for turn in range(_SOLVED):
            lines += endgame.exact(
                self._rules,
                worlds,
                self._worlds.redealing,
                stack,
                self._actions,
                turn,
                self._seed,
                *self._lead,
                self._totals,
            )
            if lines > self._nodes or perf_counter() > deadline:
                return

    def _play(self, rounds: int, deadline: float) -> None:
        """So many playouts of each live candidate, at least one."""
        step = max(_CHUNK // len(self._live), 1)
        last = self._rounds + rounds
        while self._rounds < last:
            until = min(self._rounds + step, last)
            self._look_ahead(self._rounds, until)
            self._rounds = until
            if perf_counter() > deadline:
                return

    def _look_ahead(self, first: int, last: int) -> None:
        """The rounds from first to last, by value or by playing out."""
        worlds, redealing = self._worlds.states.ravel(), self._worlds.redealing
        if self._sage is None:
            search.playouts(
                self._rules,
                worlds,
                redealing,
                self._state,
                self._worth,
                self._scratch,
                self._actions,
                self._live,
                first,
                last,
                self._seed,
                *self._lead,
                self._totals,
            )
            return
        foresight.foresights(
            self._rules,
            worlds,
            redealing,
            self._state,
            self._worth,
            self._sage.weights,
            self._sage.desk,
            self._actions,
            self._live,
            first,
            last,
            self._seed,
            *self._lead,
            self._totals,
        )

    def _halve(self) -> None:
        """The better half of those in the race goes on; who was asked about goes on beside it."""
        racing = np.flatnonzero(self._stage == self._stage.max())
        means = self._totals[racing, search.SCORE] / self._totals[racing, search.NODES]
        better = racing[np.argsort(-means, kind="stable")[: ceil(len(racing) / 2)]]
        self._stage[better] += 1
        self._live = np.union1d(better, np.arange(self._asked)).astype(np.int32)

    def advice(self) -> Advice:
        """The candidates with what is known of them: those that got furthest first, then by score."""
        totals = self._totals
        nodes = np.maximum(totals[:, search.NODES], 1)
        means = totals / nodes[:, None]
        order = sorted(
            range(len(self._actions)),
            key=lambda n: (self._stage[n], means[n, search.SCORE]),
            reverse=True,
        )
        is_solo = self._view.setup.title.is_solo
        seats = self._view.setup.seats
        return Advice(
            tuple(self._candidate(n, means[n], int(totals[n, search.NODES])) for n in order),
            "lowest" if is_solo else "share",
            tuple(means[order[0], search.WINS : search.WINS + seats].tolist()),
            int(totals[:, search.NODES].sum()),
        )

    def _candidate(self, n: int, mean: NDArray[np.float64], nodes: int) -> Candidate:
        view, action = self._view, self._game.action_of(int(self._actions[n]))
        gain: tuple[int, ...] = (0,) * 6
        bonus = 0
        if isinstance(action, Place | Play):
            score = outcome(view, action).score
            gain, bonus = score.gain, score.bonus
        if view.setup.title.is_solo:
            return Candidate(action, float(mean[search.LEAD]), gain, bonus, nodes=nodes)
        if self._exact:
            lead = float(mean[search.LEAD])
            return Candidate(action, float(mean[search.SCORE]), gain, bonus, lead, nodes)
        fear = Fear((view.seat + 1) % view.setup.seats, tuple(mean[search.FEAR : search.FEAR + 6].tolist()))
        return Candidate(
            action, float(mean[search.SCORE]), gain, bonus, float(mean[search.LEAD]), nodes, fear
        )


class _Sage(NamedTuple):
    """The learned value of a game, and what is needed to ask it."""

    weights: Floats
    desk: player.Desk


def _sage(setup: Setup) -> _Sage | None:
    """None where nothing was learned, and in solo, where playing out is better still."""
    weights = value.weights_of(setup.title.variant, setup.seats)
    if weights is None or setup.title.is_solo:
        return None
    rules = Game.of(setup.title.variant, setup.seats).tables.rules
    return _Sage(weights, player.new_desk(rules, _REPLIES))


@cache
def playout_worth(title: Title) -> Worth:
    """The worth that playouts go by."""
    return balanced_worth(title, _PATIENCE.get(title.variant, 1.0))


@cache
def worth_table(setup: Setup) -> balanced.Worth:
    """The same as the kernel wants it, for each seat."""
    worth, row = playout_worth(setup.title), np.zeros(balanced.WORTH_SIZE)
    row[: len(worth.places)] = np.array(worth.places) - worth.places[0]
    row[balanced.BONUS_WORTH] = worth.bonus
    return np.tile((row * balanced.UNIT).round().astype(np.uint16), setup.seats)


_PATIENCE = {"classic": 1.6}
"""Found by playing policies against each other."""


def _lead_counts(title: Title, lead: float) -> tuple[float, float]:
    """How much the lead counts beside the win, and how large a lead is as good as a win."""
    if title.is_solo:
        return 0.1, 1.0
    return lead, {"duel": 2.0, "cards": 3.0}.get(title.variant, 6.0)
