"""Help: the keys, the marks on the board, and the rules of the title in short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from genial.core.colours import COLOURS
from genial.core.messages import render
from genial.core.title import Title
from genial.terminal.glyphs import GLYPHS, INK, TEXT
from genial.terminal.page import KeyLine, Page


def rules_of(title: Title) -> list[str]:
    """The words that tell the rules of a title, the general ones first.

    >>> from genial.core.titles import title_of
    >>> rules_of(title_of("3d-solo"))
    ['rules-board', 'rules-3d', 'rules-solo']
    """
    if title.variant == "cards":
        return ["rules-cards"]
    found = ["rules-board"]
    if title.variant.startswith("3d"):
        found.append("rules-3d")
    if title.is_solo:
        found.append("rules-solo")
    if title.variant == "classic-team":
        found.append("rules-team")
    if title.reconstructed:
        found.append("rules-duel")
    return found


class HelpPage(Page):
    """Can be scrolled; any of the usual keys leaves it."""

    CSS: ClassVar[str] = """
    HelpPage #scroll { height: 1fr; padding: 1 2; }
    HelpPage #keys { height: 1; padding: 0 1; background: #2B313C; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,h,question_mark,q", "leave", show=False)]

    def __init__(self, title: Title | None) -> None:
        super().__init__()
        self._of_title = title

    def parts(self) -> Iterable[Widget]:
        yield VerticalScroll(Static(id="help", markup=False), id="scroll")
        yield KeyLine(id="keys", markup=False)

    def draw(self) -> None:
        text = Text()
        if self._of_title is not None:
            name = render(f"title-{self._of_title.variant}", {}, self.language)
            text.append(f"{name}\n", f"bold {TEXT}")
            for key in rules_of(self._of_title):
                text.append(f"{self.say(key)}\n\n")
        text.append(f"{self.say('help-title')}\n", f"bold {TEXT}")
        text.append(f"{self.say('help-keys')}\n\n{self.say('help-marks')}\n\n")
        for colour, glyph in enumerate(GLYPHS):
            shape = render(f"shape-{colour}", {}, self.language)
            name = render(f"colour-{colour}", {}, self.language)
            text.append(f"{glyph}{COLOURS[colour]} ", f"bold {INK[colour]}")
            text.append(f"{name}, {shape}\n")
        text.append(f"\n{self.say('unofficial')}")
        self.query_one("#help", Static).update(text)
        self.query_one(KeyLine).show([("escape", self.say("key-back"))])

    def action_leave(self) -> None:
        self.dismiss()
