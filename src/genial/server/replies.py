"""How the server answers: JSON, in the language of the one who asks."""

from __future__ import annotations

import gzip
import logging
import re

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Match

from genial.core.errors import GenialError, HiddenError
from genial.core.messages import LANGUAGES, render
from genial.server.errors import Forbidden, NotFound, Refused
from genial.server.protocol import ErrorAnswer, ErrorData
from genial.server.security import HEADERS
from genial.server.store.errors import StoreError

log = logging.getLogger("genial.server")

_GZIP_FROM = 2048
_JSON = "application/json"
_LONGEST_QUOTE = 200
_LENGTH = re.compile(r"Expected `str` of length (<=|>=) (\d+) - at `\$\.(.+)`")
"""What msgspec says of a text that is too long or too short."""
_encoder = msgspec.json.Encoder(enc_hook=str)


class Unreadable(Refused):
    """A body, query or message that is not what it should be."""

    status = 400


def unreadable(error: Exception) -> Unreadable:
    """What msgspec says of a message, as a coded error; of a text's length in words of our own."""
    if found := _LENGTH.fullmatch(str(error)):
        bound, count, field = found.groups()
        code = "field-long" if bound == "<=" else "field-short"
        return Unreadable(code, field=field[:_LONGEST_QUOTE], count=int(count))
    problem = "too deep" if isinstance(error, RecursionError) else str(error)
    return Unreadable("message-unreadable", problem=problem[:_LONGEST_QUOTE])


def language_of(connection: HTTPConnection) -> str:
    """The language to answer in: `?language=`, or the first we speak of the header Accept-Language."""
    asked = connection.query_params.get("language", "")
    return asked if asked in LANGUAGES else preferred(connection.headers.get("accept-language", ""))


def preferred(header: str) -> str:
    """The language that a header asks for most.

    >>> preferred("fr, nl-BE;q=0.8, de;q=0.9"), preferred("tlh")
    ('de', 'en')
    """
    found: list[tuple[float, int, str]] = []
    for part in header[:500].split(","):
        name, _, weight = part.strip().partition(";q=")
        language = name.strip().lower().partition("-")[0]
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            quality = 0.0
        if language in LANGUAGES:
            found.append((-quality, len(found), language))
    return min(found)[2] if found else "en"


def error_data(error: GenialError, language: str) -> ErrorData:
    """An error as it goes out. Where the store is and what ails it is the operator's business."""
    if isinstance(error, StoreError) and error.code not in ("store-busy", "store-away"):
        error = Refused("server-busy")
    params = {name: _cut(value) for name, value in error.params.items()}
    return ErrorData(error.code, params, error.ruling, render(error.code, error.params, language))


def _cut(value: object) -> object:
    if isinstance(value, str):
        return value[:_LONGEST_QUOTE]
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


def json_reply(connection: HTTPConnection, value: object, status: int = 200) -> Response:
    """An answer in JSON; a long one is compressed for who can read that."""
    body, headers = encoded(value), {"vary": "accept-encoding, accept-language"}
    if len(body) >= _GZIP_FROM and "gzip" in connection.headers.get("accept-encoding", ""):
        body = gzip.compress(body, compresslevel=5, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, status, headers, _JSON)


def error_reply(connection: HTTPConnection, error: GenialError) -> Response:
    """A coded error as an answer."""
    status = status_of(error)
    if status == 503:
        log.error("store refused", extra={"code": error.code})
    reply = json_reply(connection, ErrorAnswer(error_data(error, language_of(connection))), status)
    if status in (429, 503):
        reply.headers["retry-after"] = str(error.params.get("seconds", 1))
    return reply


async def on_genial_error(request: Request, error: Exception) -> Response:
    """For every coded error that a handler raises."""
    assert isinstance(error, GenialError)
    return error_reply(request, error)


async def on_http_error(request: Request, error: Exception) -> Response:
    """For what the router refuses: no such path, or not with this method."""
    assert isinstance(error, HTTPException)
    coded: dict[int, GenialError] = {404: NotFound("path-unknown"), 405: _WrongMethod("method-wrong")}
    reply = error_reply(request, coded.get(error.status_code, Forbidden("path-unknown")))
    if error.status_code == 405:
        reply.headers["allow"] = ", ".join(_allowed(request))
    return reply


def _allowed(request: Request) -> list[str]:
    """Every method that a path takes; the router knows only those of the first route with that path."""
    found: set[str] = set()
    for route in request.app.router.routes:
        match, _ = route.matches(request.scope)
        if match is not Match.NONE:
            found |= getattr(route, "methods", None) or set()
    return sorted(found)


async def on_crash(request: Request, error: Exception) -> Response:
    """For what nobody thought of. The log has it; the answer tells nothing."""
    answer = ErrorAnswer(error_data(Refused("server-failed"), language_of(request)))
    reply = json_reply(request, answer, 500)
    reply.headers.update(HEADERS)  # the wall stands further in
    return reply


class _WrongMethod(Refused):
    status = 405
