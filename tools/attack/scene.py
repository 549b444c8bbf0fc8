"""Where attacks take place: servers of some commit, and the addresses that people use."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from benchmarks.load_clients import GENIAL, Door, Http, Process, genial_server
from tests.server.listener import free_port
from tools.attack.result import Store

ATTACKER = "127.0.0.66"
OPERATOR = "127.0.0.1"
VISITOR = "127.0.2.1"
"""Somebody who arrives when it is all over."""
SETTLE_SECONDS = 1.5
"""Time until all processes know what one of them has counted."""
_LAUNCH = str(Path(__file__).with_name("launch.py"))
_GRACE = 2.0
"""Seconds that a server has to end gracefully."""
OPEN, ME = {"kind": "open"}, {"kind": "me"}


def bystander(number: int) -> str:
    """The address of one of many people who only play."""
    return f"127.0.1.{number + 1}"


@dataclass(frozen=True, slots=True)
class World:
    """What is different around a server (`launch.py`)."""

    descriptors: int | None = None
    file_bytes: int | None = None
    clock: Path | None = None
    bots: tuple[str, ...] = ()
    """Additional bots, whose names say how they think."""

    @property
    def begin(self) -> tuple[str, ...]:
        """The start of its command."""
        wanted = (
            ("--descriptors", self.descriptors),
            ("--file-bytes", self.file_bytes),
            ("--clock", self.clock),
            *(("--bot", bot) for bot in self.bots),
        )
        options = [str(each) for pair in wanted if pair[1] is not None for each in pair]
        return (sys.executable, _LAUNCH, *options) if options else GENIAL


@dataclass(frozen=True, slots=True)
class Servers:
    """All processes of one server."""

    processes: tuple[Process, ...]
    db: str
    """The file, or the database's address."""

    def door(self, source: str, at: int = 0) -> Door:
        """The way into one of them, from an address."""
        return replace(self.processes[at % len(self.processes)].door, source=source)

    def doors(self, source: str) -> tuple[Door, ...]:
        """The ways into all of them."""
        return tuple(self.door(source, at) for at in range(len(self.processes)))

    @property
    def mib(self) -> float:
        """Resident memory."""
        return sum(process.mib for process in self.processes)

    @property
    def log_bytes(self) -> int:
        return sum(process.log.stat().st_size for process in self.processes)


@dataclass(frozen=True, slots=True)
class Scene:
    """A commit's files, and its store."""

    folder: Path
    source: Path
    """The checkout that is attacked."""
    store: Store
    seconds: float
    """How long a continuous attack lasts."""
    database: Callable[[], str] | None = None
    """Creates a new, empty database and returns its address; None for files."""

    @contextmanager
    def serving(self, *more: str, world: World | None = None) -> Iterator[Servers]:
        """Servers on a new store with the usual limits: one on a file, two on a database."""
        db = self.database() if self.database else str(self.folder / f"{secrets.token_hex(4)}.db")
        begin = (world or World()).begin
        with ExitStack() as stack:
            processes = []
            for _ in range(2 if self.database else 1):
                server = genial_server(
                    self.folder, free_port(), db, self.source, limits={}, begin=begin, more=more
                )
                stack.callback(server.stop, _GRACE)
                processes.append(server)
            yield Servers(tuple(processes), db)

    def command(self, *arguments: str, patience: float = 20.0) -> Ran:
        """Run one of the commit's commands, for a limited time."""
        environment = {"PYTHONPATH": str(self.source / "src"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        begun = perf_counter()
        try:
            done = subprocess.run(
                [*GENIAL, *arguments],
                capture_output=True,
                timeout=patience,
                cwd=self.folder,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Ran(None, b"", perf_counter() - begun)
        return Ran(done.returncode, done.stdout + done.stderr, perf_counter() - begun)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command went."""

    status: int | None
    """None if it had to be ended."""
    said: bytes
    seconds: float


# Shared by all attacks


def device(door: Door) -> Http:
    """A new device, known to the server."""
    return Http(door).hello()


def bits() -> str:
    """Random bits for a deal."""
    return secrets.token_hex(16)


def new_table(host: Http, *places: Mapping[str, str], name: str = "Ada", **settings: Any) -> Any:
    """A table as its host sees it; by default classic with as many seats as there are places."""
    wanted = {"variant": "classic", "seats": len(places), "first": 0, **settings}
    return host.post("/api/tables", {"settings": wanted, "places": places, "name": name, "bits": bits()})


def join(guest: Http, code: str, name: str = "Ben") -> tuple[int, Any]:
    """Sit down at a table by its code. Returns the status, and the table or what was wrong."""
    body = msgspec.json.encode({"code": code, "name": name, "bits": bits()})
    return guest.request("POST", "/api/join", body)


def may_create(door: Door) -> tuple[bool, float]:
    """Whether a new table can be created from there; otherwise the seconds the server says to wait."""
    with closing(Http(door, patience=20.0)) as host:
        status, answer = host.request("POST", "/api/hello", b"{}")
        if status == HTTPStatus.OK:
            wanted = {"settings": {"variant": "classic", "seats": 2}, "places": [ME, OPEN], "name": "Ada"}
            status, answer = host.request("POST", "/api/tables", msgspec.json.encode(wanted))
    waits = status == HTTPStatus.TOO_MANY_REQUESTS
    seconds = float(answer["error"]["params"].get("seconds", 0)) if waits else 0.0
    return status == HTTPStatus.CREATED, seconds


OPERATOR_TOKEN = secrets.token_urlsafe(32)
BEARER = {"Authorization": f"Bearer {OPERATOR_TOKEN}"}
"""The headers of the operator's requests."""


def operator_options(scene: Scene) -> tuple[str, str]:
    """The options with which a server has an operator."""
    file = scene.folder / "operator.token"
    file.touch(0o600)
    file.write_text(OPERATOR_TOKEN)
    return "--operator-token-file", str(file)


def error_code(answer: Any) -> str:
    """The error code of a refusal."""
    return str(answer["error"]["code"]) if isinstance(answer, dict) and "error" in answer else ""
