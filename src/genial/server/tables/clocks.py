"""Thinking time: per turn, or in total with an increment; never charged while the server is down."""

from __future__ import annotations

from dataclasses import dataclass, replace

from genial.server.tables.settings import Clock


@dataclass(frozen=True, slots=True)
class ClockState:
    """Times in milliseconds. Only the place to move is charged, when the turn passes on."""

    rules: Clock | None = None
    left: tuple[int, ...] = ()
    """Total time left for each place, if there is a total."""
    mover: int | None = None
    since: int = 0
    """When the current turn began, shifted so that the server's downtime doesn't count."""

    def moved(self, place: int | None, mover: int | None, now: int) -> ClockState:
        """Somebody acted, and the turn may pass on. A turn's clock runs through all of its placements."""
        if self.rules is None or mover == self.mover:
            return self
        left = list(self.left)
        if place is not None and place == self.mover and self.rules.total:
            left[place] += 1000 * self.rules.increment - (now - self.since)
        return ClockState(self.rules, tuple(left), mover, now)

    def resumed(self, now: int, charged: int) -> ClockState:
        """The server is back: the turn continues with what had been used before."""
        return replace(self, since=now - charged)

    def deadline(self) -> int | None:
        """When the place to move runs out of time."""
        if self.rules is None or self.mover is None:
            return None
        ends = []
        if self.rules.move:
            ends.append(self.since + 1000 * self.rules.move)
        if self.rules.total:
            ends.append(self.since + self.left[self.mover])
        return min(ends, default=None)


def clock_begun(rules: Clock | None, places: int, mover: int | None, now: int) -> ClockState:
    """The clock at the start of a game."""
    total = rules.total if rules and rules.total else 0
    return ClockState(rules, (total * 1000,) * places, mover, now)
