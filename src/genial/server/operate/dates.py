"""The date to delete by, and when to delete nothing because the date is in doubt.

The server's time does not follow a wall clock that is set. But it begins with the wall clock when the server
starts, and what was deleted by a wrong date would not come back. So nothing is deleted while the wall clock
has just jumped, or when the log knows of nothing for weeks before today. A day later the date counts as
settled: whoever runs the server had a line in the log, and time to mend it. Even then the earlier of two
dates counts, so that a jump under a running server deletes nothing at all.
"""

from __future__ import annotations

import logging

from genial.server.tables.server_time import ServerTime
from genial.server.tables.store import Status, Store

log = logging.getLogger("genial.server")

_DAY = 24 * 3_600_000
APART = 5 * 60_000
"""The wall clock and the server's time may differ by this, as they do where time is set by the network."""
AWAY = 28 * _DAY
"""A server that nothing happened at for longer may have been away, or have got a wrong date."""
SETTLED = _DAY
"""A date that the machine has had for so long is believed."""

_ALL: tuple[Status, ...] = ("open", "running", "over", "closed")


class Dates:
    """Looks at the clocks before each sweep."""

    def __init__(self, time: ServerTime) -> None:
        self._time = time
        self._began = self._jumped = time.ticks()
        self._apart = 0
        self._doubt: str | None = None

    async def to_delete_by(self, store: Store) -> int | None:
        """The date before which to delete; None while there is doubt. The log tells when that changes."""
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
        """Whether the wall clock has been set, and not long ago."""
        if abs(apart - self._apart) > APART:
            self._apart, self._jumped = apart, self._time.ticks()
        if abs(apart) > APART and self._time.ticks() - self._jumped < SETTLED:
            return "the clock jumped"
        return None

    async def _gap(self, store: Store, now: int) -> str | None:
        """Whether the log, but for the last day, ends long ago, and nobody has had a day to see it."""
        if self._time.ticks() - self._began >= SETTLED:
            return None
        # Without the last day: what was written since a wrong date came up does not make it right.
        before = now - SETTLED
        newest = await store.newest(_ALL, before)
        return None if newest is None or before - newest <= AWAY else "nothing happened for weeks"
