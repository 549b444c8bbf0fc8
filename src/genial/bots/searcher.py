"""Bots that look ahead, on the compiled kernel; where there is none they play their best without it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from genial import kernel
from genial.bots.bot import Advice, Bot, Budget
from genial.core.actions import Action
from genial.core.view import View


@dataclass(frozen=True, slots=True)
class Insight:
    """What a searching bot knows, and what it may spend on a move."""

    nodes: int
    """Playouts, of all candidates together."""
    seconds: float
    """A cap for slow machines."""
    width: int = 32
    """So many placements are looked at, those that balanced play likes best."""
    worlds: int = 24
    """So many redealt worlds, where core has to make each."""
    endgame: bool = False
    """Whether the last places are played exactly."""
    lead: float = 0.15
    """So much the lead counts beside the win."""
    learned: bool = False
    """Looks ahead by the learned value, where there is one, instead of playing games out to their ends."""


@dataclass(frozen=True, slots=True)
class SearchBot:
    """Plays its candidates out in worlds that it cannot tell from the true one."""

    name: str
    insight: Insight
    fallback: Bot
    """Plays where the kernel cannot be used."""

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        actions = view.actions()
        if len(actions) == 1:
            return actions[0]
        return self.advise(view, rng, budget).candidates[0].action

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        if not kernel.available():
            if notice := kernel.fallback_notice():
                print(notice, file=sys.stderr)
            return self.fallback.advise(view, rng, budget, include)
        # numba takes most of a second to import, so not before it is needed.
        from genial.bots.search import searched

        return searched(self.insight, view, rng, budget, include)

    def with_nodes(self, name: str, nodes: int) -> SearchBot:
        """The same bot with another budget; its cap grows and shrinks along."""
        seconds = self.insight.seconds * nodes / self.insight.nodes
        return replace(self, name=name, insight=replace(self.insight, nodes=nodes, seconds=seconds))
