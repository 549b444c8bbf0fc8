"""Who is ahead when the game is over (RANKING), and who ranks last after leaving (LEAVING)."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.sides import Sides
from genial.core.tracks import Markers


def ranks(sides: Sides, seats: int, tracks: tuple[Markers, ...]) -> tuple[int, ...]:
    """The rank of each seat: 1 plus the number of seats strictly ahead.

    >>> ranks(Sides.EACH, 2, ((10, 18, 18, 18, 18, 18), (9, 18, 18, 18, 18, 18)))
    (1, 2)
    """
    return _ranks([standing(sides, seat, tracks) for seat in range(seats)])


def ranks_when_left(sides: Sides, seats: int, leaver: int) -> tuple[int, ...]:
    """The ranks when one of two sides leaves: that side comes last."""
    return _ranks([(sides.side_of(seat) != sides.side_of(leaver),) for seat in range(seats)])


def standing(sides: Sides, seat: int, tracks: tuple[Markers, ...]) -> tuple[int, ...]:
    """The figures by which seats are compared, the most important first (RANKING, DUEL)."""
    markers = sides.seen_by(seat, tracks[sides.track_of(seat)])
    if sides is Sides.SHARED:  # DUEL: colours on the player's side, then their distances
        own = [step for step in markers if step > 0]
        return len(own), sum(own)
    return tuple(sorted(markers))


@dataclass(frozen=True, slots=True)
class SideStanding:
    """One side of a finished game."""

    seats: tuple[int, ...]
    rank: int
    """1 plus the number of sides ahead: the losing team is second, although two seats are ahead of it."""
    figures: tuple[int, ...]
    """The figures compared, the most important first."""


def side_rank(sides: Sides, seat_ranks: tuple[int, ...], seat: int) -> int:
    """The rank of a seat's side.

    >>> side_rank(Sides.TEAMS, (1, 3, 1, 3), 1)
    2
    """
    ahead = {sides.side_of(other) for other, rank in enumerate(seat_ranks) if rank < seat_ranks[seat]}
    return 1 + len(ahead)


def side_standings(
    sides: Sides, tracks: tuple[Markers, ...], seat_ranks: tuple[int, ...]
) -> list[SideStanding]:
    """Every side, the winner first, by the ranks of its seats.

    >>> tracks = ((9,) * 6, (7,) * 6)
    >>> [(side.seats, side.rank) for side in side_standings(Sides.TEAMS, tracks, (1, 3, 1, 3))]
    [((0, 2), 1), ((1, 3), 2)]
    """
    members: dict[int, list[int]] = {}
    for seat in range(len(seat_ranks)):
        members.setdefault(sides.side_of(seat), []).append(seat)
    by_rank = sorted(members.values(), key=lambda seats: seat_ranks[seats[0]])
    return [
        SideStanding(tuple(seats), side_rank(sides, seat_ranks, seats[0]), standing(sides, seats[0], tracks))
        for seats in by_rank
    ]


@dataclass(frozen=True, slots=True)
class Decision:
    """The first figure in which the winner and the runner-up differ."""

    index: int
    """Its index in `standing`."""
    winner: int
    loser: int
    code: str
    """The code of the sentence for it."""


def decision(sides: Sides, seats: int, tracks: tuple[Markers, ...]) -> Decision | None:
    """The comparison that decided a game played to its end; None if everything is tied or the game is solo.

    >>> decision(Sides.EACH, 2, ((3, 18, 5, 9, 9, 9), (18, 18, 3, 7, 9, 9)))
    Decision(index=1, winner=7, loser=5, code='decided-next')
    """
    standings = sorted({standing(sides, seat, tracks) for seat in range(seats)}, reverse=True)
    if len(standings) < 2:
        return None
    first, second = standings[:2]
    index = next(n for n, figure in enumerate(first) if figure != second[n])
    shared = sides is Sides.SHARED
    codes = ("decided-colours", "decided-distance") if shared else ("decided-lowest", "decided-next")
    return Decision(index, first[index], second[index], codes[min(index, 1)])


def _ranks(standings: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(1 + sum(other > mine for other in standings) for mine in standings)
