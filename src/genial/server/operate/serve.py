"""`genial serve`: one process that opens the store, starts the bots, resumes every game, and listens.

On SIGTERM or SIGINT it accepts nothing more, tells its sockets to reconnect (1012), writes what is waiting,
and exits with 0. Killed without warning, it loses nothing either: what was acknowledged is on disk.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import genial
from genial import kernel
from genial.bots import programs, warm
from genial.bots.lending import Lending
from genial.bots.workers import BotPool
from genial.kernel.engine import may_run
from genial.server.calls.tokens import tokens_of
from genial.server.http.app import build_app
from genial.server.http.doors import Doors
from genial.server.http.routes import routes_of
from genial.server.http.security import Web
from genial.server.http.server import GuardedServer
from genial.server.http.static import Client, built
from genial.server.operate import logs, operator, retention
from genial.server.operate.dates import Dates
from genial.server.operate.engine import NoEngine, engine
from genial.server.operate.health import Health
from genial.server.operate.lan import address_url, is_private
from genial.server.operate.metrics import Metrics
from genial.server.operate.worker_calls import Workers
from genial.server.processes.jobs import jobs_of
from genial.server.processes.process import join
from genial.server.store import Address, PostgresStore, brought_up_to_date, held, opened
from genial.server.store.wal import unread_commits
from genial.server.tables.errors import WrongSetup
from genial.server.tables.hub import Hub
from genial.server.tables.peers import Peers
from genial.server.tables.server_time import ServerTime
from genial.server.tables.settings import Limits
from genial.server.tables.store import Store

log = logging.getLogger("genial.server")

SIGNALS = (signal.SIGTERM, signal.SIGINT)
QUICK_WORKERS = 1
"""In addition to the requested ones, so that levels 1 to 3 never wait for a long thought."""
_LOOK_SECONDS = 0.1
_OTHER_FILES = 96
"""Files that the store, its backup, the log and the libraries may open."""
_WORKER_FILES = 8
"""Files that one bot worker may need, even while it is being replaced."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0 picks a free one."""
    db: Path | Address = Path("genial.db")
    migrate: bool = True
    """Bring the file up to date first, or create it."""
    bot_workers: int = field(default_factory=lambda: max(1, min(8, (os.cpu_count() or 2) - 1)))
    operator: bytes | None = None
    """The hash of the operator's token."""
    worker: bytes | None = None
    """The hash of the token for bot workers on other machines."""
    limits: Limits = field(default_factory=Limits)
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies that are trusted to say who is calling."""
    lan: bool = False
    """For a network of friends: no HTTPS is expected."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host names that callers may use; empty, for any, behind a proxy or if `host` isn't private.

        Otherwise a page elsewhere could point a name of its own at a machine at home, and so get past its
        router.
        """
        if self.trusted_proxies or not is_private(self.host):
            return ()
        name = socket.gethostname()
        return tuple(dict.fromkeys((self.host, "localhost", "127.0.0.1", "::1", name, f"{name}.local")))


async def serve(plan: Plan, announce: Callable[[str], None]) -> None:
    """Serve until stopped. `announce` gets the address once somebody can connect."""
    async with AsyncExitStack() as stack:
        tell = stack.enter_context(held(plan.db))
        listening = stack.enter_context(listen(plan.host, plan.port))
        tell(url := address_url(plan.host, listening.getsockname()[1]))
        stop = stack.enter_context(_Stop())
        doors = Doors(
            plan.limits,
            most=_most_connections(plan.bot_workers + QUICK_WORKERS),
            trusted=plan.trusted_proxies,
        )
        if isinstance(plan.db, Path) and unread_commits(plan.db):
            log.warning("the write-ahead log is damaged: what was stored last may be missing")
        if plan.migrate and (backup := (await brought_up_to_date(plan.db)).backup):
            log.warning("the store was brought up to date", extra={"backup": backup})
        store = await opened(plan.db)
        stack.push_async_callback(store.close)
        pool = await stack.enter_async_context(
            BotPool(
                plan.bot_workers,
                quick_workers=QUICK_WORKERS,
                each=plan.limits.thoughts_per_address,
                setup=programs.setup(),
            )
        )
        clock = ServerTime()
        peers = await stack.enter_async_context(among_peers(store, clock))
        metrics = Metrics()
        pool.stats.waited = metrics.waits.observe
        hub = Hub(metrics.timed(store), pool, plan.limits, clock=clock, peers=peers)
        jobs = await stack.enter_async_context(jobs_of(Lending(pool), peers))
        resumed, client = await hub.resume(), built()
        routes = [
            *routes_of(operator.CALLS.operations, operator.operator_only(plan.operator)),
            *Health(hub, pool, metrics, doors, plan.operator).routes(),
            *Workers(jobs, plan.worker).routes(),
            *Client(client, lambda: page_files(client)).routes(),
        ]
        web = Web(secure=not plan.lan, hosts=plan.hosts, proxied=bool(plan.trusted_proxies))
        app = build_app(hub, await tokens_of(store), web=web, routes=routes)
        streams = EndingStreams(app)
        server = GracefulServer(
            logs.AccessLog(streams, metrics.answered, metrics.refused),
            plan,
            doors,
            hub,
            streams.ending,
            lambda: announce(url),
        )
        stop.then(server)
        _calm_collector()
        told = {"version": genial.__version__, "resumed": resumed, "workers": plan.bot_workers}
        log.info("serving", extra=told)
        _tell_of_core()
        sweeper = asyncio.create_task(retention.keep(hub, Dates(clock)))
        try:
            async with warm.compiling_elsewhere():
                await server.serve(sockets=[listening])
        finally:
            sweeper.cancel()
            await asyncio.gather(sweeper, return_exceptions=True)
            await hub.stop()
    log.info("stopped")


@asynccontextmanager
async def among_peers(store: Store, clock: ServerTime) -> AsyncIterator[Peers]:
    """This process as the others on its database know it, with their time; on a file it is alone."""
    if not isinstance(store, PostgresStore):
        # The wall clock may have been set back: continue from the latest time in the store.
        clock.not_before(await store.newest(("open", "running")) or 0)
        yield Peers()
        return
    processes = await join(store.address, clock)
    try:
        yield processes
    finally:
        await processes.stop()


def _tell_of_core() -> None:
    """Log it when bots run without the kernel: their workers' output isn't visible."""
    if not may_run() and (notice := kernel.fallback_notice()):
        log.warning(notice)


def page_files(client: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """What a page needs to run tables itself; empty if that isn't built."""
    try:
        return engine(client)
    except NoEngine as missing:
        log.warning("Offline play isn't available. %s", missing)
        return {}


