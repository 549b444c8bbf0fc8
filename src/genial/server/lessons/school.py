"""How a lesson goes: the learner's moves in, where they have come to out. Nothing is kept between calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import genial
from genial.bots import bot_named
from genial.core.actions import Action, Refill
from genial.core.errors import IllegalAction
from genial.core.moves import Phase, weakest
from genial.core.notation import move_text, parse_move
from genial.core.position import Position
from genial.server.errors import NotFound
from genial.server.lessons.games import GAMES
from genial.server.lessons.goals import Goal, answers, meets, most_points
from genial.server.lessons.plan import LESSONS, Lesson, Step

LEARNER = 0
"""The learner's seat."""
_OPPONENT = "greedy"
_AT_THE_END = (Goal.REFILL, Goal.SWAP)


@dataclass(frozen=True, slots=True)
class Target:
    """What a step asks for in the position at hand."""

    most: int
    """What the best move brings, where a goal compares with it."""
    example: str
    """A move that does it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a learner has come."""

    lesson: Lesson
    step: int
    """The number of the step at hand; one more than the last when all are done."""
    position: Position
    moves: tuple[str, ...]
    """The moves that did what was asked for."""
    target: Target | None
    """None when all is done."""
    missed: bool = False
    """Whether the last move was lawful, and not what was asked for."""

    @property
    def colours(self) -> tuple[int, ...]:
        """The learner's lowest colours."""
        return weakest(self.position, LEARNER)

    @property
    def at_hand(self) -> Step | None:
        """The step at hand."""
        steps = self.lesson.steps
        return steps[self.step] if self.step < len(steps) else None


def attend(variant: str, moves: Sequence[str]) -> Standing:
    """Where these moves lead. What is not lawful raises what the engine says against it.

    >>> attend("classic", []).step, attend("classic", [attend("classic", []).target.example]).step
    (0, 1)
    """
    if variant not in LESSONS:
        raise NotFound("path-unknown")
    lesson, position = LESSONS[variant], _scene(variant, 0)
    number, missed = 0, False
    done: tuple[str, ...] = ()
    for text in moves:
        if number == len(lesson.steps):
            break
        target = _target(lesson, number, position)
        action = parse_move(position.setup, text)
        later, _ = position.apply(action)
        missed = not meets(lesson.steps[number].goal, position, action, target.most)
        if missed:
            continue
        number, done = number + 1, (*done, text)
        position = _next(lesson, number, later)
    asked = _target(lesson, number, position) if number < len(lesson.steps) else None
    return Standing(lesson, number, position, done, asked, missed)


def _next(lesson: Lesson, number: int, position: Position) -> Position:
    """Where a step begins."""
    if number == len(lesson.steps):
        return position
    if lesson.steps[number].scene is not None:
        return _scene(lesson.variant, number)
    if lesson.steps[number].goal in _AT_THE_END:
        return position
    while not position.is_over and (position.seat != LEARNER or position.phase is not Phase.PLACE):
        position, _ = position.apply(_somebody(position))
    return position


def _somebody(position: Position) -> Action:
    """What is done while the learner looks on: the turn ends, and the others play."""
    if position.seat == LEARNER:
        return Refill()
    return bot_named(_OPPONENT).choose(position.view({position.seat}), Random(position.turn))


@cache
def _scene(variant: str, number: int) -> Position:
    """The moment of the lesson's game in which a step begins."""
    return _after(variant, LESSONS[variant].steps[number].scene)


def sample(variant: str) -> Position:
    """A title as it looks while it is played: the lesson's game, as far as the rules at hand let it go."""
    moves = len(GAMES[variant].moves)
    while True:
        try:
            return _after(variant, moves)
        except IllegalAction:  # the game was played by other rules
            moves -= 1


def _after(variant: str, moves: int | None) -> Position:
    game = GAMES[variant]
    position = genial.new(variant, seats=game.seats, seed=game.seed)
    for text in game.moves[:moves]:
        position, _ = position.apply(parse_move(position.setup, text))
    return position


def _target(lesson: Lesson, number: int, position: Position) -> Target:
    step = lesson.steps[number]
    return _asked(position, step.goal) if step.scene is None else _asked_in_scene(lesson.variant, number)


@cache
def _asked_in_scene(variant: str, number: int) -> Target:
    return _asked(_scene(variant, number), LESSONS[variant].steps[number].goal)


def _asked(position: Position, goal: Goal) -> Target:
    most = most_points(position) if goal is Goal.MOST else 0
    return Target(most, move_text(position.setup, next(answers(goal, position, most))))
