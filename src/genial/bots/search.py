"""Looking ahead: creates worlds, has the kernel search in them, and turns the results into advice.

The kernel searches in small steps (`kernel.source.choice`). The clock is here: it is checked between steps,
so that deadlines are kept and there is a best candidate at any time. A question contains everything the
kernel needs, so that it can run anywhere: here, or in another worker of a page (`web/src/lib/kernel`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from time import perf_counter
from typing import TypeAlias

from genial.bots.bot import Advice, Budget, Candidate, Fear
from genial.bots.searcher import Insight
from genial.bots.thought import Thought
from genial.bots.worlds import worlds_of
from genial.bots.worth import Worth, balanced_worth
from genial.core.actions import Action, Place, Play
from genial.core.editions import decisive_lead
from genial.core.moves import outcome
from genial.core.title import Setup, Title
from genial.core.titles import about_of
from genial.core.view import View
from genial.kernel import settings, totals
from genial.kernel.api import Game
from genial.kernel.engine import engine
from genial.kernel.entries import BUDGET
from genial.kernel.state import COLOURS
from genial.kernel.tables import Rules
from genial.kernel.weights import weights_of
from genial.kernel.worth import worth_table

_NODES_A_WORLD = 50
"""For fewer playouts than this, having core make another world is not worth the time."""
_UNBOUND = 1 << 40

Rows: TypeAlias = "array[float]"
"""What is known about each candidate, best first: rows of `kernel.totals`, one after another."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What to search, in arrays the kernel can read, and how long it may take."""

    rules: Rules
    settings: array[float]
    worth: array[int]
    weights: array[float]
    """The learned weights; empty if there are none."""
    worlds: bytearray
    wanted: array[int]
    """Actions that are candidates in any case, by number."""
    seed: int
    seconds: float

    def run(self) -> Rows:
        """Spend the nodes, with an equal share of the time for each part, or as many as there is time for."""
        deadline = perf_counter() + self.seconds
        space = bytearray(engine().choice_size(self.rules, self.settings))
        arrays = self.worth, self.weights, self.worlds
        begin, step = engine().choice_begin, engine().choice_step
        candidates = begin(self.rules, self.settings, *arrays, self.wanted, space, self.seed)
        part = step(self.rules, *arrays, space, 0, 0)
        while part:
            now = perf_counter()
            until, left = now + (deadline - now) / part, part
            while left == part:
                left = step(self.rules, *arrays, space, BUDGET, int(perf_counter() > until))
            part = left
        rows = array("d", bytes(8 * totals.WIDTH * candidates))
        engine().choice_result(space, rows)
        return rows


def searching(
    insight: Insight, view: View, rng: Random, budget: Budget | None, include: Sequence[Action]
) -> Thought[Advice]:
    """The outlook of each candidate, best first."""
    begun = perf_counter()
    nodes, seconds = insight.nodes, insight.seconds
    if budget is not None and (budget.nodes or budget.seconds):
        # A budget of either kind replaces both of the bot's own.
        nodes, seconds = budget.nodes or _UNBOUND, budget.seconds or float("inf")
    search = _Search(view)
    question = search.question(insight, rng, nodes, include, begun + seconds)
    return search.advice((yield question))


class _Search:
    """Translates between a view and the kernel's questions and answers about it."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._game = Game.of(view.setup.title.variant, view.setup.seats)

    def question(
        self, insight: Insight, rng: Random, nodes: int, include: Sequence[Action], deadline: float
    ) -> Question:
        """What to search; all randomness in the search comes from one number."""
        setup = self._view.setup
        worlds = worlds_of(self._view, rng, min(insight.worlds, 1 + nodes // _NODES_A_WORLD))
        weights = _weights(setup, insight.learned)
        wanted = array("i", [self._game.number_of(action) for action in include])
        told = array("d", bytes(8 * settings.COUNT))
        told[settings.NODES], told[settings.WIDTH], told[settings.WANTED] = nodes, insight.width, len(wanted)
        told[settings.WORLDS], told[settings.REDEALING] = worlds.number, worlds.redealing
        told[settings.ENDGAME], told[settings.LEARNED] = insight.endgame, weights is not None
        told[settings.LEAD_WEIGHT], told[settings.LEAD_SCALE] = _lead_counts(setup.title, insight.lead)
        return Question(
            rules=self._game.tables.rules,
            settings=told,
            worth=_worth_table(setup),
            weights=array("f") if weights is None else weights,
            worlds=worlds.states,
            wanted=wanted,
            seed=rng.getrandbits(62),
            seconds=deadline - perf_counter(),
        )

    def advice(self, found: Rows) -> Advice:
        """The candidates and what is known about them: those that got furthest first, then by score."""
        rows = [found[n : n + totals.WIDTH] for n in range(0, len(found), totals.WIDTH)]
        setup = self._view.setup
        return Advice(
            tuple(map(self._candidate, rows)),
            "lowest" if setup.title.is_solo else "share",
            tuple(rows[0][totals.WINS : totals.WINS + setup.seats]),
            sum(int(row[totals.NODES]) for row in rows),
        )

    def _candidate(self, row: array[float]) -> Candidate:
        view, action = self._view, self._game.action_of(int(row[totals.ACTION]))
        nodes, lead = int(row[totals.NODES]), row[totals.LEAD]
        gain, bonus = (0,) * COLOURS, 0
        if isinstance(action, Place | Play):
            score = outcome(view, action).score
            gain, bonus = score.gain, score.bonus
        if view.setup.title.is_solo:
            return Candidate(action, lead, gain, bonus, nodes=nodes)
        fear = None
        if any(feared := row[totals.FEAR : totals.FEAR + COLOURS]):
            fear = Fear((view.seat + 1) % view.setup.seats, tuple(feared))
        return Candidate(action, row[totals.SCORE], gain, bonus, lead, nodes, fear)


def _weights(setup: Setup, version: int) -> array[float] | None:
    """The learned weights. None if there are none, and in solo games, where playouts are still better."""
    if not version or setup.title.is_solo:
        return None
    return weights_of(setup.title.variant, setup.seats, version)


@cache
def playout_worth(title: Title) -> Worth:
    """The worth that playouts use."""
    return balanced_worth(title, about_of(title).patience)


@cache
def _worth_table(setup: Setup) -> array[int]:
    """The same in the kernel's format, for each seat."""
    worth = playout_worth(setup.title)
    return worth_table(worth.steps, worth.bonus, setup.seats)


def _lead_counts(title: Title, lead: float) -> tuple[float, float]:
    """How much the lead counts besides the win, and the lead that is as good as a win."""
    if title.is_solo:
        return 0.1, 1.0
    return lead, decisive_lead(title)
