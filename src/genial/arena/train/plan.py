"""What a run does, and where its folder keeps what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from genial.kernel.weights import file_of

CORES, CARD = "cpu", "cuda"
"""The devices: all cores of this machine, or its graphics card."""
SLICE = 512
"""A batch is cut into slices of so many states, each of one generation, whatever the number of threads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run does."""

    variant: str
    seats: int
    folder: Path
    generations: int
    chunks: int
    """Of self-play in each generation."""
    passes: float
    """How often each new state is learned from, on average."""
    window: int
    """States of so many generations are learned from."""
    batch: int
    candidates: int
    """Placements that a player looks at."""
    heat: float
    """Chance in self-play: over log odds of the share, in solo over places of the lowest marker."""
    rate: float
    last_rate: float
    contest: int
    """So many games against balanced play show after each generation what was learned."""
    minutes: float
    """The run ends with the first generation after these."""
    seed: int
    jobs: int
    ray: str | None
    """The cluster that plays, if another machine shall; this one learns."""
    device: str = CORES
    trust: float = 0.0
    """On a card: how far a target goes by the value of later positions, not by the end (`lockstep`)."""
    keep: float = 1.0
    """On a card: the part of all states that is learned from."""
    beside: float = 0.0
    """On a card: how much the heads count that nobody plays by (`layers`)."""

    @property
    def name(self) -> str:
        return f"{self.variant}-{self.seats}"

    @property
    def kept(self) -> Path:
        """What it takes to carry on."""
        return self.folder / f"{self.name}.npz"

    @property
    def weights(self) -> Path:
        """What bots play by."""
        return file_of(self.folder, self.variant, self.seats)

    @property
    def log(self) -> Path:
        """A line a generation."""
        return self.folder / f"{self.name}.jsonl"

    @property
    def curves(self) -> Path:
        return self.folder / f"{self.name}.svg"
