"""A call of the API: one declaration gives what it takes, what it answers, and its documentation.

Nothing here knows how a call comes in. A server binds calls to HTTP; a page without one may call them itself.
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
        """All that can be made from these."""
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
    """One call, checked: who asks, and for what."""

    services: Services
    device: Device | None = None
    address: str = ""
    """What limits count by."""
    language: str = "en"
    origin: str = ""
    """Where the caller found this server, such as `https://play.example.org`; empty if they do not say."""
    path: Mapping[str, Any] = field(default_factory=dict)
    """What stands for the {names} in the path."""
    speaks: bool = True
    """Whether the caller knows the conversation by which tables are followed here, as far as it says."""

    @property
    def hub(self) -> Hub:
        return self.services.hub

    def can(self, wanted: Capability) -> bool:
        """Whether there is this where the tables are."""
        return wanted in self.services.can

    @property
    def caller(self) -> Device:
        """The device that asks, where one is needed."""
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
    """An answer that goes on: one JSON object a line."""

    lines: AsyncIterator[bytes]


class Query(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every call may say in its address; one that is not known is refused."""

    language: str | None = None


class NoQuery(Query, frozen=True):
    """No parameters but the language."""


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
    """Whether a device that is not known yet becomes known by it."""
    needs: Capability | None = None
    """Without this it means nothing."""

    async def run(self, call: Call, body: Struct | None, query: Struct) -> object:
        """Do it. Whatever people will see of the body is cleaned first."""
        if self.needs is not None and not call.can(self.needs):
            raise NotHere("not-here")
        wanted = {"body": cleaned(body), "query": query}
        names = self.handler.__annotations__
        return await self.handler(call, **{name: value for name, value in wanted.items() if name in names})


_H = TypeVar("_H", bound=Callable[..., Awaitable[object]])


class Calls:
    """The calls of one kind, gathered by decorators.

    The first line of a handler's docstring is its summary, and its annotations say what it takes, as `body`
    and `query`, and what it answers. A decorator may say otherwise, and whatever else an `Operation` has.
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
