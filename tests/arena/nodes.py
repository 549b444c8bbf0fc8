"""A Ray cluster of two nodes for the tests, and commands that are run on it."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_TRIES = 3
"""Ray gives its parts fixed times to start, which are too short on a busy machine."""
_START_SECONDS = 180
PATIENCE = 900
"""Seconds after which something counts as hung, even if a kernel is compiled on a core that many share."""


class Nodes:
    """The cluster's nodes, in a separate process and its children."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        told = ""
        for _ in range(_TRIES):
            self.folder = Path(tempfile.mkdtemp(prefix="r"))  # pytest's own are too long for Ray's sockets
            self.environment = os.environ | _settings(self.folder)
            with (self.folder / "errors").open("w") as errors:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "tests.arena.ray_nodes"],
                    env=self.environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                )
            self.address = self._answer()
            if self.address:
                return
            told = (self.folder / "errors").read_text()[-400:]
            self.stop()
        pytest.skip(f"Ray does not start here: {told}")

    def do(self, order: str) -> None:
        """Give an order; see `ray_nodes` for the possible ones."""
        assert self._process.stdin
        print(order, file=self._process.stdin, flush=True)
        assert self._answer() == order

    def _answer(self) -> str:
        assert self._process.stdout
        ready, _, _ = select.select([self._process.stdout], [], [], _START_SECONDS)
        return self._process.stdout.readline().strip() if ready else ""

    def stop(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            self._process.wait()
        self._process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def renew(self) -> None:
        """Replace this cluster with another."""
        self.stop()
        self._begin()

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        """Python with these arguments, in the cluster's environment."""
        # If these tests run in the background, signals may be ignored, and children inherit that.
        listening = None if sys.platform == "win32" else partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        return subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=listening,
        )

    def run(self, *arguments: object) -> tuple[int, str, str]:
        """The same to its end: exit status, output and errors."""
        process = self.start(*arguments)
        said, errors = ended(process)
        return process.returncode, said, errors


def _settings(folder: Path) -> dict[str, str]:
    return {
        # The cluster stays on 127.0.0.1 and announces itself to nobody.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_TMPDIR": str(folder),
        # It may be slow, but a dead part is noticed soon; and others' memory is none of its business.
        "RAY_agent_register_timeout_ms": "120000",
        "RAY_health_check_period_ms": "1000",
        "RAY_health_check_timeout_ms": "60000",
        "RAY_memory_monitor_refresh_ms": "0",
        "PYTHONPATH": str(_ROOT),
    }


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """The output and errors of a process once it has ended; one that hangs is killed."""
    try:
        return process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail(f"it hangs: {process.communicate()[1]}")


def wait_for_games(log: Path, games: int, process: subprocess.Popen[str]) -> None:
    """Wait until this many games are in the log."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        if log.exists() and log.read_bytes().count(b"\n") > games:
            return
        time.sleep(0.05)
    process.kill()
    pytest.fail(f"no {games} games were played: {process.communicate()[1]}")
