"""The tool that times the kernel: what it times and reports, not how long that takes."""

from __future__ import annotations

import pytest
from tools.kernel.expectations import case_of
from tools.kernel.speed import _searched, steps, told_of

from genial.kernel import library


def test_every_call_of_a_search_is_timed() -> None:
    try:
        entries = library.load()
    except library.NoLibrary as missing:
        pytest.skip(str(missing))
    case = case_of("quick", 2, searches=1)
    calls = list(steps(entries, case))
    turns = _searched(entries, case, 0)
    assert len(calls) > 2 * turns, "of each turn, the begin of a search and some steps"
    assert min(calls) >= 0


def test_the_longest_step_and_the_99th_percentile_are_reported() -> None:
    nearly_all = told_of([0.001] * 990 + [0.009] * 10)
    assert nearly_all == " 1,000 steps  median 1.00  99% 1.00  longest 9.00"
    assert "99% 9.00" in told_of([0.001] * 98 + [0.009] * 2)
