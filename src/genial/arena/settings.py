"""What determines every game of a contest, but not how many of them are played."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from genial.arena.fixtures import Fixture, Key, Lineup


class Settings(msgspec.Struct, frozen=True):
    """Contests with the same settings have the same games, so one can continue where another stopped."""

    mode: str
    variant: str
    seats: int
    seed: str
    lineups: tuple[Lineup, ...]
    deadline: float
    nodes: int | None = None
    seconds: float | None = None

    def fixture(self, key: Key, records: str | None = None) -> Fixture:
        """One game of the contest."""
        lineup, deal, seating = key
        return Fixture(
            lineup,
            deal,
            seating,
            variant=self.variant,
            seats=self.seats,
            seed=f"{self.seed}-{deal}",
            players=self.lineups[lineup].seated(seating),
            deadline=self.deadline,
            nodes=self.nodes,
            seconds=self.seconds,
            records=records,
        )

    @property
    def name(self) -> str:
        """A name for its files, the same for the same settings."""
        mark = sha256(msgspec.json.encode(self)).hexdigest()[:8]
        return f"arena-{self.mode}-{self.variant}-{self.seats}-{mark}"
