"""What is being learned, with everything needed to continue, and the file that stores it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from genial.arena.errors import WrongContest
from genial.arena.train.network import HEADS, Adam, begin_heads, begin_weights, paces_of
from genial.kernel.network import WEIGHTS

Floats = NDArray[np.float32]


@dataclass(slots=True)
class Learner:
    """Weights that are being learned, and everything needed to continue."""

    weights: Floats
    paces: Floats
    heads: Floats
    """Not used to play (`layers.py`); training on cores leaves them as they are."""
    solo: bool
    adam: Adam = field(default_factory=lambda: Adam.of(WEIGHTS))
    heads_adam: Adam = field(default_factory=lambda: Adam.of(HEADS))
    generation: int = 0
    games: int = 0

    @staticmethod
    def begin(samples: NDArray[np.uint8], solo: bool, rng: np.random.Generator) -> Learner:
        """A new one; the first samples determine the size of features."""
        paces = paces_of(samples)
        return Learner(begin_weights(paces, rng), paces, begin_heads(rng), solo)

    def save(self, path: Path) -> None:
        """Write it to a file atomically."""
        beside = path.with_suffix(".part.npz")
        np.savez(
            beside,
            weights=self.weights,
            paces=self.paces,
            mean=self.adam.mean,
            square=self.adam.square,
            heads=self.heads,
            heads_mean=self.heads_adam.mean,
            heads_square=self.heads_adam.square,
            numbers=np.array(
                [self.adam.steps, self.heads_adam.steps, self.generation, self.games, self.solo], np.int64
            ),
        )
        beside.replace(path)

    @staticmethod
    def load(path: Path) -> Learner:
        """Load one to continue; raises SetupError if the file contains none."""
        try:
            with path.open("rb") as file, np.load(file) as found:
                kept: dict[str, Any] = dict(found)
            steps, heads_steps, generation, games, solo = kept["numbers"].tolist()
            shapes: dict[str, tuple[int, ...]] = {}
            shapes |= dict.fromkeys(("weights", "paces", "mean", "square"), (WEIGHTS,))
            shapes |= dict.fromkeys(("heads", "heads_mean", "heads_square"), HEADS)
            if any(kept[name].shape != shape for name, shape in shapes.items()):
                raise ValueError("the weights of another network")
        except (ValueError, KeyError, EOFError, BadZipFile) as error:
            raise WrongContest("train-file", path=str(path), problem=str(error).rstrip(".")) from None
        return Learner(
            kept["weights"],
            kept["paces"],
            kept["heads"],
            bool(solo),
            Adam(kept["mean"], kept["square"], steps),
            Adam(kept["heads_mean"], kept["heads_square"], heads_steps),
            generation,
            games,
        )
