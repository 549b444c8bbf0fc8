"""Errors are codes with parameters; the package `messages` of whoever raises them has the sentences."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from genial.core.messages import WORDS, Words


class GenialError(Exception):
    """Something asked of Genial was wrong. Nothing was changed.

    `code` and `params` say what was got and what was expected; `ruling` names the rule that forbids it. A
    package with words of its own raises errors of its own, which know them.
    """

    words: ClassVar[Words] = WORDS
    """Where the sentences for the codes of this class are."""

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
        """The same error in another role: an illegal action is a breach in a record, for example."""
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
    """Which event, counted from 0, where a whole record is replayed."""


class HiddenError(GenialError):
    """The viewer may not know what was asked for."""
