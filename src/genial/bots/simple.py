"""Three simple bots for every variant, the bottom of the ladder.

`random` does anything lawful. `greedy` takes the most points. `balanced` values a point more the further
behind its colour is, and likes bonus moves; it ignores what it leaves for the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from genial.bots.bot import Advice, Budget, Candidate
from genial.bots.one_ply import OnePlyBot
from genial.bots.worth import balanced_worth
from genial.core.actions import Action, Place, Play
from genial.core.moves import outcome
from genial.core.tracks import Markers, Score
from genial.core.view import View


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Takes any lawful action, all equally likely."""

    name: str = "random"
    cost: ClassVar[float] = 0.01

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        actions = view.actions()
        return actions[rng.randrange(len(actions))]

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        actions = dict.fromkeys([self.choose(view, rng), *include])
        return Advice(tuple(_indifferent(view, action) for action in actions), "points")


def _indifferent(view: View, action: Action) -> Candidate:
    if not isinstance(action, Place | Play):
        return Candidate(action, 0.0, (0,) * 6)
    found = outcome(view, action).score
    return Candidate(action, 0.0, found.gain, found.bonus)


def most_points(view: View, before: Markers, after: Score) -> float:
    """How many steps the markers move."""
    return sum(after.gain)


def even_progress(view: View, before: Markers, after: Score) -> float:
    """The worth of a placement, with points in colours that are behind counting more."""
    return balanced_worth(view.setup.title).gained(before, after)


RANDOM = RandomBot()
GREEDY = OnePlyBot("greedy", most_points, unit="points")
BALANCED = OnePlyBot("balanced", even_progress)
