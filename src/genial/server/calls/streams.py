"""The event streams of bots that play over the API: invitations, turns and ends, one line of JSON each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct
from msgspec.structs import astuple

from genial.server.calls.access import viewer_at
from genial.server.calls.answering import encoded
from genial.server.calls.devices import Device
from genial.server.tables.errors import NotFound, TooMany
from genial.server.tables.hub import Hub, Live
from genial.server.tables.news import News
from genial.server.tables.peers import Banned, Invitation
from genial.server.tables.presence import Presence
from genial.server.tables.views import TableView, Viewer, table_view, viewer_of

KEEP_ALIVE_SECONDS = 15.0
SHOWN_ID_LENGTH = 12
"""How much of a bot's id is shown in lists."""
_MOST_INVITATIONS = 1000
_STREAMS_PER_BOT = 4


class StreamHello(Struct, frozen=True, tag="hello"):
    """The stream is open."""

    name: str
    id: str


class StreamInvited(Struct, frozen=True, tag="invited"):
    """A host invites this bot to a table; POST /api/bot/join accepts."""

    table: str
    variant: str
    seats: int
    place: int | None


class StreamTurn(Struct, frozen=True, tag="turn"):
    """It is this bot's turn. `state` is all it may know; `state.legal` is what it may do."""

    table: str
    place: int
    seq: int
    """The number that the action must name."""
    state: TableView


class StreamOver(Struct, frozen=True, tag="over"):
    """One of this bot's games is over, or its table is closed."""

    table: str
    place: int | None
    reason: Literal["over", "closed"]
    state: TableView


StreamEvent = StreamHello | StreamInvited | StreamTurn | StreamOver


@dataclass(slots=True, eq=False)
class _Feed:
    """A listener at one table that only reports that something has happened there."""

    device: str
    address: str
    viewer: Viewer
    live: Live
    stream: Stream
    told: dict[int, tuple[int, int, str]] = field(default_factory=dict)
    """For each of the bot's places: the game, its last entry and the table's status when it was last told."""

    def tell(self, news: News) -> None:
        self.stream.touch(self)

    def close(self) -> None:
        """The stream stays open, because the bot may sit elsewhere too; a ban ends the stream itself."""


class Stream:
    """One open stream. Its backlog is a set of tables, so it can't grow beyond their number."""

    def __init__(self, hub: Hub, presence: Presence, device: Device, address: str) -> None:
        self.device = device
        self.address = address
        self._ended = False
        self._hub = hub
        self._presence = presence
        self._touched: dict[_Feed, None] = {}
        self._invited: list[StreamInvited] = []
        self._feeds: dict[str, _Feed] = {}
        self._ready = asyncio.Event()

    def touch(self, feed: _Feed) -> None:
        """Something has happened at a table."""
        self._touched[feed] = None
        self._ready.set()

    def invite(self, invitation: StreamInvited) -> None:
        """Announce an invitation."""
        if len(self._invited) < _MOST_INVITATIONS:
            self._invited.append(invitation)
            self._ready.set()

    async def attach(self, table_id: str) -> None:
        """Follow a table where the bot holds a place."""
        live = await self._hub.fresh(table_id)
        viewer = viewer_of(live.table, self.device.id)
        if table_id in self._feeds or not viewer.own:
            return
        feed = self._feeds[table_id] = _Feed(self.device.id, self.address, viewer, live, self)
        await self._hub.subscribe(table_id, feed)
        self.touch(feed)
        await self._presence.came(live, self.device.id)

    async def lines(self) -> AsyncIterator[bytes]:
        """The stream, line by line, with an empty line now and then to keep it open."""
        yield _line(StreamHello(self.device.bot or "", self.device.id[:SHOWN_ID_LENGTH]))
        for row in await self._hub.store.tables_of(self.device.hash):
            if row.status in ("open", "running"):
                await self.attach(row.table_id)
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    await self._ready.wait()
            except TimeoutError:
                yield b"\n"
                continue
            if self._ended:
                return
            self._ready.clear()
            invited, self._invited = self._invited, []
            for invitation in invited:
                yield _line(invitation)
            touched, self._touched = self._touched, {}
            for feed in touched:
                for event in self._news(feed):
                    yield _line(event)

    def _news(self, feed: _Feed) -> list[StreamEvent]:
        table, news = feed.live.table, list[StreamEvent]()
        game, status = table.game, table.status
        now = (game.number, game.seq, status) if game else (-1, 0, status)
        for place in sorted(table.places_of(self.device.id)):
            if feed.told.get(place) == now:
                continue
            feed.told[place] = now
            if game and table.is_running:
                if game.mover == place:
                    news.append(StreamTurn(table.id, place, game.seq, self._state(feed.live, place)))
            elif game or table.closed:
                reason: Literal["over", "closed"] = "closed" if table.closed else "over"
                news.append(StreamOver(table.id, place, reason, self._state(feed.live, place)))
        return news

    def _state(self, live: Live, place: int) -> TableView:
        viewer = viewer_at(live.table, self.device.id, place)
        return table_view(live.table, viewer, self._hub.clock(), live.told)

    def end(self) -> None:
        """Send no more lines."""
        self._ended = True
        self._ready.set()

    def close(self) -> None:
        """Stop following all tables."""
        for feed in self._feeds.values():
            self._hub.unsubscribe(feed.live, feed)
            self._presence.gone(feed.live, self.device.id)
        self._feeds.clear()


