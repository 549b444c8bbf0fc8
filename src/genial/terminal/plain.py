"""Line mode: the game in words, one command per line. For screen readers and scripts; no cursor tricks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.cellnames import parse_cell
from genial.core.errors import GenialError
from genial.core.guidance import what_now
from genial.core.layout import Layout
from genial.core.messages import LANGUAGES
from genial.core.moves import event_of
from genial.core.notation import move_text, parse_move
from genial.core.situation import Phase
from genial.core.summary import rules_in_short
from genial.core.tiles import NORMAL, Tile, normal
from genial.core.view import View
from genial.terminal.bot_worker import BotWorker
from genial.terminal.choices import Choice, choices
from genial.terminal.plain_board import board_lines, cell_lines
from genial.terminal.result import result_lines
from genial.terminal.saves import is_record
from genial.terminal.session import Session
from genial.terminal.telling import Teller
from genial.terminal.words import say
from genial.terminal.words.commands import ALIASES

_CURTAIN = 60
"""How many empty lines push a rack off a person's screen."""
_BEST = 10


class _Quit(Exception):
    """The player wants to stop, or there is no more input."""


class Wrong(Exception):
    """Input that is not a command; its text is a complete sentence."""


def run_plain(session: Session, stdin: TextIO, stdout: TextIO, bots: BotWorker | None = None) -> int:
    """Play a session line by line until it is over or the input ends. Returns the exit status."""
    bots = bots or BotWorker()
    with asyncio.Runner() as loop:
        try:
            return _Plain(session, stdin, stdout, lambda playing: loop.run(playing.bot_action(bots))).run()
        finally:
            loop.run(bots.close())


