"""A call of the HTTP API: one declaration gives the route, the checks before it, and its documentation."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from genial.core.errors import GenialError
from genial.server.access import Sight, sight
from genial.server.analyses import Analyses
from genial.server.auth import Device, NotSignedIn, address_of, device_from
from genial.server.errors import Refused
from genial.server.hub import Hub
from genial.server.limiter import Limiter
from genial.server.presence import Presence
from genial.server.replies import error_reply, json_reply, language_of, unreadable
from genial.server.room import Room
from genial.server.security import Bans, Web, changes_something
from genial.server.settings import Limits
from genial.server.streams import BotStreams

_T = TypeVar("_T")


@dataclass(slots=True)
class Services:
    """What all calls of one server share."""

    hub: Hub
    limits: Limits
    web: Web
    limiter: Limiter
    room: Room
    bans: Bans
    presence: Presence
    bots: BotStreams
    analyses: Analyses


@dataclass(frozen=True, slots=True)
class Call:
    """One request, checked and read."""

    services: Services
    request: Request
    device: Device | None
    body: Any
    query: Any

    @property
    def hub(self) -> Hub:
        return self.services.hub

    @property
    def caller(self) -> Device:
        """The device that asks, where one is needed."""
        if self.device is None:
            raise NotSignedIn("not-signed-in")
        return self.device

    @property
    def device_id(self) -> str:
        """The device that asks, or nothing."""
        return self.device.id if self.device else ""

    @property
    def language(self) -> str:
        return language_of(self.request)

    @property
    def address(self) -> str:
        return address_of(self.request)

    @property
    def table_id(self) -> str:
        return str(self.request.path_params["table"])

    def number(self, name: str) -> int:
        """A number in the path."""
        return int(self.request.path_params[name])

    async def sight(
        self, place: int | None = None, *, code: str | None = None, watch: str | None = None
    ) -> Sight:
        """The table of this call, as the caller may see it."""
        return await sight(self.hub, self.table_id, self.device, place=place, code=code, watch=watch)


class _Number(Convertor[int]):
    """A number in a path, of a few digits. Starlette's own takes thousands, which Python refuses to read."""

    regex = "[0-9]{1,6}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("int", _Number())

Handler = Callable[[Call], Awaitable[object]]


class NoQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No parameters but the language."""

    language: str | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """One call of the API."""

    method: str
    path: str
    handler: Handler
    summary: str
    answer: Any = None
    """The type of the answer; None where the handler makes its own."""
    body: type[msgspec.Struct] | None = None
    query: type[msgspec.Struct] = NoQuery
    status: int = 200
    content_type: str = "application/json"
    tags: tuple[str, ...] = field(default=())

    def route(self, services: Services) -> Route:
        """The route that serves it."""
        decoder = msgspec.json.Decoder(self.body) if self.body else None

        async def endpoint(request: Request) -> Response:
            try:
                call = await checked(services, request, decoder, self.query)
                answer = await self.handler(call)
            except GenialError as error:
                return error_reply(request, error)
            if isinstance(answer, Response):
                return answer
            return json_reply(request, answer, self.status)

        return Route(self.path, endpoint, methods=[self.method], name=f"{self.method} {self.path}")


async def checked(
    services: Services,
    request: Request,
    decoder: msgspec.json.Decoder[Any] | None,
    query: type[msgspec.Struct],
) -> Call:
    """A request that may go on: from the right site, not too often, not banned, and readable."""
    services.limiter.requests.check(address_of(request))
    services.web.check_host(request)
    if changes_something(request):
        services.web.check_origin(request)
    device = device_from(request)
    await services.bans.check(device, address_of(request))
    asked = read_query(request, query)
    body = None
    if decoder is not None:
        try:
            body = decoder.decode(await request.body() or b"{}")
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise unreadable(error) from None
    return Call(services, request, device, body, asked)


def read_query(request: Any, query: type[_T]) -> _T:
    """The parameters of an address, as a struct."""
    try:
        return msgspec.convert(dict(request.query_params), query, strict=False)
    except msgspec.ValidationError as error:
        raise unreadable(error) from None


def clean_name(name: str) -> str:
    """A name without anything that could disturb a page: no control characters, single spaces.

    >>> clean_name("  Ada \\u202e  L. ")
    'Ada L.'
    """
    kept = "".join(
        " " if c.isspace() else c for c in name if c.isspace() or unicodedata.category(c)[0] != "C"
    )
    cleaned = " ".join(kept.split())
    if not cleaned:
        raise Refused("name-empty")
    return cleaned
