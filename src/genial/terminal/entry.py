"""The way in: a game chosen on the command line, a saved game, or one chosen on the screen."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import genial
from genial.core.editions import name_of
from genial.core.errors import GenialError
from genial.core.messages import file_problem, system_language
from genial.core.position import Position
from genial.core.series import MOST_GAMES, Series
from genial.core.titles import TITLES, title_of
from genial.terminal.plain import run_plain
from genial.terminal.saves import SavedGame, data_folder, new_path, saved_games
from genial.terminal.session import Session
from genial.terminal.words import say


class UnfitPlayers(Exception):
    """People, names or bots that do not fit the seats; the text is a complete sentence."""


def play(
    variant: str | None,
    *,
    seats: int | None = None,
    people: int = 1,
    bots: str = "balanced",
    seed: str | None = None,
    names: list[str] | None = None,
    games: int = 1,
    plain: bool = False,
    resume: Path | None = None,
    language: str | None = None,
    save_dir: Path | None = None,
) -> int:
    """Play a game in the terminal. Returns the exit status.

    People take the first seats, bots the others: one name for all, or one for each, separated by commas. If
    input or output is not a terminal, the game is played line by line.
    """
    tongue = language or system_language(os.environ)
    folder = save_dir or data_folder()
    plain = plain or not _has_screen(sys.stdin, sys.stdout)
    session: Session | None = None
    try:
        if resume is not None:
            session = Session.resume(resume, tongue)
        elif variant is not None:
            session = new_session(
                variant,
                seats=seats,
                people=people,
                bots=bots,
                seed=seed,
                names=names,
                games=games,
                language=tongue,
                folder=folder,
            )
    except (GenialError, UnfitPlayers) as error:
        print(error.text(tongue) if isinstance(error, GenialError) else error, file=sys.stderr)
        return 2
    except OSError as error:
        print(say("no-such-file", tongue, path=resume, why=file_problem(error, tongue)), file=sys.stderr)
        return 2
    if not plain:
        try:
            from genial.terminal.app import run
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "textual":
                raise
            print(say("screen-missing", tongue), file=sys.stderr)
            return 2
        return run(session, language=tongue, folder=folder)
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if session is None:
        session = choose_plain(tongue, folder, sys.stdin, sys.stdout)
    return run_plain(session, sys.stdin, sys.stdout) if session is not None else 0


def _has_screen(stdin: TextIO, stdout: TextIO) -> bool:
    """True if there is a terminal that can show the symbols."""
    return stdin.isatty() and stdout.isatty() and (stdout.encoding or "").lower().replace("-", "") == "utf8"


def new_session(
    variant: str,
    *,
    seats: int | None = None,
    people: int = 1,
    bots: str = "balanced",
    seed: str | None = None,
    names: Sequence[str] | None = None,
    games: int = 1,
    language: str = "en",
    folder: Path | None = None,
) -> Session:
    """A new game, or the first of a series, saved in a file in the folder.

    >>> new_session("cards", people=3, seed="7").setup.seats
    3
    """
    title = title_of(variant)
    if seats is None:
        seats = next((count for count in title.seats if count >= people), title.seats[-1])
    position = genial.new(variant, seats=seats, seed=seed)
    if not 0 <= people <= seats:
        raise UnfitPlayers(say("people-wrong", language, people=people, seats=seats))
    if names and len(names) > seats:
        raise UnfitPlayers(say("names-wrong", language, names=len(names), seats=seats))
    players = [None] * people + _bot_names(bots, seats - people)
    return start(position, players, names=names or (), games=games, language=language, folder=folder)


def start(
    position: Position,
    players: Sequence[str | None],
    *,
    names: Sequence[str] = (),
    games: int = 1,
    language: str,
    folder: Path | None,
) -> Session:
    """A session for a new position, the first of `games` games, saved in a file in the folder."""
    series = Series(position.setup, games)
    session = Session(position, players, names=names, language=language, series=series)
    if folder is not None:
        session.keep_in(new_path(folder, position.setup.title.variant))
    return session


def again(old: Session, *, language: str, folder: Path | None) -> Session:
    """The same again: title, players and number of games with a new deal, the first player first again."""
    seats = [old.series.seat_of(place) for place in range(old.setup.seats)]
    return start(
        genial.new(old.setup.title.variant, seats=old.setup.seats),
        [old.bots[seat] for seat in seats],
        names=[old.given_names[seat] for seat in seats] if len(old.given_names) == len(seats) else (),
        games=old.series.games,
        language=language,
        folder=folder,
    )


def _bot_names(bots: str, count: int) -> list[str | None]:
    wanted = [name.strip() for name in bots.split(",")]
    return [wanted[min(n, len(wanted) - 1)] for n in range(count)]


def game_words(game: SavedGame, language: str) -> str:
    """A saved game in a few words: title, players, when it was saved."""
    title = name_of(game.record.setup.title.variant, language)
    return f"{title}, {game.record.setup.seats}, {game.saved:%Y-%m-%d %H:%M}"


def choose_plain(language: str, folder: Path, stdin: TextIO, stdout: TextIO) -> Session | None:
    """Ask line by line which game to play; None if the input ends."""
    saved = saved_games(folder)[:1]
    while True:
        for game in saved:
            print(say("which-continue", language, game=game_words(game, language)), file=stdout)
        print(say("which-game", language), file=stdout)
        for number, variant in enumerate(TITLES, start=1):
            print(f"{number}: {name_of(variant, language)}", file=stdout)
        print("> ", end="", file=stdout, flush=True)
        line = stdin.readline()
        answer = line.strip().lower()
        if not line or answer in ("q", "quit"):
            return None
        if answer == "c" and saved:
            try:
                return Session.resume(saved[0].path, language)
            except (GenialError, OSError) as error:
                print(error, file=stdout)
                saved = []
        if match := re.fullmatch(r"([0-9]{1,2})(?:\s+([0-9]{1,3}))?", answer):
            number, games = int(match[1]), int(match[2] or 1)
            if 1 <= number <= len(TITLES) and 1 <= games <= MOST_GAMES:
                return new_session(list(TITLES)[number - 1], games=games, language=language, folder=folder)
