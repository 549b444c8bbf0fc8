"""One file, one server: a lock beside the file, held for as long as its holder lives.

The system gives the lock up when the holder ends, however it ends, so none is ever stale. It is on a file of
its own, never on the database: closing any descriptor of that would drop SQLite's own locks on it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from genial.server.tables.store_errors import StoreError, StoreHeld

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    """The byte that is locked lies beyond the text, which nobody could read otherwise."""

    def _lock(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error

else:
    import fcntl

    def _lock(handle: int) -> None:
        # Of the open file, not of the process: a second holder in this very process is refused too.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_LOOKS, _LOOK_SECONDS = 20, 0.05
"""How often a holder that has not said yet where it is to be found is looked at again."""


@contextmanager
def held(db: Path, by: str = "") -> Iterator[Callable[[str], None]]:
    """Hold a store's file, or raise StoreHeld. Gives a function that tells others by whom it is held.

    That is a command, or the address of a server, which it may not know yet.
    """
    # Links lead to one lock; SQLite follows them too.
    db = Path(os.path.realpath(db))
    _refuse_names(db)
    path = db.with_name(f"{db.name}.lock")
    handle = _taken(db, path)
    try:
        _tell(handle, by)
        yield lambda by: _tell(handle, by)
    finally:
        if os.name == "posix":
            with suppress(OSError):
                path.unlink()
        os.close(handle)
        if os.name != "posix":  # an open file cannot be removed there: neither ours nor the next holder's
            with suppress(OSError):
                path.unlink()


def _tell(handle: int, by: str) -> None:
    with suppress(OSError):  # a full disk, say: the lock holds without a word about who has it
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, json.dumps({"pid": os.getpid(), "by": by}).encode())


def _refuse_names(db: Path) -> None:
    """A file with two names would have two write-ahead logs, one for each name, and break."""
    with suppress(FileNotFoundError):
        if db.is_file() and db.stat().st_nlink > 1:
            raise StoreError("store-linked", path=str(db))


def _taken(db: Path, path: Path) -> int:
    while True:
        try:
            # Python keeps descriptors from child processes, so no bot worker that outlives us holds the lock.
            handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise StoreError("store-unopened", path=str(db), problem=f"{path}: {error.strerror}") from error
        try:
            _lock(handle)
            if _is_there(path, handle):
                return handle
        except BlockingIOError:
            os.close(handle)
            raise _held(db, path) from None
        except OSError as error:
            os.close(handle)
            raise StoreError("store-unlockable", path=str(db), problem=error.strerror) from error
        os.close(handle)


def _is_there(path: Path, handle: int) -> bool:
    """Whether what we have locked is still what others find: the last holder removed it when it ended."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _held(db: Path, path: Path) -> StoreHeld:
    pid = by = "?"
    for _ in range(_LOOKS):
        with suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(path.read_bytes())
            pid = str(told["pid"])
            if told["by"]:
                by = str(told["by"])
                break
        time.sleep(_LOOK_SECONDS)
    return StoreHeld(str(db), pid, by)
