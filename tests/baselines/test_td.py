"""TD on the position after the move: it runs to its end, and sees the positions that the referee sees."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.baselines.scripts import names_in, run

import genial
from genial import envs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "measured"), [("classic-solo", {"lowest"}), ("quick", {"random", "greedy"})]
)
def test_td_learns_and_leaves_a_curve(variant: str, measured: set[str], tmp_path: Path) -> None:
    asked = ["--steps", "60", "--minutes", "9", "--measures", "2", "--games", "8", "--out", "kept/mine"]
    run("td.py", variant, *asked, folder=tmp_path)
    told = json.loads((tmp_path / "kept" / "mine.json").read_text())
    assert [point["games"] for point in told["curve"]] == sorted(point["games"] for point in told["curve"])
    assert len(told["curve"]) == 3
    assert measured <= set(told["curve"][0])
    assert (tmp_path / "kept" / "mine.svg").read_text().startswith("<svg")
    assert sum(part.size for part in np.load(tmp_path / "kept" / "mine.npz").values()) > 1000


@pytest.mark.parametrize("variant", ["classic-solo", "classic", "travel", "quick"])
def test_the_position_after_a_move_matches_the_referees(variant: str) -> None:
    position = genial.new(variant, seed=7)
    board = names_in("td.py")["Board"](variant, position.setup.seats)
    numbers, fields = envs.numbering(position.setup), envs.fields(position.setup)
    compared = [field for field in fields if field.name in {"markers", "rack", "symbols"}]
    for n in range(40):
        seat, lawful = position.seat, position.actions()
        if position.phase is genial.Phase.PLACE:
            mask = np.zeros((1, numbers.count), np.int8)
            mask[0, [numbers.number_of(action) for action in lawful]] = 1
            seen = np.frombuffer(envs.observe(position.view({seat}), seat), np.uint8)[None]
            _, number, after = board.after(seen, mask)
            action = numbers.action_of(int(number[n % len(number)]))
            position, _ = position.apply(action)
            known = envs.observe(position.view({seat}), seat)
            for field in compared:
                # In a solo game the next tile is drawn at once, so it isn't known when the move is chosen.
                if field.name != "rack" or not position.setup.title.is_solo:
                    assert field.of(bytes(after[n % len(number)])) == field.of(known), field.name
        else:
            position, _ = position.apply(lawful[0])
        if position.phase is genial.Phase.OVER:
            break


def test_returns_blend_expectation_and_outcome() -> None:
    returns = names_in("td.py")["returns"]
    assert returns(np.zeros(3, np.float32), 1.0).tolist() == pytest.approx([0.49, 0.7, 1.0])
