"""What a step of a lesson asks for. The engine says whether a move is lawful and what it brings."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.layout import Layout
from genial.core.moves import outcome, weakest
from genial.core.position import Position


class Goal(Enum):
    """A kind of move that a learner is asked for."""

    PLACE = "place"
    """Any lawful tile or card."""
    MOST = "most"
    """As many points as any move would bring."""
    LOWEST = "lowest"
    """Points in a colour that is lowest."""
    BONUS = "bonus"
    """A bonus move."""
    STACK = "stack"
    """A tile on top of others."""
    REFILL = "refill"
    SWAP = "swap"
    END = "end"
    """The last tile of the game."""


def points(position: Position, action: Place | Play) -> int:
    """How far the mover's markers move in all."""
    return sum(outcome(position, action).score.gain)


def most_points(position: Position) -> int:
    """What the best move brings."""
    return max(points(position, action) for action in _scoring(position))


def meets(goal: Goal, position: Position, action: Action, most: int) -> bool:
    """Whether a lawful action is what was asked for; `most` is what the best one brings."""
    if isinstance(action, Refill | Swap):
        return goal is (Goal.REFILL if isinstance(action, Refill) else Goal.SWAP)
    match goal:
        case Goal.PLACE:
            return True
        case Goal.MOST:
            return points(position, action) == most
        case Goal.LOWEST:
            gain = outcome(position, action).score.gain
            return any(gain[colour] > 0 for colour in weakest(position, position.seat))
        case Goal.BONUS:
            return outcome(position, action).score.bonus > 0
        case Goal.STACK:
            return isinstance(action, Place) and _is_stacked(position, action)
        case Goal.END:
            return position.apply(action)[0].is_over
    return False


def answers(goal: Goal, position: Position, most: int) -> Iterator[Action]:
    """Every action that meets a goal."""
    return (action for action in position.actions() if meets(goal, position, action, most))


def _scoring(position: Position) -> Iterator[Place | Play]:
    return (action for action in position.actions() if isinstance(action, Place | Play))


def _is_stacked(position: Position, action: Place) -> bool:
    layout = position.table
    assert isinstance(layout, Layout)
    return layout.heights[layout.board.number[action.cells[0]]] > 0
