"""Lessons: what is taught, how far a learner has come, and what a move would bring there."""

from __future__ import annotations

from typing import Annotated, Any, cast

from msgspec import Meta, Struct

from genial.core.guidance import what_now
from genial.core.sides import Sides
from genial.core.viewdata import view_data
from genial.server.calls import Call, Operation
from genial.server.legal import explained, legal_moves
from genial.server.lessons import LEARNER, LESSONS, Standing, attend
from genial.server.lessons.words import say
from genial.server.protocol import Inbound, MoveText
from genial.server.routes_play import Explained
from genial.server.settings import TableSettings
from genial.server.sides import leaving_cards, result_view, side_views
from genial.server.views import GameView, PlaceView, TableView
from genial.server.viewtypes import ViewData

_MOST_MOVES = 40


class LessonInfo(Struct, frozen=True):
    """The lesson of a title."""

    variant: str
    steps: int


class Lessons(Struct, frozen=True):
    """Every lesson, the one to begin with first."""

    lessons: list[LessonInfo]


class LessonBody(Inbound, frozen=True):
    """What the learner has done so far, the newest move last."""

    moves: Annotated[list[MoveText], Meta(max_length=_MOST_MOVES)]


class TryBody(Inbound, frozen=True):
    """A move that the learner thinks about, and what was done before it."""

    move: MoveText
    moves: Annotated[list[MoveText], Meta(max_length=_MOST_MOVES)]


class LessonView(Struct, frozen=True):
    """How far a learner has come. The words are in the language asked for."""

    variant: str
    step: int
    """Steps that are done."""
    steps: int
    told: str | None
    """What the last step has shown."""
    task: str | None
    """What to do now; None when all is done."""
    hint: str | None
    """Why the last move, though lawful, was not what was asked for. It was not done."""
    example: str | None
    """A move that does what was asked for."""
    moves: list[str]
    """The moves that count: to be sent with the next one."""
    table: TableView


async def lessons(call: Call) -> Lessons:
    return Lessons([LessonInfo(lesson.variant, len(lesson.steps)) for lesson in LESSONS.values()])


async def attended(call: Call) -> LessonView:
    assert isinstance(call.body, LessonBody)
    return _lesson_view(attend(_variant(call), call.body.moves), call.language)


async def tried(call: Call) -> dict[str, Any]:
    assert isinstance(call.body, TryBody)
    return explained(attend(_variant(call), call.body.moves).position, call.body.move)


def _variant(call: Call) -> str:
    return str(call.request.path_params["variant"])


def _lesson_view(standing: Standing, language: str) -> LessonView:
    steps, step, target = standing.lesson.steps, standing.at_hand, standing.target
    count, colours = target.most if target else 0, standing.colours
    done = steps[standing.step - 1] if standing.step else None
    hint = say(f"hint-{step.goal.value}", language, count=count, colours=colours) if step else None
    return LessonView(
        variant=standing.lesson.variant,
        step=standing.step,
        steps=len(steps),
        told=say(f"{done.name}-done", language) if done else None,
        task=say(step.name, language, count=count, colours=colours) if step else None,
        hint=hint if standing.missed else None,
        example=target.example if target else None,
        moves=list(standing.moves),
        table=_table_view(standing, language),
    )


def _table_view(standing: Standing, language: str) -> TableView:
    """The lesson as a table of its own, seen by the learner."""
    position = standing.position
    setup, running = position.setup, standing.target is not None
    view = position.view({LEARNER})
    now = what_now(view)
    seats = range(setup.seats)
    return TableView(
        id=f"lesson-{setup.title.variant}",
        seq=standing.step,
        status="running" if running else "over",
        settings=TableSettings(setup.title.variant, setup.seats, chat="off"),
        places=[_place(seat, setup.title.sides, language) for seat in seats],
        viewer=[LEARNER],
        host=False,
        code=None,
        watch=None,
        commitment=None,
        game=GameView(
            number=_scene_number(standing),
            seq=standing.step,
            first=0,
            commitment="",
            places=list(seats),
            view=cast(ViewData, view_data(view)),
            mover=position.seat if running else None,
            now=now.code,
            now_params=dict(now.params),
            sides=side_views(view, view.viewer),
            leaving=leaving_cards(view),
            result=result_view(view),
        ),
        series=None,
        clock=None,
        asked=None,
        back=False,
        ask_to=None,
        chat=[],
        talk="off",
        phrases=(),
        legal=legal_moves(position) if running and position.seat == LEARNER else None,
    )


def _scene_number(standing: Standing) -> int:
    """Counts the scenes: each is told as a game of its own, so that nobody is shown what lies between."""
    steps = standing.lesson.steps[: standing.step + 1]
    return sum(step.scene is not None for step in steps)


def _place(seat: int, sides: Sides, language: str) -> PlaceView:
    partner = sides is Sides.TEAMS and seat == 2
    who = "you" if seat == LEARNER else "partner" if partner else "opponent"
    number = f" {seat}" if who == "opponent" and sides is Sides.TEAMS else ""
    kind = "person" if seat == LEARNER else "bot"
    return PlaceView(kind, say(who, language) + number, None, False, seat == LEARNER, seat)


_PATH, _TAGS = "/api/lessons/{variant}", ("lessons",)

OPERATIONS = [
    Operation("GET", "/api/lessons", lessons, "Every lesson.", Lessons, tags=_TAGS),
    Operation(
        "POST",
        _PATH,
        attended,
        "How far a learner has come by some moves.",
        LessonView,
        LessonBody,
        tags=_TAGS,
    ),
    Operation(
        "POST", f"{_PATH}/explain", tried, "What a move would bring there.", Explained, TryBody, tags=_TAGS
    ),
]
