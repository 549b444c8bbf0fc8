"""Bots that look ahead with the compiled kernel; without it they play their best without looking ahead."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from genial import kernel
from genial.bots.bot import Advice, Bot, Budget, Chosen
from genial.bots.one_ply import ending
from genial.bots.thought import Thought, at_once
from genial.core.actions import Action
from genial.core.situation import Phase
from genial.core.view import View

_SHARE = 0.9
"""Share of its time after which it stops thinking, so that its answer is not late."""


@dataclass(frozen=True, slots=True)
class Insight:
    """What a searching bot knows, and what it may spend on a move."""

    nodes: int
    """Playouts for all candidates together."""
    seconds: float
    """A cap for slow machines."""
    width: int = 32
    """How many placements are considered: those that balanced play likes best."""
    worlds: int = 24
    """How many redealt worlds, if core has to make each of them."""
    endgame: bool = False
    """Whether the last spaces are played exactly."""
    lead: float = 0.15
    """How much the lead counts besides the win."""
    searches_ends: bool = False
    """Whether the end of a turn is searched as well; if not, it swaps when possible, as playouts do."""
    learned: int = 0
    """The version of the learned value to look ahead with, if there is one; 0 plays games to their end."""


@dataclass(frozen=True, slots=True)
class SearchBot:
    """Plays its candidates out in worlds that it cannot tell from the true one."""

    name: str
    insight: Insight
    fallback: Bot
    """Plays if the kernel cannot be used."""

    @property
    def cost(self) -> float:
        """Roughly the most seconds a move takes on an idle core."""
        return self.insight.seconds

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        return at_once(self.choosing_within(view, rng, budget, math.inf)).action

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        return at_once(self.advising(view, rng, budget, include))

    def advising(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Thought[Advice]:
        """Like `advise`, with searches that can run anywhere."""
        if not kernel.available():
            if notice := kernel.fallback_notice():
                print(notice, file=sys.stderr)
            return self.fallback.advise(view, rng, budget, include)
        # numba takes most of a second to import, so import it only when needed.
        from genial.bots.search import searching

        return (yield from searching(self.insight, view, rng, budget, include))

    def choosing_within(
        self, view: View, rng: Random, budget: Budget | None, seconds: float
    ) -> Thought[Chosen]:
        """The best action found within this many seconds."""
        if view.phase is Phase.END_TURN and not self.insight.searches_ends:
            return Chosen(ending(view))
        actions = view.actions()
        if len(actions) == 1:
            return Chosen(actions[0])
        advice = yield from self.advising(view, rng, self._held_to(budget, seconds))
        return Chosen(advice.candidates[0].action, advice.nodes or None)

    def _held_to(self, budget: Budget | None, seconds: float) -> Budget:
        """The budget, or the bot's own, capped so that there is time left to answer."""
        if budget is None or not (budget.nodes or budget.seconds):
            budget = Budget(self.insight.nodes, self.insight.seconds)
        return replace(budget, seconds=min(budget.seconds or math.inf, _SHARE * seconds))

    def ending_within(self, view: View, rng: Random, seconds: float) -> Thought[Action]:
        """How to end the turn; a search gets the share of two candidates in a placement's search.

        It costs the same whether or not there is a choice, because that is a secret.
        """
        if not self.insight.searches_ends:
            return ending(view)
        share = min(2 / self.insight.width, 1.0)
        seconds = min(share * self.insight.seconds, seconds)
        budget = Budget(max(round(share * self.insight.nodes), 1), seconds)
        return (yield from self.advising(view, rng, budget)).candidates[0].action

    def with_nodes(self, name: str, nodes: int) -> SearchBot:
        """The same bot with another budget; its cap in seconds scales with it."""
        seconds = self.insight.seconds * nodes / self.insight.nodes
        return replace(self, name=name, insight=replace(self.insight, nodes=nodes, seconds=seconds))


def own_nodes(bot: Bot) -> Budget | None:
    """A bot's own budget without its cap in seconds, for the same moves on every machine.

    >>> from genial.bots import bot_named
    >>> own_nodes(bot_named("greedy")), own_nodes(bot_named("master-1@2000n")).nodes
    (None, 2000)
    """
    return Budget(bot.insight.nodes) if isinstance(bot, SearchBot) else None
