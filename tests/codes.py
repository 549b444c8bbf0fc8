"""Our codes, which no person should have to read: none may appear in a sentence, in any language."""

from __future__ import annotations

import re

from genial.bots import BOTS
from genial.core.messages import WORDS
from genial.core.titles import TITLES
from genial.server.messages import WORDS as SERVER_WORDS
from genial.server.tables.decisions import PHRASES

KINDS = [code.removeprefix("kind-") for code in WORDS.own("en") if code.startswith("kind-")]
ENDINGS = [code.removeprefix("ending-") for code in WORDS.own("en") if code.startswith("ending-")]
WANTED = [code.removeprefix("wanted-") for code in WORDS.own("en") if code.startswith("wanted-")]
WORDS_TOO = {
    "en": {
        *("3d", "cards", "cells", "classic", "deal", "draw", "duel", "end", "goal", "number", "objects"),
        *("open", "over", "place", "play", "points", "quick", "reshuffle", "six", "swap"),
        *("text", "tiles", "time", "travel"),
    },
    "de": {"3d", "duel", "text"},
    "nl": {"3d", "duel", "open", "over"},
}
"""Codes that are also words of the language."""
CODES = {
    *(*ENDINGS, *WANTED, *KINDS, *TITLES, *WORDS.own("en"), "place", "end-turn", "over"),
    *(code for code in (*SERVER_WORDS.messages("en"), *PHRASES, *BOTS) if "-" in code),
}

FOR_PROGRAMS = {
    *("move-unreadable", "bot-unknown", "chat-phrase", "limit-unknown", "limit-misspelt"),
    *("conversation-other", "message-unreadable", "variant-unknown"),
}
"""Answers to people who write a program or a command: they name what has to be typed exactly like this."""

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|„[^“]*“|`[^`]*`')


def bare(language: str, text: str) -> list[str]:
    """The codes that appear in a text as separate words, other than in quotes."""
    found = re.findall(r"(?<![\w-])[\w]+(?:-[\w]+)*(?![\w-])", _QUOTED.sub("", text))
    return [word for word in found if word in CODES - WORDS_TOO[language]]
