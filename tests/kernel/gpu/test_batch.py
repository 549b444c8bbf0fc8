"""Games on a graphics card: a sample. Everything is compared by `make bench-gpu ARGS="--check FILE"`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from genial import kernel
from genial.kernel import batch as host
from genial.kernel.gpu import Batch, NoCard
from genial.kernel.gpu.card import arrays, code
from genial.kernel.state import NOBODY

GAMES = 100


@pytest.fixture(scope="module", autouse=True)
def _card() -> None:
    try:
        arrays()
        code()
    except NoCard as reason:
        pytest.skip(str(reason))


def test_the_card_plays_the_same_games(variant: str, seats: int) -> None:
    game = kernel.game(variant, seats)
    here, there = host.Batch(game, GAMES, seed=3), Batch(game, GAMES, seed=3)
    for _ in range(150):
        actions = here.choose()
        assert np.array_equal(actions, there.choose().get())
        assert here.step(actions) == int(there.step(there.actions)[0]) == 0
        assert np.array_equal(here.states, there.states.get())
        assert np.array_equal(here.over, there.over.get())
    assert np.array_equal(here.masks(), there.masks().get())
    assert np.array_equal(here.observe(), there.observe().get())


def test_the_card_reports_the_same_about_a_turn(variant: str, seats: int) -> None:
    game = kernel.game(variant, seats)
    here, there = host.Batch(game, GAMES, seed=3), Batch(game, GAMES, seed=3)
    wide = game.observation_bytes
    rooms: list[dict[str, Any]] = [
        {
            "viewers": xp.full(GAMES, NOBODY, np.uint8),
            "seats": xp.zeros(GAMES, np.uint8),
            "lasts": xp.zeros((GAMES, wide), np.uint8),
            "seen": xp.zeros((GAMES, wide), np.uint8),
        }
        for xp in (np, there.card.xp)
    ]
    for _ in range(150):
        actions = here.choose("greedy")
        assert np.array_equal(actions, there.choose("greedy").get())
        assert here.turn(actions, **rooms[0]) == int(there.turn(there.actions, **rooms[1])[0]) == 0
        assert np.array_equal(here.tracks, there.tracks.get())
        for name, array in rooms[0].items():
            assert np.array_equal(array, rooms[1][name].get())


def test_playouts_leave_the_states_as_they_are() -> None:
    batch = Batch(kernel.game("classic", 2), GAMES, seed=3)
    before = batch.states.copy()
    found = batch.playouts(8, seed=1, viewers=[0])
    assert (batch.states == before).all()
    assert found.ranks.shape == found.wins.shape == found.lowest.shape == (GAMES, 2)
    assert (found.wins.sum(1) >= found.times).all()


def test_actions_for_another_number_of_games_are_refused() -> None:
    batch = Batch(kernel.game("classic", 2), GAMES, seed=3)
    with pytest.raises(ValueError, match="There are 100 games, but 99 actions"):
        batch.step(batch.actions[:-1])
