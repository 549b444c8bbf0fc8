"""A table's conversation: first the whole state, with what was missed; then one message for each batch.

Whatever carries it, a WebSocket or a page's port, is a `Line`. Clients send deeds, ask to look from another
place, and ping; too many unreadable messages end the conversation.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from genial.core.errors import GenialError
from genial.server.calls.access import Sight, viewer_at
from genial.server.calls.answering import encoded, error_data, unreadable
from genial.server.calls.call import Call, Query
from genial.server.calls.deeds import Deed, Stale, do
from genial.server.calls.protocol import (
    ClientMessage,
    Error,
    Ping,
    PlaceNumber,
    Pong,
    Resync,
    Seq,
    WatchPlace,
)
from genial.server.tables.entries import Entry
from genial.server.tables.errors import Forbidden, Refused, TooMany
from genial.server.tables.log import entries_from
from genial.server.tables.news import Ack
from genial.server.tables.store_errors import StoreAway
from genial.server.tables.subscribers import Subscriber
from genial.server.tables.text import cleaned

PATH = "/api/tables/{table}/socket"
CONVERSATION = "genial.3"
"""The version of the conversation, as a WebSocket subprotocol. The number goes up when a client that knows
this version could no longer follow. A client that only knows another is refused at once, so that nothing is
half done.
"""
BAD_MESSAGES = 20
"""This many messages that are unreadable or come too fast end a conversation."""
MOST_MISSED = 200
"""A client that missed more entries than this gets only the whole state."""
CLOSE_SECONDS = 2.0
"""How long the other side may take to receive the last messages."""
POLICY, LATER, RESTART = 1008, 1013, 1012
"""Why a conversation ends, as WebSocket close codes: bad messages, try again later, server restarting."""

_decoder = msgspec.json.Decoder(ClientMessage)


class SocketQuery(Query, frozen=True):
    """Where to follow a table from, and since when."""

    place: PlaceNumber | None = None
    after: Seq | None = None
    """The last entry that the client has seen; None if it needs the whole state."""
    watch: str | None = None


class Gone(Exception):
    """The other side of a line is gone."""


class Line(Protocol):
    """A transport for a conversation."""

    async def open(self) -> None:
        """Tell the other side that it may start."""

    async def send(self, text: str) -> None:
        """Send a message; raises `Gone` if nobody is there to receive it."""

    async def receive(self) -> str | bytes:
        """The next message; raises `Gone` if there will be none."""

    async def close(self, code: int) -> None:
        """Close the line without waiting for ever; does nothing if the other side has closed it."""

    def refused(self, error: GenialError) -> None:
        """Called for each message that is refused, for statistics."""


async def begin(call: Call, query: SocketQuery, line: Line) -> Conversation:
    """A conversation about the call's table, if the caller may follow it. It counts at once, so run it."""
    services = call.services
    if not call.speaks:
        raise Refused("conversation-other", conversation=CONVERSATION)
    seen = await call.sight(query.place, watch=query.watch)
    most = services.limits.sockets_per_table
    if not seen.viewer.own and await services.presence.crowd(seen.live) >= most:
        raise TooMany("too-many-open", limit=most)
    services.limiter.sockets.enter(call.address)
    return Conversation(call, line, seen, query.after)


