"""What a table is set up with, and the server's limits. Everything from outside has a limit."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from genial.core.series import MOST_GAMES

Name = Annotated[str, Meta(min_length=1, max_length=24)]
"""A person's or a table's name, as shown."""
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
    send_queue: int = 256
    """Messages that wait for a slow reader before it is dropped."""
    sockets_per_address: int = 64
    sockets_per_table: int = 1000
    messages_per_20s: int = 100
    watcher_messages_per_20s: int = 50
    requests_per_minute: int = 300
    tables_per_hour: int = 60
    """Tables created from one address."""
    tables_open: int = 10_000
    records_per_minute: int = 20
    """Records that one address brings to be replayed, analysed or continued."""
    hints_per_minute: int = 30
    analyses_kept: int = 200
    chat_per_minute: int = 20
    chat_length: int = 200
    bot_seconds: float = 10.0
    """A bot that thinks longer is killed, and a fallback plays."""
    bot_pause: float = 0.6
    """A bot takes at least this long, so that people can follow."""
    away_seconds: int = 60
    """Who is gone longer than this in a game with others is replaced by a bot."""
    empty_hours: int = 24
    """Tables that nobody starts are removed."""
    finished_days: int = 365
