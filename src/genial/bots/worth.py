"""What a marker's score is worth: the further behind a colour is, the more a point counts.

Worth is counted in whole multiples of `UNIT`, as in the compiled kernel. Their sums are exact, so bots make
the same choices on every machine and with every version of Python: since 3.12 floats are summed differently,
and the exponential function differs between machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, tanh

from genial.core.sides import Sides
from genial.core.title import Title
from genial.core.tracks import RaceTrack, Score
from genial.kernel.worth import UNIT


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of each step of a track, and of a bonus move."""

    low: int
    """The track's lowest step."""
    steps: tuple[float, ...]
    """From the lowest step, which is worth nothing."""
    bonus: float

    def of(self, markers: Sequence[int]) -> float:
        """What all markers are worth together."""
        return sum([self.steps[step - self.low] for step in markers])

    def gained(self, before: Sequence[int], after: Score) -> float:
        """What a placement or card that moves the markers this way is worth.

        >>> from genial.core.titles import title_of
        >>> worth = balanced_worth(title_of("classic"))
        >>> near, far = (
        ...     Score((5, 4, 4, 4, 4, 4), (1, 0, 0, 0, 0, 0), 0),
        ...     Score((4, 9, 4, 4, 4, 4), (0, 1, 0, 0, 0, 0), 0),
        ... )
        >>> worth.gained((4, 4, 4, 4, 4, 4), near) > worth.gained((4, 8, 4, 4, 4, 4), far)
        True
        """
        return self.of(after.markers) - self.of(before) + self.bonus * after.bonus


@cache
def balanced_worth(title: Title, patience: float = 1.0, bonus: float = 0.3) -> Worth:
    """The worth that `balanced` uses; with more patience, points in colours that are ahead count more.

    After `softness` steps a further point is worth about two thirds less; found by trial. A bonus move is
    worth about as much as the first two points of a colour.
    """
    track, softness = title.track, 8 * patience
    if isinstance(track, RaceTrack):
        # Two players move a team's markers, so these get further.
        softness = 5 * patience * track.length / 18 * (2 if title.sides is Sides.TEAMS else 1)
    steps = range(track.lowest_step, track.highest_step + 1)
    if title.sides is Sides.SHARED:  # DUEL: which side of the middle a peg is on matters most
        return _counted(track.lowest_step, [tanh(step / softness) for step in steps], bonus)
    return _counted(track.lowest_step, [1 - exp(-step / softness) for step in steps], bonus)


def _counted(low: int, steps: Sequence[float], bonus: float) -> Worth:
    return Worth(
        low, tuple(round(UNIT * (worth - steps[0])) / UNIT for worth in steps), round(UNIT * bonus) / UNIT
    )
