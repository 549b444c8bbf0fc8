"""The texts of lessons, in English, German and Dutch. The words for points and colours are the engine's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from genial.core.messages import LANGUAGES, listed, render

PRAISES = 4
"""The number of texts of praise: `praise-0` and so on, used in turn."""


@cache
def words(language: str) -> Mapping[str, str]:
    """All texts of lessons in a language; English if the language is unknown."""
    chosen = language if language in LANGUAGES else "en"
    found: Mapping[str, str] = import_module(f"{__name__}.{chosen}").WORDS
    return found


def say(key: str, language: str, *, count: int = 0, colours: tuple[int, ...] = ()) -> str:
    """A sentence of a lesson.

    >>> say("hint-most", "en", count=6)
    "That's allowed, but you can do better: find a move worth 6 points. Press H to see where."
    """
    named = listed([render(f"colour-{number}", {}, language) for number in colours], language)
    points = render("points", {"count": count}, language)
    return words(language)[key].format(points=points, colours=named)
