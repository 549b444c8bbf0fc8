"""The ways to play: by mouse, by dragging, by keys alone, by finger. Each lays tiles and presses buttons."""

from __future__ import annotations

from random import Random
from typing import Protocol

from playwright.sync_api import Locator
from tests.browser.screen import Screen
from tests.browser.waiting import until


class Hand(Protocol):
    """How somebody plays."""

    def press(self, button: Locator) -> None:
        """Press a button."""

    def lay(self, screen: Screen, rng: Random) -> None:
        """Take any tile and lay it on any permitted place."""

    def play_card(self, screen: Screen, rng: Random) -> None:
        """Play any card, in any order of its symbols."""


class Mouse:
    """Clicks on a tile, then on a cell."""

    def press(self, button: Locator) -> None:
        ready(button)
        button.click()

    def lay(self, screen: Screen, rng: Random) -> None:
        any_of(screen.tiles, rng).click()
        x, y = middle(any_of(screen.permitted, rng))
        screen.page.mouse.move(x, y)
        if rng.random() < 0.3:
            screen.page.mouse.wheel(0, rng.choice((-100, 100)))
        screen.page.mouse.click(x, y)

    def play_card(self, screen: Screen, rng: Random) -> None:
        any_of(screen.tiles, rng).click()
        if rng.random() < 0.5:
            any_of(screen.orders, rng).click()
        screen.place.click()


class Dragging(Mouse):
    """Drags a tile from the rack to its cell."""

    def lay(self, screen: Screen, rng: Random) -> None:
        mouse = screen.page.mouse
        mouse.move(*middle(any_of(screen.tiles, rng)))
        mouse.down()
        mouse.move(*middle(screen.board), steps=3)
        mouse.move(*middle(any_of(screen.permitted, rng)), steps=4)
        mouse.up()


class Keys:
    """Never uses a pointer: digits take tiles, arrows and page keys move about, Enter confirms."""

    def press(self, button: Locator) -> None:
        """Go to the button with the Tab key, unless it has the focus already, and press Enter."""
        for _ in range(80):
            if button.evaluate("(one) => one === document.activeElement"):
                ready(button)
                button.page.keyboard.press("Enter")
                return
            button.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {button}")

    def lay(self, screen: Screen, rng: Random) -> None:
        keyboard = screen.page.keyboard
        keyboard.press(key_of(any_of(screen.tiles, rng)))
        for _ in range(rng.randrange(4)):
            keyboard.press(rng.choice(("PageDown", "PageUp", "ArrowLeft", "ArrowDown", "Home")))
        if rng.random() < 0.3:
            keyboard.press("r")
        keyboard.press("PageDown")  # wherever the arrows led, this ends on a permitted cell
        keyboard.press("Enter")

    def play_card(self, screen: Screen, rng: Random) -> None:
        keyboard = screen.page.keyboard
        keyboard.press(str(rng.randrange(screen.tiles.count()) + 1))
        if rng.random() < 0.5:
            self.press(any_of(screen.orders, rng))
        self.press(screen.place)


class Finger:
    """Taps, and confirms with a button, because a finger hides the cell under it."""

    def press(self, button: Locator) -> None:
        ready(button)
        button.tap()

    def lay(self, screen: Screen, rng: Random) -> None:
        any_of(screen.tiles, rng).tap()
        x, y = middle(any_of(screen.permitted, rng))
        screen.page.touchscreen.tap(x, y)
        if rng.random() < 0.3:
            screen.page.touchscreen.tap(x, y)  # turns it
        screen.place.tap()

    def play_card(self, screen: Screen, rng: Random) -> None:
        any_of(screen.tiles, rng).tap()
        if rng.random() < 0.5:
            any_of(screen.orders, rng).tap()
        screen.place.tap()


def ready(button: Locator) -> None:
    """Wait until the button can be pressed: when it has just appeared, it is disabled for a moment."""
    until(button.is_enabled, f"{button} cannot be pressed")


def key_of(tile: Locator) -> str:
    """The key that takes a tile, which belongs to its recess."""
    return str(tile.get_attribute("aria-keyshortcuts"))


def any_of(found: Locator, rng: Random) -> Locator:
    """One of the elements, at random."""
    return found.nth(rng.randrange(found.count()))


def middle(found: Locator) -> tuple[float, float]:
    """The middle of an element, to point at."""
    box = found.bounding_box()
    assert box is not None, f"{found} is not on the screen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
