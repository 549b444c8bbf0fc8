"""What processes tell each other by NOTIFY: short messages that say where to look, or what to do at once.

A notification is its sender's id followed by words, each a letter and its text. Nothing in it is secret from
anybody who can read the database, and if it is lost, the others only learn of it later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote, unquote

from genial.server.tables.peers import Banned, Invitation
from genial.server.tables.store import BanKind

_LONGEST = 7000
"""Bytes in one notification; PostgreSQL allows 8000."""


def _nothing(*_: object) -> None:
    """The default: nobody listens yet."""


@dataclass(slots=True)
class Ears:
    """Callbacks for what another process announces; called on the event loop, and must not block."""

    follows: Callable[[str], bool] = bool
    """True if a table is in our memory, or we own its game."""
    wrote: Callable[[str, int], None] = _nothing
    """A table's log goes up to this number."""
    moved: Callable[[str], None] = _nothing
    """Who is at a table elsewhere has changed."""
    waits: Callable[[str, int, int, int], None] = _nothing
    """A bot has to wait: its table and place, the entry it has to answer, its position in the queue."""
    put_out: Callable[[Banned], None] = _nothing
    """A device or address was banned."""
    invited: Callable[[Invitation], None] = _nothing
    """A host elsewhere invited a bot to a table."""
    sat: Callable[[str, str], None] = _nothing
    """A bot sat down at a table elsewhere."""
    owned: Callable[[str], None] = _nothing
    """We have become the owner of a game."""
    gone: Callable[[], None] = _nothing
    """A process has ended, or others took us for dead: there may be games without an owner."""
    forgotten: Callable[[], None] = _nothing
    """Others took us for dead, and removed what we had counted."""
    back: Callable[[], None] = _nothing
    """The connection was lost and is back: notifications may have been missed."""


@dataclass(slots=True)
class JobEars:
    """The same for bots' jobs that are passed between processes."""

    asked: Callable[[str, int], None] = _nothing
    """This many workers are waiting for a job at a process."""
    given: Callable[[], None] = _nothing
    """There are jobs to take."""
    changed: Callable[[], None] = _nothing
    """One of our jobs was taken, answered or returned."""


class Outbox:
    """Notices waiting to be sent; only the latest for each subject is kept."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}

    def put(self, kind: str, subject: str = "", news: str = "") -> None:
        """Announce this about a subject, replacing any earlier notice about it."""
        self._words[kind + subject] = news

    def put_back(self, untold: Outbox) -> None:
        """Take back notices that could not be sent, unless there are newer ones.

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
        """As few notifications as can hold everything.

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
    """A ban as one word, whatever key the operator gave.

    >>> banned_of(banned_word(Banned("address", "2001:db8:: %")))
    Banned(kind='address', key='2001:db8:: %')
    """
    return f"{banned.kind}:{quote(banned.key, safe=':')}"


def banned_of(word: str) -> Banned:
    """Parse a ban."""
    kind, _, key = word.partition(":")
    return Banned(cast(BanKind, kind), unquote(key))


def invitation(text: str) -> Invitation:
    """Parse an invitation."""
    device, table, variant, seats, place = text.split(":")
    return Invitation(device, table, variant, int(seats), None if place == "None" else int(place))
