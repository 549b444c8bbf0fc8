"""How the server answers over HTTP: JSON, in the caller's language."""

from __future__ import annotations

import asyncio
import gzip
import logging

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Match

from genial.core.errors import GenialError
from genial.core.messages import LANGUAGES
from genial.server.calls.answering import JSON, Crashed, encoded, preferred, told_error
from genial.server.calls.asking import WrongMethod
from genial.server.http.security import HEADERS
from genial.server.tables.errors import Forbidden, NotFound

log = logging.getLogger("genial.server")

_GZIP_FROM = 2048
_GONE = 499
REFUSED = "genial.refused"
"""Key in a connection's scope: a function to call with the code of each refusal."""


def language_of(connection: HTTPConnection) -> str:
    """The language to answer in: `?language=`, or the preferred one in Accept-Language that we speak."""
    asked = connection.query_params.get("language", "")
    return asked if asked in LANGUAGES else preferred(connection.headers.get("accept-language", ""))


def json_reply(connection: HTTPConnection, value: object, status: int = 200) -> Response:
    """A JSON answer."""
    return json_response(connection, encoded(value), status)


def json_response(connection: HTTPConnection, body: bytes, status: int = 200) -> Response:
    """Encoded JSON as a response; compressed if it is long and the caller accepts that."""
    if _is_compressed(connection, body):
        return _json_response(_compressed(body), status, {"content-encoding": "gzip"})
    return _json_response(body, status, {})


async def json_file(
    connection: HTTPConnection, body: bytes, status: int, headers: dict[str, str]
) -> Response:
    """Encoded JSON of any length as a response; compressed without blocking the loop."""
    if _is_compressed(connection, body):
        zipped = await asyncio.to_thread(_compressed, body)  # zlib releases the GIL
        return _json_response(zipped, status, headers | {"content-encoding": "gzip"})
    return _json_response(body, status, headers)


def _is_compressed(connection: HTTPConnection, body: bytes) -> bool:
    return len(body) >= _GZIP_FROM and "gzip" in connection.headers.get("accept-encoding", "")


def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=5, mtime=0)


def _json_response(body: bytes, status: int, headers: dict[str, str]) -> Response:
    return Response(body, status, {"vary": "accept-encoding, accept-language"} | headers, JSON)


def note_refusal(connection: HTTPConnection, error: GenialError, *, message: bool = False) -> None:
    """Report a refusal, for counts and logs: of a request, or of one message on a socket."""
    if note := connection.scope.get(REFUSED):
        note(error.code, message)


def error_reply(connection: HTTPConnection, error: GenialError) -> Response:
    """A coded error as a response."""
    note_refusal(connection, error)
    status, file = told_error(error, language_of(connection))
    if status == 503:
        log.error("store refused", extra={"code": error.code})
    reply = json_response(connection, file.body, status)
    if status in (429, 503):
        reply.headers["retry-after"] = str(error.params.get("seconds", 1))
    if status in (408, 413):
        reply.headers["connection"] = "close"  # or we would have to read the rest of the request
    return reply


async def on_genial_error(request: Request, error: Exception) -> Response:
    """Handle any coded error that a handler raises."""
    assert isinstance(error, GenialError)
    return error_reply(request, error)


async def on_http_error(request: Request, error: Exception) -> Response:
    """Handle what the router refuses: an unknown path, or the wrong method."""
    assert isinstance(error, HTTPException)
    coded: dict[int, GenialError] = {404: NotFound("path-unknown"), 405: WrongMethod("method-wrong")}
    reply = error_reply(request, coded.get(error.status_code, Forbidden("path-unknown")))
    if error.status_code == 405:
        reply.headers["allow"] = ", ".join(_allowed(request))
    return reply


def _allowed(request: Request) -> list[str]:
    """Every method that a path takes; the router only knows those of the first route with that path."""
    routes = [route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for route in routes for method in getattr(route, "methods", None) or ()})


async def on_gone(request: Request, error: Exception) -> Response:
    """Handle a caller who disconnects during a request: nobody reads this, and nothing went wrong here."""
    return Response(status_code=_GONE)


async def on_crash(request: Request, error: Exception) -> Response:
    """Handle unexpected failures. The log has the details; the answer doesn't."""
    reply = error_reply(request, Crashed("server-failed"))
    reply.headers.update(HEADERS)  # the wall is further in, and doesn't see this answer
    return reply