class _Plain:
    def __init__(
        self, session: Session, stdin: TextIO, stdout: TextIO, think: Callable[[Session], Action]
    ) -> None:
        self.session, self._in, self._out, self._think = session, stdin, stdout, think
        self._told = len(session.position.events)
        self._turn_told: int | None = None
        """The turn whose tracks and rack have already been read out."""
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "refill": lambda rest: self._act_if(rest, Refill()),
            "swap": lambda rest: self._act_if(rest, Swap()),
            "undo": self._undo,
            "help": lambda rest: self._print(self.say("plain-help")),
            "rules": lambda rest: self._print(
                *rules_in_short(self.session.setup.title, self.session.language)
            ),
            "quit": self._quit,
            "board": self._board,
            "tracks": lambda rest: self._print(*self.teller.tracks(self.session.view())),
            "rack": self._rack,
            "places": self._places,
            "preview": self._preview,
            "look": self._look,
            "language": self._set_language,
            "save": self._save,
        }

    @property
    def teller(self) -> Teller:
        return Teller(self.session)

    def say(self, key: str, **params: object) -> str:
        return say(key, self.session.language, **params)

    def _print(self, *lines: str) -> None:
        # Input is quoted in the output, and must not control the terminal.
        text = "".join(f"{line}\n" for line in lines)
        self._out.write("".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text))
        self._out.flush()

    def _read(self) -> str:
        self._out.write("> ")
        self._out.flush()
        line = self._in.readline()
        if not line:
            self._out.write("\n")
            raise _Quit
        return line.strip()

    # The game

    def run(self) -> int:
        try:
            self._greet()
            if note := self.session.kernel_note:
                self._print(note)
            self._game()
            while (following := self.session.following) is not None:
                following.language = self.session.language
                self.session, self._told, self._turn_told = following, len(following.position.events), None
                self._greet()
                self._game()
        except (_Quit, KeyboardInterrupt):
            self._print(*self._farewell())
        return 0

    def _game(self) -> None:
        """Play one game to its end."""
        while not self.session.is_over:
            if self.session.bot_to_move:
                self.session.act(self._think(self.session))
                if self.session.bot_trouble:
                    self._print(self.session.bot_trouble)
                self._tell_events()
            else:
                self._turn()
        self._print(*result_lines(self.session))

    def _farewell(self) -> list[str]:
        session = self.session
        if session.trouble or session.path is None:
            return [self.say("not-saved", why=session.trouble or "-")]
        return [self.say("saved", path=session.path), self.say("how-to-resume", path=session.path)]

    def _greet(self) -> None:
        teller, session = self.teller, self.session
        players = teller.listed(session.names)
        if session.series.games > 1:
            game, games = session.series.played + 1, session.series.games
            self._print("", self.say("series-begins", game=game, games=games, name=session.names[0]))
        self._print(self.say("greeting", title=teller.title(), players=players), self.say("type-help"))
        if session.setup.title.reconstructed:
            self._print(self.say("reconstructed-note"))
        if session.path is not None and not session.trouble:
            self._print(self.say("kept-in", path=session.path))
        if session.trouble:
            self._print(self.say("not-saved", why=session.trouble))

    def _tell_events(self) -> None:
        session = self.session
        # With several people at one keyboard, nobody's drawn tiles are read out.
        viewer = (
            session.view() if len(session.people) == 1 or session.is_over else session.position.view(set())
        )
        self._print(*self.teller.events(viewer.events, self._told))
        self._told = len(viewer.events)

    def _turn(self) -> None:
        seat = self.session.curtain_for
        if seat is not None and not self._curtain(seat):
            return
        self._situation()
        before = self.session.position
        while self.session.position is before:
            self._obey(self._read())
        if self.session.position.seat != before.seat and len(self.session.people) > 1:
            self.session.drop_curtain()

    def _curtain(self, seat: int) -> bool:
        """Wait for the next person. Returns False if the previous one takes back a placement instead."""
        if self._out.isatty():
            self._print(*[""] * _CURTAIN)
        session = self.session
        self._print(self.say("curtain-plain", name=session.names[seat]))
        if session.back_to is not None:
            self._print(self.say("curtain-undo-plain", name=session.names[session.back_to]))
        answer = self._read().lower()
        if ALIASES.get(answer, answer) == "undo" and session.can_take_back:
            self._undo([])
            return False
        self.session.lift_curtain()
        view = self.session.view()
        self._print(*self.teller.events(view.events, self.session.events_since(seat)))
        return True

    def _situation(self) -> None:
        session, view = self.session, self.session.view()
        # `turn` already counts up with the last placement, before the turn ends.
        turn = view.turn - (view.phase is Phase.END_TURN)
        if self._turn_told != turn:
            self._turn_told = turn
            self._whole_situation(view, turn)
        elif view.phase is Phase.PLACE:
            self._rack([])
        self._print(what_now(view).text(session.language))

    def _whole_situation(self, view: View, turn: int) -> None:
        teller, name = self.teller, self.session.names[view.seat]
        self._print("", self.say("turn-of", name=name, turn=turn // view.setup.seats + 1))
        if isinstance(view.table, Layout):
            self._print(teller.supply(view))
        else:
            self._board([])
        if view.last_turns is not None:
            self._print(self.say("last-round"))
        self._print(*self.teller.tracks(view))
        self._rack([])

    # Commands

    def _obey(self, line: str) -> None:
        words = line.split()
        if not words:
            self._print(self.say("type-help"))
            return
        name = words[0].lower()
        command = self._commands.get(ALIASES.get(name, name))
        try:
            if command is not None:
                command(words[1:])
            else:
                self._act(self._move(words))
        except GenialError as error:
            self._print(self.teller.problem(error))
        except Wrong as wrong:
            self._print(str(wrong))

    def _move(self, words: list[str]) -> Place | Play | Refill | Swap:
        """The move as typed: `RB@f6,f7`, `RB f6 f7`, `1 f6 f7`, or a card `RB`, `1`."""
        setup, view = self.session.setup, self.session.view()
        tile, *cells = re.split(r"[@,\s]+", " ".join(words).strip())
        if re.fullmatch(r"\d{1,4}", tile):
            tile = self._numbered(view, tile)
            if setup.board is None and not cells:
                return self._card(view, tile)
        if setup.board is not None and len(cells) == 2 and len(tile) == 2:
            normal(tile.upper())
            one, other = (parse_cell(setup.board, cell.lower()) for cell in cells)
            return Place(tile.upper(), (one, other))
        if setup.board is None and not cells and len(tile) == 2:
            return parse_move(setup, tile.upper())
        if setup.board is not None and not cells and tile.upper() in NORMAL:
            raise Wrong(self.say("where-to", tile=words[0]))
        raise Wrong(self.say("unknown-input", text=" ".join(words)[:60]))

    def _numbered(self, view: View, text: str) -> Tile:
        rack = view.racks[view.seat]
        if not 1 <= int(text) <= len(rack):
            key = "no-such-tile" if view.setup.board else "no-such-card"
            raise Wrong(self.say(key, number=int(text), count=len(rack)))
        return rack[int(text) - 1]

    def _card(self, view: View, tile: Tile) -> Play:
        found = choices(view, tile) if view.phase is Phase.PLACE else []
        if len({choice.score for choice in found}) > 1:
            raise Wrong(self.say("which-order", orders=" / ".join(self._choice_texts(found))))
        return Play(tile)

    def _choice_texts(self, found: list[Choice]) -> list[str]:
        teller, setup = self.teller, self.session.setup
        return [f"{move_text(setup, choice.action)}: {teller.outcome(choice.score)}" for choice in found]

    def _act(self, action: Place | Play | Refill | Swap) -> None:
        self.session.act(action)
        self._tell_events()
        if self.session.trouble:
            self._print(self.say("not-saved", why=self.session.trouble))

    def _act_if(self, rest: list[str], action: Refill | Swap) -> None:
        if rest:
            raise Wrong(self.say("unknown-input", text=" ".join(rest)[:60]))
        self._act(action)

    def _undo(self, rest: list[str]) -> None:
        if not self.session.take_back():
            raise Wrong(self.say("nothing-to-take-back"))
        self._told, self._turn_told = len(self.session.position.events), None
        self._print(self.say("taken-back"))

    def _quit(self, rest: list[str]) -> None:
        raise _Quit

    def _board(self, rest: list[str]) -> None:
        view = self.session.view()
        if isinstance(view.table, Layout):
            self._print(*board_lines(view.table))
        else:
            self._print(self.say("open-cards"), *self.teller.open_cards(view))

    def _rack(self, rest: list[str]) -> None:
        view = self.session.view()
        key = "hand" if view.setup.board is None else "tile-at-hand" if view.setup.title.is_solo else "rack"
        self._print(self.say(key), *self.teller.rack(view, view.seat))

    def _places(self, rest: list[str]) -> None:
        view = self.session.view()
        if view.phase is not Phase.PLACE:
            raise Wrong(what_now(view).text(self.session.language))
        if len(rest) not in (1, 2) or not all(re.fullmatch(r"\d{1,3}", word) for word in rest):
            raise Wrong(self.say("places-how"))
        found = choices(view, self._numbered(view, rest[0]))
        shown = found[: int(rest[1]) if len(rest) == 2 else _BEST]
        self._print(*self._choice_texts(shown), self.say("places-shown", count=len(found), shown=len(shown)))

    def _preview(self, rest: list[str]) -> None:
        if not rest:
            raise Wrong(self.say("preview-how"))
        view, action = self.session.view(), self._move(rest)
        if not isinstance(action, Place | Play):
            raise Wrong(self.say("preview-how"))
        event_of(view, action)
        self._print(*self.teller.preview(view, action))

    def _look(self, rest: list[str]) -> None:
        table = self.session.view().table
        if not isinstance(table, Layout) or len(rest) != 1:
            raise Wrong(self.say("look-how"))
        self._print(*cell_lines(self.teller, table, rest[0].lower()))

    def _set_language(self, rest: list[str]) -> None:
        if len(rest) != 1 or rest[0].lower() not in LANGUAGES:
            raise Wrong(self.say("language-how", languages=", ".join(LANGUAGES)))
        self.session.language = rest[0].lower()
        self._print(self.say("language-set"), what_now(self.session.view()).text(self.session.language))

    def _save(self, rest: list[str]) -> None:
        if not rest:
            self._print(*self._farewell())
            return
        try:
            path = Path(" ".join(rest)).expanduser()
            if path.exists() and not is_record(path):
                raise Wrong(self.say("no-overwrite", path=path))
            self.session.save(path)
        except (OSError, ValueError, RuntimeError) as error:  # unknown user's home, null in the name
            raise Wrong(self.say("not-saved", why=getattr(error, "strerror", None) or str(error))) from None
        self._print(self.say("saved", path=path))
