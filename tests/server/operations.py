"""What the operations tests share: a hub on a file, and real servers in separate processes."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from genial.bots.workers import BotPool
from genial.server.calls.conversation import CONVERSATION
from genial.server.store import open_store
from genial.server.tables import decisions
from genial.server.tables.entries import Body
from genial.server.tables.hub import Hub, Live
from genial.server.tables.settings import Limits, PlaceChoice, TableSettings
from genial.server.tables.subscribers import Subscriber
from genial.server.tables.views import SPECTATOR, Viewer

ADA = bytes(15) + b"A"
HOUR = 3_600_000
SPOKEN = (Subprotocol(CONVERSATION),)
"""What a socket has to offer."""
ADDRESS = re.compile(r"Genial is at (http://\S+)")


@asynccontextmanager
async def hub_on(
    path: Path, *, clock: Callable[[], int] | None = None, limits: Limits | None = None
) -> AsyncIterator[Hub]:
    """A hub on a file. Its bots don't run: these tests play all places themselves."""
    store = open_store(path, migrate=True)
    hub = Hub(store, BotPool(1), limits or Limits(), clock=clock)
    try:
        yield hub
    finally:
        await hub.stop()
        await store.close()


class LiveTable:
    """A hub's table, always as it currently is."""

    def __init__(self, live: Live) -> None:
        self._live = live

    def __getattr__(self, name: str) -> Any:
        return getattr(self._live.table, name)


async def new_table(hub: Hub, settings: TableSettings, kind: str = "me") -> LiveTable:
    """A table with all places held by one device, open, or held by bots."""
    choice = PlaceChoice(kind, "greedy" if kind == "bot" else None)  # type: ignore[arg-type]

    def bodies(code: str) -> list[Body]:
        places = [choice] * settings.seats
        return decisions.create(settings, places, ADA.hex(), "Ada Lovelace", "00" * 16, code)

    return LiveTable(await hub.create(bodies, ADA))


async def play(hub: Hub, table: LiveTable, rng: Random, moves: int = 10_000) -> None:
    """Make random allowed moves for whoever's turn it is."""
    for _ in range(moves):
        game = table.game
        if game is None or game.mover is None or not table.is_running:
            return
        actions = game.position.actions()
        action = actions[rng.randrange(len(actions))]
        await hub.do(table.id, partial(decisions.act, place=game.mover, action=action))


def listening(
    device: str = "", viewer: Viewer = SPECTATOR, limit: int = 1 << 20, *, address: str = ""
) -> Subscriber:
    """A listener like a socket's."""
    return Subscriber(device, viewer, limit, lambda: "", address)


@contextmanager
def watching(client: httpx.Client | httpx.AsyncClient, *tables: str) -> Iterator[None]:
    """The host watches: a table of bots alone plays only while somebody does."""
    page = f"{client.base_url}".rstrip("/")
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    with ExitStack() as stack:
        for table in tables:
            url = f"{page.replace('http', 'ws', 1)}/api/tables/{table}/socket"
            headers = {"cookie": cookie}
            # Nobody reads what is heard. With a bounded queue, pings would go unanswered once it is full.
            stack.enter_context(
                connect(
                    url,
                    origin=Origin(page),
                    additional_headers=headers,
                    subprotocols=SPOKEN,
                    proxy=None,
                    max_queue=None,
                )
            )
        yield


@contextmanager
def kept_logging() -> Iterator[None]:
    """Undo the logging setup of a command that runs in this process."""
    loggers = [
        logging.getLogger(name)
        for name in ("", "genial", "uvicorn", "uvicorn.error", "websockets", "asyncio")
    ]
    levels, handlers = [logger.level for logger in loggers], list(loggers[0].handlers)
    try:
        yield
    finally:
        loggers[0].handlers[:] = handlers
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


class Server:
    """A server in a separate process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self.url = ""
        self._drain = threading.Thread(target=self._read_log, daemon=True)
        self._drain.start()

    def await_address(self) -> None:
        """Wait for the line that says where it is."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = ADDRESS.match(line)
        assert found, f"no address in {line!r}; the log says {self.log}"
        self.url = found[1]

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        self.lines.extend(self.process.stderr)

    @property
    def log(self) -> str:
        return "".join(self.lines)

    @property
    def address(self) -> str:
        return self.url.removeprefix("http://")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the process to end. Returns the exit status."""
        self.process.send_signal(number)
        status = self.process.wait(15)
        self._drain.join(5)
        return status

    def end(self) -> None:
        """Kill it if it is still running, and close the pipes once the whole log is read."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        self._drain.join(10)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


@contextmanager
def serving(db: Path | str, *arguments: str) -> Iterator[Server]:
    """`genial serve` on a free port, killed at the end if it is still running."""
    command = [sys.executable, "-m", "genial", "serve", "--port", "0", "--db", str(db), "--bot-workers", "1"]
    process = subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    server = Server(process)
    try:
        server.await_address()
        yield server
    finally:
        server.end()


def wait_for(check: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something that another process brings about."""
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
