"""The server's messages, in English, German and Dutch: everything that a browser or a host may show."""

from __future__ import annotations

from genial.bots.messages import WORDS as BOTS
from genial.core.messages import Words

WORDS = Words(__name__, BOTS)
