"""Bots in a page think as they do elsewhere: the same nodes and the same seed give the same moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hatch_build import main as npm
from hatch_build import node_home
from playwright.sync_api import Browser
from tests.browser.site import SITE, served
from tests.browser.thinking import PageThoughts, thought

from genial import kernel

NODES = 2000
"""Enough to look ahead everywhere. The budget has nodes only, so the clock decides nothing."""
MOMENTS = (6, 21)


@pytest.fixture(scope="module")
def page_thoughts(browser: Browser, site_folder: Path) -> Iterator[PageThoughts]:
    if not kernel.available():
        pytest.skip(f"there is nothing to compare with: {kernel.available().reason}")
    if node_home() is None:
        pytest.skip("no Node here: `make web` installs it")
    assert npm(["page", "--", "--outDir", str(site_folder / "parts")]) == 0
    with served(site_folder, SITE) as host:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.goto(host.root)
        yield PageThoughts(page, host.root, host.root.removesuffix(SITE) + "parts/")
        context.close()


@pytest.mark.parametrize("bot", ["level-3", "level-6"])
def test_bots_play_the_same_moves(page_thoughts: PageThoughts, bot: str, variant: str, seats: int) -> None:
    """With and without the kernel, in another version of Python, with another machine's arithmetic."""
    for moves in MOMENTS:
        here = thought(bot, variant, seats, moves, NODES)
        there, _ = page_thoughts.thought(bot, variant, seats, moves, NODES)
        assert there == here, moves
