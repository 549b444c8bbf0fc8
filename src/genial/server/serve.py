"""`genial serve`: one process that opens the store, wakes the bots, goes on with every game, and listens.

On SIGTERM or SIGINT it accepts nothing more, tells its sockets to come again (1012), writes what waits, and
ends with 0. Killed without warning it loses nothing either: what was acknowledged is on the disk.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import genial
from genial.bots import programs, warm
from genial.bots.lending import Lending
from genial.bots.workers import BotPool
from genial.core.errors import SetupError
from genial.server import logs, retention
from genial.server.app import build_app
from genial.server.health import Health
from genial.server.hub import Hub
from genial.server.jobs import Jobs, jobs_of
from genial.server.lan import address_url, is_private
from genial.server.metrics import Metrics
from genial.server.operator import Operator
from genial.server.peers import Alone, Peers
from genial.server.routes_worker import Workers
from genial.server.security import Web
from genial.server.settings import Limits
from genial.server.static import Client, built
from genial.server.store import Address, PostgresStore, Store, opened
from genial.server.store.processes import join

log = logging.getLogger("genial.server")

SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE_SECONDS = 10
"""How long requests under way may take when the server ends."""
_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Plan:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0 picks a free one."""
    db: Path | Address = Path("genial.db")
    migrate: bool = True
    """Bring the file up to date first, or make it."""
    bot_workers: int = field(default_factory=lambda: max(1, min(8, (os.cpu_count() or 2) - 1)))
    operator: bytes | None = None
    """The hash of the operator's token."""
    worker: bytes | None = None
    """The hash of the token of bot workers on other machines."""
    limits: Limits = field(default_factory=Limits)
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies whose word on who asks is taken."""
    lan: bool = False
    """In a network of friends: no HTTPS is expected."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names that callers may use; empty, that is any, where a proxy or a name stands before us.

        A page elsewhere could point a name of its own to a machine at home, and so get past its router.
        """
        if self.trusted_proxies or not is_private(self.host):
            return ()
        name = socket.gethostname()
        return tuple(dict.fromkeys((self.host, "localhost", "127.0.0.1", "::1", name, f"{name}.local")))


async def serve(plan: Plan, announce: Callable[[str], None]) -> None:
    """Serve until told to stop. `announce` is given the address once somebody can come to it."""
    listening = _listen(plan.host, plan.port)
    with _raised_file_limit(), listening, _Stop() as stop:
        store = await opened(plan.db, migrate=plan.migrate)
        try:
            metrics = Metrics()
            async with BotPool(plan.bot_workers, setup=programs.setup()) as pool, among_peers(store) as peers:
                hub = Hub(metrics.timed(store), pool, plan.limits, peers=peers)
                async with jobs_of(Lending(pool), peers) as jobs:
                    await _run(plan, hub, jobs, metrics, listening, stop, announce)
        finally:
            await store.close()
    log.info("stopped")


@asynccontextmanager
async def among_peers(store: Store) -> AsyncIterator[Peers]:
    """This process as the others on its database know it; on a file it is alone."""
    if not isinstance(store, PostgresStore):
        yield Alone()
        return
    processes = await join(store.address)
    try:
        yield processes
    finally:
        await processes.stop()


def _calm_collector() -> None:
    """Positions and entries are plain values without cycles, and a full collection walks over all of them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


async def _run(
    plan: Plan,
    hub: Hub,
    jobs: Jobs,
    metrics: Metrics,
    listening: socket.socket,
    stop: _Stop,
    announce: Callable[[str], None],
) -> None:
    resumed = await hub.resume()
    _calm_collector()
    url = address_url(plan.host, listening.getsockname()[1])
    ending = asyncio.Event()
    app = application(plan, hub, jobs, metrics, ending)
    server = GracefulServer(_config(plan, app), hub, ending, lambda: announce(url))
    stop.then(server)
    told = {"version": genial.__version__, "resumed": resumed, "workers": plan.bot_workers}
    log.info("serving", extra=told)
    sweeper = asyncio.create_task(retention.keep(hub))
    try:
        async with warm.compiling_elsewhere():
            await server.serve(sockets=[listening])
    finally:
        sweeper.cancel()
        await asyncio.gather(sweeper, return_exceptions=True)
        await hub.stop()


