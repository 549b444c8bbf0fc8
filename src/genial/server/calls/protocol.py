"""All input and output as msgspec structs: HTTP, WebSocket, OpenAPI and the client's types."""

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
"""Chosen by the client, new for each deed. Sent again, it is acknowledged again but not done twice."""
Seq = Annotated[int, Meta(ge=0, le=2**53)]
PlaceNumber = Annotated[int, Meta(ge=0, le=3)]
Code = Annotated[str, Meta(min_length=1, max_length=16)]
Mark = Annotated[str, Meta(pattern="^[0-9a-f]{10}$")]
"""Somebody who sits or has spoken at a table: the `mark` of a place or a chat message."""
MoveText = Annotated[str, Meta(min_length=2, max_length=16)]
"""A move in notation: RB@f6,f7, RB, refill or swap."""


class Inbound(Struct, frozen=True, forbid_unknown_fields=True):
    """Anything that comes from outside: unknown fields are refused."""


# Deeds at a table. Each is an HTTP body and, with a tag, a message on the socket.


class AtPlace(Inbound, frozen=True):
    """Something done in one of the caller's places."""

    move_id: MoveId
    place: PlaceNumber


class ActBody(AtPlace, frozen=True):
    """Do something in the game."""

    seq: Seq
    """The last entry that the client has seen: no earlier than the game's last, no later than the table's."""
    action: MoveText
    then: Literal["refill", "swap"] | None = None
    """Ends the turn along with it; ignored if the turn goes on."""


class BackBody(AtPlace, frozen=True):
    """Take back the last placement of the current turn."""

    seq: Seq


class AskBody(AtPlace, frozen=True):
    """Ask everybody to let the game return to where it stood after entry `to`."""

    to: Seq


class AnswerBody(AtPlace, frozen=True):
    """Say yes or no to what was asked."""

    yes: bool


class ChooseBody(AtPlace, frozen=True):
    """Choose what should happen to a game that waits for somebody who is away (LEAVING)."""

    absent: PlaceNumber
    """The place that the game waits for."""
    choice: Choice


class ChatBody(Inbound, frozen=True):
    """Say something: free text, or one of the phrases and reactions from GET /api/phrases."""

    move_id: MoveId
    place: PlaceNumber | None = None
    """None for the device's first place, and for spectators."""
    text: Annotated[str, shown_text(1000, empty="chat-empty")] = ""
    phrase: Annotated[str, Meta(max_length=40)] = ""
    name: Name | None = None
    """A spectator's name."""


class PlaceBody(Inbound, frozen=True):
    """Which of the caller's places; may be left out if there is only one."""

    place: PlaceNumber | None = None


# Messages on the socket


class Act(ActBody, frozen=True, tag="act"):
    """Do something in the game."""


class Back(BackBody, frozen=True, tag="back"):
    """Take back the last placement of the current turn."""


class Ask(AskBody, frozen=True, tag="ask"):
    """Ask everybody to let the game return to an earlier entry."""


class Answer(AnswerBody, frozen=True, tag="answer"):
    """Say yes or no to what was asked."""


class Choose(ChooseBody, frozen=True, tag="choose"):
    """Choose what should happen to a game that waits for somebody who is away."""


class Chat(ChatBody, frozen=True, tag="chat"):
    """Say something."""


class Resync(Inbound, frozen=True, tag="resync"):
    """Send the whole state: the client has noticed a gap."""


class Ping(Inbound, frozen=True, tag="ping"):
    """Answered by a pong with the same number."""

    n: Seq = 0


class WatchPlace(Inbound, frozen=True, tag="watch-place"):
    """Hot-seat: look from another of the device's places; None draws the curtain."""

    place: PlaceNumber | None = None


ClientMessage = Act | Back | Ask | Answer | Choose | Chat | Resync | Ping | WatchPlace


class ErrorData(Struct, frozen=True):
    """What was wrong: a code from the catalogue with its parameters, and the words for it."""

    code: str
    params: dict[str, Any]
    ruling: str | None
    """The ruling that forbids it."""
    text: str
    """In the caller's language."""


class ErrorAnswer(Struct, frozen=True):
    """Every answer with a status of 400 or above."""

    error: ErrorData


class Error(Struct, frozen=True, tag="error"):
    """The message was refused."""

    move_id: str | None
    error: ErrorData


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    n: int


ServerMessage = Update | Ack | Error | Presence | Waiting | Pong


# HTTP bodies


