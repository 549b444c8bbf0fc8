"""Errors are codes with parameters; the sentences are in the `messages` of the package that raises them."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from genial.core.messages import WORDS, Words


class GenialError(Exception):
    """Something asked of Genial was wrong. Nothing was changed.

    `code` and `params` say what was given and what was expected; `ruling` names the rule that forbids it. A
    package with its own messages has its own error classes, whose `words` are those messages.
    """

    words: ClassVar[Words] = WORDS
    """The messages for the codes of this class."""

    def __init__(self, code: str, *, ruling: str | None = None, **params: object) -> None:
        super().__init__(code, ruling, params)
        self.code = code
        self.ruling = ruling
        self.params = params

    def text(self, language: str = "en") -> str:
        """The error in English, German (de) or Dutch (nl)."""
        return self.words.render(self.code, self.params, language)

    def with_ruling(self, language: str = "en") -> str:
        """The error in words, followed by the ruling it names, if any."""
        return f"{self.text(language)} [{self.ruling}]" if self.ruling else self.text(language)

    def __str__(self) -> str:
        return self.with_ruling()

    def of_kind(self, kind: type[_Kind]) -> _Kind:
        """The same error as another class: an illegal action becomes a breach in a record, for example."""
        return _rebuild(kind, self.code, self.ruling, self.params)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, self.ruling, self.params)


_Kind = TypeVar("_Kind", bound=GenialError)


def _rebuild(kind: type[_Kind], code: str, ruling: str | None, params: dict[str, object]) -> _Kind:
    error = kind(code, ruling=ruling)
    error.params = params
    return error


class SetupError(GenialError):
    """No such variant, seat count, seed or other choice made before a game."""


class IllegalAction(GenialError):
    """The rules do not allow this action now."""


class NotationError(GenialError):
    """A text is not the notation of a tile, move or position."""


class RecordError(GenialError):
    """A record cannot be read at all."""


class Breach(GenialError):
    """An event of a record breaks a rule."""

    event: int | None = None
    """The number of the event, counted from 0, if a whole record is being replayed."""


class HiddenError(GenialError):
    """The viewer may not know what was asked for."""
