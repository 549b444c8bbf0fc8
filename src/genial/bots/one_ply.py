"""Bots that consider what an action scores at once, and at most the answer to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from genial.bots.bot import Advice, Budget, Candidate
from genial.bots.eyes import SHARP, Eyes, Options
from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.moves import may_swap, outcome, points
from genial.core.points import Points
from genial.core.situation import Phase, markers_of
from genial.core.tiles import SYMBOLS
from genial.core.tracks import Markers, Score, score
from genial.core.view import View

Value = Callable[[View, Markers, Score], float]
"""How much a bot likes what a placement or card scores, given its markers before."""
Threat = Callable[[View, Place], float]
"""What a placement leaves for the next opponent, in the unit of the value."""

_SHOWN = 12
"""How many candidates advice has, besides those asked for."""


def ending(view: View) -> Action:
    """Swap whenever possible: a rack without the lowest colour cannot raise it."""
    return Swap() if may_swap(view) else Refill()


@dataclass(frozen=True, slots=True)
class OnePlyBot:
    """Takes the action whose outcome it values most; ties are broken at random."""

    name: str
    value: Value
    unit: str = "worth"
    eyes: Eyes = SHARP
    swaps: bool = True
    """Whether it considers a swap when one is possible."""
    threat: Threat | None = None
    """If set, it also considers the answer, but only for the best few, because that takes time."""
    cost: ClassVar[float] = 0.05
    """Roughly the most seconds a move takes on an idle core."""

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        if view.phase is Phase.END_TURN:
            return ending(view) if self.swaps else Refill()
        return self._ranked(view, rng, _SHOWN if self.threat else 1)[0][1]

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        if view.phase is Phase.END_TURN:
            actions = dict.fromkeys([self.choose(view, rng), *view.actions()])
            return Advice(tuple(Candidate(action, 0.0, (0,) * 6) for action in actions), self.unit)
        ranked = self._ranked(view, rng)
        known = {action for _, action in ranked}
        asked = [(self._value_of(view, action), action) for action in include if action not in known]
        return Advice(
            tuple(_candidate(view, action, value) for value, action in [*ranked, *asked]), self.unit
        )

    def _ranked(self, view: View, rng: Random, count: int = _SHOWN) -> list[tuple[float, Action]]:
        """The best actions with their values, best first; ties are broken at random."""
        markers, track = markers_of(view, view.seat), view.setup.title.track
        # Many options score the same points, so each outcome is valued only once.
        by_value: dict[float, list[tuple[Options, Points]]] = {}
        for options in self.eyes.options(view, rng):
            first, second = SYMBOLS[options.tile]
            for seen in set(options.points):
                after = score(track, markers, ((first, seen[0]), (second, seen[1])))
                by_value.setdefault(self.value(view, markers, after), []).append((options, seen))
        best: list[tuple[float, Action]] = []
        for value in sorted(by_value, reverse=True):
            equals = [
                (options, number)
                for options, wanted in by_value[value]
                for number, seen in enumerate(options.points)
                if seen == wanted
            ]
            chosen = rng.sample(equals, min(count - len(best), len(equals)))
            best += [(value, options.action(number)) for options, number in chosen]
            if len(best) == count:
                break
        if self.threat is not None:
            best = [(value - self._feared(view, action), action) for value, action in best]
            best.sort(key=lambda entry: entry[0], reverse=True)
        return best

    def _feared(self, view: View, action: Action) -> float:
        return self.threat(view, action) if self.threat and isinstance(action, Place) else 0.0

    def _value_of(self, view: View, action: Action) -> float:
        assert isinstance(action, Place | Play)
        markers = markers_of(view, view.seat)
        found = score(view.setup.title.track, markers, points(view, action))
        return self.value(view, markers, found) - self._feared(view, action)


def _candidate(view: View, action: Action, value: float) -> Candidate:
    assert isinstance(action, Place | Play)
    found = outcome(view, action).score
    return Candidate(action, float(value), found.gain, found.bonus)
