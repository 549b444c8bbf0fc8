"""Waits for the server and the screen."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Page

PATIENCE = 60.0
"""Seconds."""
STILL = 5
"""A page is laid out when it looks the same this many times in a row."""
BOXES = """() => document.fonts.status +
    [...document.querySelectorAll("header, main, main :is(section, svg, button)")]
        .flatMap((one) => Object.values(one.getBoundingClientRect().toJSON())).join()"""


def until(
    holds: Callable[[], bool], otherwise: str, seconds: float = PATIENCE, *, page: Page | None = None
) -> None:
    """Ask often until the condition holds.

    What a page sends and receives reaches a test only while it waits for the page. Name the page if `holds`
    asks nothing else of it.
    """
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, otherwise
        if page is not None:
            page.wait_for_timeout(10)
        else:
            time.sleep(0.01)


def laid_out(page: Page) -> None:
    """Wait until the page has its fonts and everything has found its place: measurements hold from now on.

    It asks from outside, because a test may have stopped the frames and timers of the page.
    """
    found = [""]

    def still() -> bool:
        now = str(page.evaluate(BOXES))
        if now != found[-1] or not now.startswith("loaded"):
            found.clear()
        found.append(now)
        return len(found) > STILL

    until(still, "something on the page keeps moving")
