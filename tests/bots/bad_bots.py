"""Bots that misbehave, for the tests of the worker pool. A worker calls `install` when it starts."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from genial.bots import BOTS
from genial.bots.bot import Advice, Budget
from genial.core.actions import Action, Play, Refill
from genial.core.view import View


@dataclass(frozen=True)
class BadBot:
    name: str
    does: Callable[[View, Random], Any]

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        action: Action = self.does(view, rng)
        return action

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        advice: Advice = self.does(view, rng)
        return advice


def _sleep(view: View, rng: Random) -> None:
    threading.Event().wait()


def _spin(view: View, rng: Random) -> None:
    while True:
        pass


def _spin_alone(view: View, rng: Random) -> None:
    """Like some compiled code: no other thread of the process gets a turn."""
    sum(itertools.count())


def _exit(view: View, rng: Random) -> None:
    os._exit(3)


def _raise(view: View, rng: Random) -> None:
    raise ValueError(f"my rack is {view.racks[view.seat]}")


def _quit(view: View, rng: Random) -> None:
    sys.exit(f"my rack is {view.racks[view.seat]}")


def _hog(view: View, rng: Random) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(1 << 24))


class _Strange:
    """Nothing that the parent would load."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (7,)


def _strange_tile(view: View, rng: Random) -> Action:
    return Play(_Strange())  # type: ignore[arg-type]


def _chatter(view: View, rng: Random) -> Action:
    """Lawful, but it prints, reads, and writes past Python's own streams."""
    print("my move", flush=True)
    os.write(1, b"\0\0\0\1!")
    sys.stdin.read()
    return view.actions()[0]


def _children(view: View, rng: Random) -> None:
    """A child that holds everything it inherits, including the pipe for answers, and outlives its parent."""
    subprocess.run([sys.executable, "-c", "import time; time.sleep(60)"], close_fds=False, check=False)


def _hash(view: View, rng: Random) -> Action:
    """Randomness from the order of a set of words, not from `rng`."""
    actions = view.actions()
    return actions[hash("genial") % len(actions)]


def _niceness(view: View, rng: Random) -> Action:
    return view.actions()[os.nice(0)]


def _bots() -> list[BadBot]:
    return [
        BadBot("sleep", _sleep),
        BadBot("spin", _spin),
        BadBot("spin-alone", _spin_alone),
        BadBot("exit", _exit),
        BadBot("raise", _raise),
        BadBot("quit", _quit),
        BadBot("hog", _hog),
        BadBot("unlawful", lambda view, rng: Refill()),
        BadBot("nothing", lambda view, rng: None),
        BadBot("strange", lambda view, rng: _Strange()),
        BadBot("strange-tile", _strange_tile),
        BadBot("chatter", _chatter),
        BadBot("children", _children),
        BadBot("hash", _hash),
        BadBot("niceness", _niceness),
    ]


def install() -> None:
    BOTS.update({bot.name: bot for bot in _bots()})


def all_hang() -> None:
    """Make all of our bots hang for ever."""
    BOTS.update({name: BadBot(name, _spin_alone) for name in BOTS})


def all_die() -> None:
    """Make every one of our bots take its process down."""
    BOTS.update({name: BadBot(name, _exit) for name in BOTS})


def refuse() -> None:
    raise LookupError("no bots today")


def vanish() -> None:
    os._exit(4)
