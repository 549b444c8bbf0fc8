"""People whom a game waits for while they are away (LEAVING): a value that entries change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Choice = Literal["wait", "bot", "end"]
"""What somebody who waits would like: to wait, a bot that plays on, or the end of the game."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody is away although the game waits for them."""

    place: int
    since: int
    """When the others were first offered to choose; in milliseconds, as entries have it."""
    patience: int
    """For so many milliseconds from then on nobody may end the game."""
    choices: tuple[tuple[int, Choice], ...] = ()
    """What the others chose, by place."""

    def choosing(self, place: int, choice: Choice) -> Absence:
        """The same after somebody chose; a later choice replaces an earlier one."""
        others = [each for each in self.choices if each[0] != place]
        return replace(self, choices=tuple(sorted([*others, (place, choice)])))

    def left(self, now: int) -> int:
        """Milliseconds until the game may be ended."""
        return max(0, self.since + self.patience - now)
