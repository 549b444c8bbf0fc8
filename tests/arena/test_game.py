"""One game of a contest: whose randomness is whose, and what a bot reports about its thinking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest
from tests.arena.contests import settings

from genial import kernel
from genial.arena.fixtures import Fixture
from genial.arena.game import play
from genial.bots import bot_named
from genial.bots.bot import Advice, Budget
from genial.core.actions import Action
from genial.core.view import View


@dataclass
class Gambler:
    """Notes the first random number it gets, by seat."""

    name: str
    drawn: dict[int, float] = field(default_factory=dict)

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        self.drawn.setdefault(view.seat, rng.random())
        return view.actions()[0]

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        return bot_named("greedy").advise(view, rng, budget, include)


def drawn(*names: str) -> list[float]:
    """The first numbers of all seats in the games of two sets."""
    contest, found = settings("match", "cards", 2, *names), list[float]()
    for key in [(0, deal, seating) for deal in range(2) for seating in range(2)]:
        bots = [Gambler(name) for name in contest.fixture(key).players]
        play(contest.fixture(key), bots)
        found += [bot.drawn[seat] for seat, bot in enumerate(bots)]
    return found


def test_randomness_depends_on_deal_seating_and_seat_but_not_on_the_player() -> None:
    numbers = drawn("level-3[fear=0.3]", "level-3")
    assert len(set(numbers)) == len(numbers) == 8
    assert drawn("level-3[fear=0.4]", "level-3") == numbers


@pytest.mark.skipif(not kernel.available(), reason=kernel.available().reason)
def test_a_searching_bot_reports_its_nodes() -> None:
    fixture = Fixture(0, 0, 0, "cards", 2, "n-0", ("level-4", "greedy"), deadline=900, nodes=300)
    played = play(fixture, [bot_named(name) for name in fixture.players])
    nodes, nothing = played.nodes
    assert nodes is not None
    assert nodes >= len(played.ms[0])
    assert nothing is None
