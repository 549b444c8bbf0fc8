"""Games on a Ray cluster: a runner like the one for this machine; one game is one task. Self-play too.

On its node a task hands its game to a process of its own, as `LocalRunner` does here. So a bot that does not
come back, or brings its process down, loses its game as it would here. What else ends a task is never a bot's
doing, and Ray plays that game again on another node.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, TypeVar

from genial import __version__
from genial.arena.extras import extra
from genial.arena.fixtures import Fixture
from genial.arena.game import Played
from genial.arena.runner import LocalRunner, Runner
from genial.core.errors import SetupError

_Done = TypeVar("_Done")
_TRIES = 10
"""A task is begun so often again before it is held to be what fells the nodes."""
_LOOK_SECONDS = 10.0
"""So often a look is taken at how many nodes there are."""
_CONNECT_SECONDS = 5.0


@contextmanager
def runner_at(address: str | None, jobs: int | None) -> Iterator[Runner]:
    """Plays on the Ray cluster at this address; without one, on this machine."""
    if address is None:
        yield LocalRunner(jobs or os.cpu_count() or 1)
    else:
        with connected(address) as ray:
            yield RayRunner(ray, jobs)


@contextmanager
def pool_at(address: str | None, threads: ThreadPoolExecutor) -> Iterator[RayPool | ThreadPoolExecutor]:
    """Works on the Ray cluster at this address; without one, on these threads."""
    if address is None:
        yield threads
    else:
        with connected(address) as ray:
            yield RayPool(ray)


@contextmanager
def connected(address: str) -> Iterator[ModuleType]:
    """Ray, connected to a cluster that runs already: `HOST:PORT`, or `auto`, which this machine is in."""
    if address != "auto":
        _call(address)
    ray = extra("ray")
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError, AssertionError) as error:
        raise SetupError("cluster-none", address=address, problem=_in_a_line(error)) from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _call(address: str) -> None:
    """Ray would try for a minute, and then end the process."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise SetupError("cluster-none", address=address, problem="HOST:PORT?")
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise SetupError("cluster-none", address=address, problem=_in_a_line(error)) from None


class RayRunner:
    """Plays on a cluster, as many games at once as it has processors, or fewer.

    `setup` is as for `LocalRunner`. Games are the same as there, but for the milliseconds.
    """

    def __init__(self, ray: ModuleType, jobs: int | None = None, *, setup: str | None = None) -> None:
        self._ray, self._jobs, self._setup = ray, jobs, setup
        self._task = ray.remote(num_cpus=1, max_retries=_TRIES)(_play)

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Played]:
        waiting, running = iter(fixtures), set[Any]()
        try:
            while True:
                while len(running) < self._at_once() and (fixture := next(waiting, None)):
                    running.add(self._task.remote(fixture, self._setup, __version__))
                if not running:
                    return
                done, _ = self._ray.wait(list(running), timeout=_LOOK_SECONDS)
                for reference in done:
                    running.remove(reference)
                    played: Played = _got(self._ray, reference)
                    yield played
        finally:
            _cancel(self._ray, running)

    def _at_once(self) -> int:
        """Nodes come and go while games are played."""
        processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return min(processors, self._jobs or processors)


def _got(ray: ModuleType, reference: Any) -> Any:
    """What a task gave; SetupError where no node could do it."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None) or error
        raise SetupError("cluster-node", problem=_in_a_line(cause)) from None


def _cancel(ray: ModuleType, references: Iterable[Any]) -> None:
    for reference in references:
        with suppress(ray.exceptions.RayError):
            ray.cancel(reference, force=True)


def _in_a_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1]}" if lines else type(error).__name__


class RayPool:
    """Does pieces of work on a cluster, each a task of its own, as a pool of threads does them here."""

    def __init__(self, ray: ModuleType) -> None:
        self._ray = ray

    def map(self, work: Callable[[int], _Done], numbers: Iterable[int], /) -> Iterator[_Done]:
        task = self._ray.remote(num_cpus=1, max_retries=_TRIES)(_at_node)
        waiting = [task.remote(work, number, __version__) for number in numbers]
        try:
            while waiting:
                done = _got(self._ray, waiting[0])
                del waiting[0]
                yield done
        finally:
            _cancel(self._ray, waiting)


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
        raise RuntimeError(f"it has Genial {__version__}, not {version}")


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
