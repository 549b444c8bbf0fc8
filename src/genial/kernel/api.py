"""The Python face of the kernel: one object for a variant and seat count, states as plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genial.core.actions import Action
from genial.core.position import Position
from genial.core.titles import title_of
from genial.kernel import convert, features, greedy, legal, observe, play, playout, redeal, value
from genial.kernel import state as at
from genial.kernel.compiled import Numbers, State
from genial.kernel.tables import Tables, tables

POLICIES = {"random": playout.RANDOM, "greedy": playout.GREEDY}


class Legal(NamedTuple):
    """The lawful actions: their numbers, and the points of their two symbols in the order scored."""

    numbers: Numbers
    points: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Game:
    """A variant for one seat count, compiled.

    A state is a flat array of bytes; `clone` copies it, and to undo is to keep a copy. Tiles are drawn from
    the state's own random stream; for games that leave a record see `genial.kernel.records`.

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
    fresh: State
    step: Callable[[State, int], int]
    """Do an action, by its number. 0, or 1 if it is not lawful; then nothing changed."""

    @staticmethod
    @cache
    def of(variant: str, seats: int | None = None) -> Game:
        """The game of a variant; without `seats`, the smallest number it is played with."""
        count = title_of(variant).seats[0] if seats is None else seats
        found = tables(variant, count)
        return Game(found, convert.fresh(found), partial(play.step, found.rules))

    @property
    def actions(self) -> int:
        """How many numbers actions have; the last two are refill and swap."""
        return self.tables.actions

    @property
    def refill(self) -> int:
        return self.tables.refill

    @property
    def swap(self) -> int:
        return self.tables.swap

    # States

    def new(self, seed: int) -> State:
        """A new game, dealt from the kernel's own stream (not DEAL: it leaves no record)."""
        state = np.empty(self.tables.state_size, np.uint8)
        play.new(self.tables.rules, self.fresh, state, seed & (2**63 - 1))
        return state

    @staticmethod
    def clone(state: State) -> State:
        return state.copy()

    @staticmethod
    def from_core(position: Position, seed: int = 0) -> State:
        """The state of a position; the seed begins its own stream."""
        return convert.from_core(position, seed)

    def to_core(self, state: State) -> Position:
        """The position of a state, without its past."""
        return convert.to_core(self.tables, state)

    def determinize(self, state: State, seats: Iterable[int], seed: int) -> State:
        """A copy in which everything that these seats may not see is dealt anew, and so is what comes."""
        redealt = state.copy()
        viewers = sum(1 << seat for seat in set(seats))
        redeal.redeal(self.tables.rules, redealt, viewers, seed & (2**63 - 1))
        return redealt

    # Actions

    def action_of(self, number: int) -> Action:
        return convert.action_of(self.tables, number)

    def number_of(self, action: Action) -> int:
        return convert.number_of(self.tables, action)

    def legal(self, state: State) -> Legal:
        """Every lawful action with its points."""
        mask = np.empty(self.mask_bytes, np.uint8)
        most = (
            2 * self.tables.setup.title.rack * self.tables.places + 2
        )  # every kind, turned or not, everywhere
        numbers, points = np.empty(most, np.int32), np.empty((most, 2), np.uint8)
        count = legal.legal(self.tables.rules, state, mask, numbers, points)
        return Legal(numbers[:count], points[:count])

    def points(self, state: State, action: int, out: State) -> None:
        """Write the points of the two symbols of a lawful placement or card, in the order scored."""
        legal.points(self.tables.rules, state, action, out)

    @property
    def mask_bytes(self) -> int:
        """How long a buffer for `mask` has to be."""
        return legal.mask_bytes(self.tables.rules)

    def mask(self, state: State, out: State) -> int:
        """Write the set of lawful actions into a buffer, a bit each; how many there are."""
        return legal.mask(self.tables.rules, state, out)

    def follow(self, state: State, action: int, dealt: State) -> int:
        """Do an action, with the tiles that a dealer outside deals, as counts of kinds."""
        return play.follow(self.tables.rules, state, action, dealt)

    def best(self, state: State) -> int:
        """A placement that brings the most points the mover's markers can use (boards)."""
        return greedy.choose_best(self.tables.rules, state)

    def playout(self, state: State, policy: str = "random") -> int:
        """Play the state to its end; how many tiles or cards that took."""
        return playout.playout(self.tables.rules, state, POLICIES[policy])

    # What can be read

    @staticmethod
    def is_over(state: State) -> bool:
        return bool(state[at.PHASE] == at.OVER)

    @staticmethod
    def seat(state: State) -> int:
        """The seat to move."""
        return int(state[at.SEAT])

    def ranks(self, state: State) -> tuple[int, ...]:
        """The rank of each seat, as the tracks stand."""
        out = np.empty(self.tables.setup.seats, np.uint8)
        playout.ranks(self.tables.rules, state, out)
        return tuple(out.tolist())

    @property
    def observation_bytes(self) -> int:
        """How long a buffer for `observe` has to be."""
        return observe.observation_bytes(self.tables.rules)

    def observe(self, state: State, seat: int, out: State) -> None:
        """Write what a seat may know into a buffer; nothing hidden has any influence on it."""
        observe.observe(self.tables.rules, state, seat, out)

    @property
    def feature_count(self) -> int:
        return features.COUNT

    def features(self, state: State, seat: int, out: NDArray[np.float32]) -> None:
        """Write numbers that a seat may know, six colours by `feature_count`, for a value function.

        The opponent among them is the next seat; in solo there is none.
        """
        other = (seat + 1) % self.tables.setup.seats
        found = np.zeros(value.FEATURE_COUNT, np.float32)
        features.features(self.tables.rules, state, seat, other, found)
        out[:] = found[: out.size].reshape(out.shape)
