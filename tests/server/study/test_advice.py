"""What a move gives away decides its verdict, with separate borders for each unit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import genial
from genial.bots.bot import Advice, Candidate
from genial.server.study.advice import Decision, Judged, Verdict, judged

BORDERS = {
    "share": (0.01, 0.04, 0.1),
    "lowest": (0.2, 0.7, 1.5),
    "points": (0.0, 2.0, 5.0),
    "worth": (0.01, 0.3, 0.8),
}
"""What a move may give away and still be best, fine, or a slip."""
VERDICTS: tuple[Verdict, ...] = ("best", "fine", "slip", "mistake")

POSITION = genial.new("travel", seed=7)
BEST, MADE, OTHER = POSITION.actions()[:3]
DECISION = Decision(1, POSITION, MADE)


def candidate(action: object, value: float) -> Candidate:
    return Candidate(action=action, value=value, gain=(0,) * 6)  # type: ignore[arg-type]


def verdict(unit: str, best: float, made: float, *others: float) -> Judged:
    found = [candidate(BEST, best), candidate(MADE, made), *(candidate(OTHER, value) for value in others)]
    said = judged(DECISION, Advice(tuple(found), unit, (0.5, 0.5), 1))
    assert said is not None
    return said


@pytest.mark.parametrize("unit", BORDERS)
@pytest.mark.parametrize("border", range(3))
def test_a_value_on_the_border_gets_the_better_verdict(unit: str, border: int) -> None:
    limit = BORDERS[unit][border]
    # The best is worth nothing, so that what is given away is exact.
    assert verdict(unit, 0.0, -limit).verdict == VERDICTS[border]
    assert verdict(unit, 0.0, -limit - 0.0001).verdict == VERDICTS[border + 1]


@given(st.sampled_from(sorted(BORDERS)), st.floats(-20, 20), st.floats(-20, 20), st.floats(-20, 20))
def test_giving_away_more_is_never_judged_better(unit: str, best: float, one: float, two: float) -> None:
    better, other = verdict(unit, best, max(one, two)), verdict(unit, best, min(one, two))
    assert better.given_away <= other.given_away
    assert VERDICTS.index(better.verdict) <= VERDICTS.index(other.verdict)


def test_a_move_better_than_the_advisers_gives_nothing_away() -> None:
    said = verdict("share", 0.4, 0.6)
    assert (said.verdict, said.given_away, said.best.move) == ("best", 0.0, said.move)


def test_a_less_closely_examined_move_is_not_held_against_the_player() -> None:
    said = verdict("share", 0.5, 0.5, 0.9)
    assert (said.verdict, said.given_away) == ("best", 0.0)


def test_a_move_without_a_known_value_is_not_judged() -> None:
    only = Advice((candidate(BEST, 0.5),), "share", (0.5, 0.5), 1)
    assert judged(DECISION, only) is None
    both = (candidate(BEST, 0.5), candidate(MADE, 0.4))
    assert judged(DECISION, Advice(both, "furlongs", (0.5, 0.5), 1)) is None
