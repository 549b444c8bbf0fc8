"""The AlphaZero-like baseline: a small run to its end, without a graphics card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.baselines.scripts import needs_torch, run


@needs_torch
@pytest.mark.slow
def test_alphazero_searches_learns_and_leaves_a_curve(tmp_path: Path) -> None:
    asked = [
        "--steps",
        "2",
        "--minutes",
        "9",
        "--count",
        "4",
        "--measures",
        "1",
        "--games",
        "2",
        "--out",
        "mine",
    ]
    run("alphazero.py", "quick", "--device", "cpu", *asked, folder=tmp_path)
    assert len(json.loads((tmp_path / "mine.json").read_text())["curve"]) == 2
    assert (tmp_path / "mine.pt").stat().st_size > 1000
