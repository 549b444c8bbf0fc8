"""The server's log: one line per event, as text or JSON, with nothing in it that is secret or personal.

Our own events are fixed words with the fields named here; any other field is left out. What libraries log
loses its arguments, and exceptions lose their messages, because both may quote tiles, names, codes or
addresses. The number of lines of each kind per minute is limited: nobody can fill a disk by failing often.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TextIO

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from genial.core.printable import printable
from genial.server.calls.limiter import Bucket
from genial.server.http.answers import REFUSED
from genial.server.tables.settings import Limits

log = logging.getLogger("genial.server")

FIELDS = (
    "method",
    "route",
    "status",
    "ms",
    "address",
    "table",
    "tables",
    "deleted",
    "forgotten",
    "resumed",
    "workers",
    "kind",
    "code",
    "reason",
    "lines",
    "connections",
    "error",
    "version",
    "server",
    "backup",
)
"""The fields that our own events may have."""

_OURS = "genial"
_FRAMES = 12
_CLIENTS_FAULTS = (
    "Invalid UTF-8 sequence received from client.",
    "ASGI callable returned without completing handshake.",
)
"""uvicorn logs these as its own errors, but a client caused them; our line for the socket covers it."""
_TELL_SECONDS = 10.0
_MOST_KINDS = 500
_ARGUMENTS = re.compile(r"[(<\[{'\"]|%|\d{2,}")


def shortened(address: str | None) -> str:
    """The network that an address belongs to: enough to see a flood, too little to identify a person.

    >>> shortened("203.0.113.77"), shortened("2001:db8:1:2::3"), shortened("testclient")
    ('203.0.113.0/24', '2001:db8:1::/48', '-')
    """
    try:
        whole = ipaddress.ip_address(address or "")
    except ValueError:
        return "-"
    return str(ipaddress.ip_network((whole, 24 if whole.version == 4 else 48), strict=False))


class LineFormatter(logging.Formatter):
    """A log record as one line: JSON, or text for people."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        told: dict[str, Any] = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": _words(record),
            **{name: value for name in FIELDS if (value := record.__dict__.get(name)) is not None},
            **_exception(record),
        }
        if self._as_json:
            return json.dumps(told, default=lambda value: type(value).__name__)
        if "at" in told:
            told["at"] = " < ".join(reversed(told["at"]))
        head = f"{told.pop('time')} {told.pop('level'):7} {told.pop('event')}"
        return printable(" ".join([head, *(f"{name}={value}" for name, value in told.items())]))


def _words(record: logging.LogRecord) -> str:
    if record.name.partition(".")[0] == _OURS:
        return str(record.msg)
    lines = str(record.msg).splitlines() or [""]
    return f"{record.name}: {_ARGUMENTS.split(lines[0])[0]}".strip()


