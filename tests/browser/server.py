"""A real server in a process of its own, on a file in a temporary folder; it can be killed and restarted."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.operations import Server

QUICK = (
    "bot_pause=0",
    "requests_per_minute=100000",
    "tables_per_hour=100000",
    "messages_per_20s=100000",
    "sockets_per_address=1000",
)
"""Tests play faster than people, and all of them from one address."""


class House:
    """The server of a test. It keeps its port and its file when it is started again."""

    def __init__(self, db: Path, *alterations: str) -> None:
        self._db, self._alterations = db, alterations
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._server: Server | None = None

    def start(self) -> None:
        """Serve; come back when somebody can come to it."""
        command = [sys.executable, "-m", "tests.browser.altered", *self._alterations, "--"]
        command += ["--port", str(self.port), "--db", str(self._db), "--bot-workers", "1"]
        for limit in QUICK:
            command += ["--limit", limit]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._server = Server(process)
        self._server.await_address()

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._server is not None
        self._server.stop(signal.SIGKILL)
        self._server.end()

    def end(self) -> None:
        """Close it for good."""
        if self._server is not None:
            self._server.end()


@contextmanager
def house(db: Path, *alterations: str) -> Iterator[House]:
    """A server for as long as it is needed; `alterations` as in tests.browser.altered."""
    found = House(db, *alterations)
    try:
        found.start()
        yield found
    finally:
        found.end()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
