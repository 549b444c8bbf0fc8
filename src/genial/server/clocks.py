"""Thinking time: for each turn, or in total with an increment; never charged while the server is away."""

from __future__ import annotations

from dataclasses import dataclass, field

from genial.server.settings import Clock


@dataclass(slots=True)
class ClockState:
    """Times in milliseconds. Only the place to move is charged, and a turn is charged when it passes on."""

    rules: Clock | None = None
    left: list[int] = field(default_factory=list)
    """Total time left for each place, where there is a total."""
    mover: int | None = None
    since: int = 0
    """When the turn at hand began, less nothing that the server was away."""

    def begin(self, rules: Clock | None, places: int, mover: int | None, now: int) -> None:
        """A game begins."""
        self.rules = rules
        total = rules.total if rules and rules.total else 0
        self.left = [total * 1000] * places
        self.mover, self.since = mover, now

    def moved(self, place: int | None, mover: int | None, now: int) -> None:
        """Somebody acted; the turn may pass on. The clock of a turn runs through all its placements."""
        if self.rules is None or mover == self.mover:
            return
        if place is not None and place == self.mover and self.rules.total:
            self.left[place] += 1000 * self.rules.increment - (now - self.since)
        self.mover, self.since = mover, now

    def resume(self, now: int, charged: int) -> None:
        """The server is back: the turn goes on with what had been charged before."""
        self.since = now - charged

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
