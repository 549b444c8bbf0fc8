"""The entries of a table's log. A table's state is the fold of its entries, and nothing else.

Events of the game travel inside `acted`; everything else is the table's own. `log.py` stores entries.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from genial.core.actions import Action
from genial.core.events import Event
from genial.core.position import Position
from genial.server.tables.absences import Choice
from genial.server.tables.settings import TableSettings


class Holder(Struct, frozen=True, omit_defaults=True):
    """Who holds a place."""

    kind: Literal["person", "bot", "open"]
    name: str = ""
    bot: str | None = None
    device: str | None = None
    """The device that plays here: a hash of its key, never the key itself."""
    bits: str = ""
    away: bool = False
    """The person left, and a bot plays on until they come back (LEAVING)."""
    program: bool = False
    """The device belongs to a bot that plays over HTTP: nobody waits for its opinion."""


class Created(Struct, frozen=True, tag="created"):
    """A table was set up."""

    settings: TableSettings
    host: str
    """The host's device."""
    code: str
    watch: str
    """The code in the spectators' link."""
    start: dict[str, Any] | None = None
    """The record that this table's first game continues, if any."""


class Seated(Struct, frozen=True, tag="seated"):
    """A place has a new holder: a person, a bot, or nobody."""

    place: int
    holder: Holder


class Committed(Struct, frozen=True, tag="committed"):
    """The server commits to the next game's secret, before anybody adds bits to it (DEAL)."""

    number: int
    commitment: str
    """The hash of the secret: all that anybody learns of it until the game is over."""
    secret: str


class Mixed(Struct, frozen=True, tag="mixed"):
    """A place added its bits to the next deal."""

    place: int
    bits: str


class Started(Struct, frozen=True, tag="started"):
    """A game began. Nobody knows its secret until the game is over (DEAL)."""

    number: int
    first: int
    commitment: str
    """The hash of the secret, published before the first tile."""
    bits: list[str]
    secret: str
    start: dict[str, Any] | None = None
    """A record to continue, instead of a fresh deal; a finished one is there for replay."""
    rules: int = 1
    """The version of the rulings that this game is played by, to its end."""


class Acted(Struct, frozen=True, tag="acted"):
    """The holder of a place did something in the game; these events followed."""

    place: int
    action: Action | None
    """None for what the server did on its own."""
    events: tuple[Event, ...]
    bot: str | None = None
    """The bot that chose it, if one did."""
    fallback: bool = False
    after: Position | None = None
    """The position after the events, if it is known already: saves folding them again."""


class TakenBack(Struct, frozen=True, tag="taken-back"):
    """The game returned to where it stood after an earlier entry."""

    place: int
    to: int
    across_draw: bool = False


class Asked(Struct, frozen=True, tag="asked"):
    """A place asks the others to let it return to an earlier entry."""

    place: int
    to: int


class Answered(Struct, frozen=True, tag="answered"):
    """A place says yes or no to what was asked."""

    place: int
    yes: bool


class Offered(Struct, frozen=True, tag="offered"):
    """A place is ready for the next game: the first one offers it, the others accept."""

    place: int


class Lapsed(Struct, frozen=True, tag="lapsed"):
    """A place is no longer ready: its person was gone when the next game was about to begin."""

    place: int


class Declined(Struct, frozen=True, tag="declined"):
    """A place declines another game, withdraws its offer, or leaves: the offer is off."""

    place: int


class Missed(Struct, frozen=True, tag="missed"):
    """The game waits for somebody who is away, and others are there waiting (LEAVING)."""

    place: int
    patience: int
    """Milliseconds until the others may end the game."""


class Unmissed(Struct, frozen=True, tag="unmissed"):
    """A place is no longer waited for: its person is back, or those who waited have gone too."""

    place: int


class Chose(Struct, frozen=True, tag="chose"):
    """Somebody who is waiting says what should happen to the game (LEAVING)."""

    place: int
    absent: int
    """The place they are waiting for."""
    choice: Choice


class Chatted(Struct, frozen=True, tag="chatted", omit_defaults=True):
    """Somebody said something: free text, a quick message, or a reaction."""

    place: int | None
    """None: a spectator."""
    name: str
    text: str = ""
    phrase: str = ""
    mark: str = ""
    """The speaker: see `marks`. Earlier versions left it out."""


class Muted(Struct, frozen=True, tag="muted"):
    """The host muted somebody, or let them speak again."""

    mark: str
    muted: bool


class Removed(Struct, frozen=True, tag="removed"):
    """The host removed somebody from this table, for good."""

    mark: str


class Resumed(Struct, frozen=True, tag="resumed"):
    """The server is back; its downtime is charged to nobody."""

    charged: int
    """Milliseconds that the mover had used before the downtime."""


class Revealed(Struct, frozen=True, tag="revealed"):
    """The secret of a game that is over."""

    number: int
    secret: str


class Closed(Struct, frozen=True, tag="closed"):
    """The table was closed: by its host, by the operator, or because nobody came."""

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
    | Offered
    | Lapsed
    | Declined
    | Missed
    | Unmissed
    | Chose
    | Chatted
    | Muted
    | Removed
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
    """The client's own id for the deed; kept so that nothing is done twice."""


def kind_of(body: Body) -> str:
    """The kind of an entry, which is its tag."""
    tag = body.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
