"""How everything is answered, whoever carries it: errors as codes with words, values as JSON."""

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
"""What msgspec says of a text that is too long or too short."""
_encoder = msgspec.json.Encoder(enc_hook=str)


@dataclass(frozen=True, slots=True)
class File:
    """An answer that is not told as JSON of ours."""

    body: bytes
    kind: str = JSON
    name: str | None = None
    """What it is to be called where it is kept."""


class Told(NamedTuple):
    """An answer as it goes out."""

    status: int
    file: File


class Crashed(Refused):
    """Something that nobody thought of. The log has it; the answer tells nothing."""

    status = 500


class Unreadable(Refused):
    """A body, query or message that is not what it should be."""

    status = 400


def unreadable(error: Exception) -> Unreadable:
    """What msgspec says of a message, as a coded error; of a text's length in words of our own."""
    if match := _LENGTH.fullmatch(str(error)):
        bound, count, field = match.groups()
        code = "field-long" if bound == "<=" else "field-short"
        return Unreadable(code, field=field[:_LONGEST_QUOTE], count=int(count))
    problem = "too deep" if isinstance(error, RecursionError) else str(error)
    return Unreadable("message-unreadable", problem=problem[:_LONGEST_QUOTE])


def preferred(header: str) -> str:
    """The language that a header asks for most.

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
    """An error as it goes out."""
    if isinstance(error, StoreError) and not error.is_told:
        error = Refused("server-unstored")
    params = {name: _cut(value) for name, value in error.params.items()}
    return ErrorData(error.code, params, error.ruling, error.text(language))


def _cut(value: object) -> object:
    """What is quoted of a message, never much longer than our own words."""
    if isinstance(value, str):
        return value[:_LONGEST_QUOTE]
    if isinstance(value, list | tuple | dict) and len(text := str(value)) > _LONGEST_QUOTE:
        return text[:_LONGEST_QUOTE]
    # JSON readers do not agree on numbers beyond this.
    return str(value)[:_LONGEST_QUOTE] if isinstance(value, int) and abs(value) > 2**53 else value


def status_of(error: GenialError) -> int:
    """The HTTP status that goes with an error: what the rules forbid is 422."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, HiddenError):
        return 403
    return 503 if isinstance(error, StoreError) else 422


def encoded(value: object) -> bytes:
    """Anything of ours as JSON."""
    return _encoder.encode(value)


def told(answer: object, status: int = 200) -> Told:
    """What a call answers, as it goes out: a file as it is, anything else as JSON."""
    return Told(status, answer if isinstance(answer, File) else File(encoded(answer)))


def told_error(error: GenialError, language: str) -> Told:
    """A coded error as it goes out."""
    return told(ErrorAnswer(error_data(error, language)), status_of(error))
