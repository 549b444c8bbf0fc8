"""The entries of a table's log. The state of a table is the fold of its entries, and nothing else.

Events of the game travel inside `acted`; everything else is the table's own.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from genial.server.settings import TableSettings


class Holder(Struct, frozen=True, omit_defaults=True):
    """Who holds a place."""

    kind: Literal["person", "bot", "open"]
    name: str = ""
    bot: str | None = None
    device: str | None = None
    """The device that plays here: the hash of its key, never the key."""
    bits: str = ""
    away: bool = False
    """The person left, and a bot plays on until they come back (LEAVING)."""


class Created(Struct, frozen=True, tag="created"):
    """A table was set up."""

    settings: TableSettings
    host: str
    """The device of the host."""
    code: str
    watch: str
    """The code of the spectators' link."""
    start: dict[str, Any] | None = None
    """A record whose game goes on as this table's first."""


class Seated(Struct, frozen=True, tag="seated"):
    """A place has a new holder: a person, a bot, or nobody."""

    place: int
    holder: Holder


class Committed(Struct, frozen=True, tag="committed"):
    """The server binds itself to the secret of the next game, before anybody adds bits to it (DEAL)."""

    number: int
    commitment: str
    """The hash of the secret: all that anybody is told of it until the game is over."""
    secret: str


class Mixed(Struct, frozen=True, tag="mixed"):
    """A place adds its bits to the next deal."""

    place: int
    bits: str


class Started(Struct, frozen=True, tag="started"):
    """A game begins. The secret is known to nobody until the game is over (DEAL)."""

    number: int
    first: int
    commitment: str
    """The hash of the secret, published before the first tile."""
    bits: list[str]
    secret: str
    start: dict[str, Any] | None = None
    """A record to go on from, instead of a fresh deal; a finished one is there to be replayed."""
    rules: int = 1
    """The version of the rulings that this game is played by, to its end."""


class Acted(Struct, frozen=True, tag="acted", omit_defaults=True):
    """The holder of a place did something in the game; these events followed."""

    place: int
    action: str
    """In notation; empty for what the server did by itself."""
    events: list[dict[str, Any]]
    bot: str | None = None
    """The bot that chose it, if one did."""
    fallback: bool = False


class TakenBack(Struct, frozen=True, tag="taken-back"):
    """The game returned to where it stood after an earlier entry."""

    place: int
    to: int
    across_draw: bool = False


class Asked(Struct, frozen=True, tag="asked"):
    """A place asks the others to let it take back to an earlier entry."""

    place: int
    to: int


class Answered(Struct, frozen=True, tag="answered"):
    """A place says yes or no to what was asked."""

    place: int
    yes: bool


class Chatted(Struct, frozen=True, tag="chatted", omit_defaults=True):
    """Somebody said something: free text, a fixed phrase, or a reaction."""

    place: int | None
    """None: a spectator."""
    name: str
    text: str = ""
    phrase: str = ""


class Resumed(Struct, frozen=True, tag="resumed"):
    """The server is back; the time that it was away is charged to nobody."""

    charged: int
    """Milliseconds that the mover had used before."""


class Revealed(Struct, frozen=True, tag="revealed"):
    """The secret of a game that is over."""

    number: int
    secret: str


class Closed(Struct, frozen=True, tag="closed"):
    """The table is closed: by its host, by the operator, or because nobody came."""

    reason: Literal["host", "operator", "expired"]


Body = (
    Created
    | Committed
    | Seated
    | Mixed
    | Started
    | Acted
    | TakenBack
    | Asked
    | Answered
    | Chatted
    | Resumed
    | Revealed
    | Closed
)


class Entry(Struct, frozen=True):
    """A numbered entry of one table's log."""

    seq: int
    time: int
    """Milliseconds since the epoch."""
    body: Body
    move_id: str | None = None


_decoder = msgspec.json.Decoder(Body)


def encode(body: Body) -> bytes:
    """An entry's body as it is stored."""
    return msgspec.json.encode(body)


def decode(data: bytes) -> Body:
    """A stored body."""
    body: Body = _decoder.decode(data)
    return body


def kind_of(body: Body) -> str:
    """The kind of an entry: its tag."""
    tag = body.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
