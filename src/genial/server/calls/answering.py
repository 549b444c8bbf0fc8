"""How every call is answered, over any transport: errors as codes with words, values as JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

import msgspec

from genial.core.errors import GenialError, HiddenError
from genial.core.messages import LANGUAGES
from genial.server.calls.protocol import ErrorAnswer, ErrorData
from genial.server.tables.errors import Refused
from genial.server.tables.store_errors import StoreError

JSON = "application/json"
_LONGEST_QUOTE = 200
_LENGTH = re.compile(r"Expected `str` of length (<=|>=) (\d+) - at `\$\.(.+)`")
"""msgspec's message about a text that is too long or too short."""
_encoder = msgspec.json.Encoder(enc_hook=str)


@dataclass(frozen=True, slots=True)
class File:
    """An answer that is not encoded as our own JSON."""

    body: bytes
    kind: str = JSON
    name: str | None = None
    """A file name for saving it."""


class Told(NamedTuple):
    """An answer as it goes out."""

    status: int
    file: File


class Crashed(Refused):
    """An unexpected failure. The log has the details; the answer doesn't."""

    status = 500


class Unreadable(Refused):
    """A body, query or message that is not what it should be."""

    status = 400


def unreadable(error: Exception) -> Unreadable:
    """msgspec's complaint about a message as a coded error, in our own words for a text's length."""
    if match := _LENGTH.fullmatch(str(error)):
        bound, count, field = match.groups()
        code = "field-long" if bound == "<=" else "field-short"
        return Unreadable(code, field=field[:_LONGEST_QUOTE], count=int(count))
    problem = "too deep" if isinstance(error, RecursionError) else str(error)
    return Unreadable("message-unreadable", problem=problem[:_LONGEST_QUOTE])


def preferred(header: str) -> str:
    """The language that a header prefers.

    >>> preferred("fr, nl-BE;q=0.8, de;q=0.9"), preferred("tlh")
    ('de', 'en')
    """
    asked: list[tuple[float, str]] = []
    for part in header[:500].split(","):
        name, _, weight = part.strip().partition(";q=")
        language = name.strip().lower().partition("-")[0]
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            quality = 0.0
        if language in LANGUAGES:
            asked.append((quality, language))
    return max(asked, key=itemgetter(0), default=(0.0, "en"))[1]


def error_data(error: GenialError, language: str) -> ErrorData:
    """An error in the form that is sent."""
    if isinstance(error, StoreError) and not error.is_told:
        error = Refused("server-unstored")
    params = {name: _cut(value) for name, value in error.params.items()}
    return ErrorData(error.code, params, error.ruling, error.text(language))


def _cut(value: object) -> object:
    """A quoted value, cut to a sensible length."""
    if isinstance(value, str):
        return value[:_LONGEST_QUOTE]
    if isinstance(value, list | tuple | dict) and len(text := str(value)) > _LONGEST_QUOTE:
        return text[:_LONGEST_QUOTE]
    # JSON parsers disagree about larger numbers.
    return str(value)[:_LONGEST_QUOTE] if isinstance(value, int) and abs(value) > 2**53 else value


def status_of(error: GenialError) -> int:
    """The HTTP status for an error; 422 for what the rules forbid."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, HiddenError):
        return 403
    return 503 if isinstance(error, StoreError) else 422


def encoded(value: object) -> bytes:
    """Any of our values as JSON."""
    return _encoder.encode(value)


def told(answer: object, status: int = 200) -> Told:
    """A call's answer in the form that is sent: a file as it is, anything else as JSON."""
    return Told(status, answer if isinstance(answer, File) else File(encoded(answer)))


def told_error(error: GenialError, language: str) -> Told:
    """A coded error in the form that is sent."""
    return told(ErrorAnswer(error_data(error, language)), status_of(error))
