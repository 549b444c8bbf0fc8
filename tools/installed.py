"""What a player has to wait for: a wheel in an empty environment, its size, seconds to level 6's first move.

python -m tools.installed dist/genial-*-manylinux_2_17_x86_64.whl

Prints one line for each. The packages come from the index that pip uses; the seconds before `genial` runs are
mostly spent on the network.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

BOT = "level-6"
_BIN = "Scripts" if os.name == "nt" else "bin"
_NOT_OURS = ("pip", "setuptools", "_distutils_hack", "distutils-precedence", "wheel", "__pycache__")
"""What an empty environment already contains."""


class Environment:
    """A virtual environment isolated from this checkout."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.folder = folder
        own = ("PYTHON", "VIRTUAL_ENV", "GENIAL")
        outside = {name: value for name, value in os.environ.items() if not name.startswith(own)}
        homes = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("DATA", "CACHE")}
        self.variables = {**outside, **homes, "LANG": "C.UTF-8"}

    def command(self, name: str, *arguments: str | Path) -> list[str]:
        """A command installed here."""
        return [str(self.folder / _BIN / name), *map(str, arguments)]

    def install(self, *what: str | Path) -> None:
        """Install with pip, as everybody would."""
        command = self.command("pip", "install", "--quiet", "--disable-pip-version-check", *what)
        subprocess.run(command, env=self.variables, stderr=subprocess.DEVNULL, check=True)

    @property
    def packages(self) -> Path:
        """Where installed packages are."""
        (found,) = {path.parent for path in self.folder.rglob("site-packages/genial")}
        return found

    def size(self) -> int:
        """The size in bytes of everything that was installed, including what pip compiled."""
        ours = (each for each in self.packages.iterdir() if not each.name.startswith(_NOT_OURS))
        files = (file for each in ours for file in ([each] if each.is_file() else each.rglob("*")))
        return sum(file.stat().st_size for file in files if file.is_file())

    @contextmanager
    def running(self, *arguments: str) -> Iterator[IO[str]]:
        """The output of `genial` with these arguments, which is killed at the end."""
        command, quiet = self.command("genial", *arguments), subprocess.DEVNULL
        variables = self.variables | {"PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(
            command, env=variables, text=True, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet
        ) as process:
            assert process.stdout is not None
            try:
                yield process.stdout
            finally:
                process.kill()


def seconds_in_the_terminal(here: Environment) -> float:
    """Until a bot's first move appears in the terminal."""
    begun = monotonic()
    with here.running("play", "classic", "--plain", "--people", "0", "--bots", BOT, "--seed", "1") as said:
        next(line for line in said if line.startswith("Ada 1: "))
        return monotonic() - begun


def seconds_on_a_server(here: Environment) -> tuple[float, float]:
    """Until there is an address, and until a bot has moved at a table opened there at once."""
    begun = monotonic()
    with here.running("--no-browser", "--port", "0") as said:
        line = next(line for line in said if "http://" in line)
        address = monotonic() - begun
        call = caller(line[line.index("http://") :].strip())
        call("/api/hello", {})
        table = first_turn(call)
        while call(f"/api/tables/{table['id']}")["seq"] == table["seq"]:
            sleep(0.02)
        return address, monotonic() - begun


def caller(url: str) -> Callable[..., Any]:
    """A function that sends requests to a server, always as the same device."""
    device = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def call(path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            url + path, data=data, headers={"content-type": "application/json", "origin": url}
        )
        with device.open(request, timeout=60) as answer:
            return json.load(answer)

    return call


def first_turn(call: Callable[..., Any]) -> Any:
    """Open a table at which the bot moves first."""
    places = [{"kind": "bot", "bot": BOT}, {"kind": "me"}]
    settings = {"variant": "classic", "seats": 2, "first": 0}
    return call("/api/tables", {"name": "Ada", "settings": settings, "places": places, "bits": "0" * 32})


def main(arguments: Sequence[str] | None = None) -> int:
    """Install, start, and report how long it took."""
    parser = argparse.ArgumentParser(prog="python -m tools.installed", description="What a player waits for.")
    parser.add_argument("wheel", type=Path)
    wheel = parser.parse_args(arguments).wheel.resolve()
    with tempfile.TemporaryDirectory() as folder:
        here = Environment(Path(folder) / "empty")
        begun = monotonic()
        here.install(wheel)
        print(f"{wheel.stat().st_size / 1e6:8.1f} MB  the wheel")
        print(f"{here.size() / 1e6:8.1f} MB  installed, with everything that it needs")
        print(f"{monotonic() - begun:8.1f} s   pip install")
        for attempt in ("first start", "second start"):
            moved = seconds_in_the_terminal(here)
            print(f"{moved:8.1f} s   {attempt}, genial play: the first move of {BOT}")
            address, moved = seconds_on_a_server(here)
            print(f"{address:8.1f} s   {attempt}, genial: the address")
            print(f"{moved:8.1f} s   {attempt}, genial: the first move of {BOT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
