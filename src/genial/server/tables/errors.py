"""What the server refuses: codes with parameters, the words for them, and their HTTP status."""

from __future__ import annotations

from genial.core.errors import GenialError, RecordError, SetupError
from genial.server.messages import WORDS


class Refused(GenialError):
    """A request that the table does not allow now. Nothing was changed."""

    words = WORDS
    status = 409


class Forbidden(Refused):
    """The asker may not do this."""

    status = 403


class NotFound(Refused):
    """There is no such thing, or the asker may not know of it."""

    status = 404


class TooMany(Refused):
    """A limit was reached."""

    status = 429


class WrongSetup(SetupError):
    """A setting, address or choice that the server cannot work with."""

    words = WORDS


class WrongRecord(RecordError):
    """A record that the server does not take."""

    words = WORDS