class Conversation:
    """One line: a queue that is written out, and messages that are read one by one."""

    def __init__(self, call: Call, line: Line, seen: Sight, after: int | None) -> None:
        self._call = call
        self._services = call.services
        self._hub = call.hub
        self._line = line
        self._live = seen.live
        self._device = call.device
        self._after = after
        limit = call.services.limits.send_queue_bytes
        self._out = Subscriber(seen.device, seen.viewer, limit, self._state, call.address)
        self._bucket = call.services.limiter.messages(not seen.viewer.own)
        self._bad = 0
        self._busy = False
        """True while a message is being handled."""
        self._reading: asyncio.Task[Any] | None = None

    async def run(self) -> None:
        """Run until either side ends it."""
        try:
            await self._run()
        finally:
            self._services.limiter.sockets.leave(self._call.address)

    async def _run(self) -> None:
        await self._line.open()
        try:
            missed = await self._missed()
            self._live = await self._hub.subscribe(self._live.table.id, self._out)
        except GenialError:  # the table was deleted just then, or the store is busy
            await self._line.close(LATER)
            return
        # There must be no await between this and the state: whatever follows queues up behind it, including
        # entries that the store has and the table in memory doesn't.
        self._out.send_first(self._state([entry for entry in missed if entry.seq <= self._live.table.seq]))
        code = RESTART
        writing = asyncio.create_task(self._write())
        try:
            # Anybody banned while this was opening was disconnected before there was anything to close.
            await self._services.bans.check(self._device, self._out.address)
            if self._device:
                await self._services.presence.came(self._live, self._device.id)
            self._reading = asyncio.current_task()
            self._out.on_close = self._stop_reading
            code = await self._read()
        except Gone:
            code = 0
        except GenialError:
            code = LATER  # for example, the store is busy
        except asyncio.CancelledError:
            # It is ours if the queue was closed; any other cancellation is passed on.
            if not self._out.closed:
                raise
            asyncio.current_task().uncancel()  # type: ignore[union-attr]
        finally:
            self._out.on_close = None
            self._hub.unsubscribe(self._live, self._out)
            if self._device:
                self._services.presence.gone(self._live, self._device.id)
            await self._end(writing, LATER if self._out.dropped else code)

    async def _missed(self) -> list[Entry]:
        """The entries since the last one that the client has seen; none if there are too many."""
        table, after = self._live.table, self._after
        if after is None or not 0 < table.seq - after <= MOST_MISSED:
            return []
        kept = await self._hub.store.read(table.id, after=after, limit=MOST_MISSED)
        return entries_from(table, kept)

    def _stop_reading(self) -> None:
        # Whatever is being stored is stored and told first.
        if self._reading is not None and not self._busy:
            self._reading.cancel()

    async def _end(self, writing: asyncio.Task[None], code: int) -> None:
        if code == POLICY and not self._out.closed:
            self._out.close()
            await asyncio.wait({writing}, timeout=CLOSE_SECONDS)  # the last errors, if they get through
        writing.cancel()
        await asyncio.wait({writing})
        if code:
            await self._line.close(code)

    # Out

    async def _write(self) -> None:
        with suppress(Gone):
            while (text := await self._out.next()) is not None:
                await self._line.send(text)

    def _send(self, message: object) -> None:
        self._out.send(encoded(message).decode())

    def _state(self, missed: Sequence[Entry] = ()) -> str:
        return self._live.state(self._out.viewer, self._hub.clock(), missed)

    def _refuse(self, move_id: str | None, error: GenialError) -> None:
        self._line.refused(error)
        self._send(Error(move_id, error_data(error, self._call.language)))

    # In

    async def _read(self) -> int:
        """Handle messages until too many are bad. Returns the code to close with."""
        while not self._out.closed:
            data = await self._line.receive()
            self._busy = True
            try:
                await self._take(data)
            finally:
                self._busy = False
            if self._bad >= BAD_MESSAGES:
                return POLICY
        return RESTART

    async def _take(self, data: str | bytes) -> None:
        seconds = self._bucket.wait()
        if seconds:
            self._bad += 1
            self._refuse(None, TooMany("rate-limit", seconds=math.ceil(seconds)))
            return
        try:
            message = _decoder.decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            self._bad += 1
            self._refuse(None, unreadable(error))
            return
        move_id = getattr(message, "move_id", None)
        try:
            await self._handle(cleaned(message))
        except GenialError as error:
            self._refuse(move_id, error)
            if isinstance(error, Stale):
                self._out.send_state()

    async def _handle(self, message: ClientMessage) -> None:
        match message:
            case Ping(n):
                self._send(Pong(n))
            case Resync():
                with suppress(StoreAway):  # then what is in memory has to do
                    await self._hub.fresh(self._live.table.id)
                self._out.send_state()
            case WatchPlace(place):
                self._look_from(place)
            case deed:
                await self._do(deed)

    async def _do(self, deed: Deed) -> None:
        device, table_id, out = self._call.caller, self._live.table.id, self._out
        done = await do(self._services, table_id, device, deed, address=out.address, listener=out)
        if not done.is_new:
            self._send(Ack(deed.move_id, done.seq))

    def _look_from(self, place: int | None) -> None:
        if not self._live.table.places_of(self._out.device):
            raise Forbidden("place-not-yours", place=(place or 0) + 1)
        viewer = viewer_at(self._live.table, self._out.device, place)
        self._out.viewer = viewer if place is not None else viewer._replace(looks=frozenset())
        self._out.send_state()
