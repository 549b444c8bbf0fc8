"""The endgame solved exactly: the same as trying everything step by step, by the simplest recursion."""

from __future__ import annotations

import pytest
from tests.kernel.choices import Choice
from tests.play import walk

from genial.core.layout import Layout
from genial.core.position import Position
from genial.core.situation import Phase
from genial.kernel import totals
from genial.kernel.api import Game
from genial.kernel.state import State

_NO_LEAD = (0.0, 1.0)
"""How the lead counts: not at all, so that scores are shares."""


def _near_the_end(variant: str, seats: int, places: int) -> Position:
    for seed in range(50):
        for position in walk((variant, seats), seed, greedily=True):
            if (
                position.phase is Phase.PLACE
                and isinstance(position.table, Layout)
                and position.table.open_pairs.bit_count() <= places
                and position.turn > seats
            ):
                return position
    pytest.fail("no game came to its last places")


def _tried(game: Game, state: State) -> list[float]:
    """Each seat's share of the opponents beaten, if everybody does what is best for itself."""
    while not game.is_over(state) and game.legal(state).numbers[-1] >= game.refill:
        game.step(state, game.legal(state).numbers[-1])
    if game.is_over(state):
        return _shares(game, state)
    mover, best = game.seat(state), [-1.0] * game.tables.setup.seats
    for number in game.legal(state).numbers:
        after = game.clone(state)
        game.step(after, number)
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
    world = game.from_core(position)
    choice = Choice(game, world, 7, nodes=1, redealing=False, endgame=True, lead=_NO_LEAD).run()
    found = {int(row[totals.ACTION]): row for row in choice.rows()}
    assert sorted(found) == game.legal(world).numbers.tolist()
    # The plain recursion gets the same random numbers as the solver gave its world.
    stream = _stream(game, world, 7)
    for number, row in found.items():
        state = stream.copy()
        game.step(state, number)
        assert row[totals.NODES] == 1
        assert row[totals.SCORE] == pytest.approx(_tried(game, state)[position.seat])
        assert sum(row[totals.WINS : totals.WINS + seats]) == pytest.approx(1)


def _stream(game: Game, world: State, seed: int) -> State:
    """The world with the randomness the solver gives it: one number of the seed's stream, halved."""
    word = (seed + 0x9E3779B97F4A7C15) % (1 << 64)
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
    word = (word ^ word >> 27) * 0x94D049BB133111EB % (1 << 64)
    return game.from_core(game.to_core(world), (word ^ word >> 31) >> 1)


def test_a_game_that_has_just_begun_is_not_solved_as_an_endgame(variant: str, seats: int) -> None:
    game = Game.of(variant, seats)
    world = game.new(3)
    assert Choice(game, world, 5, endgame=True).run().rows() == Choice(game, world, 5).run().rows()


def test_worlds_are_solved_until_the_budget_is_spent() -> None:
    game = Game.of("classic", 2)
    world = game.from_core(_near_the_end("classic", 2, 3))
    few, many = (Choice(game, world, 5, nodes=nodes, endgame=True).run().rows() for nodes in (1, 40_000))
    assert {row[totals.NODES] for row in few} == {1}
    [worlds] = {row[totals.NODES] for row in many}
    assert worlds > 1


def test_hurrying_still_finishes_the_world_in_progress() -> None:
    game = Game.of("classic", 2)
    world = game.from_core(_near_the_end("classic", 2, 3))
    choice = Choice(game, world, 5, nodes=1 << 40, endgame=True)
    while choice.step(1, hurry=True):
        pass
    assert {row[totals.NODES] for row in choice.rows()} == {1}
