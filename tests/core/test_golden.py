"""Golden counts and playthroughs. If a change of behaviour is intended: `make golden`, and read the diff."""

from __future__ import annotations

import json

from tools.golden import COUNTS, PLAYTHROUGHS, counts, playthrough


def test_counts_match_the_stored_ones(variant: str, seats: int) -> None:
    expected = json.loads(COUNTS.read_text(encoding="utf-8"))[f"{variant}-{seats}"]
    assert counts(variant, seats) == expected


def test_playthroughs_match_the_stored_ones(variant: str, seats: int) -> None:
    expected = (PLAYTHROUGHS / f"{variant}-{seats}.txt").read_text(encoding="utf-8")
    assert playthrough(variant, seats) == expected
