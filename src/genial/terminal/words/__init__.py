"""Every text of the terminal, in English, German and Dutch.

Names of titles, colours and reasons, errors and guidance come from core's catalogue. As there, a text may be
a pair, singular and plural, chosen by `count`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from genial.bots import BOTS
from genial.bots.messages import WORDS as BOT_WORDS
from genial.core.messages import LANGUAGES, Message
from genial.core.printable import printable


@cache
def words(language: str) -> Mapping[str, Message]:
    """All texts of a language; English if the language is unknown."""
    chosen = language if language in LANGUAGES else "en"
    found: Mapping[str, Message] = import_module(f"{__name__}.{chosen}").WORDS
    return found


def say(key: str, language: str, **params: object) -> str:
    """A text in a language.

    >>> say("you", "en"), say("you", "de"), say("bag", "nl", count=3)
    ('You', 'Du', '3 stenen in de buidel')
    """
    text = words(language)[key]
    if isinstance(text, tuple):
        text = text[params.get("count") != 1]
    return text.format_map({name: _shown(value) for name, value in params.items()})


def bot_name(name: str, language: str) -> str:
    """A bot's display name; a program, or a bot with other parameters, as it is written.

    >>> bot_name("level-6", "en"), bot_name("level-6@0.5", "en"), bot_name("cmd:./mybot", "en")
    ('Ada', 'Ada@0.5', 'cmd:./mybot')
    """
    base, at, budget = name.partition("@")
    return BOT_WORDS.render(f"bot-{base}", {}, language) + at + budget if base in BOTS else name


def bot_to_choose(name: str, language: str) -> str:
    """A bot in a list to choose from: its name and level.

    >>> bot_to_choose("level-6", "en"), bot_to_choose("random", "en")
    ('Ada – Master', 'Random')
    """
    level = BOT_WORDS.messages(language).get(f"bot-{name}-level")
    return bot_name(name, language) if level is None else f"{bot_name(name, language)} – {level}"


def _shown(value: object) -> object:
    # Paths and names come from outside; numbers may have their own format.
    return value if isinstance(value, int | float) else printable(value)
