"""What is wrong with a bot before it plays."""

from __future__ import annotations

from genial.bots.messages import WORDS
from genial.core.errors import SetupError


class WrongBot(SetupError):
    """No such bot or program, or not with these parameters."""

    words = WORDS
