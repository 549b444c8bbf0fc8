"""A short run of two machines whose connections are cut; `make soak-postgres` is the long one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.postgres import Postgres
from tools import hosts


@pytest.mark.slow
def test_no_move_is_acknowledged_that_a_cut_off_database_lacks(postgres: Postgres, tmp_path: Path) -> None:
    if (reason := hosts.forbidden()) is not None:
        pytest.skip(reason)
    outcome = asyncio.run(hosts.play(tmp_path, postgres.database(), games=4, cuts=1))
    assert outcome.problems == []
    assert outcome.kills == 1
    assert outcome.moves > 50
