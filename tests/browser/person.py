"""A person at a browser: does what the screen offers, and knows only what it shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from playwright.sync_api import Page
from tests.browser.hands import Hand, Mouse
from tests.browser.screen import Screen
from tests.browser.waiting import until
from tests.browser.words import Words, words_in

LONGEST = 240.0
"""Seconds after which a game that is still going on must be hanging."""


@dataclass(slots=True)
class Person:
    """One browser with its own cookie, and the person who sits at it."""

    page: Page
    name: str
    hand: Hand = field(default_factory=Mouse)
    rng: Random = field(default_factory=lambda: Random(5))
    language: str = "en"
    swaps: bool = True
    problems: list[str] = field(default_factory=list)
    """Errors that the page reported. A test looks at them in the end."""

    @property
    def words(self) -> Words:
        return words_in(self.language)

    @property
    def screen(self) -> Screen:
        return Screen(self.page, self.words)

    def is_over(self) -> bool:
        return self.screen.over.count() > 0

    def act(self) -> bool:
        """Do one thing if it is this person's turn. Returns whether something was done."""
        screen = self.screen
        if screen.curtain.is_visible():
            self.hand.press(screen.curtain)
            screen.curtain.wait_for(state="hidden")
            return True
        if not screen.turn.first.is_visible():
            return False
        before = screen.now()
        if screen.end.is_visible():
            swap = self.swaps and screen.swap.is_visible() and self.rng.random() < 0.7
            self.hand.press(screen.swap if swap else screen.end)
        elif screen.board.is_visible():
            self.hand.lay(screen, self.rng)
        else:
            self.hand.play_card(screen, self.rng)
        until(lambda: screen.now() != before, f"{self.name}'s screen did not change")
        return True


def play(people: Iterable[Person], enough: Callable[[], bool] | None = None) -> None:
    """Let everybody play until `enough` says so, or without it until all of them see the result."""
    people = list(people)
    end = time.monotonic() + LONGEST
    while enough is None or not enough():
        acted = [person.act() for person in people]
        if not any(acted):
            if all(person.is_over() for person in people):
                assert enough is None or enough(), "the game ended before it was enough"
                return
            people[0].page.wait_for_timeout(20)
        assert time.monotonic() < end, "the game did not end in time"
