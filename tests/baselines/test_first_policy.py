"""The tutorial's script: from nothing to a policy that beats `random`, and its curve."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from tests.baselines.scripts import names_in, run

import genial
from genial import envs


@pytest.mark.slow
def test_the_first_policy_beats_random_within_seconds(tmp_path: Path) -> None:
    told = run(
        "first_policy.py",
        "--minutes",
        "9",
        "--rounds",
        "6",
        "--games",
        "64",
        "--out",
        "mine",
        folder=tmp_path,
    )
    assert "random: lowest colour" in told
    saved = json.loads((tmp_path / "mine.json").read_text())
    assert len(saved["weights"]) == 18
    assert saved["trained"]["low"] > saved["random"]["high"], "it should be better beyond doubt"
    words = "".join(ET.parse(tmp_path / "mine.svg").getroot().itertext())
    assert "Learning classic-solo" in words


def test_what_it_knows_about_a_move_matches_the_referees_score() -> None:
    known_of, numbers = (
        names_in("first_policy.py")["known_of"],
        envs.numbering(genial.new("classic-solo", seed=1).setup),
    )
    position = genial.new("classic-solo", seed=7)
    for n in range(12):
        lawful = position.actions()
        seen = np.frombuffer(envs.observe(position.view({0}), 0), np.uint8)
        mask = np.zeros(numbers.count, np.int8)
        mask[[numbers.number_of(action) for action in lawful]] = 1
        _, number, known = known_of(seen[None], mask[None])
        for row, action in zip(known, (numbers.action_of(int(one)) for one in number), strict=True):
            after, _ = position.apply(action)
            assert row[:6].sum() == sum(after.tracks[0]) - sum(position.tracks[0])
        position, _ = position.apply(lawful[n * 7 % len(lawful)])
