"""The engine's messages, in English, German and Dutch: a sentence for every code.

A message is a text with {parameters}, or two texts, singular and plural, chosen by `count` or else by
`seconds`. A list is joined by commas; `{names:and}` and `{names:or}` put that word before its last item. Two
parameters hold numbers and are shown as words: `colours` and `points`. Our own codes are shown as words too:
`{type:kind}`, `{reason:ending}`, `{variant:edition}`, `{field:typed}` for what people type, and
`{expected:wanted}` for what a record should contain. Every package keeps its messages in a package `messages`
like this one; its errors know them (`words`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module

from genial.core.printable import printable

LANGUAGES = ("en", "de", "nl")
_LONGEST = 120
"""Quotations from outside are cut to this many characters."""

_INDEX = re.compile(r"\[\d+\]")
"""Which item of a list a field is in: people call it the same in all of them."""

CODES = ("edition", "ending", "kind", "typed", "wanted")
"""The kinds of codes that a parameter may be."""

Message = str | tuple[str, str]


class Words:
    """The messages of a package and of those it builds on."""

    def __init__(self, package: str, *below: Words) -> None:
        self._package = package
        self._below = below
        self.messages = cache(self._messages)
        """All messages of a language; English if the language is unknown."""

    def own(self, language: str) -> Mapping[str, Message]:
        """The messages of this package alone."""
        chosen = language if language in LANGUAGES else "en"
        messages: Mapping[str, Message] = import_module(f"{self._package}.{chosen}").MESSAGES
        return messages

    def _messages(self, language: str) -> Mapping[str, Message]:
        joined: dict[str, Message] = {}
        for words in self._below:
            joined.update(words.messages(language))
        joined.update(self.own(language))
        return joined

    def render(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        """The message for a code."""
        message = self.messages(language)[code]
        if isinstance(message, tuple):
            message = message[params.get("count", params.get("seconds")) != 1]
        return message.format_map(
            {name: _Value(value, name, language, self) for name, value in params.items()}
        )


WORDS = Words(__name__)


def render(code: str, params: Mapping[str, object], language: str = "en") -> str:
    """The message for one of the engine's codes.

    >>> render("points", {"count": 1}), render("points", {"count": 3}, "de")
    ('1 point', '3 Punkte')
    >>> render("now-swap", {"colours": [0, 4]}, "nl")
    'Vul aan om je beurt te beëindigen. Of ruil om: je hebt niets in je laagste kleur (rood en blauw).'
    """
    return WORDS.render(code, params, language)


def system_language(environment: Mapping[str, str]) -> str:
    """The language the user's environment asks for, or English if we do not have it.

    >>> system_language({"LANG": "de_AT.UTF-8"}), system_language({"LANG": "nl_NL", "LC_ALL": "C"})
    ('de', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            wanted = environment[name][:2].lower()
            return wanted if wanted in LANGUAGES else "en"
    return "en"


def file_problem(error: OSError, language: str = "en") -> str:
    """Why a file can't be used. What we have no words for is said in the system's.

    >>> (
    ...     file_problem(FileNotFoundError(2, "No such file or directory")),
    ...     file_problem(OSError("Is a directory")),
    ... )
    ("There's no such file or folder. Check the name.", 'Is a directory')
    """
    if isinstance(error, FileNotFoundError):
        return render("file-missing", {}, language)
    return error.strerror or str(error)


def listed(items: Sequence[str], language: str = "en", last: str = "and") -> str:
    """A list of things the way a sentence names them.

    >>> listed(["red", "green", "blue"]), listed(["2", "3"], "de", "or"), listed(["red"])
    ('red, green and blue', '2 oder 3', 'red')
    """
    *first, final = items or [""]
    return f"{', '.join(first)} {render(f'list-{last}', {}, language)} {final}" if first else final


class _Value:
    """A parameter of a message, formatted as the message wants it."""

    def __init__(self, value: object, name: str, language: str, words: Words) -> None:
        self._value, self._name, self._language, self._words = value, name, language, words

    def __format__(self, last: str) -> str:
        value, language = self._value, self._language
        if last in CODES:
            return _cut(_named(last, value, language, self._words))
        if self._name == "points" and isinstance(value, int):
            return render("points", {"count": value}, language)
        if not isinstance(value, list | tuple):
            return _cut(_written(value))
        named = self._name == "colours"
        items = [render(f"colour-{item}", {}, language) if named else _written(item) for item in value]
        if last:
            return _cut(listed(items, language, last))
        return _cut(_written(value) if isinstance(value, tuple) else ", ".join(items))


def _named(kind: str, value: object, language: str, words: Words) -> str:
    """One of our codes in words; anything else stays as it is, or is what the words call such a thing."""
    if kind == "edition":
        # Imported late, because they build on this module.
        from genial.core.editions import name_of
        from genial.core.titles import TITLES

        return name_of(value, language) if isinstance(value, str) and value in TITLES else _written(value)
    known = words.messages(language)
    place = _INDEX.sub("", value) if kind == "typed" and isinstance(value, str) else value
    if (code := f"{kind}-{place}") in known:
        return words.render(code, {}, language)
    other = f"{kind}-other"
    return words.render(other, {"value": value}, language) if other in known else _written(value)


def _written(item: object) -> str:
    """A value as a program would write it."""
    if isinstance(item, list | tuple):
        text = ", ".join(map(_written, item))
        return f"({text})" if isinstance(item, tuple) else f"[{text}]"
    return f"{item:g}" if isinstance(item, float) else printable(item)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
