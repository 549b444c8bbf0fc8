"""A short run of the soak; `make soak` is the long one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tools.soak import soak


@pytest.mark.slow
def test_killing_the_server_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    outcome = asyncio.run(soak(tmp_path, games=14, kills=5, seconds=240))
    assert outcome.problems == []
    assert outcome.kills == 5
    assert outcome.moves > 300
    assert len(outcome.variants) == 8
