"""Real servers in processes of their own, which can be killed and started again.

Either one with a file in a temporary folder, or several with a database behind a balancer.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from tests.server.listener import free_port
from tests.server.operations import Server
from tests.server.several import PROCESSES, Several, several

QUICK = (
    "bot_pause=0",
    "bot_ending=0",
    "requests_per_minute=100000",
    "tables_per_hour=100000",
    "records_per_minute=100000",
    "devices_per_hour=100000",
    "address_chat_per_minute=100000",
    "messages_per_20s=100000",
    "sockets_per_address=1000",
)
"""Tests play faster than people, and all of them from one address."""


class House(Protocol):
    """The server of a test: one process with a file, or several with a database. It keeps its address and its
    store when it is restarted."""

    url: str

    def start(self) -> None:
        """Start serving, and return once it answers."""

    def kill(self) -> None:
        """Kill it, as a power cut would."""


class Single:
    """One process, as anybody would start it."""

    def __init__(self, db: Path, command: Sequence[str], port: int | None = None) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [*command, "--port", str(self.port), "--db", str(db)]
        self._server: Server | None = None

    def start(self) -> None:
        process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._server = Server(process)
        self._server.await_address()

    def kill(self) -> None:
        assert self._server is not None
        self._server.stop(signal.SIGKILL)
        self._server.end()

    def end(self) -> None:
        """End it for good."""
        if self._server is not None:
            self._server.end()


@contextmanager
def house(db: Path, *alterations: str, limits: Sequence[str] = ()) -> Iterator[House]:
    """A server for as long as it is needed, with as many processes as GENIAL_PROCESSES says.

    `alterations` as in tests.browser.altered, `limits` as in `genial serve --limit`.
    """
    command = _command(alterations, limits)
    if PROCESSES > 1:
        with several(command) as behind_balancer:
            yield behind_balancer
        return
    found = Single(db, command)
    try:
        found.start()
        yield found
    finally:
        found.end()


@contextmanager
def row(processes: int = 2) -> Iterator[Several]:
    """Several servers behind a balancer, whatever the other tests run on."""
    with several(_command(), count=processes) as found:
        yield found


def _command(alterations: Sequence[str] = (), limits: Sequence[str] = ()) -> list[str]:
    command = [sys.executable, "-m", "tests.browser.altered", *alterations, "--", "--bot-workers", "1"]
    for limit in (*QUICK, *limits):
        command += ["--limit", limit]
    return command
