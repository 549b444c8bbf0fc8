"""The server's refusals: codes with parameters, their words, and their HTTP status."""

from __future__ import annotations

from genial.core.errors import GenialError, RecordError, SetupError
from genial.server.messages import WORDS


class Refused(GenialError):
    """The table does not allow this request now. Nothing was changed."""

    words = WORDS
    status = 409


class Forbidden(Refused):
    """The caller may not do this."""

    status = 403


class NotFound(Refused):
    """There is no such thing, or the caller may not know of it."""

    status = 404


class TooMany(Refused):
    """A limit was reached."""

    status = 429


class WrongSetup(SetupError):
    """A setting, address or choice that the server can't work with."""

    words = WORDS


class WrongRecord(RecordError):
    """A record that the server won't accept."""

    words = WORDS
