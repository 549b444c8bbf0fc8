"""Requests to the processes that think for bots, wherever they are, and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from genial.bots.bot import Advice, Budget
from genial.core.actions import Action
from genial.core.view import View

MOVE, ADVICE, WATCHED, ANALYSIS = 0, 1, 2, 3
"""Priorities: people at a table are waiting for a move, one person for advice; a table with only bots is just
watched, and nobody in particular is waiting for analysis.
"""
PRIORITIES = {MOVE: "move", ADVICE: "advice", WATCHED: "watched", ANALYSIS: "analysis"}
"""Their names, for metrics."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A bot's action, or the fallback's in its place."""

    action: Action
    tag: str
    """The position it was made for, as named by the caller."""
    fallback: bool
    seconds: float
    """Time on a worker, without the time in the queue."""
    then: Action | None = None
    """How it ends its turn, if the action was its last one and the ending was decided."""
    problem: str | None = None
    """Why the fallback played: a reason, possibly with details (`died: exit 3`). Names no tiles."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A bot's opinion of a position; without advice, the reason why there is none."""

    advice: Advice | None
    seconds: float
    problem: str | None = None


class Thinkers(Protocol):
    """Whatever thinks for bots, such as a pool of worker processes."""

    async def choose(
        self,
        bot: str,
        view: View,
        *,
        seed: str,
        deadline: float,
        tag: str,
        budget: Budget | None = None,
        priority: int = MOVE,
        caller: str = "",
    ) -> Choice:
        """What a bot does in the position named by `tag`, with randomness from `seed`.

        Callers take turns: `caller` says on whose behalf this is asked, for example an address.
        """

    async def advise(
        self,
        bot: str,
        view: View,
        *,
        seed: str,
        deadline: float,
        tag: str,
        budget: Budget | None = None,
        include: Sequence[Action] = (),
        priority: int = ADVICE,
        caller: str = "",
    ) -> Opinion:
        """A bot's opinion of a position, and in any case of the actions in `include`."""

    def ahead(self, tag: str) -> int | None:
        """How many jobs come before the choice in the position named by `tag`; None if it is not waiting."""

    def under_way(self, caller: str) -> int:
        """How many of a caller's jobs are waiting or in progress."""
