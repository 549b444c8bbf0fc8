"""A listener of a table: a bounded queue that a socket drains. A slow reader is dropped, and resyncs."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from genial.server.views import Viewer


class Subscriber:
    """Messages for one socket, in order. `device` and `viewer` say who listens and for which places."""

    __slots__ = ("_limit", "_messages", "_ready", "closed", "device", "dropped", "on_close", "viewer")

    def __init__(self, device: str, viewer: Viewer, limit: int) -> None:
        self.device = device
        self.viewer = viewer
        self.closed = False
        self.dropped = False
        """It read too slowly: what was queued is gone, and it must resync."""
        self.on_close: Callable[[], None] | None = None
        """Called once, when there is to be no more; also while a message is stuck on its way."""
        self._limit = limit
        self._messages: deque[bytes] = deque()
        self._ready = asyncio.Event()

    def send(self, message: bytes) -> None:
        """Queue a message; never waits."""
        if self.closed:
            return
        if len(self._messages) >= self._limit:
            self._messages.clear()
            self.dropped = True
            self.close()
            return
        self._messages.append(message)
        self._ready.set()

    def close(self) -> None:
        """Send no more."""
        self.closed = True
        self._ready.set()
        if self.on_close is not None:
            self.on_close()
            self.on_close = None

    async def next(self) -> bytes | None:
        """The next message; None when there will be none."""
        while not self._messages:
            if self.closed:
                return None
            self._ready.clear()
            await self._ready.wait()
        return self._messages.popleft()

    def __len__(self) -> int:
        return len(self._messages)
