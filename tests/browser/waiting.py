"""Waiting for what the server and the screen will bring about."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Page

PATIENCE = 60.0
"""Seconds."""
STILL = 5
"""So often, one after the other, nothing has moved on a page that is laid out."""
BOXES = """() => document.fonts.status +
    [...document.querySelectorAll("header, main, main :is(section, svg, button)")]
        .flatMap((one) => Object.values(one.getBoundingClientRect().toJSON())).join()"""


def until(
    holds: Callable[[], bool], otherwise: str, seconds: float = PATIENCE, *, page: Page | None = None
) -> None:
    """Ask often until it is so.

    What a page sends and hears reaches a test only while it waits for the page: name it where `holds` asks
    for nothing else of it.
    """
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, otherwise
        if page is not None:
            page.wait_for_timeout(10)
        else:
            time.sleep(0.01)


def laid_out(page: Page) -> None:
    """Whatever is on the page has its fonts and has found its place: what is measured now stays so.

    Asked from outside, because frames and timers of a page may be held still by a test.
    """
    found = [""]

    def still() -> bool:
        now = str(page.evaluate(BOXES))
        if now != found[-1] or not now.startswith("loaded"):
            found.clear()
        found.append(now)
        return len(found) > STILL

    until(still, "something on the page keeps moving")
