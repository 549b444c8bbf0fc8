"""Choices of bots that look ahead are recorded: a change in the kernel or its weights shows in a diff."""

from __future__ import annotations

import json

import pytest
from tools.golden import CHOICES, choices

from genial import kernel


@pytest.mark.skipif(not kernel.available(), reason="no kernel here; make kernel compiles it")
def test_choices_match_the_recorded_ones(variant: str, seats: int) -> None:
    """If a change is intended: `make golden`, and a match that shows what it is worth (docs/bots.md)."""
    expected = json.loads((CHOICES / f"{variant}-{seats}.json").read_text(encoding="utf-8"))
    assert choices(variant, seats) == expected
