"""Whether the server is alive, whether it can work, and its metrics."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from genial.bots.workers import BotPool
from genial.server.http.answers import json_reply
from genial.server.http.callers import host_of, is_loopback
from genial.server.http.doors import Doors
from genial.server.operate.metrics import Metrics
from genial.server.operate.tokens import has_token
from genial.server.tables.errors import Forbidden
from genial.server.tables.hub import Hub

log = logging.getLogger("genial.server")

_PROBE_SECONDS = 2.0
_FRESH_SECONDS = 1.0
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-real-ip")


class Health:
    """The routes for monitoring a server."""

    def __init__(
        self, hub: Hub, pool: BotPool, metrics: Metrics, doors: Doors, operator: bytes | None
    ) -> None:
        self._hub = hub
        self._pool = pool
        self._metrics = metrics
        self._doors = doors
        self._operator = operator
        self._asked = -_FRESH_SECONDS
        self._store_works = False
        self._probing: asyncio.Task[None] | None = None
        self._key = secrets.token_hex(8)
        """Each process writes a row of its own."""

    def routes(self) -> list[Route]:
        """All monitoring routes."""
        return [
            Route("/healthz", self.healthz, methods=["GET"]),
            Route("/readyz", self.readyz, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    async def healthz(self, request: Request) -> Response:
        """The process is alive."""
        return json_reply(request, {"status": "ok"})

    async def readyz(self, request: Request) -> Response:
        """What is written to the store can be read back, and bots can think."""
        parts = {"store": await self._store_is_up(), "bots": bool(self._pool.pids)}
        status, code = ("ready", 200) if all(parts.values()) else ("not ready", 503)
        return json_reply(request, {"status": status, **parts}, code)

    async def _store_is_up(self) -> bool:
        """Write and read back, at most once a second and one at a time, however many ask."""
        now = time.monotonic()
        if self._probing is None and now - self._asked >= _FRESH_SECONDS:
            self._asked = now
            self._probing = asyncio.create_task(self._probe())
        if probing := self._probing:
            # If the probe hangs, no other one is started: further callers get an answer at once.
            done, _ = await asyncio.wait({probing}, timeout=max(0.0, self._asked + _PROBE_SECONDS - now))
            return bool(done) and self._store_works
        return self._store_works

    async def _probe(self) -> None:
        try:
            self._store_works = await self._hub.store.probe(self._key, self._hub.clock())
        except Exception as error:
            self._store_works = False
            log.error("store probe failed", extra={"code": getattr(error, "code", type(error).__name__)})
        finally:
            self._probing = None

    async def metrics(self, request: Request) -> Response:
        """The metrics, for this machine itself or the operator."""
        if not (is_local(request) or has_token(request, self._operator)):
            raise Forbidden("operator-only")
        text = self._metrics.text(self._hub, self._pool, self._doors)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def is_local(request: Request) -> bool:
    """True if a request comes from this machine itself, and not through a proxy on it."""
    if any(name in request.headers for name in _FORWARDED):
        return False
    # A page elsewhere may point its own host name at this machine, so the name must be local too.
    names = (request.client.host if request.client else "", host_of(request)[0])
    return all(map(is_loopback, names))
