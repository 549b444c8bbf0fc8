"""What a step of a lesson asks for. The engine decides whether a move is allowed and what it scores."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from genial.core.actions import Action, Place, Refill, Swap
from genial.core.colours import COLOURS
from genial.core.layout import Layout
from genial.core.moves import outcome
from genial.core.position import Position
from genial.core.situation import weakest


class Goal(Enum):
    """The kind of move that a learner is asked for."""

    TELL = "tell"
    """No move: there is only text to read."""
    PLACE = "place"
    """Any allowed tile or card."""
    MOST = "most"
    """As many points as the best move scores."""
    LOWEST = "lowest"
    """Points in one of the lowest colours."""
    BONUS = "bonus"
    """A bonus move."""
    STACK = "stack"
    """A tile on top of others."""
    SWAP = "swap"
    END = "end"
    """The last tile of the game."""


class Lit(Enum):
    """What a step is about: highlighted on the learner's screen, while the rest is dimmed."""

    TRACKS = "tracks"
    LOWEST = "lowest"
    """The tracks of the learner's lowest colours."""
    GAINED = "gained"
    """The tracks of the colours that the move advances."""
    BOARD = "board"
    SPOT = "spot"
    """Where the tile goes, and the lines from there. In the card game: the cards on the table."""
    RACK = "rack"
    TILE = "tile"
    """The tile or card of the move."""
    TURN = "turn"
    """What ends the turn."""
    RESULT = "result"


_SUBJECTS: dict[Goal, tuple[Lit, ...]] = {
    Goal.TELL: (Lit.TRACKS,),
    Goal.PLACE: (Lit.BOARD, Lit.RACK),
    Goal.MOST: (Lit.SPOT, Lit.TILE),
    Goal.LOWEST: (Lit.SPOT, Lit.LOWEST, Lit.TILE),
    Goal.BONUS: (Lit.SPOT, Lit.GAINED, Lit.TILE),
    Goal.STACK: (Lit.SPOT, Lit.TILE),
    Goal.SWAP: (Lit.TURN, Lit.RACK),
    Goal.END: (Lit.SPOT, Lit.TILE),
}


def subjects(goal: Goal, *, done: bool) -> tuple[Lit, ...]:
    """What to highlight while a goal is asked for, and once it is met."""
    if not done:
        return _SUBJECTS[goal]
    match goal:
        case Goal.SWAP:
            return (Lit.RACK,)
        case Goal.END:
            return (Lit.RESULT, Lit.TRACKS)
    return (Lit.SPOT, Lit.GAINED)


def gain_of(position: Position, action: Action) -> tuple[int, ...]:
    """How far an action advances each of the mover's markers."""
    if isinstance(action, Refill | Swap):
        return (0,) * len(COLOURS)
    return tuple(outcome(position, action).score.gain)


def most_points(position: Position) -> int:
    """How far the best move advances the mover's markers in total."""
    return max(sum(gain_of(position, action)) for action in position.actions())


def meets(goal: Goal, position: Position, action: Action, most: int) -> bool:
    """True if an allowed action does what was asked for; `most` is what the best one scores."""
    if isinstance(action, Refill | Swap):
        return goal is Goal.SWAP and isinstance(action, Swap)
    score = outcome(position, action).score
    match goal:
        case Goal.PLACE:
            return True
        case Goal.MOST:
            return sum(score.gain) == most
        case Goal.LOWEST:
            return any(score.gain[colour] > 0 for colour in weakest(position, position.seat))
        case Goal.BONUS:
            return score.bonus > 0
        case Goal.STACK:
            layout = position.table
            assert isinstance(layout, Layout)
            assert isinstance(action, Place)
            return layout.heights[layout.board.number[action.cells[0]]] > 0
        case Goal.END:
            return position.apply(action)[0].is_over
    return False


def answers(goal: Goal, position: Position, most: int) -> Iterator[Action]:
    """Every action that meets a goal."""
    return (action for action in position.actions() if meets(goal, position, action, most))
