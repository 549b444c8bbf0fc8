"""Three simple bots for every variant: the floor of the ladder.

`random` does anything lawful. `greedy` takes the most points. `balanced` values a point more the further
behind its colour is, and likes bonus moves; it does not look at what it leaves to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, tanh
from random import Random

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.layout import Layout
from genial.core.moves import Phase, markers_of, may_swap, outcome, scored_places
from genial.core.sides import Sides
from genial.core.tiles import SYMBOLS
from genial.core.tracks import RaceTrack, Score, score
from genial.core.view import View

Value = Callable[[View, tuple[int, ...], Score], float]
"""How much a bot likes what a placement or card brings, given its markers before."""


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Any lawful action, each as likely as the others."""

    name: str = "random"

    def choose(self, view: View, rng: Random) -> Action:
        actions = view.actions()
        return actions[rng.randrange(len(actions))]


@dataclass(frozen=True, slots=True)
class ValueBot:
    """The action whose outcome it values most; chance decides between equals."""

    name: str
    value: Value

    def choose(self, view: View, rng: Random) -> Action:
        if view.phase is Phase.END_TURN:
            # A rack without the lowest colour cannot raise it, so a swap is all to the good.
            return Swap() if may_swap(view) else Refill()
        return _best(self._valued(view), rng)

    def _valued(self, view: View) -> Iterator[tuple[float, Callable[[], Action]]]:
        markers = markers_of(view, view.seat)
        if not isinstance(view.table, Layout):
            for action in view.actions():
                assert isinstance(action, Play)
                yield self.value(view, markers, outcome(view, action).score), _always(action)
            return
        # Many places bring the same points, so each outcome is valued once.
        known: dict[tuple[str, tuple[int, int]], float] = {}
        track, pairs = view.setup.title.track, view.table.board.pairs
        for place in scored_places(view):
            key = (place.tile, place.points)
            if key not in known:
                halves = zip(SYMBOLS[place.tile], place.points, strict=True)
                known[key] = self.value(view, markers, score(track, markers, halves))
            pair = pairs[place.pair]
            yield known[key], _placing(place.tile, pair.turned if place.turned else pair.cells)


def _always(action: Action) -> Callable[[], Action]:
    return lambda: action


def _placing(tile: str, cells: tuple[tuple[int, int], tuple[int, int]]) -> Callable[[], Action]:
    return lambda: Place(tile, cells)


def _best(valued: Iterator[tuple[float, Callable[[], Action]]], rng: Random) -> Action:
    best, found = float("-inf"), []
    for value, action in valued:
        if value > best:
            best, found = value, [action]
        elif value == best:
            found.append(action)
    return found[rng.randrange(len(found))]()


def _most_points(view: View, before: tuple[int, ...], after: Score) -> float:
    return sum(after.gain)


_BONUS = 0.3
"""A bonus move is worth about as much as the first two points of a colour."""


def _even_progress(view: View, before: tuple[int, ...], after: Score) -> float:
    softness = _softness(view)
    worth = _pull if view.setup.title.sides is Sides.SHARED else _progress
    return worth(after.markers, softness) - worth(before, softness) + _BONUS * after.bonus


def _softness(view: View) -> float:
    """After this many places a further point is worth about two thirds less. Found by trial."""
    title = view.setup.title
    if isinstance(title.track, RaceTrack):
        # Two players move the markers of a team, so these go further.
        return 5 * title.track.length / 18 * (2 if title.sides is Sides.TEAMS else 1)
    return 8


def _progress(markers: Sequence[int], softness: float) -> float:
    return sum([1 - exp(-place / softness) for place in markers])


def _pull(pegs: Sequence[int], softness: float) -> float:
    # DUEL: which side of the middle a peg is on counts most.
    return sum([tanh(place / softness) for place in pegs])


RANDOM = RandomBot()
GREEDY = ValueBot("greedy", _most_points)
BALANCED = ValueBot("balanced", _even_progress)
