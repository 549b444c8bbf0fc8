"""A call of the API: one declaration gives its input, its answer, and its documentation.

Nothing here knows how a call arrives. A server binds calls to HTTP; a page without a server calls them
directly.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar, get_type_hints

from msgspec import Struct

from genial.server.calls.access import Sight, sight
from genial.server.calls.answering import JSON
from genial.server.calls.bans import Bans
from genial.server.calls.capabilities import Capability, NotHere
from genial.server.calls.devices import Device, NotSignedIn
from genial.server.calls.limiter import Limiter
from genial.server.calls.streams import BotStreams
from genial.server.calls.table_quota import TableQuota
from genial.server.calls.tokens import Tokens
from genial.server.study.analyses import Analyses
from genial.server.study.reading import Reading
from genial.server.tables.hub import Hub
from genial.server.tables.presence import Presence
from genial.server.tables.settings import Limits
from genial.server.tables.text import cleaned

TABLE = "/api/tables/{table}"
"""The path of a table."""


@dataclass(slots=True)
class Services:
    """What all calls of one server, or of one page, share."""

    hub: Hub
    limits: Limits
    limiter: Limiter
    tables: TableQuota
    tokens: Tokens
    bans: Bans
    presence: Presence
    bots: BotStreams
    analyses: Analyses
    reading: Reading
    can: frozenset[Capability]

    @staticmethod
    def of(hub: Hub, tokens: Tokens, reading: Reading, can: frozenset[Capability]) -> Services:
        """Make everything else from these."""
        limits, presence = hub.limits, Presence(hub)
        bots = BotStreams(hub, presence)
        return Services(
            hub=hub,
            limits=limits,
            limiter=Limiter(limits, lambda: len(hub.peers.living)),
            tables=TableQuota(hub, limits.tables_open),
            tokens=tokens,
            bans=Bans(hub, bots),
            presence=presence,
            bots=bots,
            analyses=Analyses(hub, limits),
            reading=reading,
            can=can,
        )


@dataclass(frozen=True, slots=True)
class Call:
    """One call, checked: who is calling, and for what."""

    services: Services
    device: Device | None = None
    address: str = ""
    """The caller's address, in the form that limits count by."""
    language: str = "en"
    origin: str = ""
    """The origin by which the caller reached this server: `https://play.example.org`; empty if unknown."""
    path: Mapping[str, Any] = field(default_factory=dict)
    """The values of the {placeholders} in the path."""
    speaks: bool = True
    """False if the caller says that it doesn't speak the conversation by which tables are followed here."""

    @property
    def hub(self) -> Hub:
        return self.services.hub

    def can(self, wanted: Capability) -> bool:
        """True if this is available where the tables are kept."""
        return wanted in self.services.can

    @property
    def caller(self) -> Device:
        """The calling device; refused if there is none."""
        if self.device is None:
            raise NotSignedIn("not-signed-in")
        return self.device

    @property
    def table_id(self) -> str:
        return str(self.path["table"])

    async def sight(
        self, place: int | None = None, *, code: str | None = None, watch: str | None = None
    ) -> Sight:
        """The table of this call, as the caller may see it."""
        guessing = partial(self.services.limiter.guessing, self.address)
        return await sight(
            self.hub, self.table_id, self.device, guessing, place=place, code=code, watch=watch
        )


@dataclass(frozen=True, slots=True)
class Lines:
    """A streamed answer: one JSON object per line."""

    lines: AsyncIterator[bytes]


class Query(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The query parameters that every call takes; unknown ones are refused."""

    language: str | None = None


class NoQuery(Query, frozen=True):
    """No parameters except the language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One call of the API, as its handler declares it."""

    method: str
    path: str
    handler: Callable[..., Awaitable[object]]
    summary: str
    answer: Any
    """The type of the answer."""
    tag: str
    body: type[Struct] | None
    query: type[Struct]
    status: int = 200
    content_type: str = JSON
    greets: bool = False
    """True if it registers a device that isn't known yet."""
    needs: Capability | None = None
    """Refused where this is missing."""

    async def run(self, call: Call, body: Struct | None, query: Struct) -> object:
        """Run the call. Whatever people will see of the body is cleaned first."""
        if self.needs is not None and not call.can(self.needs):
            raise NotHere("not-here")
        wanted = {"body": cleaned(body), "query": query}
        names = self.handler.__annotations__
        return await self.handler(call, **{name: value for name, value in wanted.items() if name in names})


_H = TypeVar("_H", bound=Callable[..., Awaitable[object]])


class Calls:
    """The calls of one kind, gathered by decorators.

    The first line of a handler's docstring is its summary; its annotations say what it takes, as `body` and
    `query`, and what it answers. A decorator may override these, and set any other field of `Operation`.
    """

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.operations: list[Operation] = []

    def get(self, path: str, **declared: Any) -> Callable[[_H], _H]:
        """Declare a call that changes nothing."""
        return self._declare("GET", path, declared)

    def post(self, path: str, **declared: Any) -> Callable[[_H], _H]:
        """Declare a call that changes something."""
        return self._declare("POST", path, declared)

    def _declare(self, method: str, path: str, declared: dict[str, Any]) -> Callable[[_H], _H]:
        def declare(handler: _H) -> _H:
            hints = get_type_hints(handler)
            by_handler = {
                "summary": (handler.__doc__ or "").partition("\n")[0],
                "answer": hints["return"],
                "tag": self.tag,
                "body": hints.get("body"),
                "query": hints.get("query", NoQuery),
            }
            operation = Operation(method=method, path=path, handler=handler, **by_handler | declared)
            self.operations.append(operation)
            return handler

        return declare
