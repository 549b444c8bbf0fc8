"""A sequential test: play until the question "is the score at least P?" is answered.

A generalised sequential probability ratio test. The hypotheses are that the expected score of a duplicate set
is P minus the margin, or P plus the margin; each gets the likeliest distribution of the observed outcomes
that has this mean (for two seats a set has five outcomes: the pentanomial model). So no assumptions are
needed about ties, or about how similar the games of a set are. The bounds are Wald's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log

from msgspec import Struct

from genial.arena.errors import WrongContest

_UNSEEN = 1e-3
"""The fraction of a set that counts as seen at both ends, so that every mean is possible from the start."""


class Question(Struct, frozen=True):
    """Is the score at least this?

    >>> Question(0.65).low, Question(0.65).high
    (0.6, 0.7)
    """

    at_least: float
    margin: float = 0.05
    """Half the width of the region in which either answer is fine."""
    alpha: float = 0.05
    """How often a score of `low` may be answered with yes."""
    beta: float = 0.05
    """How often a score of `high` may be answered with no."""
    fixed: bool = False
    """Play all games, and only then look at the score."""

    def __post_init__(self) -> None:
        chances = 0 < self.alpha <= 0.5 and 0 < self.beta <= 0.5
        if not (0 < self.at_least < 1 and 0 < self.margin < 0.5 and chances):
            problem = f"score {self.at_least}, margin {self.margin}, risks {self.alpha} and {self.beta}"
            raise WrongContest("arena-question", problem=problem)

    @property
    def low(self) -> float:
        return round(max(self.at_least - self.margin, self.at_least / 2), 6)

    @property
    def high(self) -> float:
        return round(min(self.at_least + self.margin, (1 + self.at_least) / 2), 6)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which the answer is no, and yes."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def answer(self, outcomes: Mapping[float, int]) -> str | None:
        """`yes`, `no`, or None to go on, given the counts of sets by score."""
        ratio = likelihood_ratio(outcomes, self.low, self.high)
        lower, upper = self.bounds
        return "yes" if ratio >= upper else "no" if ratio <= lower else None


def likelihood_ratio(outcomes: Mapping[float, int], low: float, high: float) -> float:
    """The log of how much likelier the outcomes are if the mean is `high` than if it is `low`.

    >>> round(likelihood_ratio({1.0: 10, 0.5: 10}, 0.6, 0.7), 2)
    2.87
    """
    if not outcomes:
        return 0.0
    counts = {0.0: _UNSEEN, 1.0: _UNSEEN}
    for score, count in outcomes.items():
        counts[score] = counts.get(score, 0.0) + count
    tilts = [(mean, _tilt(counts.items(), mean)) for mean in (low, high)]
    (m0, t0), (m1, t1) = tilts
    return sum(
        count * (log(1 + t0 * (score - m0)) - log(1 + t1 * (score - m1))) for score, count in counts.items()
    )


def _tilt(counts: Iterable[tuple[float, float]], mean: float) -> float:
    # The likeliest distribution with this mean weights each outcome by 1 / (1 + tilt (outcome - mean)). The
    # remainder falls as the tilt grows, so the tilt is found by bisection.
    lower, upper = -1 / (1 - mean), 1 / mean
    parts = [(score - mean, count) for score, count in counts]
    for _ in range(80):
        tilt = (lower + upper) / 2
        if sum(count * apart / (1 + tilt * apart) for apart, count in parts) > 0:
            lower = tilt
        else:
            upper = tilt
    return (lower + upper) / 2
