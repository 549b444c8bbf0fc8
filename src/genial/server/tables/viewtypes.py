"""The shapes of core's plain data, so that the API's document and the client's types can name them."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class EventData(TypedDict):
    """An event of a record (docs/notation.md). A tile that the viewer may not see is `??`."""

    type: str
    seat: NotRequired[int]
    tile: NotRequired[str]
    tiles: NotRequired[list[str]]
    cells: NotRequired[list[list[int]]]
    level: NotRequired[int]
    gain: NotRequired[list[int]]
    reason: NotRequired[str]
    tracks: NotRequired[list[list[int]]]
    ranks: NotRequired[list[int]]
    by: NotRequired[int]


class ViewData(TypedDict):
    """A position as some seats may know it."""

    variant: str
    seats: int
    viewer: list[int]
    phase: str
    seat: int
    turn: int
    bonus: int
    last_turns: int | None
    supply: int
    discarded: int
    table: str
    racks: list[list[str]]
    tracks: list[list[int]]
    result: EventData | None
    events: list[EventData]


class EntryData(TypedDict, total=False):
    """The content of an entry, by its kind; what the viewer may not know is left out.

    created: variant, seats. committed: number, commitment. seated: place, kind, name, bot, away. mixed:
    place. started: number, first, commitment, bits, places, events. acted: place, action, events, bot.
    taken-back: place, to, across_draw. asked: place, to. answered: place, yes. offered: place. lapsed:
    place. declined: place. missed: place, patience. unmissed: place. chose: place, absent, choice.
    chatted: place, name, text, phrase, mark, or hidden. muted: mark, muted. removed: mark. resumed:
    charged. revealed: number, secret. closed: reason.
    """

    variant: str
    seats: int
    place: int | None
    kind: str
    name: str
    bot: str | None
    away: bool
    number: int
    first: int
    commitment: str
    bits: list[str]
    places: list[int]
    events: list[EventData]
    action: str
    to: int
    across_draw: bool
    yes: bool
    patience: int
    absent: int
    choice: str
    text: str
    phrase: str
    hidden: bool
    mark: str
    muted: bool
    charged: int
    secret: str
    reason: str
    seq: int


Params = dict[str, Any]
"""The parameters of a message code."""
