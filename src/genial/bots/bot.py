"""The interface of a bot: it sees a view, never the position, and returns an action or rates several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from genial.core.actions import Action
from genial.core.view import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: a number of nodes or seconds, whichever runs out first.

    With nodes alone, a choice depends only on view and seed, however slow the machine. None means no limit of
    that kind. Bots that do not search ignore the budget.
    """

    nodes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Fear:
    """What an opponent is likely to do next, averaged over what they may hold."""

    seat: int
    gain: tuple[float, ...]
    """Expected points of their next turn, by colour."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action and the bot's opinion of it."""

    action: Action
    value: float
    """In the unit of the advice: the expected share of the win, 0 to 1; in solo games the lowest marker."""
    gain: tuple[int, ...]
    """Points by colour that the action scores at once."""
    bonus: int = 0
    """Bonus moves that the action earns at once."""
    lead: float | None = None
    """Expected lead of the bot's lowest marker over the best opponent's at the end."""
    nodes: int = 0
    fear: Fear | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """A bot's opinion of a position: its candidates, best first; the first is the one it would choose."""

    candidates: tuple[Candidate, ...]
    unit: str
    """`share` of the win, `lowest` marker (solo), `points`, or `worth` by a simple bot's own measure."""
    shares: tuple[float, ...] = ()
    """Each seat's expected share of the win, if the bot estimates it."""
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Chosen:
    """A bot's action, and how many nodes it looked at."""

    action: Action
    nodes: int | None = None
    """None if the bot does not say."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A bot's action and, if that was the last one of its turn, how it ends the turn."""

    action: Action
    then: Action | None = None
    """None if the turn goes on, or if nothing was decided."""


class Bot(Protocol):
    """A player. The view is that of the seat to move; all randomness comes from `rng`."""

    @property
    def name(self) -> str: ...

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        """One of `view.actions()`. Without a budget the bot uses its own."""

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        """The bot's opinion of its candidates, and in any case of the actions in `include`."""
