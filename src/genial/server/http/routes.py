"""The API's calls as HTTP routes: what is checked before a call, and how its answer is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from genial.server.calls import asking
from genial.server.calls.answering import JSON, File, told
from genial.server.calls.asking import NUMBER, read_query
from genial.server.calls.call import Call, Lines, Operation, Services
from genial.server.calls.devices import Device, NotSignedIn, device_of
from genial.server.http.answers import json_file, json_response, language_of
from genial.server.http.callers import address_of, origin_of, speaks, token_from
from genial.server.http.security import Web, changes_something
from genial.server.tables.errors import NotFound

_T = TypeVar("_T")

Admit = Callable[[Request], Awaitable[Device | None]]
"""Identifies the caller, or refuses them."""


class _Number(IntegerConvertor):
    """A number in a path, as calls mean it. Starlette's own converter takes thousands of digits."""

    regex = NUMBER


register_url_convertor("int", _Number())


async def admitted(connection: HTTPConnection) -> Device | None:
    """The calling device, after the checks: right site, not too often, not banned."""
    services: Services = connection.app.state.services
    web: Web = connection.app.state.web
    address = address_of(connection)
    services.limiter.requests.check(address)
    if not connection.scope["path"].isprintable():
        raise NotFound("path-unknown")  # and a database could not look it up
    web.check_host(connection)
    if changes_something(connection):
        web.check_origin(connection)
    token, is_named = token_from(connection, web.cookie(connection))
    device = device_of(token)
    await services.bans.check(device, address)
    if device is not None and await services.tokens.knows(token, device):
        return device
    if is_named:
        raise NotSignedIn("not-signed-in")
    return None  # a cookie that isn't ours is ignored


def routes_of(operations: Iterable[Operation], admit: Admit = admitted) -> list[Route]:
    """The routes for these calls."""
    return [_route(operation, admit) for operation in operations]


def _route(operation: Operation, admit: Admit) -> Route:
    async def endpoint(request: Request) -> Response:
        call = call_of(request, await admit(request))
        query = read_query(request.query_params, operation.query)
        body = await read_body(request, operation.body) if operation.body else None
        reply = await _reply(request, await operation.run(call, body, query), operation.status)
        if operation.greets and "authorization" not in request.headers:
            reply.headers["set-cookie"] = _greeting(request, call)
        return reply

    name = f"{operation.method} {operation.path}"
    return Route(operation.path, endpoint, methods=[operation.method], name=name)


def call_of(connection: HTTPConnection, device: Device | None) -> Call:
    """A request as a call by this device."""
    services, address = connection.app.state.services, address_of(connection)
    origin, names = origin_of(connection), connection.path_params
    return Call(services, device, address, language_of(connection), origin, names, speaks(connection))


async def read_body(request: Request, body: type[_T], empty: bytes = b"{}") -> _T:
    """The body of a request as a struct; `empty` stands in for a missing body."""
    return asking.read_body(await request.body(), body, empty)


async def _reply(request: Request, answer: object, status: int) -> Response:
    if isinstance(answer, Lines):
        # Proxies must not buffer a stream until it is complete.
        headers = {"x-accel-buffering": "no"}
        return StreamingResponse(answer.lines, headers=headers, media_type="application/x-ndjson")
    _, file = told(answer)
    headers = {"content-disposition": f'attachment; filename="{file.name}"'} if file.name else {}
    if file.kind != JSON:
        return Response(file.body, status, headers, file.kind)
    if isinstance(answer, File):
        return await json_file(request, file.body, status, headers)
    return json_response(request, file.body, status)


def _greeting(request: Request, call: Call) -> str:
    """The cookie that identifies the device from now on: the one it has, or a new one."""
    web: Web = request.app.state.web
    cookie, tokens = web.cookie(request), call.services.tokens
    if call.device is None:
        call.services.limiter.devices.check(call.address)
        return cookie.header(tokens.new())
    return cookie.header(tokens.renewed(request.cookies[cookie.name]))
