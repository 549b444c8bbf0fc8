"""Listeners of a table: a socket with a bounded queue, or a bot's stream that only needs to be woken."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from genial.server.tables.news import News
from genial.server.tables.views import Viewer


class Listener(Protocol):
    """Anybody who hears when something is stored."""

    device: str
    viewer: Viewer
    address: str
    """Its network address, in the form used by limits and bans; kept in memory only."""

    def tell(self, news: News) -> None:
        """Something was stored. Must not block."""

    def close(self) -> None:
        """Nothing more will come."""


class _Waiting(NamedTuple):
    text: str
    is_update: bool
    ack: str | None
    """What must be sent in place of an update that is dropped."""

    @property
    def size(self) -> int:
        """Its size in bytes as sent."""
        return len(self.text) if self.text.isascii() else len(self.text.encode())


class Subscriber:
    """Messages for one socket, in order, bounded in bytes.

    A slow reader loses updates, and gets the whole state once it has read everything queued. Other messages
    are never dropped: if too many of them are waiting, the connection is.
    """

    __slots__ = (
        "_behind",
        "_bytes",
        "_knows",
        "_limit",
        "_messages",
        "_reader",
        "_state",
        "address",
        "closed",
        "device",
        "dropped",
        "on_close",
        "viewer",
    )

    def __init__(
        self, device: str, viewer: Viewer, limit: int, state: Callable[[], str], address: str = ""
    ) -> None:
        self.device = device
        self.viewer = viewer
        self.address = address
        self.closed = False
        self.dropped = False
        """Set if it read too slowly even for the messages that can't be dropped."""
        self.on_close: Callable[[], None] | None = None
        """Called once, when nothing more will come, even while a message is stuck on its way."""
        self._limit = limit
        self._state = state
        self._behind = False
        self._knows: frozenset[int] | None = None
        """The places from which it was told the game's past; None if it wasn't."""
        self._bytes = 0
        self._messages: deque[_Waiting] = deque()
        self._reader: asyncio.Future[None] | None = None
        """Whoever is waiting for the next message."""

    @property
    def waiting(self) -> int:
        """The number of unread messages."""
        return len(self._messages)

    def tell(self, news: News) -> None:
        """Queue the update for a batch."""
        if not self._behind or news.is_from(self):
            past = self._behind or self._knows != self.viewer.looks
            self._knows = self.viewer.looks
            self._put(_Waiting(news.text(self, past=past), True, news.ack(self)))

    def send(self, text: str) -> None:
        """Queue a message that must not be dropped; never blocks."""
        self._put(_Waiting(text, False, None))

    def send_first(self, state: str) -> None:
        """Queue the initial state, which everything else follows."""
        self._knows = self.viewer.looks
        self.send(state)

    def send_state(self) -> None:
        """Queue the whole state, in place of all queued updates."""
        self._leave_out()
        self._put(_Waiting(self._whole(), True, None))

    def _whole(self) -> str:
        self._knows = self.viewer.looks
        return self._state()

    def _put(self, message: _Waiting) -> None:
        if self.closed:
            return
        if self._messages and self._bytes + message.size > self._limit:
            if message.is_update:
                self._behind = True
                self._leave_out()
                if message.ack is None:
                    return
                message = _Waiting(message.ack, False, None)
            if self._bytes + message.size > self._limit:
                self._messages.clear()
                self.dropped = True
                self.close()
                return
        self._messages.append(message)
        self._bytes += message.size
        self._wake()

    def _leave_out(self) -> None:
        kept = [
            _Waiting(message.ack, False, None) if message.ack is not None else message
            for message in self._messages
            if message.ack is not None or not message.is_update
        ]
        self._messages = deque(kept)
        self._bytes = sum(message.size for message in kept)

    def close(self) -> None:
        """Send no more."""
        self.closed = True
        self._wake()
        if self.on_close is not None:
            self.on_close()
            self.on_close = None

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def next(self) -> str | None:
        """The next message; None if there will be no more."""
        while not self._messages:
            if self.closed:
                return None
            if self._behind:
                self._behind = False
                return self._whole()
            # Cheaper than an event, of which every spectator of every move would wait for one.
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        message = self._messages.popleft()
        self._bytes -= message.size
        return message.text
