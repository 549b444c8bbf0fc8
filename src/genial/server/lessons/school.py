"""How a lesson runs: the learner's moves go in, the resulting position comes out. Stateless between calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import genial
from genial.bots import bot_named
from genial.bots.driver import choose
from genial.core.about import SampleGame
from genial.core.actions import Refill
from genial.core.editions import usual_turns
from genial.core.errors import IllegalAction
from genial.core.notation import move_text, parse_move
from genial.core.position import Position
from genial.core.situation import Phase, weakest
from genial.core.title import Title
from genial.core.titles import about_of, title_of
from genial.server.lessons.goals import Goal, answers, gain_of, meets, most_points
from genial.server.lessons.plan import LESSONS, Lesson, Step
from genial.server.tables.errors import NotFound

LEARNER = 0
"""The learner's seat."""
NEXT = "next"
"""Stands among the moves: the learner is done with this step."""
_SOMEBODY = "greedy"
"""The bot that plays where a title has no sample game."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move, and how far it advances each marker."""

    text: str
    gain: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """What a step asks for in the current position."""

    most: int
    """What the best move scores, if the goal compares with it."""
    move: Move | None
    """A move that does it; None if there is only text to read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a learner has come."""

    lesson: Lesson
    step: int
    """The number of the current step; one more than the last when all are done."""
    position: Position
    target: Target
    """What the current step asks for; at the end, what the last one did."""
    moves: tuple[str, ...]
    """The moves that did what was asked for, and `NEXT` wherever the learner went on."""
    made: Move | None = None
    """The move that did what the step asks for. It stays visible until the learner goes on."""
    missed: bool = False
    """True if the last move was allowed, but not what was asked for."""

    @property
    def colours(self) -> tuple[int, ...]:
        """The learner's lowest colours."""
        return weakest(self.position, LEARNER)

    @property
    def at_hand(self) -> Step | None:
        """The current step; None when all are done."""
        steps = self.lesson.steps
        return steps[self.step] if self.step < len(steps) else None

    @property
    def asks(self) -> bool:
        """True if the learner has to move."""
        return self.at_hand is not None and self.target.move is not None and self.made is None


def attend(variant: str, moves: Sequence[str]) -> Standing:
    """Where these moves lead. A move that isn't allowed raises the engine's error.

    >>> attend("classic", []).step, attend("classic", ["next"]).step
    (0, 1)
    """
    if variant not in LESSONS:
        raise NotFound("path-unknown")
    lesson = LESSONS[variant]
    here = Standing(lesson, 0, *_scene(variant, 0), moves=())
    for text in moves:
        here = _gone_on(here) if text == NEXT else _tried(here, text)
    return here


def _gone_on(here: Standing) -> Standing:
    """The next step, or the end, unless there is something left to do."""
    if here.at_hand is None or here.asks:
        return here
    lesson, step = here.lesson, here.step + 1
    scene = _scene(lesson.variant, step) if step < len(lesson.steps) else (here.position, here.target)
    return Standing(lesson, step, *scene, moves=(*here.moves, NEXT))


def _tried(here: Standing, text: str) -> Standing:
    """The standing after a move of the learner, which is only made if it is what was asked for."""
    if here.at_hand is None or not here.asks:
        return here
    action = parse_move(here.position.setup, text)
    later, _ = here.position.apply(action)
    if not meets(here.at_hand.goal, here.position, action, here.target.most):
        return replace(here, missed=True)
    made = Move(text, gain_of(here.position, action))
    return replace(here, position=later, moves=(*here.moves, text), made=made, missed=False)


@cache
def _scene(variant: str, number: int) -> tuple[Position, Target]:
    """The moment of the lesson's game at which a step begins, and what it asks for there."""
    step = LESSONS[variant].steps[number]
    title = title_of(variant)
    game = about_of(title).game
    assert game is not None, f"the lesson of {variant} needs a sample game"
    position = _after(title, game, step.scene)
    if step.goal is not Goal.SWAP:
        position = _refilled(position)
    return position, _target(position, step.goal)


def _target(position: Position, goal: Goal) -> Target:
    """What a goal asks for in a position, and an answer: of all good ones, one that scores most."""
    if goal is Goal.TELL:
        return Target(0, None)
    most = most_points(position) if goal is Goal.MOST else 0
    found = answers(goal, position, most)
    # The texts of these two refer to the first answer: its colour, the tie that it leads to.
    is_told = goal in (Goal.BONUS, Goal.END)
    best = next(found) if is_told else max(found, key=lambda action: sum(gain_of(position, action)))
    return Target(most, Move(move_text(position.setup, best), gain_of(position, best)))


def sample(title: Title) -> Position:
    """A title as it looks during play: its sample game, as far as the title's rules allow.

    A title without one is played by a bot for about half its usual length.
    """
    game = about_of(title).game
    if game is None:
        return _played(title)
    moves = len(game.moves.split())
    while True:
        try:
            return _refilled(_after(title, game, moves))
        except IllegalAction:  # the sample game was played by other rules
            moves -= 1


def _played(title: Title) -> Position:
    seats = title.seats[0]
    bot, rng = bot_named(_SOMEBODY), Random(0)
    position = genial.new(title.variant, seats=seats, seed=0)
    turns = usual_turns(title, seats) * seats // 2
    while position.turn < turns and not position.is_over:
        position, _ = position.apply(choose(bot, position.view({position.seat}), rng).action)
    return position


def _after(title: Title, game: SampleGame, moves: int | None) -> Position:
    """A sample game after this many moves, before the turn ends."""
    position = genial.new(title.variant, seats=game.seats, seed=game.seed)
    for text in game.moves.split()[:moves]:
        before = position if text == "swap" else _refilled(position)
        position, _ = before.apply(parse_move(position.setup, text))
    return position


def _refilled(position: Position) -> Position:
    """The position after the end of the turn, if the turn is waiting to be ended."""
    return position.apply(Refill())[0] if position.phase is Phase.END_TURN else position
