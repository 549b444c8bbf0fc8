"""What processes tell each other by NOTIFY: short messages that say where to look, or what to do at once.

A notification is its sender's id and then words, each a letter and its text. Nothing in it is secret from who
can read the database, and nothing depends on its arrival but how soon the others know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote, unquote

from genial.server.tables.peers import Banned, Invitation
from genial.server.tables.store import BanKind

_LONGEST = 7000
"""Bytes of one notification; PostgreSQL takes 8000."""


def _nothing(*_: object) -> None:
    """Nobody listens yet."""


@dataclass(slots=True)
class Ears:
    """Who is told what another process tells; each is called on the event loop and must not wait."""

    follows: Callable[[str], bool] = bool
    """Whether a table is in our memory, or ours."""
    wrote: Callable[[str, int], None] = _nothing
    """A table's log goes up to this number."""
    moved: Callable[[str], None] = _nothing
    """Who is at a table elsewhere has changed."""
    waits: Callable[[str, int, int, int], None] = _nothing
    """A bot waits for its thought: its table and place, what it is to answer, its number in the line."""
    put_out: Callable[[Banned], None] = _nothing
    """A device or an address was banned."""
    invited: Callable[[Invitation], None] = _nothing
    """A host elsewhere asks a bot to a table."""
    sat: Callable[[str, str], None] = _nothing
    """A bot sat down at a table elsewhere."""
    owned: Callable[[str], None] = _nothing
    """We have become the owner of a game."""
    gone: Callable[[], None] = _nothing
    """A process has ended, or we were taken for dead: there may be games without an owner."""
    back: Callable[[], None] = _nothing
    """The connection was lost and is there again: wake-ups may have been missed."""


@dataclass(slots=True)
class JobEars:
    """The same for bots' jobs that go from process to process."""

    asked: Callable[[str, int], None] = _nothing
    """So many workers wait at a process for a job."""
    given: Callable[[], None] = _nothing
    """There are jobs to take."""
    changed: Callable[[], None] = _nothing
    """One of ours was taken, answered or returned."""


class Outbox:
    """What waits to be told; a table that moves on twice meanwhile is told of once."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}

    def put(self, kind: str, subject: str = "", news: str = "") -> None:
        """Tell this of a subject, instead of what was to be told of it before."""
        self._words[kind + subject] = news

    def put_back(self, untold: Outbox) -> None:
        """What could not be told is to be told after all, where nothing newer has come meanwhile.

        >>> untold, outbox = Outbox(), Outbox()
        >>> untold.put("w", "t1", ":7")
        >>> untold.put("w", "t2", ":3")
        >>> outbox.put("w", "t1", ":8")
        >>> outbox.put_back(untold)
        >>> outbox.payloads("me")
        ['me wt1:8 wt2:3']
        """
        self._words = untold._words | self._words

    def payloads(self, sender: str) -> list[str]:
        """As few notifications as hold all of it.

        >>> outbox = Outbox()
        >>> for seq in (7, 8):
        ...     outbox.put("w", "t1", f":{seq}")
        >>> outbox.put("g")
        >>> outbox.payloads("me")
        ['me wt1:8 g']
        """
        payloads: list[str] = []
        for word in map("".join, self._words.items()):
            if not payloads or len(payloads[-1]) + len(word) >= _LONGEST:
                payloads.append(sender)
            payloads[-1] += f" {word}"
        return payloads


def banned_word(banned: Banned) -> str:
    """A ban as one word, whatever the operator gave as its key.

    >>> banned_of(banned_word(Banned("address", "2001:db8:: %")))
    Banned(kind='address', key='2001:db8:: %')
    """
    return f"{banned.kind}:{quote(banned.key, safe=':')}"


def banned_of(word: str) -> Banned:
    """A ban as it was told."""
    kind, _, key = word.partition(":")
    return Banned(cast(BanKind, kind), unquote(key))


def invitation(text: str) -> Invitation:
    """An invitation as it was told."""
    device, table, variant, seats, place = text.split(":")
    return Invitation(device, table, variant, int(seats), None if place == "None" else int(place))
