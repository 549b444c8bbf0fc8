"""The worker's side of the pipe: a separate process that thinks for bots, one job after another.

The parent (`genial.bots.workers`) starts it with `COMMAND`, sends the setup, waits for "ready", then sends
jobs and reads answers. It may kill the worker at any time. Frames are pickles preceded by their length, and
pass only between our own processes.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from queue import SimpleQueue
from random import Random
from typing import Any, BinaryIO

from genial.bots.bot import Budget
from genial.bots.driver import whole_turn
from genial.bots.tuned import of_the_house
from genial.bots.warm import ready
from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.errors import SetupError
from genial.core.view import View

# Lower the priority before our own imports, so that even the start does not disturb the server.
COMMAND = "import os; getattr(os, 'nice', int)(10); from genial.bots.worker_process import main; main()"

READY, FAILED, CHOSEN, ADVISED, RAISED, UNLAWFUL = (
    "ready",
    "failed",
    "chosen",
    "advised",
    "raised",
    "unlawful",
)


@dataclass(frozen=True, slots=True)
class Job:
    """A job for a worker: play a bot's turn, or give its opinion of several actions."""

    bot: str
    view: View
    seed: str
    deadline: float
    budget: Budget | None = None
    wants_advice: bool = False
    include: tuple[Action, ...] = ()
    """Actions to rate in any case."""


Answer = Callable[[Any], tuple[str, object]]
"""Does a job, which has a deadline, and returns the kind of answer and the answer."""

_LENGTH = struct.Struct("!I")
_LARGEST = 1 << 24
_GRACE = 0.5


def write_frame(stream: BinaryIO, frame: bytes) -> None:
    """Send one frame, preceded by its length."""
    stream.write(_LENGTH.pack(len(frame)) + frame)
    stream.flush()


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame; None if the other side is gone or what it sends is not a frame.

    >>> from io import BytesIO
    >>> pipe = BytesIO()
    >>> write_frame(pipe, b"view")
    >>> read_frame(BytesIO(pipe.getvalue()))
    b'view'
    """
    header = stream.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(header)
    if length > _LARGEST:
        return None
    frame = stream.read(length)
    return frame if len(frame) == length else None


def main(answer: Answer | None = None) -> None:
    """Set up, report ready, then answer jobs until the pipe closes; bot jobs by default."""
    try:
        _main(answer or _answer)
    finally:
        # Skip the interpreter's shutdown, which might wait for something a bot left running.
        os._exit(1)


def _main(answer: Answer) -> None:
    source, sink = _private_pipes()
    # The parent decides when to stop: neither Ctrl-C nor a stopping service may turn a thought into a crash.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    frames: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(source, frames), daemon=True).start()
    try:
        setup, memory = pickle.loads(frames.get())
        _limit_memory(memory)
        if setup is not None:
            _function(setup)()
    except Exception as error:
        _send(sink, FAILED, f"{type(error).__name__}: {error}")
        return
    _send(sink, READY, None)
    while True:
        job: Any = pickle.loads(frames.get())
        _alarm(job.deadline + _GRACE)
        kind, value = answer(job)
        _alarm(0)
        _send(sink, kind, value)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    # Keep what a bot prints from getting between the frames.
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return source, sink


def _listen(source: BinaryIO, frames: SimpleQueue[bytes]) -> None:
    while (frame := read_frame(source)) is not None:
        frames.put(frame)
    # The parent is gone: end, even if a bot is thinking.
    os._exit(0)


def _answer(job: Job) -> tuple[str, object]:
    try:
        bot, rng = ready(of_the_house(job.bot)), Random(job.seed)
        if job.wants_advice:
            return ADVISED, bot.advise(job.view, rng, job.budget, job.include)
        turn = whole_turn(bot, job.view, rng, job.budget, job.deadline)
    except SetupError as error:
        return RAISED, error.code
    except BaseException as error:
        # Its text may name tiles; its type does not.
        return RAISED, type(error).__name__
    if not isinstance(turn.action, Place | Play | Refill | Swap):
        return UNLAWFUL, type(turn.action).__name__
    return CHOSEN, turn


def _send(sink: BinaryIO, kind: str, answer: object) -> None:
    try:
        frame = pickle.dumps((kind, answer))
    except Exception:
        frame = pickle.dumps((UNLAWFUL, type(answer).__name__))
    try:
        write_frame(sink, frame)
    except OSError:
        os._exit(0)


def _alarm(seconds: float) -> None:
    # The parent kills at the deadline. If the parent has died, and a bot in compiled code blocks our threads,
    # the system ends the worker a little later.
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory(memory: int | None) -> None:
    if sys.platform == "linux":
        try:
            # If memory still runs out, a worker has to go before the server.
            with open("/proc/self/oom_score_adj", "w") as file:
                file.write("1000")
        except OSError:
            pass
    if sys.platform != "win32" and memory is not None:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = memory if most == resource.RLIM_INFINITY else min(memory, most)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _function(name: str) -> Callable[[], object]:
    module, _, function = name.partition(":")
    found: Callable[[], object] = getattr(import_module(module), function)
    return found
