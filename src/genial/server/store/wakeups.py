"""What processes tell each other by NOTIFY: short words that say where to look, or what to do at once.

A notification is its sender's id and then words, each a letter and its text. Nothing in it is secret from who
can read the database, and nothing depends on its arrival but how soon the others know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from genial.server.peers import Invitation

_LONGEST = 7000
"""Bytes of one notification; PostgreSQL takes 8000."""


def _nothing(*_: object) -> None:
    """Nobody listens yet."""


@dataclass(slots=True)
class Ears:
    """Who is told what another process tells; each is called on the event loop and must not wait."""

    follows: Callable[[str], bool] = bool
    """Whether a table is in our memory."""
    wrote: Callable[[str, int], None] = _nothing
    """A table's log goes up to this number."""
    moved: Callable[[str], None] = _nothing
    """Who is at a table elsewhere has changed."""
    put_out: Callable[[str], None] = _nothing
    """A device was banned."""
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


@dataclass(slots=True)
class Outbox:
    """What waits to be told; a table that moves on twice meanwhile is told of once."""

    wrote: dict[str, int] = field(default_factory=dict)
    moved: dict[str, None] = field(default_factory=dict)
    put_out: list[str] = field(default_factory=list)
    invited: list[Invitation] = field(default_factory=list)
    sat: list[tuple[str, str]] = field(default_factory=list)
    listeners: bool = False
    asking: int | None = None
    given: bool = False
    changed: dict[str, None] = field(default_factory=dict)

    def payloads(self, sender: str) -> list[str]:
        """As few notifications as hold all of it.

        >>> Outbox(wrote={"t1": 7, "t2": 9}, put_out=["d"]).payloads("me")
        ['me wt1:7 wt2:9 od']
        >>> Outbox(asking=2, given=True, changed={"you": None}).payloads("me")
        ['me a2 g jyou']
        """
        words = [f"w{game}:{seq}" for game, seq in self.wrote.items()]
        words += [f"m{game}" for game in self.moved]
        words += [f"o{device}" for device in self.put_out]
        words += ["i" + ":".join(map(str, invitation)) for invitation in self.invited]
        words += [f"s{device}:{table}" for device, table in self.sat]
        words += ["l"] * self.listeners
        words += [f"a{self.asking}"] * (self.asking is not None)
        words += ["g"] * self.given
        words += [f"j{process}" for process in self.changed]
        found, line = [], sender
        for word in words:
            if len(line) + len(word) >= _LONGEST:
                found.append(line)
                line = sender
            line = f"{line} {word}"
        return [*found, line] if words else []


def invitation(text: str) -> Invitation:
    """An invitation as it was told."""
    device, table, variant, seats, place = text.split(":")
    return Invitation(device, table, variant, int(seats), None if place == "None" else int(place))
