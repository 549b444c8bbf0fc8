"""What comes in and what goes out, as msgspec structs: HTTP, WebSocket, OpenAPI and the client's types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from genial.server.calls.capabilities import Capability
from genial.server.tables.absences import Choice
from genial.server.tables.news import Ack, Presence, Update, Waiting
from genial.server.tables.settings import Bits, PlaceChoice, TableSettings
from genial.server.tables.text import Name, shown_text
from genial.server.tables.views import PlaceView

MoveId = Annotated[str, Meta(pattern="^[A-Za-z0-9_.:-]{1,64}$")]
"""Chosen by the client, new for each thing done: sent again, it is acknowledged again and not done twice."""
Seq = Annotated[int, Meta(ge=0, le=2**53)]
PlaceNumber = Annotated[int, Meta(ge=0, le=3)]
Code = Annotated[str, Meta(min_length=1, max_length=16)]
Mark = Annotated[str, Meta(pattern="^[0-9a-f]{10}$")]
"""Who sits or has spoken at a table: `mark` of places and of what was said."""
MoveText = Annotated[str, Meta(min_length=2, max_length=16)]
"""A move in notation: RB@f6,f7, RB, refill or swap."""


class Inbound(Struct, frozen=True, forbid_unknown_fields=True):
    """Whatever comes from outside: a field that is not known is refused."""


# Things done at a table. Each is a body of HTTP and, with a tag, a message of the socket.


class AtPlace(Inbound, frozen=True):
    """Something that is done at one of one's own places."""

    move_id: MoveId
    place: PlaceNumber


class ActBody(AtPlace, frozen=True):
    """Do something in the game."""

    seq: Seq
    """The last entry that the client has seen: at least the game's, at most the table's."""
    action: MoveText
    then: Literal["refill", "swap"] | None = None
    """Ends the turn in the same breath; left out by the server where the turn goes on."""


class BackBody(AtPlace, frozen=True):
    """Take back the last placement of the turn at hand."""

    seq: Seq


class AskBody(AtPlace, frozen=True):
    """Ask everybody to let the game return to where it stood after entry `to`."""

    to: Seq


class AnswerBody(AtPlace, frozen=True):
    """Say yes or no to what was asked."""

    yes: bool


class ChooseBody(AtPlace, frozen=True):
    """Say what should become of a game that waits for somebody who is away (LEAVING)."""

    absent: PlaceNumber
    """The place that is waited for."""
    choice: Choice


class ChatBody(Inbound, frozen=True):
    """Say something: free text, or one of the phrases and reactions of GET /api/phrases."""

    move_id: MoveId
    place: PlaceNumber | None = None
    """None: one's own only place; for spectators always."""
    text: Annotated[str, shown_text(1000, empty="chat-empty")] = ""
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


class Choose(ChooseBody, frozen=True, tag="choose"):
    """Say what should become of a game that waits for somebody who is away."""


class Chat(ChatBody, frozen=True, tag="chat"):
    """Say something."""


class Resync(Inbound, frozen=True, tag="resync"):
    """Send the whole state: something is missing between what was seen and what came."""


class Ping(Inbound, frozen=True, tag="ping"):
    """Answered by a pong with the same number."""

    n: Seq = 0


class WatchPlace(Inbound, frozen=True, tag="watch-place"):
    """Hot-seat: look from another of one's own places; None draws the curtain."""

    place: PlaceNumber | None = None


ClientMessage = Act | Back | Ask | Answer | Choose | Chat | Resync | Ping | WatchPlace


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


class Error(Struct, frozen=True, tag="error"):
    """It was not done."""

    move_id: str | None
    error: ErrorData


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    n: int


ServerMessage = Update | Ack | Error | Presence | Waiting | Pong


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


class RematchBody(Inbound, frozen=True):
    """Offer or accept the next game, with fresh bits for its deal; or say no."""

    bits: Bits | None = None
    yes: bool = True
    number: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    """The game that is meant, as `game.number` will be: once it has begun there is nothing to do."""


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


class MuteBody(Inbound, frozen=True):
    """Whom the host lets say nothing, or lets speak again."""

    mark: Mark
    muted: bool = True


class RemoveBody(Inbound, frozen=True):
    """Whom the host sends away."""

    mark: Mark


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
    """Where the tables are, and that this device is known there now."""

    version: str
    languages: tuple[str, ...]
    bot: str | None
    can: list[Capability]
    """What there is here."""


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
    table: str
    """What lies there, in notation, where a game is on that may be told; else empty."""
    figures: list[int]
    """Of that game, for each place what is compared first: the lowest colour, or the colours won."""


class MyTables(Struct, frozen=True):
    """The tables of this device, the last touched first."""

    tables: list[MyTable]


class FinishedPlace(Struct, frozen=True):
    """Who held a place in a game that is over, and how it went there."""

    name: str
    bot: str | None
    yours: bool
    """Whether this device holds the place."""
    rank: int
    """Of the place's side: 1 for who won. A draw has several."""
    figure: int
    """What is compared first: the lowest colour, or the colours won."""


class FinishedGame(Struct, frozen=True):
    """A game that is over, at a table of this device."""

    table: str
    number: int
    variant: str
    name: str
    """Of the table."""
    updated: int
    """When the table was last touched."""
    reason: str
    places: list[FinishedPlace]


class FinishedGames(Struct, frozen=True):
    """Games that are over, the last played first."""

    games: list[FinishedGame]
    next: str | None
    """Where the next page begins; None where this is the last."""


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
