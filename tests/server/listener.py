"""A port whose connections are served in a separate thread, whether or not a test has a loop itself."""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")
_PATIENCE = 60.0

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


_PORTS = range(20_000, 30_000)
"""Below the ports that systems assign by themselves."""


def free_port() -> int:
    """A port for a server that may be stopped and restarted, reserved for as long as this process lives.

    A port picked by the system may go to an outgoing connection before the restarted server gets it back.
    """
    while True:
        port = secrets.choice(_PORTS)
        # Nothing here uses UDP: other test processes can tell by this that the port is taken.
        claim = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            claim.bind(("127.0.0.1", port))
            with socket.socket() as found:
                found.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
            continue
        claim.detach()  # stays open until this process ends
        return port


class Listener:
    """Listens on a free port from `open` to `close`, which cuts off anything still being served."""

    def __init__(self, serve: Serve, host: str = "127.0.0.1", *, limit: int = 1 << 16) -> None:
        self.host = host
        self.port = 0
        self._serve = serve
        self._limit = limit
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def open(self) -> None:
        self._thread.start()
        self._run(self._start())

    def close(self) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def soon(self, work: Callable[[], object]) -> None:
        """Run something in the serving thread."""
        self._loop.call_soon_threadsafe(work)

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    async def _start(self) -> None:
        self._server = await asyncio.start_server(self._accept, self.host, 0, limit=self._limit)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
