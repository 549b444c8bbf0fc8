"""How long a newcomer takes to the first tile, through the lesson, and to the end of a game: clicks and
seconds.

python -m tools.newcomer

A script with a mouse does what a first-time visitor would do. It doesn't stop to think, so the seconds are
the app's, not the person's.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random
from time import monotonic

from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.browser.coach import Coach
from tests.browser.conftest import DESKTOP, launch
from tests.browser.hands import Mouse
from tests.browser.person import Person, play
from tests.browser.server import house
from tests.browser.tables import begun, play_button
from tests.browser.waiting import until
from tools.chromium import CHROMIUM, NO_BROWSER

from genial.server.lessons import LESSONS

COUNT = "addEventListener('pointerdown', () => (window.clicks = (window.clicks ?? 0) + 1), true)"


class Watch:
    """Counts clicks and seconds from opening the address."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        page.add_init_script(COUNT)
        self._begun = monotonic()
        page.goto(url)

    @property
    def clicks(self) -> int:
        """Mouse presses on this page so far."""
        found: int = self._page.evaluate("window.clicks ?? 0")
        return found

    def told(self, what: str) -> None:
        """Report what it took to get here."""
        print(f"{what}: {self.clicks} clicks, {monotonic() - self._begun:.1f} s")


def newcomer(browser: Browser) -> Person:
    """A person with an empty browser and normal motion settings."""
    width, height = DESKTOP
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en")
    return Person(context.new_page(), "", Mouse(), Random(5))


def first_game(person: Person, url: str) -> None:
    """Start a game right away and play it to the end."""
    watch = Watch(person.page, url)
    play_button(person).click()
    begun(person)
    until(person.act, "there was nothing to do")  # whoever starts, the first thing to do is to place a tile
    watch.told("first tile placed")
    before = watch.clicks
    play([person])
    # The history shows both players' placements and swaps.
    placed = person.screen.history.count() / 2
    watch.told("end of a game")
    print(f"clicks a turn: {(watch.clicks - before) / max(placed, 1):.1f}")


def first_lesson(person: Person, url: str) -> None:
    """Go through the lesson with every move shown."""
    page, words = person.page, person.words
    watch = Watch(page, url)
    page.get_by_role("link", name=words("home_learn")).click()
    coach = Coach(person)
    coach.is_shown(LESSONS["classic"])
    done = coach.button("lesson_play")
    expect(done).to_be_visible()
    watch.told("end of the lesson")
    done.click()
    begun(person)
    expect(person.screen.tiles.first).to_be_visible()
    watch.told("first game after the lesson")


def main() -> int:
    if CHROMIUM is None:
        print(NO_BROWSER, file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as folder,
        house(Path(folder) / "genial.db") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        first_game(newcomer(browser), server.url)
        first_lesson(newcomer(browser), server.url)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
