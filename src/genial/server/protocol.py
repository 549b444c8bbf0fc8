"""What comes in and what goes out, as msgspec structs: HTTP, WebSocket, OpenAPI and the client's types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from genial.server.settings import Bits, Name, PlaceChoice, TableSettings
from genial.server.views import EntryMessage, PlaceView, TableView

MoveId = Annotated[str, Meta(pattern="^[A-Za-z0-9_.:-]{1,64}$")]
"""Chosen by the client, new for each thing done: sent again, it is acknowledged again and not done twice."""
Seq = Annotated[int, Meta(ge=0, le=2**53)]
PlaceNumber = Annotated[int, Meta(ge=0, le=3)]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Code = Annotated[str, Meta(min_length=1, max_length=16)]
MoveText = Annotated[str, Meta(min_length=2, max_length=16)]
"""A move in notation: RB@f6,f7, RB, refill or swap."""
Said = Annotated[str, Meta(max_length=1000)]


class Inbound(Struct, frozen=True, forbid_unknown_fields=True):
    """Whatever comes from outside: a field that is not known is refused."""


# Things done at a table. Each is a body of HTTP and, with a tag, a message of the socket.


class ActBody(Inbound, frozen=True):
    """Do something in the game."""

    seq: Seq
    """The last entry that the client has seen: at least the game's, at most the table's."""
    move_id: MoveId
    place: PlaceNumber
    action: MoveText
    then: Literal["refill", "swap"] | None = None
    """Ends the turn in the same breath; left out by the server where the turn goes on."""


class BackBody(Inbound, frozen=True):
    """Take back the last placement of the turn at hand."""

    seq: Seq
    move_id: MoveId
    place: PlaceNumber


class AskBody(Inbound, frozen=True):
    """Ask everybody to let the game return to where it stood after entry `to`."""

    move_id: MoveId
    place: PlaceNumber
    to: Seq


class AnswerBody(Inbound, frozen=True):
    """Say yes or no to what was asked."""

    move_id: MoveId
    place: PlaceNumber
    yes: bool


class ChatBody(Inbound, frozen=True):
    """Say something: free text, or one of the phrases and reactions of GET /api/phrases."""

    move_id: MoveId
    place: PlaceNumber | None = None
    """None: one's own only place; for spectators always."""
    text: Said = ""
    phrase: Annotated[str, Meta(max_length=40)] = ""
    name: Name | None = None
    """How a spectator is called."""


class PlaceBody(Inbound, frozen=True):
    """At which of one's own places; not needed by who holds one."""

    place: PlaceNumber | None = None


# Messages of the socket


class Act(ActBody, frozen=True, tag="act"):
    """Do something in the game."""


class Back(BackBody, frozen=True, tag="back"):
    """Take back the last placement of the turn at hand."""


class Ask(AskBody, frozen=True, tag="ask"):
    """Ask everybody to let the game return to an earlier entry."""


class Answer(AnswerBody, frozen=True, tag="answer"):
    """Say yes or no to what was asked."""


class Chat(ChatBody, frozen=True, tag="chat"):
    """Say something."""


class Resync(Inbound, frozen=True, tag="resync"):
    """Send the whole state again."""


class Ping(Inbound, frozen=True, tag="ping"):
    """Answered by a pong with the same number."""

    n: Seq = 0


class WatchPlace(Inbound, frozen=True, tag="watch-place"):
    """Hot-seat: look from another of one's own places; None draws the curtain."""

    place: PlaceNumber | None = None


ClientMessage = Act | Back | Ask | Answer | Chat | Resync | Ping | WatchPlace


class ErrorData(Struct, frozen=True):
    """What was wrong: a code of the catalogue with its parameters, and the words for it."""

    code: str
    params: dict[str, Any]
    ruling: str | None
    """The ruling that forbids it."""
    text: str
    """In the language of the one who asked."""


class ErrorAnswer(Struct, frozen=True):
    """Every answer with a status of 400 or above."""

    error: ErrorData


class Ack(Struct, frozen=True, tag="ack"):
    """It is done and stored, as entry `seq`; None if there was nothing to do."""

    move_id: str
    seq: int | None


