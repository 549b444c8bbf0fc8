"""The kernel plays exactly core's game: a sample. The long run is `python -m tools.full_kernel`."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from tests.kernel.agreement import bare, follow
from tests.kernel.recorded import RecordedGame
from tests.play import games, seeds, walk

import genial
from genial.core.record import dump, record_of
from genial.kernel.api import Game


@pytest.mark.parametrize("greedily", [False, True], ids=["random", "greedy"])
def test_a_game_can_be_followed_move_by_move_and_undone(variant: str, seats: int, greedily: bool) -> None:
    assert follow(Game.of(variant, seats), variant, seats, seed=1, greedily=greedily) > 20


@given(games, seeds)
@settings(max_examples=20)
def test_positions_survive_the_way_to_the_kernel_and_back(game: tuple[str, int], seed: int) -> None:
    positions = walk(game, seed, greedily=seed % 2 == 0)
    for position in Random(seed).sample(positions, 5):
        assert Game.of(*game).to_core(Game.from_core(position)) == bare(position)


def test_a_kernel_game_is_lawful_and_the_same_as_cores(variant: str, seats: int) -> None:
    """DEAL: a game that leaves a record is dealt by core's dealer; its events are core's, byte for byte."""
    rng = Random(f"{variant}{seats}")
    played = RecordedGame(variant, seats, seed=5)
    position = genial.new(variant, seats=seats, seed=5)
    while not played.is_over:
        numbers = played.game.legal(played.state).numbers
        number = numbers[-1 if rng.random() < 0.3 else rng.randrange(len(numbers))]
        played.apply(number)
        position, _ = position.apply(played.game.action_of(number))
    record = dump(record_of(played.position()))
    assert record == dump(record_of(position))
    assert genial.check(record).status == "lawful"


def test_an_unlawful_action_leaves_no_trace(variant: str, seats: int) -> None:
    played = RecordedGame(variant, seats, seed=5)
    before = played.game.clone(played.state)
    with pytest.raises(ValueError, match="isn't allowed now"):
        played.apply(played.game.swap)
    assert played.game.step(played.state, -1) == 1
    assert played.game.step(played.state, played.game.actions) == 1
    assert played.state == before
