"""The game on the full screen."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from genial.core.messages import LANGUAGES
from genial.terminal.bot_worker import BotWorker
from genial.terminal.entry import again
from genial.terminal.game_page import GamePage
from genial.terminal.help_page import HelpPage
from genial.terminal.page import Page
from genial.terminal.session import Session
from genial.terminal.start_page import StartPage
from genial.terminal.words import say

PAUSE = 0.8
"""Seconds before each placement of a bot, so that people can follow; a key skips them."""


class GenialApp(App[None]):
    """Start page, game and result; language, help and quitting work everywhere."""

    TITLE = "Genial"
    ENABLE_COMMAND_PALETTE = False
    CSS: ClassVar[str] = """
    Screen { background: #121418; color: #ECE8E0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "language", show=False),
        Binding("h,question_mark", "help", show=False),
        Binding("q", "quit", show=False),
    ]

    def __init__(
        self,
        session: Session | None,
        *,
        language: str = "en",
        folder: Path,
        pause: float = PAUSE,
        bots: BotWorker | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        wanted = session.language if session is not None else language
        self.language = wanted if wanted in LANGUAGES else "en"
        self._folder = folder
        self._bots = bots or BotWorker()
        self._pause = pause
        self._kernel_told = False

    def on_mount(self) -> None:
        if self.session is not None:
            self.push_screen(self._page(self.session))
        else:
            self.push_screen(StartPage(self._folder))

    async def on_unmount(self) -> None:
        await self._bots.close()

    def on_start_page_begin(self, message: StartPage.Begin) -> None:
        self._play(message.session)

    def _play(self, session: Session) -> None:
        self.session = session
        while len(self.screen_stack) > 2:
            self.pop_screen()
        self.switch_screen(self._page(session))

    def _page(self, session: Session) -> GamePage:
        session.language = self.language
        note = None if self._kernel_told else session.kernel_note
        self._kernel_told = self._kernel_told or note is not None
        return GamePage(session, self._bots, self._pause, note)

    def action_again(self) -> None:
        """Play the next game of the series; after the last one, the same again with a new deal."""
        old = self.session
        if old is not None:
            self._play(old.following or again(old, language=self.language, folder=self._folder))

    def action_language(self) -> None:
        self.language = LANGUAGES[(LANGUAGES.index(self.language) + 1) % len(LANGUAGES)]
        if isinstance(self.screen, Page):
            self.screen.draw()

    def action_help(self) -> None:
        self.push_screen(HelpPage(self.session.setup.title if self.session else None))


def run(session: Session | None, *, language: str, folder: Path, pause: float = PAUSE) -> int:
    """Play on the full screen, then say where the game is saved and how to continue it."""
    app = GenialApp(session, language=language, folder=folder, pause=pause)
    app.run()
    played = app.session
    if played is not None and played.path is not None:
        if played.trouble:
            print(say("not-saved", app.language, why=played.trouble))
        elif played.is_over:
            print(say("record-in", app.language, path=played.path))
        waiting = played.following if played.is_over else played
        if waiting is not None and waiting.path is not None and not waiting.trouble:
            print(say("saved", app.language, path=waiting.path))
            print(say("how-to-resume", app.language, path=waiting.path))
    return app.return_code or 0
