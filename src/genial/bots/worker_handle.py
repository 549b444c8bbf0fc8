"""The parent's side of one worker process: start, ask, kill. It blocks, so use a thread; see `workers.py`."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, Any, cast

from genial.bots.bot import Advice, Candidate, Fear, Turn
from genial.bots.groups import kill_group
from genial.bots.worker_process import COMMAND, READY, read_frame, write_frame
from genial.core.actions import Place, Play, Refill, Swap

_ANSWERS: dict[tuple[str, str], type] = {
    (kind.__module__, kind.__name__): kind
    for kind in (Place, Play, Refill, Swap, Turn, Advice, Candidate, Fear)
}


class WorkerHandle:
    """One worker process. All methods but `kill`, `pid` and `has_died` may block and belong to one thread."""

    def __init__(
        self, setup: str | None, memory: int | None, *, command: str = COMMAND, fixed_hashes: bool = True
    ) -> None:
        self._greeting = setup, memory
        self._command = command
        self._fixed_hashes = fixed_hashes
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False
        self._lock = threading.Lock()

    def start(self) -> str | None:
        """Start the process and wait until it is warm. Returns what went wrong, or None."""
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", self._command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(self._fixed_hashes),
                start_new_session=True,
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )
        except OSError as error:
            return str(error)
        with self._lock:
            self._process = process
            if self._killed:
                kill_group(process)
        reply = self.ask(self._greeting)
        if isinstance(reply, str):
            return reply
        kind, problem = reply
        return None if kind == READY else str(problem)

    def ask(self, job: object) -> tuple[str, object] | str:
        """The kind of answer and the answer or, without one, a text that says what happened to the worker."""
        try:
            frame = self._exchange(pickle.dumps(job))
        except Exception as error:
            return type(error).__name__
        return self._how_it_died() if frame is None else _reply(frame) or "unreadable answer"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def has_died(self) -> bool:
        """True if the process has ended, by itself or killed."""
        return self._killed or self._process is None or self._process.poll() is not None

    def kill(self) -> None:
        """Kill the process, whatever it is doing, and all it started. From any thread; does not wait."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                kill_group(self._process)

    def end(self) -> None:
        """Kill the process if it is still running, wait for it to end, and close the pipes."""
        self.kill()
        if self._process is None:
            return
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            # A frame that the worker never read is still in the buffer.
            with suppress(OSError):
                cast(IO[bytes], pipe).close()

    def _exchange(self, frame: bytes) -> bytes | None:
        assert self._process is not None
        try:
            write_frame(cast(Any, self._process.stdin), frame)
            return read_frame(cast(Any, self._process.stdout))
        except OSError:
            return None

    def _how_it_died(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "pipe closed"
        return f"exit {code}" if code >= 0 else f"signal {-code}"


def _environment(fixed_hashes: bool) -> dict[str, str]:
    return {
        **os.environ,
        # The worker finds the modules its parent finds, however the parent was started.
        "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
        # A bot that iterates over a set of strings must play the same game again from the same seed. A
        # process that reads strangers' input needs the opposite: nobody may know which strings collide.
        "PYTHONHASHSEED": "0" if fixed_hashes else "random",
    }


class _Replies(pickle.Unpickler):
    """Unpickles only actions, advice and plain values. A rogue worker cannot make its parent run anything."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _ANSWERS:
            return _ANSWERS[module, name]
        raise pickle.UnpicklingError(f"{module}.{name} isn't an allowed answer")


def _reply(frame: bytes) -> tuple[str, object] | None:
    try:
        kind, answer = _Replies(io.BytesIO(frame)).load()
    except Exception:
        return None
    return (kind, answer) if isinstance(kind, str) else None
