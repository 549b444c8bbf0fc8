"""How strength is measured: the same policy always measures the same, and a better one better."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.baselines.scripts import names_in


def first(seen: Any, masks: Any) -> Any:
    """The first lawful action."""
    return masks.argmax(1)


def test_a_measurement_can_be_repeated() -> None:
    measured = names_in("ladder.py")["measured"]
    for variant in ("classic-solo", "quick"):
        assert measured(first, variant, 4) == measured(first, variant, 4)


def test_deals_are_played_from_both_seats() -> None:
    asked: list[Any] = []

    def noted(seen: Any, masks: Any) -> Any:
        asked.append(seen)
        return first(seen, masks)

    names_in("ladder.py")["against"](noted, "quick", "random", 4)
    (one, other, *_), rack, unseen = asked[0], slice(40, 61), slice(61, 82)
    assert len(asked[0]) == 4
    assert not np.array_equal(one[rack], other[rack])
    assert (other[rack] <= one[unseen]).all(), "what one seat holds, the other can't see"


def test_an_unknown_variant_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    ask = names_in("ladder.py")["options"]("A baseline.", "out", 1.0)
    assert ask.parse_args(["travel"]).variant == "travel"
    with pytest.raises(SystemExit) as ended:
        ask.parse_args(["chess"])
    assert ended.value.code == 2
    assert "There's no edition called" in capsys.readouterr().err
