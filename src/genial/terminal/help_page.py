"""Help: the keys, the marks on the board, and a summary of the title's rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from genial.core.colours import COLOURS
from genial.core.editions import name_of
from genial.core.messages import render
from genial.core.summary import rules_in_short
from genial.core.title import CardPlan, Title
from genial.terminal.glyphs import GLYPHS, INK, TEXT
from genial.terminal.page import KeyLine, Page


class HelpPage(Page):
    """A scrollable page; any of the usual keys leaves it."""

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
            text.append(f"{name_of(self._of_title.variant, self.language)}\n", f"bold {TEXT}")
            for part in rules_in_short(self._of_title, self.language):
                text.append(f"{part}\n\n")
        text.append(f"{self.say('help-title')}\n", f"bold {TEXT}")
        cards = self._of_title is not None and isinstance(self._of_title.plan, CardPlan)
        kind = "-cards" if cards else ""
        text.append(f"{self.say(f'help-keys{kind}')}\n\n{self.say(f'help-marks{kind}')}\n\n")
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
