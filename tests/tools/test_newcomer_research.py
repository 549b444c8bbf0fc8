"""A newcomer's path once the packages are installed: training on a small scale."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tools.newcomer_research import Trained, train


@pytest.mark.slow
def test_training_is_timed_and_compared_with_random(tmp_path: Path) -> None:
    found = train(sys.executable, tmp_path, os.environ, ["--rounds", "2", "--games", "16"])
    assert found.seconds > 0
    assert found.random["low"] <= found.random["mean"] <= found.random["high"]


def test_better_means_better_beyond_doubt() -> None:
    low, high = {"low": 1.0, "high": 2.0}, {"low": 2.5, "high": 3.0}
    assert Trained(1, random=low, trained=high).is_better
    assert not Trained(1, random=low, trained={"low": 1.9, "high": 3.0}).is_better
