"""Whether the server lives, whether it can work, and its figures."""

from __future__ import annotations

import asyncio
import ipaddress
import time

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from genial.server.errors import Forbidden
from genial.server.hub import Hub
from genial.server.metrics import Metrics
from genial.server.operator import is_operator

_PROBE_SECONDS = 2.0
_FRESH_SECONDS = 1.0
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-real-ip")


class Health:
    """The routes that watch over a server."""

    def __init__(self, hub: Hub, metrics: Metrics, operator: bytes | None) -> None:
        self._hub = hub
        self._metrics = metrics
        self._operator = operator
        self._probed = -_FRESH_SECONDS
        self._store_works = False
        self._probing = asyncio.Lock()

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/healthz", self.healthz, methods=["GET"]),
            Route("/readyz", self.readyz, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    async def healthz(self, _: Request) -> Response:
        """The process lives."""
        return _json({"status": "ok"})

    async def readyz(self, _: Request) -> Response:
        """The store takes writes, and bots can think."""
        parts = {"store": await self._store_is_up(), "bots": bool(self._hub.pool.pids)}
        ready = all(parts.values())
        return _json({"status": "ready" if ready else "not ready", **parts}, 200 if ready else 503)

    async def _store_is_up(self) -> bool:
        """Ask the writer to write nothing, at most once a second however many ask."""
        async with self._probing:
            if time.monotonic() - self._probed >= _FRESH_SECONDS:
                try:
                    async with asyncio.timeout(_PROBE_SECONDS):
                        await self._hub.store.unban("device", b"is the store there?")
                    self._store_works = True
                except Exception:
                    self._store_works = False
                self._probed = time.monotonic()
            return self._store_works

    async def metrics(self, request: Request) -> Response:
        """The figures, for this machine itself or the operator."""
        if not (is_local(request) or is_operator(request, self._operator)):
            raise Forbidden("operator-only")
        text = self._metrics.text(self._hub)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def is_local(request: Request) -> bool:
    """Whether a request comes from this machine itself, and not through a proxy on it."""
    if any(name in request.headers for name in _FORWARDED):
        return False
    host = request.url.hostname or ""
    return _is_loopback(request.client.host if request.client else "") and (
        host == "localhost" or _is_loopback(host)  # a page elsewhere may point its own name to this machine
    )


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _json(data: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(data), status, media_type="application/json")
