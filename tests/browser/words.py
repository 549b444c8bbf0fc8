"""What the screen says in each of its languages, read from the same files that the client reads.

Tests find everything by these words, so the same test runs in English, German and Dutch.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from genial.core.editions import name_of
from genial.core.messages import LANGUAGES
from genial.server.messages import WORDS

_WEB = Path(__file__).parents[2] / "web"

_AND = {"en": "and", "de": "und", "nl": "en"}

Message = str | tuple[str, str]
_HOLE = r"\{(\w+)(?::\w+)?\}"


class Words:
    """All messages of one language: the client's own and the engine's."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._messages = _messages(language)

    def __call__(self, key: str, **params: object) -> str:
        """A message with its holes filled in."""
        return re.sub(_HOLE, lambda hole: str(params[hole[1]]), self._chosen(key, params))

    def pattern(self, key: str, **params: object) -> re.Pattern[str]:
        """A pattern for a message: a hole without a value may be anything."""
        parts = re.split(_HOLE, self._chosen(key, params))
        for n, part in enumerate(parts):
            hole = n % 2 == 1
            known = params.get(part) if hole else part
            parts[n] = ".+" if known is None else re.escape(str(known))
        return re.compile("".join(parts))

    def listed(self, names: list[str]) -> str:
        """Names, listed as the client lists them."""
        *first, last = names
        return f"{', '.join(first)} {_AND[self.language]} {last}" if first else last

    def _chosen(self, key: str, params: dict[str, Any]) -> str:
        if key.startswith("title-"):  # names are kept with the titles, not in a catalogue
            return name_of(key.removeprefix("title-"), self.language)
        message = self._messages[key]
        return message if isinstance(message, str) else message[params.get("count") != 1]


@cache
def words_in(language: str) -> Words:
    """The words of a language."""
    assert language in LANGUAGES
    return Words(language)


def _messages(language: str) -> dict[str, Message]:
    found: dict[str, Message] = dict(WORDS.messages(language))
    own = json.loads((_WEB / "messages" / f"{language}.json").read_text(encoding="utf-8"))
    return found | {key: _read(value) for key, value in own.items() if not key.startswith("$")}


def _read(value: Any) -> Message:
    if isinstance(value, str):
        return value
    match = value[0]["match"]
    return match["plural=one"], match["plural=other"]
