"""What is asked of whoever thinks for the bots, wherever that is, and what they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from genial.bots.bot import Advice, Budget
from genial.core.actions import Action
from genial.core.view import View

MOVE, ADVICE, WATCHED, ANALYSIS = 0, 1, 2, 3
"""Priorities: people at a table wait for a move, one person for advice; a table of bots alone is only
watched, and nobody in particular waits for analysis."""
PRIORITIES = {MOVE: "move", ADVICE: "advice", WATCHED: "watched", ANALYSIS: "analysis"}
"""Their names, for figures."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot does, or what the fallback does in its place."""

    action: Action
    tag: str
    """The position that it was made for, as its caller named it."""
    fallback: bool
    seconds: float
    """From the start on a worker, without the time in the queue."""
    then: Action | None = None
    """How it ends its turn, where the action was the last thing to do in it and that was decided."""
    problem: str | None = None
    """Why the fallback played: a reason, or a reason and more (`died: exit 3`). Names no tiles."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a bot thinks of a position; without advice, why there is none."""

    advice: Advice | None
    seconds: float
    problem: str | None = None


class Thinkers(Protocol):
    """Those who think for bots: a pool of worker processes is one kind."""

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
        """What a bot does in the position that `tag` names, with chance from `seed`.

        Callers take turns: `caller` is who it is thought for, such as an address.
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
        """What a bot thinks of a position, and of these actions in any case."""

    def ahead(self, tag: str) -> int | None:
        """How many come before the choice in the position that `tag` names; None if it waits no more."""

    def under_way(self, caller: str) -> int:
        """How much is thought, or waits to be, for a caller."""
