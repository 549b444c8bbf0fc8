"""One file, one server: a lock beside the file, held for as long as its holder lives.

The system releases the lock when the holder ends, however it ends, so it is never stale. It is on a file of
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
    """The locked byte lies beyond the text, which could not be read otherwise."""

    def _lock(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error

else:
    import fcntl

    def _lock(handle: int) -> None:
        # The lock belongs to the open file, not to the process: a second holder in this very process is
        # refused too.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_LOOKS, _LOOK_SECONDS = 20, 0.05
"""How often, and at what interval, to check again for a holder that hasn't yet said where it is."""


@contextmanager
def held(db: Path, by: str = "") -> Iterator[Callable[[str], None]]:
    """Hold a store's file, or raise StoreHeld. Yields a function that tells others who holds it.

    That is a command, or the address of a server, which may not be known at first.
    """
    # Links lead to the same lock; SQLite follows them too.
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
        if os.name != "posix":  # Windows can't remove a file while it is open, ours or the next holder's
            with suppress(OSError):
                path.unlink()


def _tell(handle: int, by: str) -> None:
    with suppress(OSError):  # for example on a full disk: the lock works without saying who has it
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, json.dumps({"pid": os.getpid(), "by": by}).encode())


def _refuse_names(db: Path) -> None:
    """Refuse a file with two names: it would have a write-ahead log for each name, and break."""
    with suppress(FileNotFoundError):
        if db.is_file() and db.stat().st_nlink > 1:
            raise StoreError("store-linked", path=str(db))


def _taken(db: Path, path: Path) -> int:
    while True:
        try:
            # Python doesn't pass descriptors on to child processes, so a bot worker that outlives us won't
            # hold the lock.
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
    """True if the file we locked is still the one others find: its last holder removes it when done."""
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
