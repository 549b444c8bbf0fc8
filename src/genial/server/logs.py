"""The server's log: one line an event, as text or as JSON, with nothing in it that somebody may not know.

Our own events are fixed words with the fields named here, and any other field is left out. What libraries log
loses its arguments, and exceptions lose their words, because both may quote tiles, names, codes or addresses.
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
from collections.abc import Awaitable, Callable, Iterator
from typing import TextIO

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    "reason",
    "error",
    "version",
    "server",
)
"""What an event of ours may tell beside its words."""

_OURS = "genial"
_FRAMES = 12
_CLIENTS_FAULTS = (
    "Invalid UTF-8 sequence received from client.",
    "ASGI callable returned without completing handshake.",
)
"""What uvicorn tells as its own errors is what a client did; our line of the socket's end says it already."""
_ARGUMENTS = re.compile(r"[(<\[{'\"]|%|\d{2,}")


def shortened(address: str | None) -> str:
    """The network that an address belongs to: enough to see a flood, too little to see a person.

    >>> shortened("203.0.113.77"), shortened("2001:db8:1:2::3"), shortened("testclient")
    ('203.0.113.0/24', '2001:db8:1::/48', '-')
    """
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return "-"
    return str(ipaddress.ip_network((found, 24 if found.version == 4 else 48), strict=False))


def table_mark(game: str) -> str:
    """The beginning of a table's id, for the log: who reads it can find the table, and not enter it."""
    return game[:6]


class LineFormatter(logging.Formatter):
    """A record as one line: JSON, or text for people."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        told = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": _words(record),
            **{name: value for name in FIELDS if (value := record.__dict__.get(name)) is not None},
            **_exception(record),
        }
        if self._as_json:
            return json.dumps(told, default=lambda value: type(value).__name__)
        head = f"{told.pop('time')} {told.pop('level'):7} {told.pop('event')}"
        return " ".join([head, *(f"{name}={_plain(value)}" for name, value in told.items())])


def _words(record: logging.LogRecord) -> str:
    if record.name.partition(".")[0] == _OURS:
        return str(record.msg)
    lines = str(record.msg).splitlines() or [""]
    return f"{record.name}: {_ARGUMENTS.split(lines[0])[0]}".strip()


def _exception(record: logging.LogRecord) -> dict[str, object]:
    """The kind of an exception and where it came from; what it says may be anybody's secret."""
    if not record.exc_info or record.exc_info[1] is None:
        return {}
    error = record.exc_info[1]
    code = getattr(error, "code", None)
    kind = f"{type(error).__name__} {code}" if isinstance(code, str) else type(error).__name__
    frames = list(_frames(error))[-_FRAMES:]
    return {"error": kind, "at": frames}


def _frames(error: BaseException) -> Iterator[str]:
    for frame in traceback.extract_tb(error.__traceback__):
        yield f"{'/'.join(frame.filename.split('/')[-2:])}:{frame.lineno} {frame.name}"


def _plain(value: object) -> str:
    return " < ".join(reversed(value)) if isinstance(value, list) else str(value)


def _is_noise(record: logging.LogRecord) -> bool:
    """What uvicorn tells as an error and is none; a request that we cut off has a line of ours too."""
    cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return cut_off or str(record.msg).startswith(_CLIENTS_FAULTS)


def configure(style: str = "text", level: str = "info", stream: TextIO | None = None) -> None:
    """Write everything that this process logs to one stream, standard error if none is given."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(LineFormatter(style == "json"))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    handler.addFilter(lambda record: not _is_noise(record))
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger(_OURS).setLevel(level.upper())
    for noisy in ("uvicorn", "uvicorn.error", "websockets", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


class AccessLog:
    """Tells of every request and socket: its route, not its path, and its network, not its address."""

    def __init__(self, app: ASGIApp, count: Callable[[str, int], None]) -> None:
        self._app = app
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        started, socket = time.perf_counter(), scope["type"] == "websocket"
        # Where nothing is sent, an application that raised gives 500, and a socket that went away 1006.
        seen = 1006 if socket else 500

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
            self._tell(scope, seen, time.perf_counter() - started)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        if not log.isEnabledFor(logging.INFO):
            return
        client = scope.get("client")
        fields = {
            "method": scope.get("method", "GET"),
            "route": getattr(scope.get("route"), "path", "-"),
            "status": status,
            "ms": round(1000 * seconds, 1),
            "address": shortened(client[0] if client else None),
        }
        log.info("socket" if scope["type"] == "websocket" else "request", extra=fields)
