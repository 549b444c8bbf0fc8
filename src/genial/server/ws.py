"""The socket of a table: what was missed or the whole state first, then every entry as it comes."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from genial.core.errors import GenialError
from genial.server.access import SPECTATOR, Sight, sight, viewer_at
from genial.server.auth import Device, NotSignedIn, address_of, device_from
from genial.server.calls import Services, read_query
from genial.server.entries import Entry, decode
from genial.server.errors import Forbidden, TooMany
from genial.server.hub import entry_message
from genial.server.limiter import Bucket
from genial.server.play import Stale, do
from genial.server.protocol import (
    Ack,
    Act,
    Answer,
    Ask,
    Back,
    Chat,
    ClientMessage,
    Error,
    Ping,
    PlaceNumber,
    Pong,
    Resync,
    Seq,
    State,
    WatchPlace,
)
from genial.server.replies import encoded, error_data, error_reply, language_of, unreadable
from genial.server.store.errors import StoreAway
from genial.server.subscribers import Subscriber

PATH = "/api/tables/{table}/socket"
BAD_MESSAGES = 20
"""So many messages that cannot be read, or come too fast, end a connection."""
MOST_MISSED = 200
"""Who missed more entries than this gets the whole state instead."""
_CLOSE_SECONDS = 2.0
_BEHIND = 16
POLICY, LATER, RESTART = 1008, 1013, 1012

_decoder = msgspec.json.Decoder(ClientMessage)


class SocketQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """From where to follow a table, and since when."""

    place: PlaceNumber | None = None
    after: Seq | None = None
    """The last entry that the client has seen; None: it needs the whole state."""
    watch: str | None = None
    language: str | None = None


def socket_route(services: Services) -> WebSocketRoute:
    """The route of the socket."""

    async def endpoint(websocket: WebSocket) -> None:
        address = address_of(websocket)
        try:
            found, query = await _admitted(services, websocket)
            services.limiter.sockets.enter(address)
        except GenialError as error:
            await websocket.send_denial_response(error_reply(websocket, error))
            return
        try:
            await Connection(services, websocket, *found, query).run()
        finally:
            services.limiter.sockets.leave(address)

    return WebSocketRoute(PATH, endpoint)


async def _admitted(
    services: Services, websocket: WebSocket
) -> tuple[tuple[Sight, Device | None], SocketQuery]:
    services.limiter.requests.check(address_of(websocket))
    services.web.check_host(websocket)
    services.web.check_origin(websocket)
    device = device_from(websocket)
    await services.bans.check(device, address_of(websocket))
    query = read_query(websocket, SocketQuery)
    game = str(websocket.path_params["table"])
    found = await sight(services.hub, game, device, place=query.place, watch=query.watch)
    most = services.limits.sockets_per_table
    if found.viewer == SPECTATOR and await services.presence.crowd(found.live) >= most:
        raise TooMany("too-many-open", limit=most)
    return (found, device), query


class Connection:
    """One socket: a queue that is written out, and messages that are read one after another."""

    # There are thousands of these.
    __slots__ = (
        "_after",
        "_bad",
        "_bucket",
        "_busy",
        "_device",
        "_hub",
        "_language",
        "_live",
        "_out",
        "_reading",
        "_services",
        "_websocket",
    )

    def __init__(
        self,
        services: Services,
        websocket: WebSocket,
        found: Sight,
        device: Device | None,
        query: SocketQuery,
    ) -> None:
        self._services = services
        self._hub = services.hub
        self._websocket = websocket
        self._live = found.live
        self._device = device
        self._after = query.after
        self._language = language_of(websocket)
        self._out = Subscriber(found.device, found.viewer, services.limits.send_queue)
        self._bucket: Bucket = services.limiter.messages(found.viewer == SPECTATOR)
        self._bad = 0
        self._busy = False
        self._reading: asyncio.Task[Any] | None = None

    async def run(self) -> None:
        """Serve the socket until either side ends it."""
        await self._websocket.accept()
        try:
            self._live = await self._hub.subscribe(self._live.table.id, self._out)
        except GenialError:  # the table was deleted this moment
            await self._websocket.close(LATER)
            return
        # Nothing may wait between this and the state: entries that follow queue up behind it.
        missed = self._after is not None and 0 <= self._live.table.seq - self._after <= MOST_MISSED
        upto = self._live.table.seq
        if not missed:
            self._send_state()
        code = RESTART
        writing: asyncio.Task[None] | None = None
        try:
            if missed and self._after is not None:
                await self._send_missed(self._after, upto)
            if self._device:
                await self._services.presence.here(self._live, self._device.id)
            self._reading = asyncio.current_task()
            self._out.on_close = self._stop_reading
            writing = asyncio.create_task(self._write())
            code = await self._read()
        except (WebSocketDisconnect, OSError):
            code = 0
        except GenialError:
            code = LATER  # the store is busy, say
        except asyncio.CancelledError:
            # Ours if the queue was closed; anybody else's is passed on.
            if not self._out.closed:
                raise
            asyncio.current_task().uncancel()  # type: ignore[union-attr]
        finally:
            self._out.on_close = None
            self._hub.unsubscribe(self._live, self._out)
            if self._device:
                self._services.presence.gone(self._live, self._device.id)
            await self._end(writing, LATER if self._out.dropped else code)

    def _stop_reading(self) -> None:
        # What is being stored is stored and told first.
        if self._reading is not None and not self._busy:
            self._reading.cancel()

    async def _end(self, writing: asyncio.Task[None] | None, code: int) -> None:
        if writing is not None:
            if code == POLICY and not self._out.closed:
                self._out.close()
                await asyncio.wait({writing}, timeout=_CLOSE_SECONDS)  # the last errors, if they get through
            writing.cancel()
            await asyncio.wait({writing})
        if code and self._websocket.application_state is WebSocketState.CONNECTED:
            # A peer that reads nothing would keep us waiting here for ever.
            with suppress(Exception):
                await asyncio.wait_for(self._websocket.close(code), _CLOSE_SECONDS)

    # Out

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, OSError, RuntimeError):
            while (message := await self._out.next()) is not None:
                await self._websocket.send({"type": "websocket.send", "text": message.decode()})

    def _send(self, message: object) -> None:
        self._out.send(encoded(message))

    def _send_state(self) -> None:
        if len(self._out) > _BEHIND:
            # States are large: who does not read those that wait gets no more of them.
            raise TooMany("rate-limit", seconds=1)
        seen = Sight(self._live, self._out.viewer, self._out.device)
        self._send(State(seen.view(self._hub.clock())))

    async def _send_missed(self, after: int, upto: int) -> None:
        """What was missed goes out before the queue does, which begins where this ends."""
        table = self._live.table
        for stored in await self._hub.store.read(table.id, after=after, limit=upto - after):
            entry = Entry(stored.seq, stored.time, decode(stored.data))
            text = entry_message(table, entry, self._out.viewer).decode()
            with suppress(RuntimeError):  # closed already, for a bad frame say: reading will tell
                await self._websocket.send({"type": "websocket.send", "text": text})

    def _refuse(self, move_id: str | None, error: GenialError) -> None:
        self._send(Error(move_id, error_data(error, self._language)))

    # In

    async def _read(self) -> int:
        """Take messages until there are too many bad ones; the code to close with."""
        while not self._out.closed:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return 0
            self._busy = True
            try:
                await self._take(message.get("text") or message.get("bytes") or b"")
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
            await self._handle(message)
        except GenialError as error:
            self._refuse(move_id, error)
            if isinstance(error, Stale):
                with suppress(TooMany):
                    self._send_state()

    async def _handle(self, message: ClientMessage) -> None:
        match message:
            case Ping(n):
                self._send(Pong(n))
            case Resync():
                with suppress(StoreAway):  # then what is known here has to do
                    await self._hub.fresh(self._live.table.id)
                self._send_state()
            case WatchPlace(place):
                self._look_from(place)
            case Act() | Back() | Ask() | Answer() | Chat():
                await self._do(message)

    async def _do(self, deed: Act | Back | Ask | Answer | Chat) -> None:
        if self._device is None:
            raise NotSignedIn("not-signed-in")
        entry = await do(
            self._services,
            self._live.table.id,
            self._device,
            deed,
            watches=self._out.viewer == SPECTATOR,
            acknowledge=lambda entry: self._send(Ack(deed.move_id, entry.seq)),
        )
        if entry is None:
            self._send(Ack(deed.move_id, None))

    def _look_from(self, place: int | None) -> None:
        if not self._live.table.places_of(self._out.device):
            raise Forbidden("place-not-yours", place=(place or 0) + 1)
        self._out.viewer = viewer_at(self._live.table, self._out.device, place)
        self._send_state()
