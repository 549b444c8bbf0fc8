"""The comparison of a card with the other machines. `make agreement-gpu` runs what needs a card."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.envs.stand_in import StandInForCard
from tools.kernel.on_card import main, turns


@pytest.mark.parametrize("more", [[], ["--search", "search.ptx"]])
def test_without_a_card_it_says_what_is_missing(
    more: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert main(["expectations.bin", *more]) == 1
    assert "Install it with: pip install 'genial[gpu]'" in capsys.readouterr().err


def test_turns_are_compared_with_the_librarys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("genial.kernel.gpu.batch.Card", StandInForCard)
    case: Any = SimpleNamespace(name="classic-team-4")
    assert [*turns(case)] == []
    launch = StandInForCard.launch

    def wrong(card: StandInForCard, name: str, count: int, **given: Any) -> Any:
        found = launch(card, name, count, **given)
        if name == "turn":
            np.asarray(given["tracks"])[3, 5] += 1
        return found

    monkeypatch.setattr(StandInForCard, "launch", wrong)
    assert [*turns(case)] == ["tracks in turn 0"]
