"""Errors about bots that are found before they play."""

from __future__ import annotations

from genial.bots.messages import WORDS
from genial.core.errors import SetupError


class WrongBot(SetupError):
    """No such bot or program, or unusable parameters."""

    words = WORDS
