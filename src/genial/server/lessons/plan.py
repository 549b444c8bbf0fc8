"""The lessons: one for classic, then for each other title what is different there."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.title import Title
from genial.core.titles import about_of
from genial.server.lessons.goals import Goal


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to read or do. Its texts are `NAME-title`, `NAME` and, once done, `NAME-done` (words/)."""

    name: str
    goal: Goal
    scene: int
    """Begins after this many moves of the lesson's game (`About.game`); before the turn ends if ending it is
    the task.
    """


@dataclass(frozen=True, slots=True)
class Lesson:
    """The steps of a title, in order."""

    variant: str
    steps: tuple[Step, ...]


def _lesson(variant: str, *steps: tuple[str, Goal, int]) -> Lesson:
    return Lesson(variant, tuple(Step(f"{variant}-{name}", goal, scene) for name, goal, scene in steps))


LESSONS: dict[str, Lesson] = {
    lesson.variant: lesson
    for lesson in (
        _lesson(
            "classic",
            ("goal", Goal.TELL, 16),
            ("points", Goal.MOST, 10),
            ("opening", Goal.PLACE, 0),
            ("lowest", Goal.LOWEST, 16),
            ("swap", Goal.SWAP, 30),
            ("bonus", Goal.BONUS, 32),
            ("end", Goal.END, 40),
        ),
        _lesson(
            "classic-team", ("goal", Goal.TELL, 18), ("lowest", Goal.LOWEST, 18), ("bonus", Goal.BONUS, 39)
        ),
        _lesson(
            "classic-solo", ("goal", Goal.TELL, 24), ("opening", Goal.PLACE, 0), ("lowest", Goal.LOWEST, 24)
        ),
        _lesson("travel", ("opening", Goal.PLACE, 0), ("points", Goal.MOST, 8)),
        _lesson(
            "3d",
            ("opening", Goal.PLACE, 0),
            ("stack", Goal.STACK, 8),
            ("points", Goal.MOST, 28),
            ("bonus", Goal.BONUS, 31),
        ),
        _lesson("3d-solo", ("stack", Goal.STACK, 14), ("lowest", Goal.LOWEST, 26)),
        _lesson(
            "cards",
            ("goal", Goal.TELL, 12),
            ("points", Goal.MOST, 0),
            ("order", Goal.MOST, 12),
            ("bonus", Goal.BONUS, 26),
        ),
        _lesson("duel", ("goal", Goal.TELL, 8), ("points", Goal.MOST, 8), ("won", Goal.BONUS, 11)),
    )
}
"""By variant. An edition may have none."""


def lesson_for(title: Title) -> Lesson | None:
    """The lesson that teaches an edition: its own, or that of the title it plays like."""
    like = about_of(title).like
    return LESSONS.get(title.variant) or (LESSONS.get(like.variant) if like else None)
