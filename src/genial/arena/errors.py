"""Errors about a contest, a tuning or a simulation."""

from __future__ import annotations

from genial.arena.messages import WORDS
from genial.core.errors import SetupError


class WrongContest(SetupError):
    """This cannot be played or measured as requested."""

    words = WORDS
