"""Masked PPO: small runs to the end, solo and with two seats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.baselines.scripts import names_in, needs_torch, run


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("variant", ["classic-solo", "quick"])
def test_ppo_learns_and_leaves_a_curve(variant: str, tmp_path: Path) -> None:
    asked = [
        "--steps",
        "2",
        "--minutes",
        "9",
        "--count",
        "8",
        "--measures",
        "1",
        "--games",
        "4",
        "--out",
        "mine",
    ]
    run("ppo.py", variant, *asked, folder=tmp_path)
    assert len(json.loads((tmp_path / "mine.json").read_text())["curve"]) == 2
    assert (tmp_path / "mine.svg").exists()
    assert (tmp_path / "mine.pt").stat().st_size > 1000


@needs_torch
def test_a_seat_is_credited_only_along_its_own_chain() -> None:
    from torch import tensor  # type: ignore[import-not-found, unused-ignore]

    advantages = names_in("ppo.py")["advantages"]
    # Seats 0 and 1 take turns. Then the game ends, and seat 0 has won.
    rewards = tensor([[[0.0, 0.0]], [[0.0, 0.0]], [[1.0, -1.0]]])
    over = tensor([[False], [False], [True]])
    seats = tensor([[0], [1], [0]])
    found = advantages(tensor([[0.0], [0.0], [0.0]]), seats, rewards, over, tensor([5.0]), tensor([1]))
    assert found[:, 0].tolist() == pytest.approx([0.95, -1.0, 1.0])
