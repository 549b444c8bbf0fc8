"""Scores, intervals, ratings and times."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genial.arena.ratings import rate
from genial.arena.statistics import score_estimate, set_score, times
from genial.core.sides import Sides

ranks = st.permutations([1, 2, 3, 4]) | st.just([1, 2, 2, 4]) | st.just([1, 1, 1, 1])


@given(st.lists(ranks, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_what_one_wins_the_other_loses(games: list[list[int]], rng: Random) -> None:
    seated = [rng.sample([0, 0, 1, 1], 4) for _ in games]
    score = set_score(games, seated, 0, 1)
    assert 0 <= score <= 1
    assert score + set_score(games, seated, 1, 0) == pytest.approx(1)


def test_seats_of_the_same_player_are_not_compared() -> None:
    # Player 0 is first and last; it is ahead in two of four pairs of opposing seats.
    assert set_score([(1, 2, 3, 4)], [(0, 1, 1, 0)], 0, 1) == 0.5
    assert set_score([(1, 3, 1, 3)], [(0, 1, 0, 1)], 0, 1) == 1.0


@pytest.mark.parametrize("mean", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("alike", [0.0, 0.7])
def test_the_interval_contains_the_true_score_about_as_often_as_claimed(mean: float, alike: float) -> None:
    rng, held, runs = Random(f"{mean} {alike}"), 0, 400
    for _ in range(runs):
        scores = []
        for _ in range(40):
            first = rng.random() < mean
            second = first if rng.random() < alike else rng.random() < mean
            scores.append((first + second) / 2)
        found = score_estimate(scores, 80)
        held += found.low <= mean <= found.high
    assert held >= 0.92 * runs


def test_correlated_games_count_less() -> None:
    """Forty games in twenty sets that were all decided by the deal are twenty observations."""
    decided = score_estimate([1.0, 0.0] * 10, 40)
    split = score_estimate([0.5] * 10 + [1.0, 0.0] * 5, 40)
    assert decided.mean == split.mean == 0.5
    assert decided.high - decided.low > split.high - split.low


def test_an_interval_never_leaves_0_to_1() -> None:
    for scores in ([1.0] * 20, [0.0] * 20, [0.5]):
        found = score_estimate(scores, 40)
        assert 0 <= found.low <= found.mean <= found.high <= 1
        assert found.high > found.low


def test_ratings_follow_results_for_any_number_of_sides() -> None:
    for sides, players, result in (
        (Sides.SHARED, ("a", "b"), (1, 2)),
        (Sides.EACH, ("a", "b", "c"), (1, 2, 3)),
        (Sides.EACH, ("a", "a", "b", "b"), (1, 2, 3, 4)),
        (Sides.TEAMS, ("a", "b", "a", "b"), (1, 3, 1, 3)),
    ):
        found = rate([(players, result)] * 10, sides)
        order = sorted(found, key=lambda name: -found[name].mu)
        assert order == sorted(found)
        assert all(rating.sigma < 25 / 3 for rating in found.values())


def test_the_95th_percentile_leaves_out_the_longest_twentieth() -> None:
    found = times([float(n) for n in range(1, 101)])
    assert found is not None
    assert (found.moves, found.p95, found.max) == (100, 95.0, 100.0)
    assert times([]) is None
