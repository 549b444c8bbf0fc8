"""What lessons say, in English, German and Dutch. The words for points and colours are the engine's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from genial.core.messages import LANGUAGES, listed, render

PRAISES = 4
"""Words of praise: `praise-0` and so on, one step after the other."""


@cache
def words(language: str) -> Mapping[str, str]:
    """Everything that lessons say in a language; English where a language is not known."""
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
