"""The static site behind a plain file server. Once that is stopped, games are played offline."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.server.listener import free_port

PATIENCE = 60.0
SITE = "games/genial/"
"""Where the site is in the folder of a larger one."""


class FileServer:
    """`python -m http.server`, which sends files as they are and knows nothing about Genial."""

    def __init__(self, folder: Path, path: str = "") -> None:
        """`path` leads to the site, which may be anywhere in the folder."""
        self._port = free_port()
        self._folder = folder
        self.root = f"http://127.0.0.1:{self._port}/{path}"
        self.url = f"{self.root}?"
        """Pages are named in the query: /rules is at `?/rules` (see `tables.at`)."""
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "http.server", str(self._port), "--bind", "127.0.0.1"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            [*command, "--directory", str(self._folder)], stdout=quiet, stderr=quiet
        )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(URLError), urlopen(self.root) as answer:
                answer.read()
                return
            time.sleep(0.05)
        raise AssertionError("the file server did not start")

    def stop(self) -> None:
        """Stop answering."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def served(folder: Path, path: str = "") -> Iterator[FileServer]:
    """A file server for as long as it is needed."""
    found = FileServer(folder, path)
    try:
        found.start()
        yield found
    finally:
        found.stop()


def make(folder: Path, package: Path | None = None) -> None:
    """Make the site with the command, from this package or from a copy of it."""
    path = [str(package)] if package else []
    known = os.environ.get("PYTHONPATH")
    env = os.environ | {"PYTHONPATH": os.pathsep.join([*path, *([known] if known else [])])}
    done = subprocess.run(
        [sys.executable, "-m", "genial", "site", str(folder)], env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
