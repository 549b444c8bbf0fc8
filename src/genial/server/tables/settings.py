"""A table's settings, and the server's limits. Everything that comes from outside has a limit."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from genial.core.series import MOST_GAMES
from genial.server.tables.text import Name

Seconds = Annotated[int, Meta(ge=1, le=7 * 24 * 3600)]
Bits = Annotated[str, Meta(pattern="^[0-9a-f]{16,64}$")]
"""Random bits that a person's client adds to the deal (DEAL)."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Thinking time: per turn, or in total with an increment after each turn, or both."""

    move: Seconds | None = None
    total: Seconds | None = None
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0


class PlaceChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """Who should hold a place: the host, a bot, or whoever comes."""

    kind: Literal["me", "bot", "open"]
    bot: Annotated[str, Meta(max_length=40)] | None = None
    name: Name | None = None
    """The name of the person in this place, if one device holds several (hot-seat)."""


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is played. Fixed from the start of its first game."""

    variant: Annotated[str, Meta(max_length=20)]
    seats: Annotated[int, Meta(ge=1, le=4)]
    name: Name | None = None
    public: bool = False
    """Listed in the lobby."""
    spectators: bool = True
    chat: Literal["off", "phrases", "open"] = "open"
    open_talk: bool = False
    """TEAM: partners may talk, and all four hear it."""
    practice: bool = False
    """Undo across draws is allowed; the record says so."""
    hints: bool = False
    """Players may ask a bot for advice during the game. The browser client turns this on for people who play
    alone or against bots, at a table that isn't public.
    """
    clock: Clock | None = None
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 1
    first: Annotated[int, Meta(ge=0, le=3)] | Literal["lot"] = "lot"
    """FIRST-SEAT: the place that begins, or by lot."""
    start: Literal["host", "full"] = "full"


class Limits(Struct, frozen=True, kw_only=True):
    """Bounds on everything that comes from outside. Hosts can change them."""

    frame_bytes: int = 8 * 1024
    body_bytes: int = 16 * 1024
    record_bytes: int = 1 << 18
    """Size of an uploaded record; a long game has about 20,000 characters."""
    record_events: int = 2000
    """Records with more events are not replayed, analysed or continued. Board games stay below 400 events,
    and a card game of four who all play for time comes to about 600.
    """
    record_seconds: float = 5.0
    """A record that takes longer to judge is given up; 2,000 events take a fraction of a second."""
    send_queue_bytes: int = 256 * 1024
    """What may be queued for a slow reader. Beyond that, updates are dropped, and a whole state follows."""
    connections: int = 10_000
    """Open at the same time, sockets included. Fewer if the process may not open that many files."""
    connections_per_address: int = 192
    """Not counting that address's sockets; a browser keeps six."""
    header_seconds: float = 10.0
    """From the connection, or the first byte, until the head of a request is complete."""
    body_seconds: float = 30.0
    """Until the body of a request has arrived; also for a reader who accepts nothing that we send."""
    idle_seconds: int = 5
    """A connection with no request in progress is closed after this."""
    ping_seconds: float = 20.0
    """How often a socket is pinged, and how long it may take to answer."""
    pieces_per_20s: int = 100
    """Pings, fragments and tiny pieces from one connection; beyond that it is read more slowly."""
    log_lines_per_minute: int = 1200
    """Log lines of one kind; the number suppressed beyond that is logged."""
    sockets_per_address: int = 64
    sockets_per_table: int = 1000
    messages_per_20s: int = 100
    watcher_messages_per_20s: int = 50
    requests_per_minute: int = 300
    devices_per_hour: int = 600
    """Devices and bots first seen from one address, which may be a whole school's."""
    tables_per_hour: int = 60
    """Tables created from one address."""
    tables_open: int = 10_000
    records_per_minute: int = 20
    """Records uploaded from one address to be replayed, analysed or continued."""
    hints_per_minute: int = 30
    analyses_kept: int = 200
    chat_per_minute: int = 20
    """Messages of one device at one table."""
    address_chat_per_minute: int = 60
    """Messages from one address, over all its devices and tables; a whole class may share it."""
    spectator_chat_per_minute: int = 60
    """Messages of all spectators of one table together, counted apart from the players'."""
    chat_length: int = 200
    bot_seconds: float = 10.0
    """A bot that thinks longer is killed, and a fallback plays."""
    bot_pause: float = 0.6
    """A bot takes at least this long, so that people can follow."""
    bot_ending: float = 0.6
    """A bot's turn ends exactly this long after its last placement: whether it had a choice is secret."""
    thoughts_per_address: int = 4
    """Thoughts that one address may have under way at a time; quick moves are counted separately."""
    away_seconds: int = 20
    """Somebody gone longer than this while a game waits for them is away: the others may choose a bot."""
    abandon_seconds: int = 120
    """This long after that, the others may also end the game, if it has two sides."""
    empty_hours: int = 24
    """Tables that nobody starts are removed after this."""
    finished_days: int = 365
