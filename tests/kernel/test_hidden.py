"""Nothing hidden reaches an observation, a mask of another seat's moves or a value function's features."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from tests.play import games, seeds, walk

from genial.core.position import Position
from genial.core.situation import Phase
from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.state import State


def observed(game: Game, state: State, seat: int) -> bytes:
    out = bytearray(b"\xaa" * game.observation_bytes)
    game.observe(state, seat, out)
    return bytes(out) + game.features(state, seat).tobytes()


@given(games, seeds)
@settings(max_examples=40)
def test_redealing_what_a_seat_cannot_see_changes_nothing_for_it(game: tuple[str, int], seed: int) -> None:
    """Non-interference: core redeals within all that the seat has seen, and the seat sees the same bytes."""
    rng, kernel = Random(seed), Game.of(*game)
    positions = walk(game, seed, greedily=seed % 2 == 0)
    for position in [positions[rng.randrange(len(positions))] for _ in range(4)]:
        for seat in range(game[1]):
            other = position.determinize({seat}, rng)
            one, two = Game.from_core(position, seed=1), Game.from_core(other, seed=2)
            assert observed(kernel, one, seat) == observed(kernel, two, seat)
            third = kernel.determinize(one, {seat}, seed=3)
            assert observed(kernel, one, seat) == observed(kernel, third, seat)


@given(games, seeds)
@settings(max_examples=20)
def test_an_open_swap_is_visible_only_to_its_seat(game: tuple[str, int], seed: int) -> None:
    kernel = Game.of(*game)
    for position in walk(game, seed, greedily=True):
        if position.phase is Phase.END_TURN:
            open_swap = len(position.actions()) == 2
            for seat in range(game[1]):
                shown = observed(kernel, Game.from_core(position), seat)[8]
                assert shown == (open_swap and seat == position.seat)


@given(games, seeds)
@settings(max_examples=20)
def test_a_redealt_state_keeps_what_is_seen(game: tuple[str, int], seed: int) -> None:
    kernel, rng = Game.of(*game), Random(seed)
    positions = walk(game, seed)
    position = positions[rng.randrange(len(positions))]
    viewers = {seat for seat in range(game[1]) if rng.random() < 0.5}
    redealt = kernel.to_core(kernel.determinize(Game.from_core(position), viewers, seed))
    assert sorted(_all_tiles(redealt)) == sorted(_all_tiles(position))
    for seat, rack in enumerate(position.racks):
        assert len(redealt.racks[seat]) == len(rack)
        assert seat not in viewers or redealt.racks[seat] == rack
    assert redealt.table == position.table
    assert redealt.tracks == position.tracks


def _all_tiles(position: Position) -> list[str]:
    return [*position.bag, *(tile for rack in position.racks for tile in rack)]


def test_redealing_gives_different_deals() -> None:
    kernel = Game.of("classic", 3)
    state = kernel.new(seed=1)
    racks = {bytes(kernel.determinize(state, {0}, seed)[at.RACKS : at.BAG]) for seed in range(20)}
    assert len(racks) == 20
