"""What a run does, and where its folder stores the results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from genial.kernel.weights import file_of

CORES, CARD = "cpu", "cuda"
"""The devices: all cores of this machine, or its graphics card."""
SLICE = 512
"""The states per slice of a batch; each slice comes from one generation, whatever the number of threads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run does."""

    variant: str
    seats: int
    folder: Path
    generations: int
    chunks: int
    """Chunks of self-play in each generation."""
    passes: float
    """How often each new state is learned from, on average."""
    window: int
    """How many generations of states are learned from."""
    batch: int
    candidates: int
    """Placements that a player considers."""
    heat: float
    """Randomness in self-play: over log odds of the share, in solo over steps of the lowest marker."""
    rate: float
    last_rate: float
    contest: int
    """How many games against balanced play measure each generation."""
    minutes: float
    """The run ends with the first generation after this time."""
    seed: int
    jobs: int
    ray: str | None
    """The cluster that plays the games, if not this machine; learning always happens here."""
    device: str = CORES
    trust: float = 0.0
    """On a card: how much of a target comes from the value of later positions, not the end (`lockstep`)."""
    keep: float = 1.0
    """On a card: the share of all states that is learned from."""
    beside: float = 0.0
    """On a card: how much the extra heads count (`layers`)."""

    @property
    def name(self) -> str:
        return f"{self.variant}-{self.seats}"

    @property
    def kept(self) -> Path:
        """What is needed to continue."""
        return self.folder / f"{self.name}.npz"

    @property
    def weights(self) -> Path:
        """The weights that bots use."""
        return file_of(self.folder, self.variant, self.seats)

    @property
    def log(self) -> Path:
        """One line per generation."""
        return self.folder / f"{self.name}.jsonl"

    @property
    def curves(self) -> Path:
        return self.folder / f"{self.name}.svg"
