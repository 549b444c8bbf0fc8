"""What a bot is: it sees a view, never the position, and returns an action, or its opinion of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from genial.core.actions import Action
from genial.core.view import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: so many nodes, so many seconds, whichever is used up first.

    With nodes alone a choice depends on nothing but view and seed, however slow the machine. None: no bound
    of this kind. A bot that does not search ignores it.
    """

    nodes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Fear:
    """What an opponent may well do next, on average over what it may hold."""

    seat: int
    gain: tuple[float, ...]
    """Expected points of its next turn, by colour."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action, and what its bot thinks of it."""

    action: Action
    value: float
    """In the unit of the advice: the expected share of the win, 0 to 1; in solo the lowest marker."""
    gain: tuple[int, ...]
    """Points by colour that the action brings at once."""
    bonus: int = 0
    """Bonus moves that the action brings at once."""
    lead: float | None = None
    """Expected distance of the own lowest marker to the best opponent's at the end."""
    nodes: int = 0
    fear: Fear | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """A bot's opinion of a position: its candidates, the best first; the first is what it would choose."""

    candidates: tuple[Candidate, ...]
    unit: str
    """`share` of the win, `lowest` marker (solo); of bots that look no further `points`, or `worth` by their
    own measure."""
    shares: tuple[float, ...] = ()
    """Each seat's expected share of the win, where the bot estimates it."""
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a bot does, and how much it looked at for it."""

    action: Action
    nodes: int | None = None
    """None where the bot does not tell."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a bot does, and how it ends its turn where that was the last thing to do in it."""

    action: Action
    then: Action | None = None
    """None where the turn goes on, or where nothing was decided."""


class Bot(Protocol):
    """A player. The view is that of the seat to move; all chance comes from `rng`."""

    @property
    def name(self) -> str: ...

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        """One of `view.actions()`. Without a budget the bot takes the one that is its own."""

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        """What it thinks of its candidates, and of these actions in any case."""
