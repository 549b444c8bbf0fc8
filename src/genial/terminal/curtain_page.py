"""The curtain between two people at one keyboard: nothing of the game is visible."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from genial.terminal.glyphs import QUIET, TEXT
from genial.terminal.page import Page


class CurtainPage(Page):
    """Waits until the next person has the keyboard."""

    CSS: ClassVar[str] = """
    CurtainPage #curtain { width: 100%; height: 100%; content-align: center middle; text-align: center; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "lift", show=False),
        Binding("u", "take_back", show=False),
    ]

    def __init__(self, name: str, back_to: str | None = None) -> None:
        super().__init__()
        self._name_of_next = name
        self._back_to = back_to
        """The seat that may still take back a placement."""

    def parts(self) -> Iterable[Widget]:
        yield Static(id="curtain", markup=False)

    def draw(self) -> None:
        text = Text(self.say("curtain-title", name=self._name_of_next), f"bold {TEXT}")
        text.append(f"\n\n{self.say('curtain-hint', name=self._name_of_next)}", QUIET)
        if self._back_to is not None:
            text.append(f"\n\n{self.say('curtain-undo', name=self._back_to)}", QUIET)
        self.query_one("#curtain", Static).update(text)

    def action_lift(self) -> None:
        self.dismiss(True)

    def action_take_back(self) -> None:
        if self._back_to is not None:
            self.dismiss(False)
