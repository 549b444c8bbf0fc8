"""What the server says, in English, German and Dutch: everything that a browser or a host may read."""

from __future__ import annotations

from genial.bots.messages import WORDS as BOTS
from genial.core.messages import Words

WORDS = Words(__name__, BOTS)
