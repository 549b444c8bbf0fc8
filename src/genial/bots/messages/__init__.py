"""The messages of bots and of those who start them, in English, German and Dutch."""

from __future__ import annotations

from genial.core.messages import WORDS as ENGINE
from genial.core.messages import Words

WORDS = Words(__name__, ENGINE)
