"""Every word that the terminal says, in English, German and Dutch.

Names of titles, colours and reasons, errors and guidance come from core's catalogue. As there, a text may
be a pair, for one and for several, chosen by `count`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from genial.core.messages import LANGUAGES, Message


@cache
def words(language: str) -> Mapping[str, Message]:
    """All words of a language; English where a language is not known."""
    chosen = language if language in LANGUAGES else "en"
    found: Mapping[str, Message] = import_module(f"{__name__}.{chosen}").WORDS
    return found


def say(key: str, language: str, **params: object) -> str:
    """A text in words.

    >>> say("you", "en"), say("you", "de"), say("bag", "nl", count=3)
    ('You', 'Du', '3 stenen in de zak')
    """
    text = words(language)[key]
    if isinstance(text, tuple):
        text = text[params.get("count") != 1]
    return text.format(**params)


def language_of(environment: Mapping[str, str]) -> str:
    """The language that the user's environment asks for, English if it is none of ours.

    >>> language_of({"LANG": "de_AT.UTF-8"}), language_of({"LANG": "nl_NL", "LC_ALL": "C"})
    ('de', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            wanted = environment[name][:2].lower()
            return wanted if wanted in LANGUAGES else "en"
    return "en"
