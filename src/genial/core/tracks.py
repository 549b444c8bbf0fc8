"""Tracks: where markers go when a symbol scores, and when that earns a bonus move.

A side's six markers are a tuple in the order of `COLOURS`. There are three kinds of track: the race of the
board games, the gated race of the card game, and the pegs that two players pull at in the duel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

Markers = tuple[int, ...]


class Track(Protocol):
    """What the rules need from a track."""

    @property
    def lowest_step(self) -> int: ...

    @property
    def highest_step(self) -> int: ...

    @property
    def bonus_steps(self) -> tuple[int, ...]: ...

    @property
    def line_steps(self) -> tuple[int, ...]:
        """Steps that end a section of the track: the first board, a region, the middle."""

    def advance(self, markers: Sequence[int], colour: int, points: int) -> int:
        """The step of this colour's marker after its symbol has scored."""

    def bonus_moves(self, before: int, after: int) -> int:
        """The bonus moves that one marker earns with one tile."""

    def is_complete(self, markers: Sequence[int]) -> bool:
        """True if all six markers are as far as the game requires."""

    def weakest(self, markers: Sequence[int]) -> tuple[int, ...]:
        """The colours that count for a swap (SWAP)."""

    def blockers(self, markers: Sequence[int], colour: int) -> tuple[int, ...]:
        """The colours that this colour's marker has to wait for before it can move on."""


