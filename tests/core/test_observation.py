"""An observation is written from a view, so it contains what the seat may know and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from tests.play import games, seeds, walk

import genial
from genial.core.observation import OFFSETS, TABLE, fields, observation_size, observe
from genial.core.situation import Phase
from genial.core.title import setup
from genial.core.titles import title_of


def test_the_fields_fill_an_observation(variant: str, seats: int) -> None:
    found = setup(title_of(variant), seats)
    end = 0
    for field in fields(found):
        assert field.offset == end
        end += field.length
    assert end == observation_size(found)
    assert {field.name: field.offset for field in fields(found) if field.offset < TABLE} == OFFSETS


@given(games, seeds)
def test_what_is_hidden_from_a_seat_does_not_change_its_observation(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    positions = walk(game, seed, greedily=True)
    for position in [positions[rng.randrange(len(positions))] for _ in range(3)]:
        for seat in range(game[1]):
            redealt = position.determinize({seat}, rng)
            assert observe(position.view({seat}), seat) == observe(redealt.view({seat}), seat)


@given(games, seeds)
def test_every_byte_is_within_its_bounds(game: tuple[str, int], seed: int) -> None:
    for position in walk(game, seed)[::7]:
        observation = observe(position.view({0}), 0)
        for field in fields(position.setup):
            assert max(field.of(observation)) <= field.high, field


@given(games, seeds)
def test_a_view_of_several_seats_tells_each_seat_no_more(game: tuple[str, int], seed: int) -> None:
    """Somebody who plays several seats still gives each of them only what it may know."""
    for position in walk(game, seed, greedily=True)[::9]:
        both = position.view(set(range(game[1])))
        for seat in range(game[1]):
            assert observe(both, seat) == observe(position.view({seat}), seat)


def test_an_open_swap_is_visible_only_to_its_seat() -> None:
    shown = 0
    for seed in range(20):
        for position in walk(("classic", 2), seed, greedily=True):
            if position.phase is Phase.END_TURN and len(position.actions()) == 2:
                mover = position.seat
                assert observe(position.view({mover}), mover)[OFFSETS["may_swap"]] == 1
                assert observe(position.view({1 - mover}), 1 - mover)[OFFSETS["may_swap"]] == 0
                shown += 1
    assert shown


def test_a_seat_outside_the_view_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Seat 1 .* of \[0\]"):
        observe(genial.new("classic", seats=2, seed=1).view({0}), 1)


def test_observing_stacked_tiles_needs_the_events() -> None:
    with pytest.raises(ValueError, match="events"):
        observe(genial.new("3d", seats=2, seed=1).view({0}, past=False), 0)