def application(plan: Plan, hub: Hub, jobs: Jobs, metrics: Metrics, ending: asyncio.Event) -> ASGIApp:
    """Everything that answers: tables, operator, health, figures, and the client; all of it logged."""
    routes = [
        *Operator(hub, plan.operator).routes(),
        *Health(hub, metrics, plan.operator).routes(),
        *Workers(jobs, plan.worker).routes(),
        *Client(built()).routes(),
    ]
    web = Web(secure=not plan.lan, hosts=plan.hosts)
    app = build_app(hub, web=web, limits=plan.limits, routes=routes)
    return logs.AccessLog(EndingStreams(app, ending), metrics.answered)


def _config(plan: Plan, app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=plan.limits.frame_bytes,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(plan.trusted_proxies),
        forwarded_allow_ips=list(plan.trusted_proxies),
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


class EndingStreams:
    """Tells whoever streams an answer, when the server ends, that nobody reads it any more."""

    def __init__(self, app: ASGIApp, ending: asyncio.Event) -> None:
        self._app = app
        self._ending = ending

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        complete = False

        async def received() -> Message:
            nonlocal complete
            if complete:  # only a stream asks again after the last of the request
                return await self._disconnected(receive)
            message = await receive()
            complete = not message.get("more_body", False)
            return message

        await self._app(scope, received, send)

    async def _disconnected(self, receive: Receive) -> Message:
        ends = asyncio.create_task(self._ending.wait())
        gone = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({ends, gone}, return_when=asyncio.FIRST_COMPLETED)
            return gone.result() if gone.done() else {"type": "http.disconnect"}
        finally:
            for waiting in (ends, gone):
                waiting.cancel()


class GracefulServer(uvicorn.Server):
    """uvicorn's server; its end is also the hub's, and signals are dealt with elsewhere."""

    def __init__(
        self, config: uvicorn.Config, hub: Hub, ending: asyncio.Event, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._hub = hub
        self._ending = ending
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # uvicorn closes every socket with 1012 before it first waits; the hub stops after that. Streams would
        # hold up the rest, so they are told.
        stopping = asyncio.create_task(self._hub.stop())
        impatience = asyncio.create_task(self._cut_off())
        self._ending.set()
        await super().shutdown(sockets)
        if self.force_exit:
            await impatience
            # uvicorn leaves the application to its fate then, which ends in a traceback.
            await self.lifespan.shutdown()
        impatience.cancel()
        await stopping

    async def _cut_off(self) -> None:
        """Once told to wait no more: end the requests that are still under way."""
        while not self.force_exit:
            await asyncio.sleep(_LOOK_SECONDS)
        await asyncio.sleep(_LOOK_SECONDS)  # for what was just said to sockets
        if requests := self.server_state.tasks:
            log.warning("requests cut off")
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for request in requests:
            request.cancel()
        await asyncio.gather(*requests, return_exceptions=True)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield  # uvicorn's own would end the process by the signal, not with 0


class _Stop:
    """Hears the signals from the first moment on; a second one ends the waiting for others."""

    def __init__(self) -> None:
        self._asked = 0
        self._server: uvicorn.Server | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> _Stop:
        self._before = {number: signal.signal(number, self._hear) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def then(self, server: uvicorn.Server) -> None:
        """From now on this server is what is to stop."""
        self._server = server
        self._tell()

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        self._asked += 1
        self._tell()

    def _tell(self) -> None:
        if self._server is not None and self._asked:
            self._server.should_exit = True
            self._server.force_exit = self._asked > 1


def _listen(host: str, port: int) -> socket.socket:
    """Take the port before anything else is done."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise SetupError("listen-failed", host=host, port=port, problem=error.strerror) from error
    try:
        if os.name == "posix":  # elsewhere this would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        raise SetupError("listen-failed", host=host, port=port, problem=error.strerror) from error
    return listening


@contextmanager
def _raised_file_limit() -> Generator[None, None, None]:
    """A socket is a file, and many systems let a process open few until it asks."""
    if sys.platform == "win32":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield
    finally:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