class Error(Struct, frozen=True, tag="error"):
    """It was not done."""

    move_id: str | None
    error: ErrorData


class State(Struct, frozen=True, tag="state"):
    """Everything that this viewer may know."""

    state: TableView


class Presence(Struct, frozen=True, tag="presence"):
    """The places whose people are connected, and how many watch."""

    places: list[int]
    watching: int


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    n: int


ServerMessage = EntryMessage | State | Ack | Error | Presence | Pong


# Bodies of HTTP


class NewTable(Inbound, frozen=True):
    """Set up a table."""

    settings: TableSettings
    places: Annotated[list[PlaceChoice], Meta(min_length=1, max_length=4)]
    name: Name
    """The host's name."""
    bits: Bits | None = None
    """Random bits for the deal. Who leaves them out sees the commitment first, and then adds them (DEAL)."""


class BitsBody(Inbound, frozen=True):
    """One's own random bits for the next deal, sent when its commitment has been seen (DEAL)."""

    bits: Bits


class StartBody(Inbound, frozen=True):
    """Fresh bits for the deal, which every game needs from somebody."""

    bits: Bits | None = None


class JoinBody(Inbound, frozen=True):
    """Find a table by its code; with a name, sit down at it."""

    code: Code
    name: Name | None = None
    bits: Bits | None = None
    place: PlaceNumber | None = None


class SitBody(Inbound, frozen=True):
    """Take an open place: this one, or the first."""

    name: Name
    bits: Bits
    code: Code | None = None
    """The table's join code, for who does not belong to the table yet."""
    place: PlaceNumber | None = None


class InviteBody(Inbound, frozen=True):
    """The host invites a bot that listens, as GET /api/bots lists them."""

    bot: Annotated[str, Meta(min_length=1, max_length=32)]
    place: PlaceNumber | None = None


class BotAccountBody(Inbound, frozen=True):
    """A name for a new bot."""

    name: Name


class BotJoinBody(Inbound, frozen=True):
    """Accept an invitation to a table, or join by code."""

    table: Annotated[str, Meta(max_length=40)] | None = None
    code: Code | None = None
    place: PlaceNumber | None = None
    bits: Bits | None = None


# Answers of HTTP


class Done(Struct, frozen=True):
    """It is stored, as entry `seq`; None if there was nothing to do."""

    seq: int | None


class Hello(Struct, frozen=True):
    """The server, and that this device is known now."""

    version: str
    languages: tuple[str, ...]
    bot: str | None


class LobbyTable(Struct, frozen=True):
    """A public table that waits for players."""

    id: str
    code: str
    variant: str
    seats: int
    open_places: int
    name: str
    created: int


class WatchTable(Struct, frozen=True):
    """A public table where a game is on that everybody may watch."""

    id: str
    variant: str
    seats: int
    name: str
    people: list[str]
    """The names of those who play, bots included, by place."""
    updated: int


class Lobby(Struct, frozen=True):
    """Public tables, the newest first: those that wait for players, and those that can be watched."""

    tables: list[LobbyTable]
    running: list[WatchTable]


class MyTable(Struct, frozen=True):
    """A table where this device sat down."""

    id: str
    variant: str
    seats: int
    status: str
    name: str
    created: int
    updated: int
    places: list[PlaceView]
    """Who holds each place, of the last tables that go on and that this device may look at; else empty."""
    mover: int | None
    """The place to move."""


class MyTables(Struct, frozen=True):
    """The tables of this device, the last touched first."""

    tables: list[MyTable]


class SoloResult(Struct, frozen=True):
    """What this device reached alone."""

    variant: str
    table: str
    number: int
    lowest: int
    total: int
    time: int


class SoloResults(Struct, frozen=True):
    """The best first, variant by variant."""

    results: list[SoloResult]


class BotAccount(Struct, frozen=True):
    """A bot's token, told this once. The server keeps only its hash."""

    token: str
    id: str
    name: str


class Invited(Struct, frozen=True):
    """The bot was told."""

    bot: str
    name: str
