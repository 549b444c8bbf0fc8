"""The words for every code: one catalogue, in English, German and Dutch.

A message is a text with {parameters}, or two texts, for one and for several, chosen by `count`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

LANGUAGES = ("en", "de", "nl")
_LONGEST = 120
"""What is quoted from outside is cut to this many characters."""

Message = str | tuple[str, str]


@cache
def catalogue(language: str) -> Mapping[str, Message]:
    """All messages of a language; English where a language is not known."""
    chosen = language if language in LANGUAGES else "en"
    messages: Mapping[str, Message] = import_module(f"{__name__}.{chosen}").MESSAGES
    return messages


def render(code: str, params: Mapping[str, object], language: str = "en") -> str:
    """A code in words.

    >>> render("points", {"count": 1}), render("points", {"count": 3}, "de")
    ('1 point', '3 Punkte')
    """
    message = catalogue(language)[code]
    if isinstance(message, tuple):
        message = message[params.get("count") != 1]
    return message.format_map({name: _shown(value, name, language) for name, value in params.items()})


def _shown(value: object, name: str, language: str) -> str:
    if name == "colours" and isinstance(value, list | tuple):
        return ", ".join(catalogue(language)[f"colour-{number}"] for number in value)  # type: ignore[misc]
    if isinstance(value, list | tuple):
        text = ", ".join(_shown(item, "", language) for item in value)
        text = f"({text})" if isinstance(value, tuple) else text
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
