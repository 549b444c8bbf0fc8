"""The lessons: one for classic, then for each other title what is different there."""

from __future__ import annotations

from dataclasses import dataclass

from genial.server.lessons.goals import Goal


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. Its words are `NAME` and, once it is done, `NAME-done` (lessons/words/)."""

    name: str
    goal: Goal
    scene: int | None = None
    """Begins after so many moves of the lesson's game (games.py); None: where the step before ended."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The steps of a title, in order."""

    variant: str
    steps: tuple[Step, ...]


def _lesson(variant: str, *steps: tuple[str, Goal, int | None]) -> Lesson:
    return Lesson(variant, tuple(Step(f"{variant}-{name}", goal, scene) for name, goal, scene in steps))


LESSONS: dict[str, Lesson] = {
    lesson.variant: lesson
    for lesson in (
        _lesson(
            "classic",
            ("opening", Goal.PLACE, 0),
            ("refill", Goal.REFILL, None),
            ("points", Goal.MOST, 20),
            ("lowest", Goal.LOWEST, 32),
            ("swap", Goal.SWAP, 55),
            ("bonus", Goal.BONUS, 58),
            ("again", Goal.PLACE, None),
            ("end", Goal.END, 72),
        ),
        _lesson("classic-team", ("lowest", Goal.LOWEST, 33), ("bonus", Goal.BONUS, 69)),
        _lesson("classic-solo", ("opening", Goal.PLACE, 0), ("lowest", Goal.LOWEST, 24)),
        _lesson("travel", ("opening", Goal.PLACE, 0), ("points", Goal.MOST, 16)),
        _lesson(
            "3d",
            ("opening", Goal.PLACE, 0),
            ("stack", Goal.STACK, 16),
            ("points", Goal.MOST, 49),
            ("bonus", Goal.BONUS, 54),
        ),
        _lesson("3d-solo", ("stack", Goal.STACK, 14), ("lowest", Goal.LOWEST, 26)),
        _lesson("cards", ("points", Goal.MOST, 0), ("order", Goal.MOST, 24), ("bonus", Goal.BONUS, 52)),
        _lesson("duel", ("points", Goal.MOST, 16), ("won", Goal.BONUS, 20)),
    )
}
