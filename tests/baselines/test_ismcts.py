"""Search over information sets: a few simulations in a few games, and only likely moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.baselines.scripts import names_in, run

from genial.envs import openspiel


@pytest.mark.slow
def test_search_is_measured_by_simulations(tmp_path: Path) -> None:
    run("ismcts.py", "quick", "--simulations", "2", "4", "--games", "2", folder=tmp_path)
    curve = json.loads((tmp_path / "ismcts.json").read_text())["curve"]
    assert [point["games"] for point in curve] == [2, 4]
    assert set(curve[0]) >= {"random", "greedy", "balanced"}
    assert (tmp_path / "ismcts.svg").exists()


def test_only_likely_moves_are_considered_and_all_are_lawful() -> None:
    names, game = names_in("ismcts.py"), openspiel.load("quick", seats=2)
    state, judge = game.new_initial_state(), names["Judge"]("quick")
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    prior = judge.prior(state)
    assert 2 < len(prior) <= 16 < len(state.legal_actions())
    assert {action for action, _ in prior} <= set(state.legal_actions())
    assert judge.evaluate(state) == [0.0, 0.0]
