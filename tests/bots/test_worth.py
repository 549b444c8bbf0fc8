"""What scores are worth adds up exactly, so that bots make the same choices on every machine."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from genial.bots.worth import Worth, balanced_worth
from genial.core.titles import TITLES
from genial.kernel.worth import UNIT, worth_table


@pytest.fixture(params=[1.0, 1.6], ids=["balanced", "patient"])
def patience(request: pytest.FixtureRequest) -> float:
    found: float = request.param
    return found


@pytest.mark.parametrize("variant", TITLES)
def test_worth_is_in_whole_units_and_never_falls(variant: str, patience: float) -> None:
    worth = balanced_worth(TITLES[variant], patience)
    units = [UNIT * step for step in (*worth.steps, worth.bonus)]
    assert all(unit.is_integer() for unit in units)
    assert worth.steps[0] == 0
    assert list(worth.steps) == sorted(worth.steps)


def test_sums_are_exact_in_any_order() -> None:
    worth = balanced_worth(TITLES["classic"])
    few = [worth.low, worth.low + 1, worth.low + 7, worth.low + 18]
    for markers in combinations_with_replacement(few, 6):
        exact = sum(Fraction(worth.steps[step - worth.low]) for step in markers)
        assert Fraction(worth.of(markers)) == Fraction(worth.of(markers[::-1])) == exact


@pytest.mark.parametrize("variant", TITLES)
def test_the_kernel_counts_in_the_same_units(variant: str) -> None:
    worth: Worth = balanced_worth(TITLES[variant])
    row = worth_table(worth.steps, worth.bonus, seats=1)
    assert [step / UNIT for step in row[: len(worth.steps)]] == list(worth.steps)
