"""What a bot is: it sees a view, never the position, and returns an action."""

from __future__ import annotations

from random import Random
from typing import Protocol

from genial.core.actions import Action
from genial.core.view import View


class Bot(Protocol):
    """A player. The view is that of the seat to move; all chance comes from `rng`."""

    @property
    def name(self) -> str: ...

    def choose(self, view: View, rng: Random) -> Action:
        """One of `view.actions()`."""
