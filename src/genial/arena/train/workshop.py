"""Where a run plays and learns: on the cores of this machine, or on its graphics card."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from genial.arena.train.learn import Learner

Advance = Callable[[], object]
"""Called after each piece of work."""
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Heat:
    """How much chance there is in self-play."""

    of_value: float
    """Temperature of the softmax over log odds; solo: over places of the lowest marker."""
    of_worth: float = 0.05
    """The same over balanced play's worth, where there are no weights yet."""
    wild: float = 0.1
    """One game in so many is hotter by up to six times."""


class Played(Sized, Protocol):
    """States of self-play and what became of them, wherever they are kept."""

    @property
    def games(self) -> int:
        """Of how many games they are."""


_Played = TypeVar("_Played", bound=Played)


class Workshop(Protocol[_Played]):
    """Plays and learns."""

    def play(self, learner: Learner | None, generation: int, advance: Advance) -> _Played:
        """A generation of self-play; without a learner yet, of balanced play."""

    def samples(self, played: _Played) -> NDArray[np.uint8]:
        """Some of its states."""

    def learn(
        self,
        learner: Learner,
        window: Sequence[_Played],
        steps: int,
        rate: float,
        rng: np.random.Generator,
        advance: Advance,
    ) -> NDArray[np.float64]:
        """Take so many steps; the mean losses of share and lead."""

    def contest(self, learner: Learner) -> Floats:
        """Share and lead of duplicate games of one look ahead against balanced play, all seats in turn."""


AnyWorkshop = Workshop[Any]


def stream_of(*parts: object) -> int:
    """The begin of a random stream that belongs to these words and numbers."""
    return int.from_bytes(sha256("|".join(map(str, parts)).encode()).digest()[:8], "big") >> 2
