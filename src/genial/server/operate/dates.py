"""The date to delete by, and when to delete nothing because the date is in doubt.

The server's time doesn't follow changes of the wall clock. But it starts from the wall clock, and anything
deleted because of a wrong date would be gone. So nothing is deleted for a day after the wall clock has
jumped, or after a start if the log has nothing from the weeks before. After that day the date counts as
settled: the operator had a line in the log, and time to correct it. Even then the earlier of the two dates is
used, so that a jump while the server runs deletes nothing at all.
"""

from __future__ import annotations

import logging

from genial.server.tables.server_time import ServerTime
from genial.server.tables.store import Status, Store

log = logging.getLogger("genial.server")

_DAY = 24 * 3_600_000
APART = 5 * 60_000
"""How far the wall clock and the server's time may differ, as they do when the network sets the time."""
AWAY = 28 * _DAY
"""If nothing happened for longer than this, the server may have been off, or have a wrong date."""
SETTLED = _DAY
"""A date that the machine has had for this long is believed."""

_ALL: tuple[Status, ...] = ("open", "running", "over", "closed")


class Dates:
    """Checks the clocks before each sweep."""

    def __init__(self, time: ServerTime) -> None:
        self._time = time
        self._began = self._jumped = time.ticks()
        self._apart = 0
        self._doubt: str | None = None

    async def to_delete_by(self, store: Store) -> int | None:
        """Delete what is older than its limit at this date; None while in doubt. Logs when that changes."""
        now, wall = self._time(), self._time.wall()
        careful = min(now, wall)
        doubt = self._jump(wall - now) or await self._gap(store, careful)
        if doubt != self._doubt:
            self._doubt = doubt
            if doubt is not None:
                log.warning("nothing is deleted until the date is settled", extra={"reason": doubt})
            else:
                log.warning("the date is settled")
        return careful if doubt is None else None

    def _jump(self, apart: int) -> str | None:
        """A reason for doubt if the wall clock was set, not long ago."""
        if abs(apart - self._apart) > APART:
            self._apart, self._jumped = apart, self._time.ticks()
        if abs(apart) > APART and self._time.ticks() - self._jumped < SETTLED:
            return "the clock jumped"
        return None

    async def _gap(self, store: Store, now: int) -> str | None:
        """A reason for doubt if, in the server's first day, the log before that day ends long ago."""
        if self._time.ticks() - self._began >= SETTLED:
            return None
        # Without the last day: entries written under a wrong date don't make it right.
        before = now - SETTLED
        newest = await store.newest(_ALL, before)
        return None if newest is None or before - newest <= AWAY else "nothing happened for weeks"
