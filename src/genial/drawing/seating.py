"""What a picture needs to know about seats: names, whose view it is, and the order of the sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genial.core.events import Ended
from genial.core.messages import listed
from genial.core.position import Position
from genial.core.printable import printable
from genial.core.sides import Sides
from genial.core.situation import Phase, Situation
from genial.core.view import View
from genial.drawing.words import counted, rank_words, reason_words, word

_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where, and who is looking."""

    names: tuple[str, ...]
    own: frozenset[int]
    """The viewer's own seats, unless the viewer is simply everyone."""
    tracks: tuple[tuple[int, ...], ...]
    """The seats of each track."""
    order: tuple[int, ...]
    """The tracks in drawing order: the viewer's own last."""


def seating(situation: View | Position, names: Sequence[str] | None = None, language: str = "en") -> Seating:
    """The seats of a situation.

    >>> import genial
    >>> seating(genial.new("classic-team", seats=4, seed=7).view({0})).order
    (1, 0)
    """
    seats, sides = situation.setup.seats, situation.setup.title.sides
    known = [printable(name).strip()[:_LONGEST_NAME] for name in names or ()]
    usual = (word("player", language, number=seat + 1) for seat in range(seats))
    chosen = tuple((known[seat] if seat < len(known) else "") or name for seat, name in enumerate(usual))
    tracks = tuple(
        tuple(seat for seat in range(seats) if sides.track_of(seat) == track)
        for track in range(sides.track_count(seats))
    )
    own = _own(situation)
    first = min(own, default=-1) + 1 if sides is Sides.EACH else sides.track_of(min(own, default=1)) + 1
    order = tuple((first + n) % len(tracks) for n in range(len(tracks)))
    return Seating(chosen, own, tracks, order)


def _own(situation: View | Position) -> frozenset[int]:
    everyone = frozenset(range(situation.setup.seats))
    if situation.setup.title.is_solo:
        return everyone
    return (
        frozenset() if isinstance(situation, Position) or situation.viewer == everyone else situation.viewer
    )


def discarded(situation: View | Position) -> int:
    """How many cards are on the discard pile."""
    return situation.discarded if isinstance(situation, View) else len(situation.discard)


def peg_seats(seating: Seating) -> tuple[int, int]:
    """The duel's seats at the left and right end of the pegs: the viewer's own is on the right."""
    return (0, 1) if seating.own == {1} else (1, 0)


def status(situation: View | Position, seating: Seating, language: str = "en") -> str:
    """Whose turn it is and what is left, or how the game ended, in one line.

    >>> import genial
    >>> position = genial.new("classic", seats=2, seed=7)
    >>> status(position, seating(position, ["Anna", "Bert"]))
    "Anna's turn · 108 tiles left"
    """
    parts = []
    if situation.result:
        parts.append(
            f"{word('over', language)}: {reason_words(situation.result.reason, language).rstrip('.')}"
        )
        parts.append(winners(situation.result, seating, language))
    else:
        parts.append(word("turn", language, name=seating.names[situation.seat]))
        if situation.bonus:
            parts.append(counted(situation.bonus, "bonus", language))
        if situation.last_turns is not None:
            parts.append(word("last-round", language))
    if situation.setup.board is not None:
        parts.append(counted(situation.supply, "left", language))
    return " · ".join(part for part in parts if part)


def winners(result: Ended, seating: Seating, language: str = "en") -> str:
    """The names of those in first place; empty in a solo game."""
    if len(result.ranks) == 1:
        return ""
    first = [seating.names[seat] for seat, rank in enumerate(result.ranks) if rank == 1]
    return f"{rank_words(1, language)}: {listed(first, language)}"


def may_move(situation: Situation, seat: int) -> bool:
    """True if the game is waiting for this seat."""
    return situation.phase in (Phase.PLACE, Phase.END_TURN) and situation.seat == seat
