"""The guard of one connection: it stands between the network and the protocol that parses the data.

Data that completes a request or a message is free. Everything else (pings, pongs, fragments, frames after the
end, a head or body in tiny pieces) is counted, and a peer that sends too much of it is read more slowly: the
rest waits on the sender's side, where it costs us nothing. The guard also ends what takes too long.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from genial.server.calls.limiter import Bucket
from genial.server.http.frames import frame_size
from genial.server.tables.settings import Limits

READ_BYTES = 16 * 1024
"""The most that is read at once, and that is held for a connection that has to wait."""
LINGER_SECONDS = 2.0
"""How long we still read and drop data after ending a connection; otherwise our last answer could be lost
with it.
"""
_LINGER_BYTES = 256 * 1024
_GRACE_SECONDS = 1.0
"""The application answers a slow body; a peer that still keeps sending after this is cut off."""

Phase = Literal["silent", "header", "body", "answer", "idle", "socket"]


class Watch:
    """What the guards of one server share, and their counters."""

    def __init__(self, limits: Limits, slow: bytes) -> None:
        self.limits = limits
        self.slow = slow
        """The answer to a request head that takes too long."""
        self.held = 0
        """How often a connection was made to wait."""
        self.ended: Counter[str] = Counter()
        """Connections that took too long, by what they were doing."""
        # It is filled and emptied in one step, so all connections can share it.
        self.buffer = memoryview(bytearray(READ_BYTES))


class Guard(asyncio.BufferedProtocol):
    """Passes data on as far as allowed, and checks time limits when asked."""

    __slots__ = (
        "_bucket",
        "_closing",
        "_dropped",
        "_gone",
        "_held",
        "_inner",
        "_inner_waits",
        "_loop",
        "_moved",
        "_pending",
        "_phase",
        "_sent",
        "_since",
        "_there",
        "_told_lost",
        "_transport",
        "_watch",
        "written",
    )

    def __init__(self, watch: Watch, inner: H11Protocol, gone: Callable[[Guard], None]) -> None:
        self._watch = watch
        self._inner: asyncio.Protocol = inner
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport
        self._pending = b""
        """Frames that have to wait, or the start of one."""
        self._inner_waits = False
        """True while the protocol wants no more data."""
        self._held = False
        """True after too much useless data."""
        self._there = False
        """True from the start of the connection to its end."""
        self._told_lost = False
        self._bucket: Bucket | None = None
        self._phase: Phase = "silent"
        self._since = self._loop.time()
        self._closing: float | None = None
        self._dropped = 0
        self.written = 0
        self._sent: int | None = None
        self._moved = 0.0
        """When a byte last left for a peer that keeps us waiting."""

    # From the network

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection has started."""
        self._transport = cast(asyncio.Transport, transport)
        self._there = True
        self._inner.connection_made(_Guarded(self, self._transport))

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is over."""
        self._there = False
        self._pending = b""
        self._gone(self)
        self._tell_lost(error)

    def _tell_lost(self, error: Exception | None = None) -> None:
        if not self._told_lost:
            self._told_lost = True
            self._inner.connection_lost(error)

    def pause_writing(self) -> None:
        """The peer reads too slowly."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._inner.resume_writing()

    def get_buffer(self, sizehint: int) -> memoryview:
        """The buffer for incoming data."""
        return self._watch.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Data has arrived in the buffer."""
        if self._closing is not None:
            self._drop(nbytes)
            return
        data = bytes(self._watch.buffer[:nbytes])
        if self._phase == "socket":
            self._pending += data
            if not self._hand_on() and not self._inner_waits:
                self._spend()
        else:
            self._inner.data_received(data)
            if not self._look_at_phase():
                self._spend()
        self._settle()

    def eof_received(self) -> None:
        """The peer has sent everything; the connection closes by itself."""
        if self._closing is None:
            self._inner.eof_received()

    # On to the protocol

    def _hand_on(self) -> bool:
        """Pass frames on, one by one, for as long as they are accepted. Returns whether there was one."""
        found = False
        while self._there and not (self._inner_waits or self._held or self._closing is not None):
            size = frame_size(self._pending, self._watch.limits.frame_bytes)
            if size is None:
                break
            found = True
            frame, self._pending = self._pending[:size], self._pending[size:]
            self._inner.data_received(frame)
            # A message pauses the protocol until the application has taken it. A frame that doesn't was
            # useless.
            if not self._inner_waits:
                self._spend()
        return found

    def _spend(self) -> None:
        """Count a piece of data that completed nothing."""
        if self._bucket is None:
            self._bucket = Bucket(self._watch.limits.pieces_per_20s, 20, self._loop.time)
        if seconds := self._bucket.wait():
            self._held = True
            self._watch.held += 1
            self._loop.call_later(seconds, self._go_on)

    def _go_on(self) -> None:
        self._held = False
        self._continue()

    def _continue(self) -> None:
        if self._phase == "socket":
            self._hand_on()
        self._settle()

    def _settle(self) -> None:
        """Pause or resume reading."""
        if not self._there or self._closing is not None:
            return
        # A socket's protocol waits during every message. Most peers send nothing meanwhile, so reading is
        # paused only once they do: pausing and resuming cost more than reading.
        if self._held or (self._inner_waits and (self._pending or self._phase != "socket")):
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    # Called by the protocol

    def wait(self) -> None:
        """The protocol wants no more data for now."""
        self._inner_waits = True
        self._settle()

    def resume(self) -> None:
        """The protocol can continue; if frames are waiting, a moment later, so that others get their turn."""
        self._inner_waits = False
        if self._pending:
            self._loop.call_soon(self._continue)
        else:
            self._settle()

    def hand_over(self, protocol: asyncio.Protocol) -> None:
        """Switch to frames, which go to another protocol."""
        self._inner, self._phase = protocol, "socket"

    def close(self) -> None:
        """Send what is queued, then end of file, and drop whatever still arrives."""
        if self._closing is not None or self._transport.is_closing():
            return
        self._closing = self._loop.time()
        self._pending = b""
        try:
            self._transport.write_eof()
        except OSError:  # the peer is gone
            self._transport.abort()
        else:
            self._transport.resume_reading()
        # The rest is between the peer and the guard.
        self._loop.call_soon(self._tell_lost)

    def abort(self) -> None:
        """End it at once."""
        if self._there:
            self._transport.abort()

    @property
    def has_unsent(self) -> bool:
        """True if something written hasn't been sent yet."""
        return self._there and self._transport.get_write_buffer_size() > 0

    @property
    def is_closing(self) -> bool:
        """True if nothing more can be written."""
        return self._closing is not None or self._transport.is_closing()

    def _drop(self, size: int) -> None:
        self._dropped += size
        if self._dropped > _LINGER_BYTES:
            self._transport.abort()

    # Time

    def look(self, now: float) -> None:
        """End what takes too long. Called at intervals."""
        if not self._there:
            return
        if self._is_unread(now):
            if now - self._moved >= self._watch.limits.body_seconds:
                self._end("unread")
            elif self._closing is not None:
                self._closing = now
        elif self.is_closing:
            if self._closing is None:
                self._closing = now
            elif now - self._closing >= LINGER_SECONDS:
                self._transport.abort()
        elif self._phase != "socket":
            self._look_at_phase()
            self._look_at_request(now)

    def _is_unread(self, now: float) -> bool:
        """True if the peer isn't reading what we have written; `_moved` is since when."""
        waiting = self._transport.get_write_buffer_size()
        sent = self.written - waiting if waiting else None
        if sent != self._sent:
            self._sent, self._moved = sent, now
        return bool(waiting)

    def _look_at_phase(self) -> bool:
        """True if a request has advanced: its head or body is complete, or it has become a socket."""
        if self._phase == "socket":
            return True
        phase = self._phase_of(cast(H11Protocol, self._inner))
        if phase == self._phase:
            return phase == "answer"  # the next request, as complete as the last one
        self._phase, self._since = phase, self._loop.time()
        return phase != "header"

    def _phase_of(self, inner: H11Protocol) -> Phase:
        match inner.conn.their_state:
            case h11.IDLE if inner.conn.trailing_data[0]:
                return "header"
            case h11.IDLE:
                return "silent" if self._phase == "silent" else "idle"
            case h11.SEND_BODY:
                return "body"
            case _:
                return "answer"

    def _look_at_request(self, now: float) -> None:
        limits = self._watch.limits
        match self._phase:
            case "silent" | "header" if now - self._since >= limits.header_seconds:
                self._end(self._phase)
            case "body" if now - self._since >= limits.body_seconds + _GRACE_SECONDS:
                self._end("body")

    def _end(self, reason: str) -> None:
        self._watch.ended[reason] += 1
        if reason == "unread":
            self._transport.abort()
            return
        if reason == "header":
            self.write(self._watch.slow)
        self.close()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send data, unless the connection is closing."""
        if not self.is_closing:
            self.written += len(data)
            self._transport.write(data)


class _Guarded(asyncio.Transport):
    """The connection as seen by the protocol behind the guard."""

    __slots__ = ("_guard", "_real")

    def __init__(self, guard: Guard, real: asyncio.Transport) -> None:
        super().__init__()
        self._guard = guard
        self._real = real

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._guard.write(data)

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        self._guard.write(b"".join(list_of_data))

    def close(self) -> None:
        self._guard.close()

    def is_closing(self) -> bool:
        return self._guard.is_closing

    def abort(self) -> None:
        self._guard.abort()

    def pause_reading(self) -> None:
        self._guard.wait()

    def resume_reading(self) -> None:
        self._guard.resume()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._guard.hand_over(cast(asyncio.Protocol, protocol))

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._real.get_extra_info(name, default)

    def get_write_buffer_size(self) -> int:
        return self._real.get_write_buffer_size()
