"""Where a run plays and learns: on this machine's cores, or on its graphics card."""

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
    """How much randomness there is in self-play."""

    of_value: float
    """Temperature of the softmax over log odds; in solo over steps of the lowest marker."""
    of_worth: float = 0.05
    """The same over balanced play's worth, while there are no weights yet."""
    wild: float = 0.1
    """The share of games that are hotter, by up to six times."""


class Played(Sized, Protocol):
    """States from self-play and their outcomes, wherever they are stored."""

    @property
    def games(self) -> int:
        """How many games they come from."""


_Played = TypeVar("_Played", bound=Played)


class Workshop(Protocol[_Played]):
    """Plays and learns."""

    def play(self, learner: Learner | None, generation: int, advance: Advance) -> _Played:
        """Play a generation of self-play or, without a learner yet, of balanced play."""

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
        """Take some steps. Returns the mean losses of share and lead."""

    def contest(self, learner: Learner) -> Floats:
        """Share and lead in duplicate games, one move of look-ahead against balanced play, from all seats."""


AnyWorkshop = Workshop[Any]


def stream_of(*parts: object) -> int:
    """The start of a random stream that belongs to these words and numbers."""
    return int.from_bytes(sha256("|".join(map(str, parts)).encode()).digest()[:8], "big") >> 2
