"""The first page: continue a game, start at once, or choose title, seats and players."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

import genial
from genial.bots import BOTS
from genial.core.editions import name_of
from genial.core.errors import GenialError
from genial.core.shown import NAME_LENGTH, shown
from genial.core.titles import TITLES, title_of
from genial.terminal.entry import game_words, new_session, start
from genial.terminal.glyphs import GLYPHS, INK, QUIET, TEXT
from genial.terminal.page import Page
from genial.terminal.saves import remember_names, remembered_names, saved_games
from genial.terminal.session import Session
from genial.terminal.words import bot_name, bot_to_choose

PLAYERS: tuple[str | None, ...] = (None, *BOTS)
"""Who can take a seat: a person, or a bot by name."""
_QUICK_BOT = "balanced"
_FIRST_LINE = 4
_MOST_GAMES = 10
"""The longest series that the menu offers; the command line accepts more."""


class _Menu(Static):
    """The lines to choose from; reports which one is clicked."""

    class Picked(Message):
        """A line was clicked."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Picked(event.y - _FIRST_LINE))


class _NameInput(Input):
    """The field for typing a name; hidden otherwise."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def action_leave(self) -> None:
        if isinstance(self.screen, StartPage):
            self.screen.leave_name()


class StartPage(Page):
    """Choose a game with the arrow keys and Enter, or by clicking."""

    AUTO_FOCUS: ClassVar[str | None] = ""
    CSS: ClassVar[str] = """
    StartPage #menu { padding: 0 3; height: auto; text-wrap: nowrap; text-overflow: ellipsis; }
    StartPage #name { display: none; margin: 1 3 0 3; width: 40; background: #2B313C; }
    StartPage #hint { padding: 1 3; height: 1fr; color: #A39E94; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "line(-1)", show=False),
        Binding("down", "line(1)", show=False),
        Binding("left", "change(-1)", show=False),
        Binding("right", "change(1)", show=False),
        Binding("enter", "choose", show=False),
        Binding("p", "quick", show=False),
        Binding("n", "name", show=False),
    ]

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._saved = saved_games(folder)[:1]
        self.variant = next(iter(TITLES))
        self.seats = title_of(self.variant).seats[0]
        self.players: list[str | None] = [None, _QUICK_BOT, _QUICK_BOT, _QUICK_BOT]
        self.names = remembered_names(folder)
        self.games = 1
        self.line = 0
        self._message = ""

    def parts(self) -> Iterable[Widget]:
        yield _Menu(id="menu", markup=False)
        yield _NameInput(id="name", max_length=NAME_LENGTH, compact=True)
        yield Static(id="hint", markup=False)

    @property
    def lines(self) -> list[str]:
        """What each line of the menu is for."""
        found = ["continue"] if self._saved else []
        return [*found, "quick", "variant", "seats", *self._seat_lines, "games", "go"]

    @property
    def _seat_lines(self) -> list[str]:
        return [f"seat-{n}" for n in range(self.seats)]

    def draw(self) -> None:
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append("\n")
        for colour, glyph in enumerate(GLYPHS):
            text.append(f"{glyph} ", f"bold {INK[colour]}")
        text.append(f" GENIAL {genial.__version__}\n", f"bold {TEXT}")
        text.append(f"{self.say('unofficial')}\n\n", QUIET)
        for number, line in enumerate(self.lines):
            chosen = number == self.line
            text.append(f"{'▸' if chosen else ' '} {self._label(line)}\n", f"bold {TEXT}" if chosen else TEXT)
        self.query_one(_Menu).update(text)
        hint = "start-name-hint" if self.query_one(_NameInput).display else "start-hint"
        self.query_one("#hint", Static).update(f"{self.say(hint)}\n\n{self._message}")

    def _label(self, line: str) -> str:
        if line == "continue":
            return self.say("start-continue", game=game_words(self._saved[0], self.language))
        if line == "quick":
            title, bot = name_of(next(iter(TITLES)), self.language), bot_name(_QUICK_BOT, self.language)
            return self.say("start-quick", title=title, bot=bot)
        if line == "go":
            return self.say("start-go")
        if line == "variant":
            name, value = self.say("start-variant"), name_of(self.variant, self.language)
        elif line == "seats":
            name, value = self.say("start-seats"), str(self.seats)
        elif line == "games":
            name, value = self.say("start-games"), str(self.games)
        else:
            seat = int(line.removeprefix("seat-"))
            player = self.players[seat]
            name = self.say("start-seat", number=seat + 1)
            person = self.names[seat] or self.say("start-person")
            value = (
                person if player is None else self.say("start-bot", name=bot_to_choose(player, self.language))
            )
        return f"  {name:<12} ◂ {value} ▸"

    # Keys and clicks

    def action_line(self, step: int) -> None:
        self.line = (self.line + step) % len(self.lines)
        self.draw()

    def action_change(self, step: int) -> None:
        line = self.lines[self.line]
        if line == "variant":
            names = list(TITLES)
            self.variant = names[(names.index(self.variant) + step) % len(names)]
            counts = title_of(self.variant).seats
            self.seats = self.seats if self.seats in counts else counts[0]
        elif line == "seats":
            counts = title_of(self.variant).seats
            self.seats = counts[(counts.index(self.seats) + step) % len(counts)]
        elif line == "games":
            self.games = (self.games - 1 + step) % _MOST_GAMES + 1
        elif line.startswith("seat-"):
            seat = int(line.removeprefix("seat-"))
            self.players[seat] = PLAYERS[(PLAYERS.index(self.players[seat]) + step) % len(PLAYERS)]
        self.draw()

    def on__menu_picked(self, message: _Menu.Picked) -> None:
        if 0 <= message.line < len(self.lines):
            again, self.line = self.line == message.line, message.line
            line = self.lines[self.line]
            if line in ("continue", "quick", "go"):
                self.action_choose()
            elif again:
                self.action_change(1)
            else:
                self.draw()

    def action_quick(self) -> None:
        names = self.names[:1]
        self._begin(new_session(next(iter(TITLES)), names=names, language=self.language, folder=self._folder))

    def action_choose(self) -> None:
        line = self.lines[self.line]
        if line == "continue":
            self._continue()
        elif line == "quick":
            self.action_quick()
        else:
            position = genial.new(self.variant, seats=self.seats)
            players = self.players[: self.seats]
            names = [
                name if player is None else ""
                for player, name in zip(players, self.names[: self.seats], strict=True)
            ]
            self._begin(
                start(
                    position,
                    players,
                    names=names,
                    games=self.games,
                    language=self.language,
                    folder=self._folder,
                )
            )

    # Names

    @property
    def _named_seat(self) -> int | None:
        """The seat on the selected line, if a person sits there."""
        line = self.lines[self.line]
        seat = int(line.removeprefix("seat-")) if line.startswith("seat-") else None
        return seat if seat is not None and self.players[seat] is None else None

    def action_name(self) -> None:
        """Let the user type a name for the person on the selected line."""
        seat, field = self._named_seat, self.query_one(_NameInput)
        if seat is not None:
            field.value = self.names[seat]
            field.placeholder = self.say("start-name-field", number=seat + 1)
            field.cursor_position = len(field.value)
            field.display = True
            field.focus()
            self.draw()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        if (seat := self._named_seat) is not None:
            self.names[seat] = shown(message.value)
            remember_names(self._folder, self.names)
        self.leave_name()

    def leave_name(self) -> None:
        """Return to the menu."""
        field = self.query_one(_NameInput)
        field.display = False
        self.set_focus(None)
        self.draw()

    def _continue(self) -> None:
        try:
            self._begin(Session.resume(self._saved[0].path, self.language))
        except GenialError as error:
            self._refuse(error.text(self.language))
        except OSError as error:
            path = self._saved[0].path
            self._refuse(self.say("no-such-file", path=path, why=error.strerror or str(error)))

    def _refuse(self, why: str) -> None:
        self._message, self._saved, self.line = why, [], 0
        self.draw()

    class Begin(Message):
        """A game was chosen."""

        def __init__(self, session: Session) -> None:
            super().__init__()
            self.session = session

    def _begin(self, session: Session) -> None:
        self.post_message(self.Begin(session))
