"""One of the kernel's choices, started and continued by hand."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from genial.bots.search import playout_worth
from genial.kernel import settings, totals
from genial.kernel.api import Game
from genial.kernel.engine import engine
from genial.kernel.weights import weights_of
from genial.kernel.worth import worth_table

GUARD = b"\xaa" * 64
"""Comes after the memory of a search, and must stay unchanged."""


class Choice:
    """A search in one world, or in several, one after another."""

    def __init__(
        self,
        game: Game,
        worlds: bytes | bytearray,
        seed: int,
        *,
        nodes: int = 100,
        width: int = 8,
        wanted: Sequence[int] = (),
        redealing: bool = True,
        endgame: bool = False,
        learned: bool = False,
        lead: tuple[float, float] = (0.15, 6.0),
    ) -> None:
        setup = game.tables.setup
        self._rules, self._worlds = game.tables.rules, bytearray(worlds)
        weights = weights_of(setup.title.variant, setup.seats) if learned else None
        self._weights = weights or array("f")
        worth = playout_worth(setup.title)
        self._worth = worth_table(worth.steps, worth.bonus, setup.seats)
        told = array("d", bytes(8 * settings.COUNT))
        told[settings.NODES], told[settings.WIDTH], told[settings.WANTED] = nodes, width, len(wanted)
        told[settings.WORLDS] = len(worlds) // game.tables.state_size
        told[settings.REDEALING], told[settings.ENDGAME] = redealing, endgame
        told[settings.LEARNED] = weights is not None and not setup.title.is_solo
        told[settings.LEAD_WEIGHT], told[settings.LEAD_SCALE] = lead
        size = engine().choice_size(self._rules, told)
        self._space = bytearray(b"\x55" * size + GUARD)
        self.candidates: int = engine().choice_begin(
            self._rules,
            told,
            self._worth,
            self._weights,
            self._worlds,
            array("i", wanted),
            self._space,
            seed,
        )

    def step(self, budget: int, *, hurry: bool = False) -> int:
        """Continue. Returns how many parts of the work are left."""
        left: int = engine().choice_step(
            self._rules, self._worth, self._weights, self._worlds, self._space, budget, int(hurry)
        )
        return left

    def run(self) -> Choice:
        """Continue to the end."""
        while self.step(1 << 20):
            pass
        return self

    def rows(self) -> list[list[float]]:
        """What is known about the candidates, best first."""
        found = array("d", bytes(8 * totals.WIDTH * self.candidates))
        assert engine().choice_result(self._space, found) == self.candidates
        assert self._space.endswith(GUARD)
        return [found[n : n + totals.WIDTH].tolist() for n in range(0, len(found), totals.WIDTH)]
