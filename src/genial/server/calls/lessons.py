"""Lessons: what is taught, how far a learner has come, and what a move would score."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from genial.core.sides import Sides
from genial.server.calls.call import Call, Calls
from genial.server.calls.play import Explained, explained
from genial.server.calls.protocol import Inbound, MoveText
from genial.server.lessons import LEARNER, LESSONS, Standing, attend
from genial.server.lessons.goals import Goal, Lit, subjects
from genial.server.lessons.plan import Step
from genial.server.lessons.words import PRAISES, say
from genial.server.study.replays import lone_game
from genial.server.tables.entries import Holder
from genial.server.tables.settings import TableSettings
from genial.server.tables.table import Table
from genial.server.tables.views import TableView, Viewer, table_view

CALLS = Calls("lessons")
_LESSON = "/api/lessons/{variant}"
_MOST_MOVES = 40


class LessonInfo(Struct, frozen=True):
    """The lesson of a title."""

    variant: str
    steps: int


class Lessons(Struct, frozen=True):
    """Every lesson, starting with the first to take."""

    lessons: list[LessonInfo]


class LessonBody(Inbound, frozen=True):
    """What the learner has done so far, the newest last: moves in notation, and `next` after each step."""

    moves: Annotated[list[MoveText], Meta(max_length=_MOST_MOVES)]


class TryBody(Inbound, frozen=True):
    """A move that the learner is considering, and the moves made before it."""

    move: MoveText
    moves: Annotated[list[MoveText], Meta(max_length=_MOST_MOVES)]


class LessonView(Struct, frozen=True):
    """How far a learner has come. The texts are in the requested language."""

    variant: str
    step: int
    """The number of steps completed."""
    steps: int
    title: str | None
    """What the current step is about, or a word of praise; None when the lesson is finished."""
    text: str | None
    """What to know and what to do, or what the move has shown."""
    hint: str | None
    """Why the last move, though allowed, wasn't what the step asks for. It was not made."""
    done: bool
    """Nothing is left to do in this step: the move `next` continues."""
    move: str | None
    """A move that does what the step asks for, then the one that did; None if there is only text to read."""
    gain: list[int]
    """How far that move advances each colour."""
    lit: list[Lit]
    """What to highlight: the subject of the step."""
    moves: list[str]
    """The moves that count, to be sent along with the next one."""
    table: TableView


@CALLS.get("/api/lessons")
async def lessons(call: Call) -> Lessons:
    """Every lesson."""
    return Lessons([LessonInfo(lesson.variant, len(lesson.steps)) for lesson in LESSONS.values()])


@CALLS.post(_LESSON)
async def attended(call: Call, body: LessonBody) -> LessonView:
    """How far these moves have brought a learner."""
    return _lesson_view(attend(str(call.path["variant"]), body.moves), call.language)


@CALLS.post(f"{_LESSON}/explain")
async def tried(call: Call, body: TryBody) -> Explained:
    """What a move would score in a lesson."""
    return explained(attend(str(call.path["variant"]), body.moves).position, body.move)


def _lesson_view(standing: Standing, language: str) -> LessonView:
    step, made, target = standing.at_hand, standing.made, standing.target
    move = made or target.move
    count = sum(made.gain) if made else target.most

    def said(key: str) -> str:
        return say(key, language, count=count, colours=standing.colours)

    return LessonView(
        variant=standing.lesson.variant,
        step=standing.step,
        steps=len(standing.lesson.steps),
        title=said(_praise(standing, step) if made else f"{step.name}-title") if step else None,
        text=said(f"{step.name}-done" if made else step.name) if step else None,
        hint=said(f"hint-{step.goal.value}") if step and standing.missed else None,
        done=not standing.asks,
        move=move.text if move and step else None,
        gain=list(move.gain) if move and step else [],
        lit=list(subjects(step.goal, done=made is not None)) if step else [],
        moves=list(standing.moves),
        table=_table_view(standing, language),
    )


def _praise(standing: Standing, step: Step) -> str:
    return "praise-bonus" if step.goal is Goal.BONUS else f"praise-{standing.step % PRAISES}"


def _table_view(standing: Standing, language: str) -> TableView:
    """The lesson as a table, seen by the learner, who can only move when the step asks for a move."""
    setup = standing.position.setup
    variant, sides = setup.title.variant, setup.title.sides
    seq = len(standing.moves)
    # Each scene is shown as a game of its own, so that nothing is shown of what happened in between.
    scene = min(standing.step, len(standing.lesson.steps) - 1)
    table = Table(
        id=f"lesson-{variant}",
        seq=seq,
        settings=TableSettings(variant, setup.seats, chat="off"),
        holders=tuple(_holder(seat, sides, language) for seat in range(setup.seats)),
        games=(lone_game(setup, [(seq, standing.position)], number=scene),),
    )
    learner = frozenset({LEARNER})
    view = replace(table_view(table, Viewer(learner, learner), now=0), code=None, watch=None)
    if standing.asks:
        return view
    assert view.game is not None
    return replace(view, game=replace(view.game, mover=None), legal=None)


def _holder(seat: int, sides: Sides, language: str) -> Holder:
    if seat == LEARNER:
        return Holder("person", say("you", language))
    if sides is not Sides.TEAMS:
        return Holder("bot", say("opponent", language))
    return Holder("bot", say("partner", language) if seat == 2 else f"{say('opponent', language)} {seat}")
