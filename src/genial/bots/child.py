"""Runs a bot's program: starts it, talks to it in lines of JSON, and kills it at a deadline.

The program leads its own process group, so that nothing it started outlives it; or it belongs to this
process's group, if that is killed as a whole. Threads of this process read and write its pipes, so nobody
waits for an answer longer than the deadline.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue, SimpleQueue
from typing import IO, Any
from weakref import WeakSet

import msgspec

from genial.bots.groups import kill_group
from genial.bots.messages import WORDS
from genial.bots.protocol import LONGEST_FROM_BOT, LONGEST_FROM_HOST, Message
from genial.core.errors import GenialError

DEADLINE, DIED, UNREADABLE = "deadline", "died", "unreadable"

_ERRORS_KEPT = 8192
_WAITING_LINES = 64
_QUIT_SECONDS = 2.0
_living: WeakSet[Child]


class BotFailure(GenialError):
    """A bot's program misbehaved. `problem` says how, its reason first."""

    words = WORDS

    @property
    def problem(self) -> str:
        return str(self.params.get("problem"))


def failure(name: str, problem: str) -> BotFailure:
    """The error for a failed program."""
    return BotFailure("program-failed", name=name, problem=problem)


class Child:
    """A running program. Only one thread at a time may talk to it; any thread may kill it."""

    def __init__(self, command: Sequence[str], name: str, *, alone: bool = True) -> None:
        self._name, self._alone = name, alone
        self._lines: Queue[bytes] = Queue(_WAITING_LINES)
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._errors: deque[bytes] = deque()
        self._ended = False
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=alone,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise failure(name, f"{DIED}: {error.strerror}: {error.filename or command[0]}") from None
        _living.add(self)
        self._errors_read = threading.Thread(target=self._read_errors, daemon=True)
        for thread in (
            threading.Thread(target=self._write, daemon=True),
            threading.Thread(target=self._read, daemon=True),
            self._errors_read,
        ):
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message without waiting for it to be read."""
        line = msgspec.json.encode(message)
        if len(line) >= LONGEST_FROM_HOST:
            raise failure(self._name, f"{UNREADABLE}: {len(line)} bytes are too many to send")
        self._outbox.put(line + b"\n")

    def send_raw(self, line: bytes) -> None:
        """Send arbitrary bytes, for tests of the program."""
        self._outbox.put(line)

    def receive(self, until: float) -> Message:
        """The next message, until a `time.monotonic` time; raises BotFailure if there is none to read."""
        try:
            line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except Empty:
            raise failure(self._name, DEADLINE) from None
        if not line:
            raise failure(self._name, f"{DIED}: {self._how_it_died()}")
        if len(line) > LONGEST_FROM_BOT:
            raise failure(self._name, f"{UNREADABLE}: it sent a line of more than {LONGEST_FROM_BOT} bytes")
        try:
            message = msgspec.json.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise failure(self._name, f"{UNREADABLE}: {line[:80]!r}")
        return message

    @property
    def errors(self) -> str:
        """The last part of what the program wrote to standard error."""
        return b"".join(self._errors).decode("utf-8", "replace")

    def kill(self) -> None:
        """Kill the program and everything it started."""
        self._ended = True
        self._outbox.put(None)
        if self._alone:
            kill_group(self._process)
        else:
            self._process.kill()
        self._process.wait()
        with suppress(Full):  # wakes whoever is waiting for an answer
            self._lines.put_nowait(b"")

    def quit(self) -> int | None:
        """Ask the program to quit. Returns its exit status, or None if it had to be killed."""
        self.send({"type": "quit"})
        return self.wait(_QUIT_SECONDS)

    def close_input(self) -> int | None:
        """Close its standard input, as if its host had died; otherwise like `quit`."""
        self._outbox.put(None)
        return self.wait(_QUIT_SECONDS)

    def wait(self, seconds: float) -> int | None:
        """The exit status if it ends in time; otherwise kill it and return None."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.kill()

    def _how_it_died(self) -> str:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "its output is closed"
        how = f"exit {code}" if code >= 0 else f"signal {-code}"
        # Its last words are in the pipe, which processes it started may keep open for longer.
        self._errors_read.join(1)
        last = self.errors.strip().rpartition("\n")[2]
        return f"{how}: {last[:120]}" if last else how

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with suppress(OSError, ValueError):
            while (line := self._outbox.get()) is not None:
                pipe.write(line)
                pipe.flush()
        with suppress(OSError, ValueError):
            pipe.close()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        line = b"."
        while line and not self._ended:
            line = _line(pipe)
            # A program that writes more than is read has to wait, as with any full pipe.
            while not self._ended:
                with suppress(Full):
                    self._lines.put(line, timeout=0.2)
                    break
        pipe.close()

    def _read_errors(self) -> None:
        pipe = self._process.stderr
        assert pipe is not None
        while part := os.read(pipe.fileno(), 1024):
            self._errors.append(part)
            while sum(map(len, self._errors)) > _ERRORS_KEPT:
                self._errors.popleft()
        pipe.close()


def _line(pipe: IO[bytes]) -> bytes:
    try:
        return pipe.readline(LONGEST_FROM_BOT + 1)
    except (OSError, ValueError):
        return b""


def kill_all() -> None:
    """Kill every program that is still running: nothing outlives its host."""
    for child in list(_living):
        child.kill()


_living = WeakSet()
atexit.register(kill_all)
