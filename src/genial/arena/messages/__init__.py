"""The arena's messages, in English, German and Dutch."""

from __future__ import annotations

from genial.bots.messages import WORDS as BOTS
from genial.core.messages import Words

WORDS = Words(__name__, BOTS)
