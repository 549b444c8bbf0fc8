"""One server for all tests that need no limits of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.harness import Server, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server") / "genial.db", workers=2) as found:
        yield found
