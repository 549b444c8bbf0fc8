"""The log of a contest: one line per finished game, on disk before the game counts.

The first line identifies the contest. A run that was killed leaves at worst half a line at the end, which the
next run cuts off.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

import msgspec

from genial.arena.errors import WrongContest
from genial.arena.fixtures import Key
from genial.arena.game import Played
from genial.arena.settings import Settings

LOG_FORMAT = "genial-arena-log/1"


class _Header(msgspec.Struct, frozen=True):
    format: str
    settings: Settings


class GameLog:
    """The finished games of a contest, in a file that only grows.

    Raises SetupError if the file belongs to another contest, or somebody else is writing to it.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self._settings = settings
        self.played: dict[Key, Played] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        try:
            self._lock()
            self.read()
        except BaseException:
            self._file.close()
            raise

    def add(self, played: Played) -> None:
        """Add a game; it is on disk when this returns."""
        self._append(msgspec.json.encode(played))
        self.played[played.key] = played

    def read(self) -> None:
        """Take in what the file holds: at the start, and again if adding may have been interrupted."""
        self._file.seek(0)
        whole, _, rest = self._file.read().rpartition(b"\n")
        if rest:
            self._file.truncate(len(whole) + 1 if whole else 0)
        if not whole:
            self._append(msgspec.json.encode(_Header(LOG_FORMAT, self._settings)))
            return
        header, *lines = whole.split(b"\n")
        try:
            found = msgspec.json.decode(header, type=_Header)
            games = [msgspec.json.decode(line, type=Played) for line in lines]
        except msgspec.MsgspecError as error:
            raise WrongContest("arena-file", path=str(self.path), problem=str(error)) from None
        if found != _Header(LOG_FORMAT, self._settings):
            raise WrongContest("arena-log-other", path=str(self.path))
        self.played = {played.key: played for played in games}

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> GameLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on this system; two runs at once then go unnoticed
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise WrongContest("arena-log-busy", path=str(self.path)) from None
