"""Every action has one number, and every number one action."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from tests.play import games, seeds, walk

from genial.core.actions import Place, Play, Refill, Swap
from genial.core.bits import members
from genial.core.numbering import numbering
from genial.core.situation import Phase
from genial.core.tiles import is_double
from genial.core.title import setup
from genial.core.titles import title_of


@given(games, seeds)
def test_numbers_and_actions_correspond_to_each_other(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    numbers = numbering(setup(title_of(game[0]), game[1]))
    for number in (rng.randrange(numbers.count) for _ in range(50)):
        action = numbers.action_of(number)
        if isinstance(action, Play) and is_double(action.tile):
            continue  # there is no such card
        assert numbers.number_of(action) == number
        if isinstance(action, Place) and not is_double(action.tile):
            turned = Place(action.tile[::-1], (action.cells[1], action.cells[0]))
            assert numbers.number_of(turned) == number


@given(games, seeds)
def test_a_set_of_numbers_holds_exactly_the_lawful_actions(game: tuple[str, int], seed: int) -> None:
    positions = walk(game, seed)
    for position in positions[:: max(1, len(positions) // 5)]:
        actions = position.actions()
        numbers = numbering(position.setup)
        found = [numbers.action_of(number) for number in members(numbers.numbers_of(actions))]
        assert set(found) == set(actions)
        assert len(found) == len(actions)


def test_a_double_placed_the_other_way_round_is_the_same_action() -> None:
    """Bots may name it either way; DOUBLE-TRACK says when both exist."""
    met = 0
    for position in walk(("classic", 2), 3)[::2]:
        numbers, doubles = (
            numbering(position.setup),
            [t for t in position.racks[position.seat] if is_double(t)],
        )
        lawful = numbers.numbers_of(position.actions())
        for action in position.actions() if doubles and position.phase is Phase.PLACE else ():
            if isinstance(action, Place) and is_double(action.tile):
                turned = Place(action.tile, (action.cells[1], action.cells[0]))
                assert numbers.number_among(turned, lawful) == numbers.number_of(action)
                met += 1
    assert met


def test_refill_and_swap_come_last() -> None:
    numbers = numbering(setup(title_of("classic"), 2))
    assert numbers.action_of(numbers.count - 2) == Refill()
    assert numbers.action_of(numbers.count - 1) == Swap()


@pytest.mark.parametrize("number", [-1, 44])
def test_a_number_without_an_action_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"0 to 43, but the number is {number}"):
        numbering(setup(title_of("cards"), 2)).action_of(number)
