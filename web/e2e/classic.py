"""Plays a whole game of classic against a bot as a person would, and compares the screen with the server.

    .venv/bin/pip install playwright          (the browser is Debian's: apt-get install chromium)
    .venv/bin/genial serve --limit bot_pause=0.1
    .venv/bin/python web/e2e/classic.py http://127.0.0.1:8000 [1280x800 | 360x740] [FOLDER for pictures]

A beginning: every variant, by keyboard, with two browsers and with lost connections is still to follow.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect, sync_playwright

CHROMIUM = "/usr/bin/chromium"
LONGEST = 180.0


def middle(cell: Locator) -> tuple[float, float]:
    """Where to point at."""
    box = cell.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place_something(page: Page, touch: bool) -> None:
    """Take a tile, aim at a permitted place, place it: a mouse by a click, a finger by the button."""
    tiles = page.get_by_role("group", name="Rack of Ada").get_by_role("button")
    tile = tiles.nth(random.randrange(tiles.count()))
    tile.tap() if touch else tile.click()
    cells = page.get_by_role("gridcell", name="permitted")
    x, y = middle(cells.nth(random.randrange(cells.count())))
    if touch:
        page.touchscreen.tap(x, y)
        page.get_by_role("button", name="Place", exact=True).tap()
    else:
        page.mouse.move(x, y)
        page.mouse.click(x, y)


def play(page: Page, server: str, touch: bool) -> None:
    """From the start page to the result."""
    page.goto(server)
    page.get_by_text("Other title or opponent").click()
    page.get_by_role("combobox", name="Title").select_option(label="Classic")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Classic against").click()
    over = page.get_by_role("button", name="Play again")
    draw = page.get_by_role("button", name="Draw tiles")
    place = page.get_by_role("button", name="Place", exact=True)
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        expect(over.or_(draw).or_(place).first).to_be_visible(timeout=15_000)
        rack = page.get_by_role("group", name="Rack of Ada").get_by_role("button")
        if over.is_visible():
            return
        if draw.is_visible():
            draw.tap() if touch else draw.click()
            expect(draw).not_to_be_visible()
        elif rack.first.is_enabled():
            place_something(page, touch)
            # A bonus move lets one place again; anything else ends the turn.
            page.wait_for_timeout(80)
    raise AssertionError("the game did not end in time")


def compare(page: Page) -> dict[str, Any]:
    """The result on the screen is the server's."""
    table: dict[str, Any] = page.evaluate(
        "fetch('/api' + location.pathname.replace('table', 'tables')).then((answer) => answer.json())"
    )
    result: dict[str, Any] = table["game"]["view"]["result"]
    winners = [seat for seat, rank in enumerate(result["ranks"]) if rank == 1]
    names = [table["places"][place]["name"] for place in table["game"]["places"]]
    for seat in winners:
        expect(page.get_by_role("heading", name=names[seat]).first).to_be_visible()
    for seat, markers in enumerate(result["tracks"]):
        track = page.get_by_role("img", name=f"Track of {names[seat]}").first
        if not track.is_visible():  # folded on a phone
            page.locator("summary", has_text=names[seat]).click()
        label = track.get_attribute("aria-label") or ""
        shown = [int(word) for word in label.replace(",", " ").split() if word.isdecimal()]
        assert shown == markers, (label, markers)
    return result


def main() -> None:
    """Play once."""
    server = sys.argv[1]
    size = sys.argv[2] if len(sys.argv) > 2 else "1280x800"
    width, height = (int(part) for part in size.split("x"))
    touch = width < 500
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", has_touch=touch, is_mobile=touch
        ).new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        play(page, server, touch)
        print(compare(page))
        if len(sys.argv) > 3:
            page.screenshot(path=Path(sys.argv[3]) / f"classic-over-{size}.png")
        assert not problems, problems
        browser.close()


if __name__ == "__main__":
    main()