def _calm_collector() -> None:
    """Make full collections rare: they would walk over all positions and entries, which have no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


class EndingStreams:
    """When the server ends, tells streaming answers that their reader is gone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.ending = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        complete = False

        async def received() -> Message:
            nonlocal complete
            if complete:  # only a stream calls this again after the end of the request
                return await self._disconnected(receive)
            message = await receive()
            complete = not message.get("more_body", False)
            return message

        await self._app(scope, received, send)

    async def _disconnected(self, receive: Receive) -> Message:
        ends = asyncio.create_task(self.ending.wait())
        gone = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({ends, gone}, return_when=asyncio.FIRST_COMPLETED)
            return gone.result() if gone.done() else {"type": "http.disconnect"}
        finally:
            for waiting in (ends, gone):
                waiting.cancel()


class GracefulServer(GuardedServer):
    """A server that stops the hub when it stops; signals are handled elsewhere."""

    def __init__(
        self,
        app: ASGIApp,
        plan: Plan,
        doors: Doors,
        hub: Hub,
        ending: asyncio.Event,
        ready: Callable[[], None],
    ) -> None:
        super().__init__(app, plan.limits, doors, trusted_proxies=plan.trusted_proxies)
        self._hub = hub
        self._ending = ending
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # uvicorn closes every socket with 1012 before it first waits; the hub stops after that. Streams would
        # hold up the rest, so they are told to end.
        stopping = asyncio.create_task(self._hub.stop())
        impatience = asyncio.create_task(self._cut_off())
        self._ending.set()
        await super().shutdown(sockets)
        if self.force_exit:
            await impatience
            # uvicorn doesn't shut the application down in this case, which would end in a traceback.
            await self.lifespan.shutdown()
        impatience.cancel()
        await stopping

    async def _cut_off(self) -> None:
        """Once told to wait no longer, end the requests still in progress."""
        while not self.force_exit:
            await asyncio.sleep(_LOOK_SECONDS)
        await asyncio.sleep(_LOOK_SECONDS)  # let the last messages to sockets out
        if requests := self.server_state.tasks:
            log.warning("requests cut off")
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for request in requests:
            request.cancel()
        await asyncio.gather(*requests, return_exceptions=True)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield  # uvicorn's own handlers would end the process by the signal, not with 0


class _Stop:
    """Catches the signals from the start; a second one ends the wait for requests in progress."""

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
        """Stop this server when a signal comes, or has come."""
        self._server = server
        self._tell()

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        self._asked += 1
        self._tell()

    def _tell(self) -> None:
        if self._server is not None and self._asked:
            self._server.should_exit = True
            self._server.force_exit = self._asked > 1


def listen(host: str, port: int) -> socket.socket:
    """Take the port before doing anything that takes long."""
    try:
        with ExitStack() as on_error:
            addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            family, kind, protocol, _, address = addresses[0]
            listening = on_error.enter_context(socket.socket(family, kind, protocol))
            if os.name == "posix":  # elsewhere this would let two servers share a port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.setblocking(False)
            on_error.pop_all()
            return listening
    except OSError as error:
        raise WrongSetup("listen-failed", host=host, port=port, problem=error.strerror) from error


def _most_connections(bot_workers: int) -> int | None:
    """How many connections leave enough files for everything else; None if the system doesn't say.

    A connection is a file, and many systems allow a process few files until it asks for more.
    """
    if sys.platform == "win32":
        return None
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return None
    return max(files // 4, files - _OTHER_FILES - _WORKER_FILES * bot_workers)
