"""Self-play on all cores, or on a cluster: samples to learn from, and contests that show what was learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from genial.bots.worth import balanced_worth
from genial.kernel import selfplay
from genial.kernel.api import Game
from genial.kernel.balanced import BONUS_WORTH, UNIT, WORTH_SIZE, Worth
from genial.kernel.player import new_desk
from genial.kernel.state import RNG
from genial.kernel.value import FEATURE_COUNT

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
_Done = TypeVar("_Done")
Advance = Callable[[], object]
"""Called after each piece of work."""

NO_WEIGHTS: Floats = np.zeros(0, np.float32)
"""Balanced play."""
CHUNK = 1 << 16
"""Samples are gathered in chunks of at most so many; each has its own seed, whoever takes it."""
_WORTH_HEAT = UNIT * 65536
"""Balanced play's own unit on the shortlist."""


def balanced_table(game: Game) -> Worth:
    """What balanced play goes by, for every seat."""
    worth, found = balanced_worth(game.tables.setup.title), np.zeros(4 * WORTH_SIZE, np.uint16)
    for seat in range(4):
        row = found[WORTH_SIZE * seat : WORTH_SIZE * (seat + 1)]
        row[: len(worth.places)] = np.round(UNIT * (np.array(worth.places) - worth.places[0]))
        row[BONUS_WORTH] = round(UNIT * worth.bonus)
    return found


def stream_of(*parts: object) -> int:
    """The begin of a random stream that belongs to these words and numbers."""
    return int.from_bytes(sha256("|".join(map(str, parts)).encode()).digest()[:8], "big") >> 2


@dataclass(frozen=True, slots=True)
class Heat:
    """How much chance there is in self-play."""

    of_value: float
    """Temperature of the softmax over log odds; solo: over places of the lowest marker."""
    of_worth: float = 0.05
    """The same over balanced play's worth, where there are no weights yet."""
    wild: float = 0.1
    """One game in so many is hotter by up to six times."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """States and what became of them."""

    samples: Bytes
    targets: Floats
    games: int

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
        """What came of each, in the order of the numbers."""


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
        """Share and lead of duplicate games of one look ahead, every deal once from each seat."""
        each = 50 * self.seats
        work = partial(_duplicates, self.variant, self.seats, self.candidates, weights, others, each, seed)
        return np.concatenate(list(self.pool.map(work, range(-(-games // each)))))


def _chunk(
    variant: str, seats: int, candidates: int, weights: Floats, heat: Heat, size: int, seed: int
) -> Gathered:
    """The samples of one seed."""
    game = Game.of(variant, seats)
    state = np.zeros(game.tables.state_size, np.uint8)
    state[RNG : RNG + 8] = np.frombuffer(seed.to_bytes(8, "little"), np.uint8)
    samples = np.zeros((size, FEATURE_COUNT), np.uint8)
    pairs, targets = np.zeros(size, np.uint8), np.zeros((size, 2), np.float32)
    counts = np.zeros(2, np.int32)
    selfplay.gather(
        game.tables.rules,
        game.fresh,
        state,
        balanced_table(game),
        weights,
        heat.of_value,
        heat.of_worth * _WORTH_HEAT,
        heat.wild,
        new_desk(game.tables.rules, candidates),
        samples,
        pairs,
        targets,
        counts,
    )
    return Gathered(samples[: counts[0]], targets[: counts[0]], int(counts[1]))


def _duplicates(
    variant: str, seats: int, candidates: int, weights: Floats, others: Floats, games: int, seed: int, n: int
) -> Floats:
    """Share and lead of some games of a contest, the n-th piece."""
    game, results = Game.of(variant, seats), np.zeros((games, 2), np.float32)
    selfplay.contest(
        game.tables.rules,
        game.fresh,
        np.zeros(game.tables.state_size, np.uint8),
        balanced_table(game),
        weights,
        others,
        stream_of("contest", seed, n) >> 8,
        games,
        new_desk(game.tables.rules, candidates),
        results,
    )
    return results
