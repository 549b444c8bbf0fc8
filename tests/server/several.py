"""Server processes on one database, behind a balancer: any request may reach any of them.

With GENIAL_PROCESSES=2 the contract suite and the browser suite run like this (`make two-processes`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from tests.server import postgres
from tests.server.balancer import Balancer
from tests.server.listener import free_port
from tests.server.operations import Server

from genial.server.store import Address

PROCESSES = int(os.environ.get("GENIAL_PROCESSES", "1"))
"""The number of server processes for the suites; by default one, on a file."""
SERVE = (sys.executable, "-m", "genial", "serve")


class Several:
    """Real servers, each of which can be killed and restarted; callers only know the balancer."""

    def __init__(self, balancer: Balancer, database: Address, command: Sequence[str], count: int) -> None:
        self.balancer = balancer
        self.database = database
        self.url = balancer.url
        self.port = balancer.port
        self.ports = [free_port() for _ in range(count)]
        """Each server's port, which it keeps through restarts."""
        self._command = [*command, "--db", database.url, "--trusted-proxy", "127.0.0.1"]
        self._servers: list[Server | None] = [None] * count
        self._ended: list[Server] = []

    def start(self) -> None:
        """Start all that aren't running; return when each of them accepts connections."""
        missing = [number for number, server in enumerate(self._servers) if server is None]
        for number in missing:
            self._servers[number] = Server(
                subprocess.Popen(
                    [*self._command, "--port", str(self.ports[number])],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    env={**os.environ, "PYTHONUNBUFFERED": "1"},
                )
            )
        for number in missing:
            self._running(number).await_address()
        self.balancer.servers = self.ports

    def kill(self, number: int | None = None) -> None:
        """End one server, or all, as a power cut would."""
        for each in range(len(self._servers)) if number is None else [number]:
            server = self._running(each)
            server.stop(signal.SIGKILL)
            self._end(each)

    def end(self) -> None:
        """Close them for good."""
        for number, server in enumerate(self._servers):
            if server is not None:
                self._end(number)

    @property
    def sockets(self) -> list[int]:
        """The number of sockets at each server."""
        return [self.balancer.sockets[port] for port in self.ports]

    @property
    def log(self) -> str:
        """The logs of all of them."""
        return "".join(server.log for server in [*self._ended, *self._servers] if server is not None)

    def _running(self, number: int) -> Server:
        server = self._servers[number]
        assert server is not None, f"server {number} does not run"
        return server

    def _end(self, number: int) -> None:
        server = self._running(number)
        server.end()
        self._servers[number] = None
        self._ended.append(server)


@contextmanager
def several(command: Sequence[str], *arguments: str, count: int = PROCESSES) -> Iterator[Several]:
    """Servers on a new database; skips the test where there can't be one."""
    try:
        database = postgres.shared().database()
    except postgres.CannotStart as error:
        pytest.skip(str(error))
    with Balancer() as balancer:
        found = Several(balancer, database, [*command, *arguments], count)
        try:
            found.start()
            yield found
        finally:
            found.end()
