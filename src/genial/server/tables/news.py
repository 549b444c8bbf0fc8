"""A stored batch as one message for each viewer, encoded once for all viewers who see the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType

from genial.server.tables.entries import Chatted, Entry
from genial.server.tables.table import Table
from genial.server.tables.views import EntryView, TableView, Told, Viewer, entry_view, table_view


class Update(Struct, frozen=True, tag="update"):
    """What every viewer gets after each stored batch, and first of all on a new connection."""

    entries: list[EntryView]
    """The new entries, as the viewer may know them; on a new connection, those that were missed."""
    state: TableView | None
    """The table after them; None if there was nothing but chat.

    On a new connection, or on request, it has all events of the game. Otherwise it has none of them, only
    their number, `told`: the new ones are in the entries.
    """
    done: str | UnsetType = UNSET
    """The move id of the viewer's own deed that led to this. It is stored."""


class Ack(Struct, frozen=True, tag="ack"):
    """A deed with no news: it was done before, as entry `seq`, or there was nothing to do."""

    move_id: str
    seq: int | None


class Presence(Struct, frozen=True, tag="presence"):
    """The places whose people are connected, and the number of spectators."""

    places: list[int]
    watching: int


class Waiting(Struct, frozen=True, tag="waiting"):
    """A bot has to wait until others have thought. The game's next update ends this."""

    place: int
    seq: int
    """The last entry of the game, which the bot has to answer."""
    line: int
    """Its position in the queue, 1 for the next; 0 once it has begun to think."""


class HasViewer(Protocol):
    """Anybody who gets messages."""

    @property
    def viewer(self) -> Viewer: ...


class News:
    """A batch, for all viewers of a table."""

    def __init__(
        self,
        table: Table,
        entries: Sequence[Entry],
        now: int,
        told: Told,
        doer: tuple[HasViewer, str] | None = None,
    ) -> None:
        self._table = table
        self._entries = entries
        self._now = now
        self._told = told
        self._doer = doer
        self._is_talk = all(isinstance(entry.body, Chatted) for entry in entries)
        self._texts: dict[tuple[Viewer, bool], str] = {}

    def is_from(self, listener: HasViewer) -> bool:
        """True if this listener did what the news is about."""
        return self._doer is not None and self._doer[0] is listener

    def text(self, listener: HasViewer, *, past: bool = False) -> str:
        """The message for a listener, with the game's past events if `past` is set.

        For the doer it also says that the deed is done.
        """
        viewer = listener.viewer
        text = self._texts.get((viewer, past))
        if text is None:
            text = self._texts[viewer, past] = update_text(
                self._table,
                self._entries,
                viewer,
                self._now,
                self._told,
                state=past or not self._is_talk,
                past=past,
            )
        if self._doer is None or self._doer[0] is not listener:
            return text
        # Equal viewers share one encoding, so the doer's own part is put in front of it.
        return f'{{"done":{msgspec.json.encode(self._doer[1]).decode()},{text[1:]}'

    def ack(self, listener: HasViewer) -> str | None:
        """What the doer must be told if the update is dropped."""
        if self._doer is None or self._doer[0] is not listener:
            return None
        return msgspec.json.encode(Ack(self._doer[1], self._entries[0].seq)).decode()


def update_text(
    table: Table,
    entries: Sequence[Entry],
    viewer: Viewer,
    now: int,
    told: Told,
    *,
    state: bool = True,
    past: bool = True,
) -> str:
    """An update for one viewer, encoded."""
    shown = [entry_view(table, entry, viewer) for entry in entries]
    after = table_view(table, viewer, now, told, past=past) if state else None
    return msgspec.json.encode(Update(shown, after)).decode()
