"""The event streams of bots that play over the API: where it is their turn, one line of JSON each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct

from genial.server.auth import Device
from genial.server.errors import NotFound, TooMany
from genial.server.hub import Hub, Live
from genial.server.peers import Invitation
from genial.server.presence import Presence
from genial.server.replies import encoded
from genial.server.subscribers import Subscriber
from genial.server.views import TableView, table_view

KEEP_ALIVE_SECONDS = 15.0
SHOWN_ID = 12
"""So much of a bot's id is shown in lists."""
_MOST_INVITATIONS = 1000
_STREAMS_PER_BOT = 4


class StreamHello(Struct, frozen=True, tag="hello"):
    """The stream is open."""

    name: str
    id: str


class StreamInvited(Struct, frozen=True, tag="invited"):
    """A host asks this bot to a table; POST /api/bot/join accepts."""

    table: str
    variant: str
    seats: int
    place: int | None


class StreamTurn(Struct, frozen=True, tag="turn"):
    """This bot is to move. `state` is all it may know; `state.legal` is what it may do."""

    table: str
    place: int
    seq: int
    """What the action must name."""
    state: TableView


class StreamOver(Struct, frozen=True, tag="over"):
    """A game of this bot's is over, or its table is closed."""

    table: str
    place: int | None
    reason: Literal["over", "closed"]
    state: TableView


StreamEvent = StreamHello | StreamInvited | StreamTurn | StreamOver


class _Feed(Subscriber):
    """A listener of one table that only says that something has happened there."""

    __slots__ = ("_changed", "_table")

    def __init__(self, device: str, place: int, table: str, stream: Stream) -> None:
        super().__init__(device, frozenset({place}), 1)
        self._table = table
        self._changed = stream

    def send(self, message: bytes) -> None:
        self._changed.touch(self._table)


class Stream:
    """One open stream. What waits is a set of tables, so it cannot grow beyond them."""

    def __init__(self, streams: BotStreams, device: Device) -> None:
        self._streams = streams
        self._hub = streams.hub
        self._device = device
        self._touched: dict[str, None] = {}
        self._invited: list[StreamInvited] = []
        self._told: dict[tuple[str, int], tuple[int, int, str]] = {}
        self._feeds: dict[str, tuple[Live, list[_Feed]]] = {}
        self._ready = asyncio.Event()

    def touch(self, table: str) -> None:
        """Something has happened at a table."""
        self._touched[table] = None
        self._ready.set()

    def invite(self, invitation: StreamInvited) -> None:
        """Tell of an invitation."""
        if len(self._invited) < _MOST_INVITATIONS:
            self._invited.append(invitation)
            self._ready.set()

    async def attach(self, table: str) -> None:
        """Follow a table where the bot holds a place."""
        live = await self._hub.fresh(table)
        places = live.table.places_of(self._device.id)
        if table in self._feeds or not places:
            return
        feeds = [_Feed(self._device.id, place, table, self) for place in sorted(places)]
        self._feeds[table] = live, feeds
        for feed in feeds:
            await self._hub.subscribe(table, feed)
        self.touch(table)
        await self._streams.presence.here(live, self._device.id)

    async def lines(self) -> AsyncIterator[bytes]:
        """The stream, line by line, with an empty line now and then to keep it open."""
        yield _line(StreamHello(self._device.bot or "", self._device.id[:SHOWN_ID]))
        for row in await self._hub.store.games_of(self._device.hash):
            if row.status in ("open", "running"):
                await self.attach(row.game)
        while True:
            try:
                await asyncio.wait_for(self._ready.wait(), KEEP_ALIVE_SECONDS)
            except TimeoutError:
                yield b"\n"
                continue
            self._ready.clear()
            invited, self._invited = self._invited, []
            for invitation in invited:
                yield _line(invitation)
            touched, self._touched = self._touched, {}
            for table in touched:
                for event in self._news(table):
                    yield _line(event)

    def _news(self, table: str) -> list[StreamEvent]:
        live, _ = self._feeds[table]
        found: list[StreamEvent] = []
        game, status = live.table.game, live.table.status
        for place in sorted(live.table.places_of(self._device.id)):
            now = (game.number, game.seq, status) if game else (-1, 0, status)
            if self._told.get((table, place)) == now:
                continue
            self._told[table, place] = now
            if game and live.table.is_running:
                if game.mover == place:
                    found.append(StreamTurn(table, place, game.seq, self._state(live, place)))
            elif game or status == "closed":
                reason: Any = "closed" if status == "closed" else "over"
                found.append(StreamOver(table, place, reason, self._state(live, place)))
        return found

    def _state(self, live: Live, place: int) -> TableView:
        return table_view(live.table, frozenset({place}), self._device.id, self._hub.clock())

    def close(self) -> None:
        """Follow nothing any more."""
        for live, feeds in self._feeds.values():
            for feed in feeds:
                self._hub.unsubscribe(live, feed)
            self._streams.presence.gone(live, self._device.id)
        self._feeds.clear()


