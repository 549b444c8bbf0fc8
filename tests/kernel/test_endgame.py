"""The endgame solved exactly: the same as trying everything step by step, by the plainest recursion."""

from __future__ import annotations

import numpy as np
import pytest
from tests.play import walk

from genial.core.layout import Layout
from genial.core.moves import Phase
from genial.core.position import Position
from genial.kernel import endgame, search
from genial.kernel.api import Game
from genial.kernel.compiled import State

_NO_LEAD = (0.0, 1.0)
"""How the lead counts: not at all, so that scores are shares."""


def _near_the_end(variant: str, seats: int, places: int) -> Position:
    for seed in range(50):
        for position in walk((variant, seats), seed, greedily=True):
            if (
                position.phase is Phase.PLACE
                and isinstance(position.table, Layout)
                and position.table.places.bit_count() <= places
                and position.turn > seats
            ):
                return position
    pytest.fail("no game came to its last places")


def _tried(game: Game, state: State) -> list[float]:
    """Each seat's share of the opponents beaten, if everybody does what is best for itself."""
    while not game.is_over(state) and game.legal(state).numbers[-1] >= game.refill:
        game.step(state, int(game.legal(state).numbers[-1]))
    if game.is_over(state):
        return _shares(game, state)
    mover, best = game.seat(state), [-1.0] * game.tables.setup.seats
    for number in game.legal(state).numbers:
        after = game.clone(state)
        game.step(after, int(number))
        found = _tried(game, after)
        if found[mover] > best[mover]:
            best = found
    return best


def _shares(game: Game, state: State) -> list[float]:
    ranks, sides = game.ranks(state), game.tables.setup.title.sides
    shares = []
    for seat, rank in enumerate(ranks):
        others = [r for n, r in enumerate(ranks) if sides.side_of(n) != sides.side_of(seat)]
        shares.append(sum((rank < r) + (rank == r) / 2 for r in others) / len(others))
    return shares


@pytest.mark.parametrize(
    "game_of", [("classic", 2), ("classic", 3), ("classic-team", 4), ("travel", 2), ("duel", 2)]
)
def test_the_last_places_are_solved_exactly(game_of: tuple[str, int]) -> None:
    variant, seats = game_of
    position, game = _near_the_end(variant, seats, 3), Game.of(variant, seats)
    rules, world = game.tables.rules, game.from_core(position)
    assert endgame.is_near(rules, world)
    numbers = game.legal(world).numbers.copy()
    totals, stack = np.zeros((len(numbers), search.WIDTH)), endgame.new_stack(rules)
    lines = endgame.exact(rules, world, False, stack, numbers, 0, 7, *_NO_LEAD, totals)
    assert lines >= len(numbers)
    # The same chance for the plain recursion as the solver gave its world.
    stream = _stream(game, world, 7)
    for n, number in enumerate(numbers):
        state = stream.copy()
        game.step(state, int(number))
        assert totals[n, search.SCORE] == pytest.approx(_tried(game, state)[position.seat])
        assert totals[n, search.WINS : search.WINS + seats].sum() == pytest.approx(1)


def _stream(game: Game, world: State, seed: int) -> State:
    """The world as the solver sets its chance: one number of the seed's stream, halved."""
    word = (seed + 0x9E3779B97F4A7C15) % (1 << 64)
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
    word = (word ^ word >> 27) * 0x94D049BB133111EB % (1 << 64)
    return game.from_core(game.to_core(world), (word ^ word >> 31) >> 1)


def test_a_full_board_is_not_near_its_end_at_the_beginning(variant: str, seats: int) -> None:
    game = Game.of(variant, seats)
    assert not endgame.is_near(game.tables.rules, game.new(3))
