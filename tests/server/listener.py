"""A port whose connections are served in a thread of its own, whether or not a test has a loop itself."""

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
"""Below the ports that systems hand out by themselves."""


def free_port() -> int:
    """A port for a server that may be stopped and started again, as long as this process lives.

    One that the system picks may go to somebody's outgoing connection before the server has it back.
    """
    while True:
        port = secrets.choice(_PORTS)
        # Nothing here speaks UDP: other test processes see by it that the port is spoken for.
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
    """Listens on a free port from `open` to `close`; what is served then is cut off."""

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
        """Do something in the thread that serves."""
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
