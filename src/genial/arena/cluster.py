"""Games on a Ray cluster: a runner like the one for this machine; one game is one task. Self-play too.

On its node a task hands its game to a process of its own, as `LocalRunner` does here. So a bot that does not
come back, or brings its process down, loses its game as it would here. What else ends a task is never a bot's
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
"""A task is begun so often again before it is held to be what fells the nodes."""
_LOOK_SECONDS = 5.0
"""So often a look is taken at how many nodes there are, and whether the head is there."""
_CONNECT_SECONDS = 5.0
_PATIENCE = 30.0
"""A head that is busy may take so long to answer."""
_HTTP2_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))


@contextmanager
def runner_at(address: str | None, jobs: int | None) -> Iterator[Runner]:
    """Plays on the Ray cluster at this address; without one, on this machine."""
    if address is None:
        yield LocalRunner(jobs or os.cpu_count() or 1)
    else:
        with connected(address) as cluster:
            yield RayRunner(cluster, jobs)


@contextmanager
def pool_at(address: str | None, threads: ThreadPoolExecutor) -> Iterator[RayPool | ThreadPoolExecutor]:
    """Works on the Ray cluster at this address; without one, on these threads."""
    if address is None:
        yield threads
    else:
        with connected(address) as cluster:
            yield RayPool(cluster)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster that runs already at `HOST:PORT`; `auto`: the one that this machine is in."""
    if address != "auto":
        _call(address)
    ray = extra("ray")
    # Ray tells of lost nodes on standard output, whatever `log_to_driver` says; only results belong there.
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
    """Where `auto` leads. It may be to a cluster that is gone: Ray notes the last one on the disk."""
    found: str = import_module("ray._private.services").canonicalize_bootstrap_address("auto")
    return found


def _call(address: str, seconds: float = _CONNECT_SECONDS) -> None:
    """SetupError where no cluster answers: Ray itself would try for a minute, and then end the process."""
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
    """An error of Ray's without what it says about its own insides."""
    text = re.split(r"\n\s*traceback", str(error), flags=re.IGNORECASE)[0]
    return f"{type(error).__name__}: {' '.join(text.split())}".rstrip(": .")


class Cluster:
    """A cluster that tasks can be given to. Each of its errors is a SetupError.

    No task is ever cancelled: Ray ends the whole process if one happens to finish meanwhile. Tasks that
    nobody waits for any more end by themselves, or with the connection.
    """

    def __init__(self, ray: ModuleType) -> None:
        self._ray = ray
        self._head: str = ray.get_runtime_context().gcs_address
        self._looked_at, self._processors = float("-inf"), 1

    def task(self, work: Callable[..., object]) -> Callable[..., Any]:
        """Begins this work on a node with a free processor, and gives a reference to it."""
        begin: Callable[..., Any] = self._ray.remote(num_cpus=1, max_retries=_TRIES)(work).remote
        return begin

    @property
    def processors(self) -> int:
        """How many there are; nodes come and go."""
        self._look()
        return self._processors

    def done(self, references: Collection[Any]) -> list[Any]:
        """Those of the tasks that are done, after a while at most."""
        done, _ = self._ray.wait(list(references), timeout=_LOOK_SECONDS)
        if not done:
            self._look()
        return list(done)

    def result(self, reference: Any) -> Any:
        """What a task gave."""
        while not self.done([reference]):
            pass
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None) or error
            raise WrongContest("cluster-node", problem=_in_a_line(cause)) from None

    def _look(self) -> None:
        """Now and then. Without the head Ray comes back from no call, and ends the process in a minute."""
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

    `setup` is as for `LocalRunner`. Games are the same as there, but for the milliseconds.
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
    """Does pieces of work on a cluster, each a task of its own, as a pool of threads does them here."""

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
    # What failed is not used again.
    _BOARDS[setup] = board
    return played


def _check_version(version: str) -> None:
    if version != __version__:
        raise RuntimeError(f"it has Genial {__version__} instead of {version}")


class _Board:
    """A process for games that stays from one task to the next, so that bots are warm."""

    def __init__(self, setup: str | None) -> None:
        # A new process would first run the program of this one, and so import all of Ray for nothing.
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
