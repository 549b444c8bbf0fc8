"""Absent people whom a game is waiting for (LEAVING), as immutable values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Choice = Literal["wait", "bot", "end"]
"""What somebody who is waiting would like: keep waiting, let a bot play on, or end the game."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody is away while the game waits for them."""

    place: int
    since: int
    """When the others were first offered the choice; milliseconds, like the time of entries."""
    patience: int
    """Milliseconds from then on during which nobody may end the game."""
    choices: tuple[tuple[int, Choice], ...] = ()
    """What the others chose, by place."""

    def choosing(self, place: int, choice: Choice) -> Absence:
        """The absence after somebody's choice, which replaces their earlier one."""
        others = [each for each in self.choices if each[0] != place]
        return replace(self, choices=tuple(sorted([*others, (place, choice)])))

    def left(self, now: int) -> int:
        """Milliseconds until the game may be ended."""
        return max(0, self.since + self.patience - now)
