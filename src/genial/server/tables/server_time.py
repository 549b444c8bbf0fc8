"""The server's time: a date that goes on at the pace of the monotonic clock, whatever the wall clock does.

Entries are stamped with it and thinking time is measured by it, so a wall clock that is set, forwards or
backwards, takes nobody's time and gives nobody any. Where it begins is decided once, at the start: by the
wall clock or the database's, not before what is going on in the store, and as other processes have it.
"""

from __future__ import annotations

import time
from collections.abc import Callable


def wall_clock() -> int:
    """Milliseconds since the epoch, as the machine has it: it may jump."""
    return time.time_ns() // 1_000_000


def _monotonic_clock() -> int:
    """Milliseconds since whenever: it never jumps."""
    return time.monotonic_ns() // 1_000_000


class ServerTime:
    """Milliseconds since the epoch, which never jump and never go back.

    >>> wall, ticks = [1_000_000], [70]
    >>> now = ServerTime(lambda: wall[0], lambda: ticks[0])
    >>> ticks[0] += 5
    >>> wall[0] += 3_600_000
    >>> now()
    1000005
    """

    def __init__(
        self, wall: Callable[[], int] = wall_clock, ticks: Callable[[], int] = _monotonic_clock
    ) -> None:
        self.wall = wall
        self.ticks = ticks
        self._begin = wall() - ticks()

    def __call__(self) -> int:
        return self.ticks() + self._begin

    def set(self, now: int) -> None:
        """Begin at another date. For the start, before anything is stamped."""
        self._begin = now - self.ticks()

    def not_before(self, now: int) -> None:
        """Go forward to this date, if it is not reached yet."""
        self._begin = max(self._begin, now - self.ticks())