@dataclass(slots=True)
class _Listening:
    name: str
    streams: set[Stream]


class BotStreams:
    """All streams of this server, and who was invited where."""

    def __init__(self, hub: Hub, presence: Presence) -> None:
        self.hub = hub
        self.presence = presence
        self._open: dict[str, _Listening] = {}
        self._invitations: dict[tuple[str, str], int | None] = {}

    async def follow(self, device: Device) -> AsyncIterator[bytes]:
        """Open a stream for a bot, until whoever reads it goes away."""
        listening = self._open.setdefault(device.id, _Listening(device.bot or "", set()))
        stream = Stream(self, device)
        listening.streams.add(stream)
        self.hub.peers.listens(device.id, listening.name)
        try:
            async for line in stream.lines():
                yield line
        finally:
            listening.streams.discard(stream)
            if not listening.streams:
                self._open.pop(device.id, None)
                self.hub.peers.listens(device.id, None)
            stream.close()

    def check_room(self, device: Device) -> None:
        """Refuse more streams than a bot needs."""
        if device.id in self._open and len(self._open[device.id].streams) >= _STREAMS_PER_BOT:
            raise TooMany("too-many-open", limit=_STREAMS_PER_BOT)

    async def attach(self, device: Device, table: str) -> None:
        """A bot sat down: its streams follow the table."""
        self.hub.peers.sat(device.id, table)
        await self.sat(device.id, table)

    async def sat(self, device: str, table: str) -> None:
        """The same, here or elsewhere: the streams of this process follow the table."""
        self._invitations.pop((device, table), None)
        for stream in list(self._open[device].streams) if device in self._open else ():
            await stream.attach(table)

    def listening(self) -> list[tuple[str, str]]:
        """The bots that can be invited: shown id and name."""
        return sorted((device[:SHOWN_ID], name) for device, name in self._everywhere().items())

    def _everywhere(self) -> dict[str, str]:
        here = {device: found.name for device, found in self._open.items()}
        return self.hub.peers.listening() | here

    def invite(self, bot: str, invitation: StreamInvited) -> tuple[str, str]:
        """Ask a listening bot, by shown id or by name, to a table."""
        for device, name in self._everywhere().items():
            if bot in (device[:SHOWN_ID], name):
                told = Invitation(
                    device, invitation.table, invitation.variant, invitation.seats, invitation.place
                )
                self.invited(told)
                self.hub.peers.invite(told)
                return device[:SHOWN_ID], name
        raise NotFound("bot-not-listening", name=bot)

    def invited(self, told: Invitation) -> None:
        """Keep an invitation, made here or elsewhere, and pass it on to the bot if it listens here."""
        if len(self._invitations) >= _MOST_INVITATIONS:
            self._invitations.pop(next(iter(self._invitations)))
        self._invitations[told.device, told.table] = told.place
        for stream in self._open[told.device].streams if told.device in self._open else ():
            stream.invite(StreamInvited(told.table, told.variant, told.seats, told.place))

    def is_invited(self, device: Device, table: str) -> bool:
        """Whether a host asked this bot to this table."""
        return (device.id, table) in self._invitations

    def invited_place(self, device: Device, table: str) -> int | None:
        """The place that the host meant, if any."""
        return self._invitations.get((device.id, table))


def _line(event: StreamEvent) -> bytes:
    return encoded(event) + b"\n"
