"""What all pages have in common: a minimum size, and the line of keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from genial.terminal.glyphs import QUIET, TEXT
from genial.terminal.words import say

LEAST = (70, 22)
"""Columns and lines below which the page only asks for more room."""


class Page(Screen[bool]):
    """A page in the session's language; if the terminal is too small it says so, and nothing is lost."""

    DEFAULT_CSS: ClassVar[str] = """
    Page #too-small { display: none; width: 100%; height: 100%; padding: 1; }
    Page.small #too-small { display: block; }
    Page.small .part { display: none; }
    """

    @property
    def language(self) -> str:
        return str(getattr(self.app, "language", "en"))

    def say(self, key: str, **params: object) -> str:
        return say(key, self.language, **params)

    def compose(self) -> ComposeResult:
        yield Static(id="too-small", markup=False)
        for part in self.parts():
            part.add_class("part")
            yield part

    def parts(self) -> Iterable[Widget]:
        """The widgets of the page."""
        raise NotImplementedError

    def draw(self) -> None:
        """Show the current state."""
        raise NotImplementedError

    def on_mount(self) -> None:
        self._measure(*self.app.size)

    def on_resize(self, event: events.Resize) -> None:
        self._measure(*event.size)

    def on_screen_resume(self) -> None:
        self._measure(*self.app.size)

    def _measure(self, width: int, height: int) -> None:
        small = width < LEAST[0] or height < LEAST[1]
        self.set_class(small, "small")
        if small:
            sizes = {"width": width, "height": height, "least_width": LEAST[0], "least_height": LEAST[1]}
            self.query_one("#too-small", Static).update(self.say("too-small", **sizes))
        else:
            self.draw()

    def action_press(self, key: str) -> None:
        """Do what a key does; for clicks on the line of keys."""
        self.app.simulate_key(key)


class KeyLine(Static):
    """The keys that do something now; they can be clicked too."""

    def show(self, keys: Sequence[tuple[str, str]]) -> None:
        """Show pairs of a key and a text such as `r turn`, never splitting one across lines."""
        text, column, width = Text(), 0, self.app.size.width - 2
        for key, label in keys:
            if column and column + len(label) > width:
                text.append("\n")
                column = 0
            name, _, rest = label.partition(" ")
            click = Style(meta={"@click": f"screen.press('{key}')"} if key else {})
            text.append(name, Style.parse(f"bold {TEXT}") + click)
            text.append(f" {rest}", Style.parse(QUIET) + click)
            text.append("  ")
            column += len(label) + 2
        self.update(text)
