"""Games on a Ray cluster: a runner like the one for this machine, with one task per game. Also self-play.

On its node a task hands its game to a separate process, as `LocalRunner` does here. So a bot that hangs, or
crashes its process, loses its game just as it would here. Anything else that ends a task is never a bot's
doing, and Ray plays that game again on another node.
"""

from __future__ import annotations

import os
import re
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from genial import __version__
from genial.arena.errors import WrongContest
from genial.arena.extras import extra
from genial.arena.fixtures import Fixture
from genial.arena.game import Played
from genial.arena.runner import LocalRunner, Runner
from genial.core.errors import SetupError

_Done = TypeVar("_Done")
_TRIES = 10
"""How often a task is retried before it is assumed to be what brings the nodes down."""
_LOOK_SECONDS = 5.0
"""Seconds between checks of how many nodes there are, and whether the head is there."""
_CONNECT_SECONDS = 5.0
_PATIENCE = 30.0
"""Seconds that a busy head may take to answer."""
_HTTP2_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))


@contextmanager
def runner_at(address: str | None, jobs: int | None) -> Iterator[Runner]:
    """A runner on the Ray cluster at this address; without an address, on this machine."""
    if address is None:
        yield LocalRunner(jobs or os.cpu_count() or 1)
    else:
        with connected(address) as cluster:
            yield RayRunner(cluster, jobs)


@contextmanager
def pool_at(address: str | None, threads: ThreadPoolExecutor) -> Iterator[RayPool | ThreadPoolExecutor]:
    """A pool on the Ray cluster at this address; without an address, these threads."""
    if address is None:
        yield threads
    else:
        with connected(address) as cluster:
            yield RayPool(cluster)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster already running at `HOST:PORT`; `auto`: the one this machine is part of."""
    if address != "auto":
        _call(address)
    ray = extra("ray")
    # Ray reports lost nodes on standard output, despite `log_to_driver`; only results belong there.
    vars(sys.modules.get("ray._private.worker", ray))["_worker_logs_enabled"] = False
    try:
        if address == "auto":
            _call(_own_address())
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError, AssertionError) as error:
        raise WrongContest("cluster-none", address=address, problem=_in_a_line(error)) from None
    try:
        yield Cluster(ray)
    finally:
        ray.shutdown()


def _own_address() -> str:
    """Where `auto` leads. That cluster may be gone: Ray remembers the last one on disk."""
    found: str = import_module("ray._private.services").canonicalize_bootstrap_address("auto")
    return found


def _call(address: str, seconds: float = _CONNECT_SECONDS) -> None:
    """Raise SetupError if no cluster answers: Ray itself would try for a minute, and then end the process."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise WrongContest("cluster-none", address=address, problem="HOST:PORT?")
    try:
        with socket.create_connection((host, int(port)), seconds) as line:
            if os.environ.get("RAY_USE_TLS") != "1":
                line.sendall(_HTTP2_GREETING)
                if line.recv(4)[3:] != b"\x04":
                    raise ConnectionError("something else listens there")
    except (OSError, OverflowError) as error:
        raise WrongContest("cluster-none", address=address, problem=_in_a_line(error)) from None


def _in_a_line(error: BaseException) -> str:
    """One of Ray's errors without its internals."""
    text = re.split(r"\n\s*traceback", str(error), flags=re.IGNORECASE)[0]
    return f"{type(error).__name__}: {' '.join(text.split())}".rstrip(": .")


class Cluster:
    """A cluster that can be given tasks. All its errors are SetupErrors.

    Tasks are never cancelled: Ray ends the whole process if one happens to finish meanwhile. Tasks that
    nobody is waiting for any longer end by themselves, or with the connection.
    """

    def __init__(self, ray: ModuleType) -> None:
        self._ray = ray
        self._head: str = ray.get_runtime_context().gcs_address
        self._looked_at, self._processors = float("-inf"), 1

    def task(self, work: Callable[..., object]) -> Callable[..., Any]:
        """A function that starts this work on a node with a free processor, and returns a reference to it."""
        begin: Callable[..., Any] = self._ray.remote(num_cpus=1, max_retries=_TRIES)(work).remote
        return begin

    @property
    def processors(self) -> int:
        """How many there are at the moment; nodes come and go."""
        self._look()
        return self._processors

    def done(self, references: Collection[Any]) -> list[Any]:
        """Those of the tasks that are done, after a short wait at most."""
        done, _ = self._ray.wait(list(references), timeout=_LOOK_SECONDS)
        if not done:
            self._look()
        return list(done)

    def result(self, reference: Any) -> Any:
        """The result of a task."""
        while not self.done([reference]):
            pass
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None) or error
            raise WrongContest("cluster-node", problem=_in_a_line(cause)) from None

    def _look(self) -> None:
        """Check now and then. Without the head no Ray call returns, and the process ends in a minute."""
        if time.monotonic() < self._looked_at + _LOOK_SECONDS:
            return
        try:
            _call(self._head, _PATIENCE)
        except SetupError:
            raise WrongContest("cluster-lost", address=self._head) from None
        self._processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._looked_at = time.monotonic()


class RayRunner:
    """Plays on a cluster, as many games at once as it has processors, or fewer.

    `setup` is as for `LocalRunner`. The games are the same as there, except for the milliseconds.
    """

    def __init__(self, cluster: Cluster, jobs: int | None = None, *, setup: str | None = None) -> None:
        self._cluster, self._jobs, self._setup = cluster, jobs, setup
        self._begin = cluster.task(_play)

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Played]:
        waiting, running = iter(fixtures), set[Any]()
        while True:
            while len(running) < self._at_once and (fixture := next(waiting, None)):
                running.add(self._begin(fixture, self._setup, __version__))
            if not running:
                return
            for reference in self._cluster.done(running):
                running.remove(reference)
                played: Played = self._cluster.result(reference)
                yield played

    @property
    def _at_once(self) -> int:
        processors = self._cluster.processors
        return min(processors, self._jobs or processors)


class RayPool:
    """Does pieces of work on a cluster, each as a separate task, like a pool of threads here."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._begin = cluster.task(_at_node)

    def map(self, work: Callable[[int], _Done], numbers: Iterable[int], /) -> Iterator[_Done]:
        waiting = deque(self._begin(work, number, __version__) for number in numbers)
        while waiting:
            done: _Done = self._cluster.result(waiting[0])
            waiting.popleft()
            yield done


# On the nodes


def _at_node(work: Callable[[int], _Done], number: int, version: str) -> _Done:
    _check_version(version)
    return work(number)


def _play(fixture: Fixture, setup: str | None, version: str) -> Played:
    """The task: one game, in this node's process for games."""
    _check_version(version)
    board = _BOARDS.pop(setup, None) or _Board(setup)
    played = board.play(fixture)
    # A board that failed is not reused.
    _BOARDS[setup] = board
    return played


def _check_version(version: str) -> None:
    if version != __version__:
        raise RuntimeError(f"it has Genial {__version__} instead of {version}")


class _Board:
    """A process for games that lives from one task to the next, so that bots stay warm."""

    def __init__(self, setup: str | None) -> None:
        # Otherwise a new process would first run this one's main program, importing all of Ray for nothing.
        vars(sys.modules["__main__"]).pop("__file__", None)
        self._fixture: Fixture
        self._games = LocalRunner(1, setup=setup).play(self._asked_for())

    def _asked_for(self) -> Iterator[Fixture]:
        while True:
            yield self._fixture

    def play(self, fixture: Fixture) -> Played:
        self._fixture = fixture
        return next(self._games)


_BOARDS: dict[str | None, _Board] = {}
