"""A short run of the fuzzer; `python -m tools.fuzz` is the long one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tools.fuzz import fuzz


@pytest.mark.slow
def test_bad_messages_break_nothing_and_store_nothing(tmp_path: Path) -> None:
    outcome = asyncio.run(fuzz(tmp_path, messages=3000, seconds=120))
    assert outcome.problems == []
    assert outcome.messages >= 3000
    assert outcome.moves > 20
    assert len(outcome.kinds) >= 24
    assert {1002, 1007, 1008, 1009} <= set(outcome.closes)
    assert {"message-unreadable", "stale", "not-your-turn", "place-not-yours"} <= set(outcome.answers)
