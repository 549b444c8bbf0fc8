"""The player by one look ahead: its shortlist, what it may know, and how well it plays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from tests.play import games, seeds, walk

from genial.arena.train.games import NO_WEIGHTS, Players, balanced_table
from genial.bots.worth import balanced_worth
from genial.core.actions import Action, Place, Play
from genial.core.moves import Phase, markers_of, outcome
from genial.core.position import Position
from genial.kernel import player, value
from genial.kernel.api import Game
from genial.kernel.balanced import UNIT

ROOM = 6


def placing(game: tuple[str, int], seed: int) -> Position:
    positions = [p for p in walk(game, seed, greedily=True) if p.phase is Phase.PLACE]
    return positions[Random(seed).randrange(len(positions))]


@given(games, seeds)
@settings(max_examples=20)
def test_the_shortlist_holds_what_balanced_play_likes_best(game: tuple[str, int], seed: int) -> None:
    kernel, position = Game.of(*game), placing(game, seed)
    markers, worth = markers_of(position, position.seat), balanced_worth(position.setup.title)

    def liked(action: Action) -> float:
        assert isinstance(action, Place | Play)
        return worth.gained(markers, outcome(position, action).score)

    desk = player.new_desk(kernel.tables.rules, ROOM)
    state, table = Game.from_core(position, seed), balanced_table(kernel)
    chosen = player.decide(kernel.tables.rules, state, table, NO_WEIGHTS, desk)
    best = sorted(map(liked, position.actions()), reverse=True)[:ROOM]
    found = [liked(kernel.action_of(int(number))) for number in desk.actions[: len(best)]]
    assert found == pytest.approx(best, abs=4 / UNIT)
    assert chosen == desk.actions[0]


@given(games, seeds)
@settings(max_examples=20)
def test_a_player_chooses_by_what_its_seat_knows(game: tuple[str, int], seed: int) -> None:
    kernel, position = Game.of(*game), placing(game, seed)
    weights = np.random.default_rng(seed).normal(0, 0.05, value.WEIGHTS).astype(np.float32)
    other = position.determinize({position.seat}, Random(seed))
    chosen = {
        player.decide(
            kernel.tables.rules,
            Game.from_core(where, seed=1),
            balanced_table(kernel),
            weights,
            player.new_desk(kernel.tables.rules, ROOM),
        )
        for where in (position, other)
    }
    assert len(chosen) == 1


def test_what_was_learned_beats_balanced_play() -> None:
    """88.9% of 2,000 games; 200 are enough to see that these are the weights and the features they know."""
    weights = value.weights_of("classic", 2)
    assert weights is not None
    with ThreadPoolExecutor(1) as pool:
        players = Players("classic", 2, 24, pool)
        results = players.contest(weights, NO_WEIGHTS, games=200, seed=1)
    assert results[:, 0].mean() > 0.78
