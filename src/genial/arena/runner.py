"""Where games are played: a runner takes fixtures and yields played games, in the order they finish.

This one plays on this machine's cores, each game in a process that can be killed. Anything else that plays
games (a cluster, for example) has the same single method.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Protocol

from genial.arena.fixtures import Fixture
from genial.arena.game import DEADLINE, DIED, Forfeit, Played, forfeited, play, warm_up
from genial.bots.bot import Bot
from genial.bots.child import kill_all
from genial.bots.external import player_named

_GRACE = 2.0
"""Seconds past its deadline that a bot in our own process has to come back by itself."""
_STOP_SECONDS = 1.0
_LOOK_SECONDS = 60.0


class Runner(Protocol):
    """Plays games somewhere."""

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Played]:
        """Yield each game as soon as it is over. Takes a fixture only when it can start it."""


class LocalRunner:
    """Plays on this machine, several games at once.

    `setup` names a function, `module:function`, that each process calls when it starts, perhaps to add bots.

    >>> fixtures = [Fixture(0, n, 0, "cards", 2, f"7-{n}", ("greedy", "random"), deadline=10) for n in (0, 1)]
    >>> sorted((played.deal, played.reason) for played in LocalRunner(1).play(fixtures))
    [(0, 'goal'), (1, 'goal')]
    """

    def __init__(self, jobs: int, *, setup: str | None = None) -> None:
        self._jobs = jobs
        self._setup = setup

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Played]:
        waiting = iter(fixtures)
        workers: list[_Worker] = []
        try:
            while True:
                for worker in self._free(workers):
                    fixture = next(waiting, None)
                    if fixture is None:
                        break
                    worker.begin(fixture)
                busy = [worker for worker in workers if worker.fixture]
                if not busy:
                    return
                yield from _finished(busy)
                workers = [worker for worker in workers if worker.lives]
        finally:
            for worker in workers:
                worker.ask_to_stop()
            for worker in workers:
                worker.end()

    def _free(self, workers: list[_Worker]) -> Iterator[_Worker]:
        yield from [worker for worker in workers if worker.fixture is None]
        while len(workers) < self._jobs:
            worker = _Worker(self._setup)
            workers.append(worker)
            yield worker


def _finished(busy: list[_Worker]) -> Iterator[Played]:
    """Wait until something happens, and yield the games that are over as a result."""
    until = min(worker.kill_at for worker in busy)
    ready = wait([worker.pipe for worker in busy], max(0.0, min(until - time.monotonic(), _LOOK_SECONDS)))
    for worker in busy:
        played = worker.listen() if worker.pipe in ready else worker.too_late()
        if played is not None:
            yield played


class _Worker:
    """The parent's side of one process that plays games."""

    def __init__(self, setup: str | None) -> None:
        self.fixture: Fixture | None = None
        self.lives = True
        self.kill_at = float("inf")
        self._thinking: int | None = None
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_serve, args=(theirs, setup), daemon=True)
        with _same_hashes():
            self._process.start()
        theirs.close()

    def begin(self, fixture: Fixture) -> None:
        self.fixture, self._thinking, self.kill_at = fixture, None, float("inf")
        with suppress(OSError):  # a dead process is noticed when we listen to it
            self.pipe.send(fixture)

    def listen(self) -> Played | None:
        """Handle a message from the process: who is thinking, or the game; a forfeit if it has died."""
        assert self.fixture is not None
        try:
            said: object = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join(_STOP_SECONDS)
            return self._lost(f"{DIED}: exit {self._process.exitcode}")
        if isinstance(said, Played):
            self.fixture, self.kill_at = None, float("inf")
            return said
        self._thinking, limit = said if isinstance(said, tuple) else (None, float("inf"))
        self.kill_at = time.monotonic() + limit + _GRACE
        return None

    def too_late(self) -> Played | None:
        """The forfeit of a bot that does not come back; its process is killed."""
        return self._lost(DEADLINE) if time.monotonic() >= self.kill_at else None

    def _lost(self, problem: str) -> Played:
        fixture, seat = self.fixture, self._thinking
        assert fixture is not None
        self.end()
        if seat is None:
            # No bot was thinking, so this is our own fault and not a result.
            raise RuntimeError(f"the process of a game ended: {problem}")
        return forfeited(fixture, Forfeit(seat, problem))

    def ask_to_stop(self) -> None:
        if self.lives:
            self._process.terminate()

    def end(self) -> None:
        """End the process, by force if necessary."""
        if self.lives:
            self.lives, self.fixture = False, None
            self._process.terminate()
            self._process.join(_STOP_SECONDS)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()
            self.pipe.close()


class _same_hashes:  # noqa: N801, reads as a clause
    """Make a bot that iterates over a set of strings play the same game again from the same seed."""

    def __enter__(self) -> None:
        self._before = os.environ.get("PYTHONHASHSEED")
        os.environ["PYTHONHASHSEED"] = "0"

    def __exit__(self, *exception: object) -> None:
        if self._before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = self._before


def _stop(number: int, frame: object) -> None:
    kill_all()
    os._exit(0)


def _serve(pipe: Connection, setup: str | None) -> None:
    """The process's side: play what arrives until the pipe closes. Ctrl-C is left to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    if setup is not None:
        module, _, function = setup.partition(":")
        getattr(import_module(module), function)()
    bots: dict[tuple[int, str], Bot] = {}
    with suppress(EOFError, OSError):
        while True:
            fixture: Fixture = pipe.recv()
            for seat, name in enumerate(fixture.players):
                if (seat, name) not in bots:
                    bots[seat, name] = player_named(name, fixture.deadline)
                    warm_up(fixture, seat, bots[seat, name], pipe.send)
            seated = [bots[seat, name] for seat, name in enumerate(fixture.players)]
            pipe.send(play(fixture, seated, pipe.send))
