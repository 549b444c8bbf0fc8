"""The server's time: a date that advances with the monotonic clock, whatever the wall clock does.

It stamps entries and measures thinking time, so setting the wall clock, forwards or backwards, costs nobody
any time and gives nobody any. The starting point is chosen once, at startup: from the wall clock or the
database's, no earlier than what is in progress in the store, and in step with other processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable


def wall_clock() -> int:
    """Milliseconds since the epoch by the machine's clock, which may jump."""
    return time.time_ns() // 1_000_000


def _monotonic_clock() -> int:
    """Milliseconds since some arbitrary moment; never jumps."""
    return time.monotonic_ns() // 1_000_000


class ServerTime:
    """Milliseconds since the epoch; never jumps and never goes back.

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
        """Set the date. Only at startup, before anything is stamped."""
        self._begin = now - self.ticks()

    def not_before(self, now: int) -> None:
        """Move forward to this date, if it lies ahead."""
        self._begin = max(self._begin, now - self.ticks())
