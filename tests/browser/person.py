"""A person before a browser: does whatever the screen offers, and knows nothing that it does not show."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from playwright.sync_api import Page
from tests.browser.hands import Hand, Mouse
from tests.browser.screen import Screen
from tests.browser.words import Words, words_in

LONGEST = 240.0
"""Seconds after which a game that goes on is one that hangs."""
PATIENCE = 20.0
_AGAIN = 6.0
"""Seconds without any change after which a person tries again."""
_FORGIVEN = 2
"""A screen that moved under the pointer, on a machine with much else to do."""


@dataclass(slots=True)
class Person:
    """One browser, with its own cookie, and who sits there."""

    page: Page
    name: str
    hand: Hand = field(default_factory=Mouse)
    rng: Random = field(default_factory=lambda: Random(5))
    language: str = "en"
    swaps: bool = True
    astray: int = 0
    """How often nothing came of what was tried."""
    problems: list[str] = field(default_factory=list)
    """What the page complained about; a test looks at it in the end."""

    @property
    def words(self) -> Words:
        return words_in(self.language)

    @property
    def screen(self) -> Screen:
        return Screen(self.page, self.words)

    def is_over(self) -> bool:
        return self.screen.over.count() > 0

    def act(self) -> bool:
        """Do one thing if it is this person's turn."""
        screen = self.screen
        if screen.curtain.is_visible():
            self.hand.press(screen.curtain)
            screen.curtain.wait_for(state="hidden")
            return True
        if not screen.turn.first.is_visible():
            return False
        before = self._seen()
        self._try(screen)
        if not happens(lambda: self._seen() != before, _AGAIN):
            # As anybody would whose click went astray: put back what is in hand, and try once more.
            self.astray += 1
            assert self.astray <= _FORGIVEN, f"{self.name}'s screen does not do what it is told"
            self.page.keyboard.press("Escape")
            if screen.turn.first.is_visible() and self._seen() == before:
                self._try(screen)
            until(lambda: self._seen() != before, f"{self.name}'s screen did not change")
        return True

    def _try(self, screen: Screen) -> None:
        if screen.end.is_visible():
            swap = self.swaps and screen.swap.is_visible() and self.rng.random() < 0.7
            self.hand.press(screen.swap if swap else screen.end)
        elif screen.board.is_visible():
            self.hand.lay(screen, self.rng)
        else:
            self.hand.play_card(screen, self.rng)

    def _seen(self) -> tuple[object, ...]:
        """What changes with every deed: the tiles at hand, what is asked, how many moves were made."""
        screen = self.screen
        tiles = screen.tiles.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
        return screen.turn.first.is_visible(), screen.end.is_visible(), tiles, screen.history.count()


def happens(holds: Callable[[], bool], seconds: float) -> bool:
    """Whether something is so before long."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def until(holds: Callable[[], bool], otherwise: str, seconds: float = PATIENCE) -> None:
    """Wait for what the server and the screen will bring about."""
    assert happens(holds, seconds), otherwise


def play(people: Iterable[Person], enough: Callable[[], bool] = lambda: False) -> None:
    """Everybody plays until all see the result, or it is enough."""
    people = list(people)
    end = time.monotonic() + LONGEST
    while not enough():
        acted = [person.act() for person in people]
        if not any(acted):
            if all(person.is_over() for person in people):
                return
            people[0].page.wait_for_timeout(20)
        assert time.monotonic() < end, "the game did not end in time"
