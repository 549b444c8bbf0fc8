"""Lessons that teach by doing: real positions, and answers that the engine judges."""

from __future__ import annotations

from genial.server.lessons.plan import LESSONS, Lesson
from genial.server.lessons.school import LEARNER, Standing, attend, sample

__all__ = ["LEARNER", "LESSONS", "Lesson", "Standing", "attend", "sample"]
