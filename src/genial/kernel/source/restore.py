"""Completing a state written from outside with everything that follows from its board and racks."""

from __future__ import annotations

from genial.kernel.source import gains
from genial.kernel.source.compiled import State, compiled
from genial.kernel.source.rules import Rules
from genial.kernel.source.supply import note_held


@compiled
def clear(rules: Rules, state: State) -> None:
    """Clear the board: free cells inside, the border around them."""
    gains.clear(rules, state)


@compiled
def rebuild(rules: Rules, state: State) -> None:
    """Recompute everything that follows from what lies on the board."""
    gains.rebuild(rules, state)


@compiled
def note_racks(rules: Rules, state: State) -> None:
    """Recompute what follows from the counts of kinds on the racks."""
    for seat in range(rules.seats):
        note_held(state, seat)
