"""The end of a game: ranks, the deciding comparison, the reason, where the record is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from genial.core.messages import render
from genial.core.sides import Sides
from genial.terminal.glyphs import QUIET, TEXT
from genial.terminal.page import KeyLine, Page
from genial.terminal.result import decision_lines, series_lines
from genial.terminal.session import Session
from genial.terminal.standings import decided_at, standings
from genial.terminal.telling import Teller
from genial.terminal.tracks_text import tracks_text


def result_text(session: Session, width: int) -> Text:
    """The complete result."""
    view, teller = session.view(), Teller(session)
    text = Text(end="")
    text.append(f"{teller.title()}: {teller.say('game-over')}\n", f"bold {TEXT}")
    if view.result is not None:
        text.append(render(f"reason-{view.result.reason}", {}, session.language) + "\n\n")
    _comparison(text, session, teller)
    for line in decision_lines(session):
        text.append(f"\n{line}", f"bold {TEXT}")
    _series(text, session)
    text.append("\n\n")
    text.append_text(tracks_text(session, view, min(width - 4, 72), 0))
    if session.trouble:
        text.append(f"\n\n{teller.say('not-saved', why=session.trouble)}")
    elif session.path is not None:
        text.append(f"\n\n{teller.say('record-in', path=session.path)}", QUIET)
    return text


def _comparison(text: Text, session: Session, teller: Teller) -> None:
    """The compared values of all sides one below the other, with the deciding one marked."""
    found = standings(session.view())
    shared = session.setup.title.sides is Sides.SHARED
    room = max(len(session.side_name(standing.seats[0])) for standing in found) + 5
    heading = teller.say("result-heading-pegs" if shared else "result-heading")
    text.append(f"{'':{room}}{heading}\n", QUIET)
    decided = decided_at(*found[:2]) if len(found) > 1 else None
    for standing in found:
        text.append(f"{standing.rank}. {session.side_name(standing.seats[0])}".ljust(room), f"bold {TEXT}")
        for place, value in enumerate(standing.figures):
            text.append(f"{value:4}", f"bold {TEXT}" if place == decided else QUIET)
        text.append("\n")
    if decided is not None:
        text.append(f"{'':{room + 4 * decided}}  ↑↑ {teller.say('decides')}", TEXT)


def _series(text: Text, session: Session) -> None:
    """The state of the series, with the totals most prominent."""
    for number, line in enumerate(series_lines(session)):
        text.append("\n" if number else "\n\n")
        text.append(line, TEXT if number else f"bold {TEXT}")


class ResultPage(Page):
    """Shows the result; from here the player can play again, look at the board, or leave."""

    CSS: ClassVar[str] = """
    ResultPage #scroll { height: 1fr; padding: 1 2; }
    ResultPage #keys { height: 1; padding: 0 1; background: #2B313C; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "again", show=False),
        Binding("b,escape", "look", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def parts(self) -> Iterable[Widget]:
        yield VerticalScroll(Static(id="result", markup=False), id="scroll")
        yield KeyLine(id="keys", markup=False)

    def draw(self) -> None:
        self._session.language = self.language
        self.query_one("#result", Static).update(result_text(self._session, self.app.size.width))
        going_on = self._session.following is not None
        keys = (
            ("n", "key-next-game" if going_on else "key-again"),
            ("b", "key-look"),
            ("l", "key-language"),
            ("q", "key-quit"),
        )
        self.query_one(KeyLine).show([(key, self.say(word)) for key, word in keys])

    def action_look(self) -> None:
        self.app.pop_screen()

    async def action_again(self) -> None:
        await self.app.run_action("again")
