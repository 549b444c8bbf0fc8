"""Where games are stored on this machine, and how to write a file so that a crash loses nothing."""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from genial.core.errors import GenialError
from genial.core.record import LARGEST, Record, read
from genial.core.shown import shown
from genial.core.titles import TITLES, title_of

SUFFIX = ".genial.json"
MOST_SEATS = max(count for variant in TITLES for count in title_of(variant).seats)
_NAMES = "names.json"
_LONGEST_NAMES = 4096
_NEWEST = 40
"""The search for unfinished games stops after this many files, newest first."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """An unfinished game in a folder."""

    path: Path
    record: Record
    saved: datetime


def data_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The user's folder for games.

    >>> data_folder({"XDG_DATA_HOME": "/data"}, "linux").as_posix()
    '/data/genial'
    """
    env = os.environ if environment is None else environment
    if platform == "win32":
        base = env.get("LOCALAPPDATA")
        return Path(base) / "genial" if base else Path.home() / "AppData" / "Local" / "genial"
    base = env.get("XDG_DATA_HOME")
    return Path(base) / "genial" if base else Path.home() / ".local" / "share" / "genial"


def new_path(folder: Path, variant: str) -> Path:
    """A unique name for a new game: variant, date and a few letters."""
    moment = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return folder / f"{variant}-{moment}-{secrets.token_hex(2)}{SUFFIX}"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it always contains either the old text or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def read_record(path: Path) -> Record:
    """The record in a file; one that is too large is refused without being read to the end."""
    with path.open("rb") as file:
        return read(file.read(LARGEST + 1))


def is_record(path: Path) -> bool:
    """True if a file contains a record, and may therefore be overwritten by another."""
    try:
        read_record(path)
    except (OSError, GenialError):
        return False
    return True


def saved_games(folder: Path) -> list[SavedGame]:
    """The unfinished games in a folder, newest first; unreadable files are skipped."""
    found = []
    for path in sorted(_files(folder), key=_written, reverse=True)[:_NEWEST]:
        with suppress(OSError, GenialError):
            record = read_record(path)
            if record.unfinished and record.seed is not None:
                found.append(SavedGame(path, record, datetime.fromtimestamp(_written(path))))
    return found


def remembered_names(folder: Path) -> list[str]:
    """The names typed in the menu, one for each seat; empty where there is none."""
    try:
        found = json.loads((folder / _NAMES).read_text(encoding="utf-8")[:_LONGEST_NAMES])
    except (OSError, ValueError, RecursionError):
        found = []
    names = (
        [shown(name) if isinstance(name, str) else "" for name in found] if isinstance(found, list) else []
    )
    return [*names, *[""] * MOST_SEATS][:MOST_SEATS]


def remember_names(folder: Path, names: Sequence[str]) -> None:
    """Save the names for next time; a full disk must not stop anybody from playing."""
    with suppress(OSError):
        write_whole(folder / _NAMES, json.dumps(list(names), ensure_ascii=False))


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.name.endswith(SUFFIX)]
    except OSError:
        return []


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
