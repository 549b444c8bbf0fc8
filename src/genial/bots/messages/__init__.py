"""What bots and those who start them say, in English, German and Dutch."""

from __future__ import annotations

from genial.core.messages import WORDS as ENGINE
from genial.core.messages import Words

WORDS = Words(__name__, ENGINE)