def _exception(record: logging.LogRecord) -> dict[str, object]:
    """The kind of an exception and where it came from; its message may contain secrets."""
    if not record.exc_info or record.exc_info[1] is None:
        return {}
    error = record.exc_info[1]
    code = getattr(error, "code", None)
    kind = f"{type(error).__name__} {code}" if isinstance(code, str) else type(error).__name__
    frames = [
        f"{'/'.join(frame.filename.split('/')[-2:])}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    ]
    return {"error": kind, "at": frames}


def _is_noise(record: logging.LogRecord) -> bool:
    """True for what uvicorn wrongly logs as an error; a request that we cut off has our own line too."""
    cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return cut_off or str(record.msg).startswith(_CLIENTS_FAULTS)


class Bounded(logging.Handler):
    """Passes on a limited number of lines of each kind per minute, and reports how many were suppressed."""

    def __init__(
        self, target: logging.Handler, per_minute: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._target = target
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: dict[_Kind, Bucket] = {}
        self._left_out: Counter[_Kind] = Counter()
        self._told = clock()
        self.left_out = 0
        """Lines that were not written, in total."""

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a line on, or count it."""
        if self._left_out and self._clock() - self._told >= _TELL_SECONDS:
            self.tell()
        kind = self._kind_of(record)
        bucket = self._buckets.setdefault(kind, Bucket(self._per_minute, 60, self._clock))
        if bucket.wait():
            self._left_out[kind] += 1
            self.left_out += 1
        else:
            self._target.handle(record)

    def tell(self) -> None:
        """Report what was suppressed since the last report."""
        self._told = self._clock()
        left_out, self._left_out = self._left_out, Counter()
        for kind, lines in left_out.items():
            told = {"kind": kind.words, "code": kind.code, "lines": lines}
            self._target.handle(
                log.makeRecord(_OURS, kind.level, "", 0, "lines left out", (), None, extra=told)
            )

    def _kind_of(self, record: logging.LogRecord) -> _Kind:
        kind = _Kind(record.levelno, _words(record), getattr(record, "code", None))
        if kind in self._buckets or len(self._buckets) < _MOST_KINDS:
            return kind
        return _Kind(record.levelno, "other")

    def close(self) -> None:
        """Make a last report."""
        self.tell()
        super().close()


class _Kind(NamedTuple):
    """What makes lines alike: their words, and the code of a refusal."""

    level: int
    words: str
    code: str | None = None


def configure(
    style: str = "text",
    level: str = "info",
    stream: TextIO | None = None,
    lines_per_minute: int = Limits().log_lines_per_minute,
) -> None:
    """Write everything that this process logs to one stream, standard error by default."""
    stream_handler = logging.StreamHandler(stream or sys.stderr)
    stream_handler.setFormatter(LineFormatter(style == "json"))
    handler = Bounded(stream_handler, lines_per_minute)
    handler.addFilter(lambda record: not _is_noise(record))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_OURS).setLevel(level.upper())
    for noisy in ("uvicorn", "uvicorn.error", "websockets", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def lines_left_out() -> int:
    """How many lines this process has suppressed because there were too many of their kind."""
    return sum(handler.left_out for handler in logging.getLogger().handlers if isinstance(handler, Bounded))


class AccessLog:
    """Logs every request and socket: its route, not its path, and its network, not its address.

    Refusals are reported through `scope[REFUSED]`: a request's line then has the code, and each refusal on a
    socket gets a line of its own.
    """

    def __init__(
        self, app: ASGIApp, count: Callable[[str, int], None], refused: Callable[[str], None]
    ) -> None:
        self._app = app
        self._count = count
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        started, socket = time.perf_counter(), scope["type"] == "websocket"
        # If nothing is sent, an application that raised means 500, and a socket that went away 1006.
        seen = 1006 if socket else 500
        code: str | None = None
        client = scope.get("client")
        address = shortened(client[0] if client else None)

        def note(refusal: str, message: bool = False) -> None:
            nonlocal code
            self._refused(refusal)
            if message:
                log.info("refused", extra={"route": _route(scope), "code": refusal, "address": address})
            else:
                code = refusal

        scope[REFUSED] = note

        def noted_send(message: Message) -> Awaitable[None]:
            nonlocal seen
            match message["type"]:
                case "http.response.start" | "websocket.http.response.start":
                    seen = message["status"]
                case "websocket.close":
                    seen = message.get("code", 1000)
            return send(message)

        async def noted_receive() -> Message:
            nonlocal seen
            message = await receive()
            if message["type"] == "websocket.disconnect":
                seen = message.get("code", 1005)
            return message

        try:
            await self._app(scope, noted_receive if socket else receive, noted_send)
        finally:
            self._count(scope["type"], seen)
            if log.isEnabledFor(logging.INFO):
                fields = {
                    "method": scope.get("method", "GET"),
                    "route": _route(scope),
                    "status": seen,
                    "code": code,
                    "ms": round(1000 * (time.perf_counter() - started), 1),
                    "address": address,
                }
                log.info("socket" if socket else "request", extra=fields)


def _route(scope: Scope) -> str:
    return str(getattr(scope.get("route"), "path", "-"))
