"""What a table is set up with, and the server's limits. Everything from outside has a limit."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from genial.core.series import MOST_GAMES
from genial.server.tables.text import Name

Seconds = Annotated[int, Meta(ge=1, le=7 * 24 * 3600)]
Bits = Annotated[str, Meta(pattern="^[0-9a-f]{16,64}$")]
"""Random bits that a person's client adds to the deal (DEAL)."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Thinking time: for each move, or in total with an increment after each turn; or both."""

    move: Seconds | None = None
    total: Seconds | None = None
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0


class PlaceChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to hold a place: the host, a bot, or whoever comes."""

    kind: Literal["me", "bot", "open"]
    bot: Annotated[str, Meta(max_length=40)] | None = None
    name: Name | None = None
    """The name of a person at this place, where one device holds several (hot-seat)."""


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
    """Take back across a draw; the record says so."""
    hints: bool = False
    """A bot may be asked for advice during the game. The browser client wishes it for who plays alone or
    against bots, at a table that is not public."""
    clock: Clock | None = None
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 1
    first: Annotated[int, Meta(ge=0, le=3)] | Literal["lot"] = "lot"
    """FIRST-SEAT: the place that begins, or lots."""
    start: Literal["host", "full"] = "full"


class Limits(Struct, frozen=True, kw_only=True):
    """Bounds on everything that comes from outside. A host may set others."""

    frame_bytes: int = 8 * 1024
    body_bytes: int = 16 * 1024
    record_bytes: int = 1 << 18
    """A record that somebody brings; a long game has about 20,000 characters."""
    record_events: int = 2000
    """A record of more is not replayed, analysed or continued. Games on boards stay below 400 events, and
    cards among four who all play for time come to about 600."""
    record_seconds: float = 5.0
    """A record that takes longer to judge is given up; 2,000 events take a fraction of a second."""
    send_queue_bytes: int = 256 * 1024
    """What may wait for a slow reader. Beyond it updates are left out, and a whole state follows."""
    connections: int = 10_000
    """Open at one time, sockets included. Fewer where the process may open fewer files."""
    connections_per_address: int = 192
    """Beside the sockets of that address; a browser keeps six."""
    header_seconds: float = 10.0
    """From the connection, or the first byte, until the head of a request is whole."""
    body_seconds: float = 30.0
    """Until the body of a request has come, and for a reader who takes nothing of what we send."""
    idle_seconds: int = 5
    """A connection without a request under way is closed after this."""
    ping_seconds: float = 20.0
    """How often a socket is asked whether it is still there, and how long it may take to say so."""
    pieces_per_20s: int = 100
    """Pings, fragments and crumbs from one connection; beyond it, it is read more slowly."""
    log_lines_per_minute: int = 1200
    """Lines of one kind in the log; how many more there would have been is told."""
    sockets_per_address: int = 64
    sockets_per_table: int = 1000
    messages_per_20s: int = 100
    watcher_messages_per_20s: int = 50
    requests_per_minute: int = 300
    devices_per_hour: int = 600
    """Devices and bots that become known from one address, which may be a school's."""
    tables_per_hour: int = 60
    """Tables created from one address."""
    tables_open: int = 10_000
    records_per_minute: int = 20
    """Records that one address brings to be replayed, analysed or continued."""
    hints_per_minute: int = 30
    analyses_kept: int = 200
    chat_per_minute: int = 20
    """Words of one device at one table."""
    address_chat_per_minute: int = 60
    """Words from one address, however many devices and tables it has: a class of pupils is one."""
    spectator_chat_per_minute: int = 60
    """Words of all spectators of one table together. They take nothing from what players may say."""
    chat_length: int = 200
    bot_seconds: float = 10.0
    """A bot that thinks longer is killed, and a fallback plays."""
    bot_pause: float = 0.6
    """A bot takes at least this long, so that people can follow."""
    bot_ending: float = 0.6
    """A bot's turn ends exactly so long after its last placement: whether it had a choice is secret."""
    thoughts_per_address: int = 4
    """What one address may have bots think about at a time; quick moves are counted by themselves."""
    away_seconds: int = 20
    """Who is gone longer than this while a game waits for them is away: the others may choose a bot."""
    abandon_seconds: int = 120
    """So long after that the others may also end the game, if it has two sides."""
    empty_hours: int = 24
    """Tables that nobody starts are removed."""
    finished_days: int = 365