class BotStreams:
    """All streams of this process, and the open invitations."""

    def __init__(self, hub: Hub, presence: Presence) -> None:
        self._hub = hub
        self._presence = presence
        self._open: set[Stream] = set()
        self._invitations: dict[tuple[str, str], int | None] = {}

    async def follow(self, device: Device, address: str) -> AsyncIterator[bytes]:
        """Open a stream for a bot, until its reader goes away."""
        stream = Stream(self._hub, self._presence, device, address)
        self._open.add(stream)
        self._hub.peers.listens(device.id, device.bot)
        try:
            async for line in stream.lines():
                yield line
        finally:
            self._open.discard(stream)
            if not self._streams_of(device.id):
                self._hub.peers.listens(device.id, None)
            stream.close()

    def _streams_of(self, device: str) -> list[Stream]:
        return [stream for stream in self._open if stream.device.id == device]

    def put_out(self, banned: Banned) -> None:
        """End the streams of a banned device or address."""
        for stream in self._open:
            if banned.is_meant(stream.device.id, stream.address):
                stream.end()

    def check_room(self, device: Device) -> None:
        """Refuse more streams than a bot needs."""
        if len(self._streams_of(device.id)) >= _STREAMS_PER_BOT:
            raise TooMany("too-many-open", limit=_STREAMS_PER_BOT)

    async def attach(self, device: Device, table_id: str) -> None:
        """A bot sat down: let its streams follow the table."""
        self._hub.peers.sat(device.id, table_id)
        await self.sat(device.id, table_id)

    async def sat(self, device: str, table_id: str) -> None:
        """The same for a bot that sat down here or elsewhere: let this process's streams follow the table."""
        self._invitations.pop((device, table_id), None)
        for stream in self._streams_of(device):
            await stream.attach(table_id)

    def listening(self) -> list[tuple[str, str]]:
        """The bots that can be invited: shown id and name."""
        return sorted((device[:SHOWN_ID_LENGTH], name) for device, name in self._everywhere().items())

    def _everywhere(self) -> dict[str, str]:
        here = {stream.device.id: stream.device.bot or "" for stream in self._open}
        return self._hub.peers.listening() | here

    def invite(self, bot: str, invitation: StreamInvited) -> tuple[str, str]:
        """Invite a listening bot to a table, by shown id or by name."""
        for device, name in self._everywhere().items():
            if bot in (device[:SHOWN_ID_LENGTH], name):
                told = Invitation(device, *astuple(invitation))
                self.invited(told)
                self._hub.peers.invite(told)
                return device[:SHOWN_ID_LENGTH], name
        raise NotFound("bot-not-listening", name=bot)

    def invited(self, told: Invitation) -> None:
        """Keep an invitation, made here or elsewhere, and pass it on to the bot if it listens here."""
        if len(self._invitations) >= _MOST_INVITATIONS:
            self._invitations.pop(next(iter(self._invitations)))
        self._invitations[told.device, told.table] = told.place
        for stream in self._streams_of(told.device):
            stream.invite(StreamInvited(told.table, told.variant, told.seats, told.place))

    def invited_place(self, device: Device, table_id: str) -> int | None:
        """The place that a host meant for this bot, if any. Without an invitation the table stays hidden."""
        if (device.id, table_id) not in self._invitations:
            raise NotFound("table-unknown")
        return self._invitations[device.id, table_id]


def _line(event: StreamEvent) -> bytes:
    return encoded(event) + b"\n"