class NewTable(Inbound, frozen=True):
    """Set up a table."""

    settings: TableSettings
    places: Annotated[list[PlaceChoice], Meta(min_length=1, max_length=4)]
    name: Name
    """The host's name."""
    bits: Bits | None = None
    """Random bits for the deal. Without them the host sees the commitment first, then adds them (DEAL)."""


class BitsBody(Inbound, frozen=True):
    """The caller's random bits for the next deal, sent once its commitment has been seen (DEAL)."""

    bits: Bits


class StartBody(Inbound, frozen=True):
    """Fresh bits for the deal; every game needs some from somebody."""

    bits: Bits | None = None


class RematchBody(Inbound, frozen=True):
    """Offer or accept the next game, with fresh bits for its deal; or decline."""

    bits: Bits | None = None
    yes: bool = True
    number: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    """The `game.number` of the game that is meant; once it has begun, there is nothing to do."""


class JoinBody(Inbound, frozen=True):
    """Find a table by its code; with a name, sit down at it."""

    code: Code
    name: Name | None = None
    bits: Bits | None = None
    place: PlaceNumber | None = None


class SitBody(Inbound, frozen=True):
    """Take an open place: this one, or the first one."""

    name: Name
    bits: Bits
    code: Code | None = None
    """The table's join code, for callers who don't belong to the table yet."""
    place: PlaceNumber | None = None


class InviteBody(Inbound, frozen=True):
    """The host invites a listening bot from the list of GET /api/bots."""

    bot: Annotated[str, Meta(min_length=1, max_length=32)]
    place: PlaceNumber | None = None


class MuteBody(Inbound, frozen=True):
    """The person whom the host mutes, or lets speak again."""

    mark: Mark
    muted: bool = True


class RemoveBody(Inbound, frozen=True):
    """The person whom the host removes."""

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


# HTTP answers


class Done(Struct, frozen=True):
    """It is stored, as entry `seq`; None if there was nothing to do."""

    seq: int | None


class Hello(Struct, frozen=True):
    """About the place where the tables are kept, which now knows this device."""

    version: str
    languages: tuple[str, ...]
    bot: str | None
    can: list[Capability]
    """What is available here."""


class LobbyTable(Struct, frozen=True):
    """A public table that is waiting for players."""

    id: str
    code: str
    variant: str
    seats: int
    open_places: int
    name: str
    created: int


class WatchTable(Struct, frozen=True):
    """A public table with a game that everybody may watch."""

    id: str
    variant: str
    seats: int
    name: str
    people: list[str]
    """The names of the players, bots included, by place."""
    updated: int


class Lobby(Struct, frozen=True):
    """Public tables, newest first: those that are waiting for players, and those that can be watched."""

    tables: list[LobbyTable]
    running: list[WatchTable]


class MyTable(Struct, frozen=True):
    """A table at which this device has sat down."""

    id: str
    variant: str
    seats: int
    status: str
    name: str
    created: int
    updated: int
    places: list[PlaceView]
    """Who holds each place; only for the latest unfinished tables that this device may see, else empty."""
    mover: int | None
    """The place whose turn it is."""
    table: str
    """What lies on the table, in notation; empty unless a game is running that this device may see."""
    figures: list[int]
    """For each place, the figure compared first in that game: the lowest colour, or the colours won."""


class MyTables(Struct, frozen=True):
    """The tables of this device, the most recently used first."""

    tables: list[MyTable]


class FinishedPlace(Struct, frozen=True):
    """Who held a place in a finished game, and how they did."""

    name: str
    bot: str | None
    yours: bool
    """True if this device holds the place."""
    rank: int
    """The rank of the place's side: 1 for the winner. In a draw, several have it."""
    figure: int
    """The figure compared first: the lowest colour, or the colours won."""


class FinishedGame(Struct, frozen=True):
    """A finished game at one of this device's tables."""

    table: str
    number: int
    variant: str
    name: str
    """The table's name."""
    updated: int
    """When the table was last used."""
    reason: str
    places: list[FinishedPlace]


class FinishedGames(Struct, frozen=True):
    """Finished games, the most recently played first."""

    games: list[FinishedGame]
    next: str | None
    """Where the next page begins; None if this is the last."""


class SoloResult(Struct, frozen=True):
    """A solo result of this device."""

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
    """A bot's token, shown only this once. The server keeps only its hash."""

    token: str
    id: str
    name: str


class Invited(Struct, frozen=True):
    """The bot has been told."""

    bot: str
    name: str
