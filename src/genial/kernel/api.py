"""The Python interface of the kernel: one object per variant and seat count, states as plain bytes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from genial.core.actions import Action
from genial.core.position import Position
from genial.core.titles import title_of
from genial.kernel import convert
from genial.kernel import state as at
from genial.kernel.engine import Buffer, Engine, engine
from genial.kernel.entries import GREEDY, RANDOM
from genial.kernel.network import COUNT, FEATURE_COUNT
from genial.kernel.state import State
from genial.kernel.tables import OBSERVATION_SIZE, Tables, mask_bytes, tables

POLICIES = {"random": RANDOM, "greedy": GREEDY}
_SEEDS = 2**63 - 1
"""Seeds are non-negative and one bit shorter than a word."""


class Legal(NamedTuple):
    """The lawful actions: their numbers, and the points of their two symbols in the order scored."""

    numbers: array[int]
    points: bytearray
    """Two per number, one action after another."""


@dataclass(frozen=True, eq=False)
class Game:
    """A variant for one seat count, compiled.

    A state is a bytearray, or any other writable buffer of the same size; `clone` copies it, and to undo you
    keep a copy. Tiles are drawn from the state's own random stream.

    >>> game = Game.of("classic", 2)
    >>> state = game.new(seed=7)
    >>> len(game.legal(state).numbers) > 100
    True
    >>> game.step(state, game.legal(state).numbers[0])
    0
    >>> game.to_core(state).phase.value
    'end-turn'
    """

    tables: Tables
    engine: Engine
    fresh: State
    """The state before dealing: every new game starts as a copy of it. It must not be changed."""
    step: Callable[[Buffer, int], int]
    """Do an action, by number. Returns 0, or 1 if it is not lawful; then nothing has changed."""

    @staticmethod
    @cache
    def of(variant: str, seats: int | None = None) -> Game:
        """The game of a variant; without `seats`, the smallest number it can be played with."""
        count = title_of(variant).seats[0] if seats is None else seats
        found, used = tables(variant, count), engine()
        return Game(found, used, convert.fresh(found), used.bound("step", found.rules))

    @property
    def actions(self) -> int:
        """How many action numbers there are; the last two are refill and swap."""
        return self.tables.numbering.count

    @property
    def refill(self) -> int:
        return self.tables.numbering.refill

    @property
    def swap(self) -> int:
        return self.tables.numbering.swap

    # States

    def new(self, seed: int) -> State:
        """A new game, dealt from the kernel's own stream (not DEAL: it leaves no record)."""
        state = bytearray(self.tables.state_size)
        self.engine.new(self.tables.rules, self.fresh, state, seed & _SEEDS)
        return state

    @staticmethod
    def clone(state: Buffer) -> State:
        return bytearray(state)

    @staticmethod
    def from_core(position: Position, seed: int = 0) -> State:
        """The state of a position; the seed starts its random stream."""
        return convert.from_core(position, seed)

    def to_core(self, state: Buffer) -> Position:
        """The position of a state, without its past."""
        return convert.to_core(self.tables, state)

    def determinize(self, state: Buffer, seats: Iterable[int], seed: int) -> State:
        """A copy in which everything these seats may not see is redealt, future draws included."""
        redealt = bytearray(state)
        viewers = sum(1 << seat for seat in set(seats))
        self.engine.redeal(self.tables.rules, redealt, viewers, seed & _SEEDS)
        return redealt

    # Actions

    def action_of(self, number: int) -> Action:
        return self.tables.numbering.action_of(number)

    def number_of(self, action: Action) -> int:
        return self.tables.numbering.number_of(action)

    def legal(self, state: Buffer) -> Legal:
        """Every lawful action with its points."""
        # Room for every kind on the rack, turned or not, on every pair; or the two ways to end a turn.
        most = 2 * self.tables.setup.title.rack * self.tables.numbering.pairs + 2
        mask, numbers, points = bytearray(self.mask_bytes), array("i", bytes(4 * most)), bytearray(2 * most)
        count = self.engine.legal(self.tables.rules, state, mask, numbers, points)
        del numbers[count:], points[2 * count :]
        return Legal(numbers, points)

    def points(self, state: Buffer, action: int, out: Buffer) -> None:
        """Write the points of the two symbols of a lawful placement or card, in the order scored."""
        self.engine.points(self.tables.rules, state, action, out)

    @property
    def mask_bytes(self) -> int:
        """The size of a buffer for `mask`."""
        return mask_bytes(self.tables.rules)

    def mask(self, state: Buffer, out: Buffer) -> int:
        """Write the set of lawful actions into a buffer, one bit each. Returns how many there are."""
        count: int = self.engine.mask(self.tables.rules, state, out)
        return count

    def follow(self, state: Buffer, action: int, dealt: Buffer) -> int:
        """Do an action with tiles from an external dealer, given as counts of kinds."""
        refused: int = self.engine.follow(self.tables.rules, state, action, dealt)
        return refused

    def best(self, state: Buffer) -> int:
        """The number of a placement that scores the most points the mover's markers can use (boards only)."""
        number: int = self.engine.best(self.tables.rules, state)
        return number

    def playout(self, state: Buffer, policy: str = "random") -> int:
        """Play the state to its end. Returns how many tiles or cards that took."""
        placements: int = self.engine.playout(self.tables.rules, state, POLICIES[policy])
        return placements

    # Reading a state

    @staticmethod
    def is_over(state: Buffer) -> bool:
        return bool(state[at.PHASE] == at.OVER)

    @staticmethod
    def seat(state: Buffer) -> int:
        """The seat to move."""
        return int(state[at.SEAT])

    def ranks(self, state: Buffer) -> tuple[int, ...]:
        """The rank of each seat, judging by the current tracks."""
        out = bytearray(self.tables.setup.seats)
        self.engine.ranks(self.tables.rules, state, out)
        return tuple(out)

    @property
    def observation_bytes(self) -> int:
        """The size of a buffer for `observe`."""
        return self.tables.rules[OBSERVATION_SIZE]

    def observe(self, state: Buffer, seat: int, out: Buffer) -> None:
        """Write what a seat may know into a buffer; nothing hidden influences it."""
        self.engine.observe(self.tables.rules, state, seat, out)

    @property
    def feature_count(self) -> int:
        """How many features each colour has."""
        return COUNT

    def features(self, state: Buffer, seat: int) -> array[float]:
        """Numbers a seat may know, for a value function: `feature_count` for each colour, then the table's.

        They compare the seat with the next one as its opponent; in solo games there is none.
        """
        other = (seat + 1) % self.tables.setup.seats
        found = array("f", bytes(4 * FEATURE_COUNT))
        self.engine.features(self.tables.rules, state, seat, other, found)
        return found