@dataclass(frozen=True, slots=True)
class RaceTrack:
    """A row of steps for each colour; two boards in a row make a double track (DOUBLE-TRACK).

    >>> RaceTrack(18, bonus_steps=(18,)).advance((16, 0, 0, 0, 0, 0), 0, 5)
    18
    >>> RaceTrack(18, boards=2).advance((16, 0, 0, 0, 0, 0), 0, 5)
    18
    >>> RaceTrack(18, boards=2).advance((18, 0, 0, 0, 0, 0), 0, 5)
    23
    """

    length: int
    boards: int = 1
    bonus_steps: tuple[int, ...] = ()
    one_bonus_a_tile: bool = False
    """3D-BONUS: a marker that passes two bonus steps with one tile earns one move."""

    @property
    def lowest_step(self) -> int:
        return 0

    @property
    def highest_step(self) -> int:
        return self.length * self.boards

    @property
    def line_steps(self) -> tuple[int, ...]:
        return tuple(self.length * board for board in range(1, self.boards))

    def advance(self, markers: Sequence[int], colour: int, points: int) -> int:
        step = markers[colour]
        end_of_board = min(self.highest_step, (step // self.length + 1) * self.length)
        return min(step + points, end_of_board)

    def bonus_moves(self, before: int, after: int) -> int:
        reached = sum(before < step <= after for step in self.bonus_steps)
        return min(reached, 1) if self.one_bonus_a_tile else reached

    def is_complete(self, markers: Sequence[int]) -> bool:
        return min(markers) == self.highest_step

    def weakest(self, markers: Sequence[int]) -> tuple[int, ...]:
        return _lowest(markers, range(6))

    def blockers(self, markers: Sequence[int], colour: int) -> tuple[int, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class GatedTrack:
    """A race in regions: no marker enters a region before all six have reached the one before (REGIONS).

    >>> track = GatedTrack(region_ends=(0, 3, 6, 10), goal=7)
    >>> track.advance((2, 0, 3, 5, 1, 3), 0, 2), track.advance((2, 1, 3, 5, 1, 3), 0, 2)
    (3, 4)
    >>> track.blockers((3, 0, 3, 5, 1, 0), 0), track.blockers((2, 0, 3, 5, 1, 0), 0)
    ((1, 5), ())
    """

    region_ends: tuple[int, ...]
    goal: int

    @property
    def lowest_step(self) -> int:
        return 0

    @property
    def highest_step(self) -> int:
        return self.region_ends[-1]

    @property
    def bonus_steps(self) -> tuple[int, ...]:
        return (self.highest_step,)

    @property
    def line_steps(self) -> tuple[int, ...]:
        return self.region_ends[:-1]

    def region(self, step: int) -> int:
        """The region of a step, counted from 0."""
        return next(n for n, end in enumerate(self.region_ends) if step <= end)

    def advance(self, markers: Sequence[int], colour: int, points: int) -> int:
        step = markers[colour]
        behind = min(self.region(other) for n, other in enumerate(markers) if n != colour)
        for _ in range(points):
            if step == self.highest_step or self.region(step + 1) > behind + 1:
                break
            step += 1
        return step

    def bonus_moves(self, before: int, after: int) -> int:
        return int(before < self.highest_step == after)

    def is_complete(self, markers: Sequence[int]) -> bool:
        return min(markers) >= self.goal

    def weakest(self, markers: Sequence[int]) -> tuple[int, ...]:
        return _lowest(markers, range(6))

    def blockers(self, markers: Sequence[int], colour: int) -> tuple[int, ...]:
        step = markers[colour]
        if step == self.highest_step:
            return ()
        gate = self.region(step + 1) - 1
        return tuple([n for n, other in enumerate(markers) if n != colour and self.region(other) < gate])


@dataclass(frozen=True, slots=True)
class PegTrack:
    """Shared pegs, pulled towards the scorer; at the end of a side the colour is won and locked (DUEL).

    Markers are from the mover's point of view: positive on the mover's side.

    >>> PegTrack(9).advance((7, 0, 0, 0, 0, -9), 0, 4), PegTrack(9).advance((7, 0, 0, 0, 0, -9), 5, 4)
    (9, -9)
    """

    reach: int

    @property
    def lowest_step(self) -> int:
        return -self.reach

    @property
    def highest_step(self) -> int:
        return self.reach

    @property
    def bonus_steps(self) -> tuple[int, ...]:
        return (self.reach,)

    @property
    def line_steps(self) -> tuple[int, ...]:
        return (0,)

    def advance(self, markers: Sequence[int], colour: int, points: int) -> int:
        step = markers[colour]
        return step if abs(step) == self.reach else min(step + points, self.reach)

    def bonus_moves(self, before: int, after: int) -> int:
        return int(before < self.reach == after)

    def is_complete(self, markers: Sequence[int]) -> bool:
        return all(abs(step) == self.reach for step in markers)

    def weakest(self, markers: Sequence[int]) -> tuple[int, ...]:
        return _lowest(markers, [n for n, step in enumerate(markers) if abs(step) < self.reach])

    def blockers(self, markers: Sequence[int], colour: int) -> tuple[int, ...]:
        return ()


def _lowest(markers: Sequence[int], colours: Sequence[int]) -> tuple[int, ...]:
    lowest = min([markers[colour] for colour in colours], default=0)
    return tuple([colour for colour in colours if markers[colour] == lowest])


@dataclass(frozen=True, slots=True)
class Score:
    """What scoring a tile did to one side's markers."""

    markers: Markers
    gain: tuple[int, ...]
    bonus: int


def score(track: Track, markers: Markers, halves: Iterable[tuple[int, int]]) -> Score:
    """Score (colour, points) one after the other, and count the bonus moves earned.

    >>> score(RaceTrack(18, bonus_steps=(18,)), (17, 17, 0, 0, 0, 0), [(0, 2), (1, 1)])
    Score(markers=(18, 18, 0, 0, 0, 0), gain=(1, 1, 0, 0, 0, 0), bonus=2)
    """
    after = list(markers)
    for colour, points in halves:
        if points:
            after[colour] = track.advance(after, colour, points)
    gain = tuple([new - old for new, old in zip(after, markers, strict=True)])
    bonus = sum([track.bonus_moves(old, new) for old, new in zip(markers, after, strict=True) if new != old])
    return Score(tuple(after), gain, bonus)
