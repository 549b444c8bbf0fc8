"""What the tests of the arena share: small contests, and runners without processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from genial.arena.fixtures import Fixture, lineups
from genial.arena.game import Played
from genial.arena.settings import Settings
from genial.core.title import setup
from genial.core.titles import title_of


def settings(mode: str = "match", variant: str = "cards", seats: int = 2, *bots: str) -> Settings:
    found = setup(title_of(variant), seats)
    return Settings(mode, variant, seats, "t", lineups(mode, found, bots or ("strong", "weak")), 10)


class Dice:
    """Draws random results instead of playing, the same for each fixture. Has several games in progress."""

    def __init__(self, share: float, *, at_once: int = 1, shuffle: int = 0) -> None:
        self._share, self._at_once, self._chance = share, at_once, Random(shuffle)
        self.taken: list[tuple[int, int, int]] = []

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Played]:
        waiting, running = iter(fixtures), list[Fixture]()
        while True:
            while len(running) < self._at_once and (fixture := next(waiting, None)):
                self.taken.append(fixture.key)
                running.append(fixture)
            if not running:
                return
            yield self.result(running.pop(self._chance.randrange(len(running))))

    def result(self, fixture: Fixture) -> Played:
        first = fixture.players[0] if Random(str(fixture.key)).random() < self._share else fixture.players[-1]
        ranks = tuple(1 if player == first else 2 for player in fixture.players)
        noted = tuple(3 - rank for rank in ranks)
        return Played(*fixture.key, fixture.players, ranks, noted, "goal", ms=((1.0,),) * len(ranks))
