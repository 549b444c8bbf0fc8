"""The sequential test: its answers, its error rates, and how long it takes."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genial.arena.sequential import Question, likelihood_ratio
from genial.core.errors import SetupError

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
RUNS = 200


def outcome(rng: Random, mean: float, alike: float) -> float:
    """The score of a set of two games; `alike` is how often both go the same way because of the deal."""
    first = rng.random() < mean
    second = first if rng.random() < alike else rng.random() < mean
    return (first + second) / 2


def asked(question: Question, rng: Random, mean: float, alike: float, most: int = 2000) -> tuple[str, int]:
    seen: Counter[float] = Counter()
    for sets in range(1, most + 1):
        seen[outcome(rng, mean, alike)] += 1
        answer = question.answer(seen)
        if answer:
            return answer, sets
    return "open", most


@pytest.mark.slow
@pytest.mark.parametrize("alike", [0.0, 0.6])
@pytest.mark.parametrize("at_least", [0.5, 0.65])
def test_wrong_answers_are_as_rare_as_asked_for(at_least: float, alike: float) -> None:
    question = Question(at_least, margin=0.1)
    rng = Random(f"{at_least} {alike}")
    wrong_yes = sum(asked(question, rng, question.low, alike)[0] == "yes" for _ in range(RUNS))
    wrong_no = sum(asked(question, rng, question.high, alike)[0] == "no" for _ in range(RUNS))
    # 5% of the runs are 10; three standard deviations more are 19.
    assert max(wrong_yes, wrong_no) <= 19


def test_a_clear_case_is_answered_sooner_than_a_close_one() -> None:
    question, rng = Question(0.65), Random(1)
    clear = [asked(question, rng, 0.9, 0.0) for _ in range(50)]
    close = [asked(question, rng, 0.7, 0.0) for _ in range(50)]
    assert all(answer == "yes" for answer, _ in clear)
    assert sum(sets for _, sets in clear) * 2 < sum(sets for _, sets in close)


def test_even_a_perfect_score_takes_a_while_to_prove() -> None:
    """Nobody is believed after a handful of games, however they went."""
    question = Question(0.65)
    assert question.answer({1.0: 10}) is None
    assert question.answer({1.0: 30}) == "yes"
    assert question.answer({0.0: 30}) == "no"
    assert question.answer({}) is None


counts = st.dictionaries(st.sampled_from(SCORES), st.integers(1, 200), min_size=1)


@given(counts)
def test_more_wins_raise_the_likelihood_ratio(seen: dict[float, int]) -> None:
    better = Counter(seen) + Counter({1.0: 5})
    assert likelihood_ratio(better, 0.6, 0.7) > likelihood_ratio(seen, 0.6, 0.7)


@given(counts)
def test_swapping_sides_negates_the_likelihood_ratio(seen: dict[float, int]) -> None:
    turned = {1 - score: count for score, count in seen.items()}
    assert likelihood_ratio(turned, 0.3, 0.4) == pytest.approx(-likelihood_ratio(seen, 0.6, 0.7), abs=1e-6)


@given(counts)
def test_yes_means_that_the_score_is_above_the_demand(seen: dict[float, int]) -> None:
    question, sets = Question(0.65), sum(seen.values())
    mean = sum(score * count for score, count in seen.items()) / sets
    answer = question.answer(seen)
    assert answer != "yes" or mean > 0.64
    assert answer != "no" or mean < 0.66


@pytest.mark.parametrize("wrong", [(0.0, 0.05), (1.0, 0.05), (65, 0.05), (0.5, 0.0), (0.5, -1)])
def test_meaningless_questions_are_refused(wrong: tuple[float, float]) -> None:
    with pytest.raises(SetupError):
        Question(*wrong)


def test_the_hypotheses_stay_between_0_and_1() -> None:
    for at_least in (0.01, 0.5, 0.95, 0.99):
        question = Question(at_least)
        assert 0 < question.low < at_least < question.high < 1
