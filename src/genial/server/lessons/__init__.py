"""Lessons that teach by doing: real positions, and answers that the engine judges."""

from __future__ import annotations

from genial.server.lessons.plan import LESSONS, Lesson, lesson_for
from genial.server.lessons.school import LEARNER, NEXT, Standing, attend, sample

__all__ = ["LEARNER", "LESSONS", "NEXT", "Lesson", "Standing", "attend", "lesson_for", "sample"]
