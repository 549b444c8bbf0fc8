"""The parts of a contest: who meets whom, on which seats, with which deal.

A *lineup* is who meets. A *set* is one deal played with every seating, so that the luck of the deal and of
the seat cancels out. A *fixture* is one complete game: wherever it is played, it is the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from msgspec import Struct

from genial.arena.errors import WrongContest
from genial.core.sides import Sides
from genial.core.title import Setup

Key = tuple[int, int, int]
"""Lineup, deal and seating: identifies a game of a contest."""


class Lineup(Struct, frozen=True):
    """Who meets, and on which seats: one game per seating makes a duplicate set."""

    players: tuple[str, ...]
    seatings: tuple[tuple[int, ...], ...]
    """For each game of a set, the number of the player on each seat."""

    def seated(self, seating: int) -> tuple[str, ...]:
        """Who sits where."""
        return tuple(self.players[player] for player in self.seatings[seating])


class Fixture(Struct, frozen=True):
    """A game to be played."""

    lineup: int
    deal: int
    seating: int
    variant: str
    seats: int
    seed: str
    players: tuple[str, ...]
    """By seat."""
    deadline: float
    """Seconds for one move, after which the game is lost."""
    nodes: int | None = None
    seconds: float | None = None
    """The budget for every move; None means each bot's own."""
    records: str | None = None
    """The folder for the game's record."""

    @property
    def key(self) -> Key:
        return self.lineup, self.deal, self.seating


def seatings(setup: Setup, players: int) -> tuple[tuple[int, ...], ...]:
    """Seatings in which every player sits everywhere equally often.

    Two players divide the seats as evenly as possible, in every way (partners sit opposite); more players
    take one seat each, and all move on by one.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> seatings(setup(title_of("classic"), 2), 2)
    ((0, 1), (1, 0))
    >>> len(seatings(setup(title_of("classic"), 3), 2)), len(seatings(setup(title_of("classic"), 4), 2))
    (6, 6)
    >>> seatings(setup(title_of("classic-team"), 4), 2)
    ((0, 1, 0, 1), (1, 0, 1, 0))
    """
    seats, sides = setup.seats, setup.title.sides
    if players == 1 == seats:
        return ((0,),)
    if players == 2 <= seats:
        if sides is Sides.TEAMS:
            return (0, 1) * (seats // 2), (1, 0) * (seats // 2)
        even = (seats // 2, seats - seats // 2)
        return tuple(seating for seating in product((0, 1), repeat=seats) if sum(seating) in even)
    if players == seats and sides is Sides.EACH:
        return tuple(tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats))
    raise WrongContest("arena-players", got=players, variant=setup.title.variant, seats=seats)


def lineups(mode: str, setup: Setup, bots: Sequence[str]) -> tuple[Lineup, ...]:
    """The lineups of a mode, for these bots.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> travel = setup(title_of("travel"), 2)
    >>> [lineup.players for lineup in lineups("ladder", travel, ["random", "greedy", "balanced"])]
    [('greedy', 'random'), ('balanced', 'greedy')]
    """
    fewest, most = {"match": (2, 2), "table": (2, setup.seats), "solo": (1, 99)}.get(mode, (2, 99))
    if not fewest <= len(bots) <= most or len(set(bots)) < len(bots):
        code = "arena-bots-exactly" if fewest == most else "arena-bots"
        raise WrongContest(code, mode=mode, fewest=fewest, most=most, got=list(bots))
    groups: list[tuple[str, ...]]
    if mode == "solo":
        groups = [(bot,) for bot in bots]
    elif mode == "gauntlet":
        groups = [(bots[0], other) for other in bots[1:]]
    elif mode == "ladder":
        groups = [(bots[n + 1], bots[n]) for n in range(len(bots) - 1)]
    elif mode == "round-robin":
        groups = list(combinations(bots, 2))
    else:  # match, table
        groups = [tuple(bots)]
    return tuple(Lineup(group, seatings(setup, len(group))) for group in groups)
