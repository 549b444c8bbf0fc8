"""Self-play on all cores, or on a cluster: samples to learn from, and contests that show what was learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from genial.arena.train.workshop import Advance, Heat, stream_of
from genial.bots.worth import balanced_worth
from genial.kernel.api import Game
from genial.kernel.network import FEATURE_COUNT
from genial.kernel.source import selfplay
from genial.kernel.source.balanced import Worth
from genial.kernel.source.called import rules_of
from genial.kernel.source.shortlist import new_desk
from genial.kernel.state import RNG
from genial.kernel.worth import UNIT, worth_table

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
_Done = TypeVar("_Done")
NO_WEIGHTS: Floats = np.zeros(0, np.float32)
"""Stands for balanced play."""
CHUNK = 1 << 16
"""The most samples in a chunk; each chunk has its own seed, whichever thread takes it."""
_WORTH_HEAT = UNIT * 65536
"""The unit of balanced play on the shortlist."""


def balanced_table(game: Game) -> Worth:
    """The table balanced play uses, for every seat."""
    worth = balanced_worth(game.tables.setup.title)
    return np.array(worth_table(worth.steps, worth.bonus, game.tables.setup.seats), np.uint16)


@dataclass(frozen=True, slots=True)
class Gathered:
    """States and their outcomes."""

    samples: Bytes
    targets: Floats
    games: int

    def __len__(self) -> int:
        return len(self.samples)

    @staticmethod
    def joined(parts: Sequence[Gathered]) -> Gathered:
        return Gathered(
            np.concatenate([part.samples for part in parts]),
            np.concatenate([part.targets for part in parts]),
            sum(part.games for part in parts),
        )


class Pool(Protocol):
    """Does pieces of work somewhere, several at once: threads, or a cluster."""

    def map(self, work: Callable[[int], _Done], numbers: Iterable[int], /) -> Iterator[_Done]:
        """The results, in the order of the numbers."""


@dataclass(frozen=True, slots=True)
class Players:
    """A game to be played by values, in a pool."""

    variant: str
    seats: int
    candidates: int
    pool: Pool

    def gather(self, weights: Floats, heat: Heat, seeds: Iterable[int], advance: Advance) -> Gathered:
        """Play until there is a chunk of samples for every seed."""
        work = partial(_chunk, self.variant, self.seats, self.candidates, weights, heat, CHUNK)
        parts = []
        for part in self.pool.map(work, seeds):
            parts.append(part)
            advance()
        return Gathered.joined(parts)

    def contest(self, weights: Floats, others: Floats, games: int, seed: int) -> Floats:
        """Share and lead in duplicate games with one move of look-ahead, every deal once from each seat."""
        each = 50 * self.seats
        work = partial(_duplicates, self.variant, self.seats, self.candidates, weights, others, each, seed)
        return np.concatenate(list(self.pool.map(work, range(-(-games // each)))))


def _chunk(
    variant: str, seats: int, candidates: int, weights: Floats, heat: Heat, size: int, seed: int
) -> Gathered:
    """The samples for one seed."""
    game = Game.of(variant, seats)
    state = np.zeros(game.tables.state_size, np.uint8)
    state[RNG : RNG + 8] = np.frombuffer(seed.to_bytes(8, "little"), np.uint8)
    samples = np.zeros((size, FEATURE_COUNT), np.uint8)
    pairs, targets = np.zeros(size, np.uint8), np.zeros((size, 2), np.float32)
    counts = np.zeros(2, np.int32)
    selfplay.gather(
        rules_of(game.tables),
        np.frombuffer(game.fresh, np.uint8),
        state,
        balanced_table(game),
        weights,
        heat.of_value,
        heat.of_worth * _WORTH_HEAT,
        heat.wild,
        new_desk(rules_of(game.tables), candidates),
        samples,
        pairs,
        targets,
        counts,
    )
    return Gathered(samples[: counts[0]], targets[: counts[0]], int(counts[1]))


def _duplicates(
    variant: str, seats: int, candidates: int, weights: Floats, others: Floats, games: int, seed: int, n: int
) -> Floats:
    """Share and lead in some games of a contest, the n-th piece."""
    game, results = Game.of(variant, seats), np.zeros((games, 2), np.float32)
    selfplay.contest(
        rules_of(game.tables),
        np.frombuffer(game.fresh, np.uint8),
        np.zeros(game.tables.state_size, np.uint8),
        balanced_table(game),
        weights,
        others,
        stream_of("contest", seed, n) >> 8,
        games,
        new_desk(rules_of(game.tables), candidates),
        results,
    )
    return results
