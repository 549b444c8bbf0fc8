"""A real browser, for what a page's parts do in one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.page.chromium import Chromium, Tab, served

CROWDS = {
    "test_many_concurrent_appends_match_a_model_in_memory",
    "test_concurrent_appends_stand_or_fall_alone",
}
"""Parts of the contract with hundreds of appends, each of which goes to the browser and back."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and item.name in CROWDS:
            item.add_marker("slow")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where our modules are served."""
    with served(tmp_path_factory.mktemp("parts")) as address:
        yield address


@pytest.fixture(scope="session")
def chromium(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """One browser for all tests; each test has its own databases."""
    browser = Chromium(site, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.stop()


@pytest.fixture(scope="session")
def tab(chromium: Chromium) -> Tab:
    """A tab in it."""
    return chromium.tab()
