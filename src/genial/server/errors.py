"""What the server refuses: codes with parameters from the one catalogue, and the HTTP status for them."""

from __future__ import annotations

from genial.core.errors import GenialError


class Refused(GenialError):
    """A request that the table does not allow now. Nothing was changed."""

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
