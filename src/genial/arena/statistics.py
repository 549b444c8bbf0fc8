"""Scores with confidence intervals, and times.

The games of a duplicate set share a deal, so each set, not each game, counts as one observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist, fmean, variance

from msgspec import Struct

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Estimate(Struct, frozen=True):
    """A mean with its 95% confidence interval."""

    mean: float
    low: float
    high: float


def set_score(ranks: Sequence[Sequence[int]], seated: Sequence[Sequence[int]], a: int, b: int) -> float:
    """The score of player a against b in one set: the share of pairs of their seats in which a is ahead.

    `ranks` and `seated` hold, for each game, the rank and the player of each seat. Ties count half.

    >>> set_score([(1, 2), (1, 1)], [(0, 1), (1, 0)], 0, 1)
    0.75
    """
    points, pairs = 0.0, 0
    for rank, players in zip(ranks, seated, strict=True):
        for mine, player in zip(rank, players, strict=True):
            for other, opponent in zip(rank, players, strict=True):
                if (player, opponent) == (a, b):
                    pairs += 1
                    points += 1.0 if mine < other else 0.5 if mine == other else 0.0
    return points / pairs


def score_estimate(scores: Sequence[float], games: int) -> Estimate:
    """The mean score of sets, with Wilson's interval.

    Wilson's interval needs a number of independent games: as many as would vary as much as the sets did, but
    at least one per set, and no more than were played.

    >>> score_estimate([1.0, 0.5, 1.0, 0.5, 1.0, 1.0, 0.5, 1.0], 16)
    Estimate(mean=0.8125, low=0.5699, high=0.9341)
    """
    sets, mean = len(scores), fmean(scores)
    spread = variance(scores) / sets if sets > 1 else 0.0
    alike = mean * (1 - mean) / spread if spread > 0 else sets
    n = min(max(alike, sets), games)
    centre = (mean + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
    half = _Z * sqrt(mean * (1 - mean) / n + _Z * _Z / (4 * n * n)) / (1 + _Z * _Z / n)
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Estimate(round(mean, 4), round(min(low, mean), 4), round(max(high, mean), 4))


def mean_estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent values, with the normal interval.

    >>> mean_estimate([18, 20, 22])
    Estimate(mean=20.0, low=17.7368, high=22.2632)
    """
    mean = fmean(values)
    half = _Z * sqrt(variance(values) / len(values)) if len(values) > 1 else 0.0
    return Estimate(round(mean, 4), round(mean - half, 4), round(mean + half, 4))


class Times(Struct, frozen=True):
    """Milliseconds of a bot's moves."""

    moves: int
    mean: float
    p95: float
    max: float


def times(milliseconds: Sequence[float]) -> Times | None:
    """Mean, 95th percentile and longest; None if there was no move.

    >>> times([1.0, 2.0, 3.0])
    Times(moves=3, mean=2.0, p95=3.0, max=3.0)
    """
    if not milliseconds:
        return None
    ordered = sorted(milliseconds)
    p95 = ordered[ceil(0.95 * len(ordered)) - 1]
    return Times(len(ordered), round(fmean(ordered), 2), round(p95, 2), round(ordered[-1], 2))
