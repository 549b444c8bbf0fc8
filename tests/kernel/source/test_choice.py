"""A choice: the same however it is sliced, halved as plain Python would, and blind to what is hidden."""

from __future__ import annotations

from functools import cache
from math import ceil, log2
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernel.choices import Choice
from tests.play import games, seeds, walk

from genial.core.position import Position
from genial.kernel.api import Game
from genial.kernel.totals import ACTION, NODES, SCORE, SQUARES, STAGE, WIDTH, WINS

kinds = st.sampled_from(["playouts", "by value", "exact"])


def _some(game: tuple[str, int], seed: int, *, late: bool = False) -> Position:
    positions = [position for position in walk(game, seed, greedily=True) if not position.is_over]
    return positions[-2] if late else positions[Random(seed).randrange(len(positions))]


@given(games, seeds, kinds, st.lists(st.integers(0, 40), min_size=1, max_size=5))
@settings(max_examples=30)
def test_any_slicing_gives_the_same_result(
    game: tuple[str, int], seed: int, kind: str, budgets: list[int]
) -> None:
    compiled, exact = Game.of(*game), kind == "exact"
    world = compiled.from_core(_some(game, seed, late=exact))

    def begun() -> Choice:
        return Choice(compiled, world, seed, nodes=60, width=5, endgame=exact, learned=kind == "by value")

    sliced, calls = begun(), 0
    while sliced.step(budgets[calls % len(budgets)] + (calls % len(budgets) == 0)):
        calls += 1
    assert sliced.rows() == begun().run().rows()


def test_a_choice_can_advance_one_node_at_a_time(variant: str, seats: int) -> None:
    compiled = Game.of(variant, seats)
    world = compiled.from_core(_some((variant, seats), 3))
    whole, step = Choice(compiled, world, 3, nodes=40).run(), Choice(compiled, world, 3, nodes=40)
    seen = [sum(row[NODES] for row in step.rows())]
    while step.step(1):
        seen.append(sum(row[NODES] for row in step.rows()))
    assert seen[:-1] == list(range(len(seen) - 1))
    assert step.rows() == whole.rows()


@given(games, seeds, st.integers(1, 12), st.integers(0, 2), st.integers(1, 200))
@settings(max_examples=25)
def test_halving_matches_plain_python(
    game: tuple[str, int], seed: int, width: int, asked: int, nodes: int
) -> None:
    compiled, position = Game.of(*game), _some(game, seed)
    world = compiled.from_core(position)
    actions = position.actions()
    wanted = [compiled.number_of(action) for action in actions[: min(asked, len(actions))]]
    choice = Choice(compiled, world, seed, nodes=nodes, width=width, wanted=wanted)
    candidates = [int(row[ACTION]) for row in choice.rows()]  # nothing is known yet: in their own order

    @cache
    def mean(action: int, rounds: int) -> float:
        """What this many rounds say about one candidate: a search for it alone."""
        alone = Choice(compiled, world, seed, nodes=2 * rounds, width=1, wanted=[action])
        while alone.step(1):
            [row] = [row for row in alone.rows() if row[ACTION] == action]
            if row[NODES] == rounds:
                break
        [row] = [row for row in alone.rows() if row[ACTION] == action]
        assert row[NODES] == rounds
        return row[SCORE]

    stages, live, played = dict.fromkeys(candidates, 0), list(candidates), dict.fromkeys(candidates, 0)
    halvings = max(ceil(log2(len(candidates))), 1)
    left_over = nodes
    for left in range(halvings, 0, -1):
        if left < halvings:
            furthest = max(stages.values())
            racing = [action for action in candidates if stages[action] == furthest]
            racing.sort(key=lambda action: -mean(action, played[action]))
            for action in racing[: ceil(len(racing) / 2)]:
                stages[action] += 1
            live = [a for a in candidates if a in wanted or stages[a] > furthest]
        rounds = max(left_over // (left * len(live)), 1)
        left_over -= rounds * len(live)
        for action in live:
            played[action] += rounds
    expected = sorted(candidates, key=lambda a: (stages[a], mean(a, played[a])), reverse=True)
    found = choice.run().rows()
    assert [row[ACTION] for row in found] == expected
    assert [row[STAGE] for row in found] == [stages[action] for action in expected]
    assert [row[NODES] for row in found] == [played[action] for action in expected]
    assert [row[SCORE] for row in found] == [mean(action, played[action]) for action in expected]


def test_in_a_hurry_every_part_ends_with_its_round(variant: str, seats: int) -> None:
    compiled = Game.of(variant, seats)
    world = compiled.new(5)
    choice = Choice(compiled, world, 7, nodes=1 << 40, width=8)
    parts = [choice.step(0)]
    while parts[-1]:
        parts.append(choice.step(1, hurry=True))
    assert set(parts) == set(range(parts[0] + 1))
    rows = choice.rows()
    rounds = sorted({row[NODES] for row in rows})
    assert rounds == list(range(1, len(rounds) + 1))  # one round for each part that a candidate took part in
    assert rows[0][NODES] == parts[0]


@given(games, seeds)
@settings(max_examples=15)
def test_actions_asked_about_are_searched_to_the_end(game: tuple[str, int], seed: int) -> None:
    compiled, position = Game.of(*game), _some(game, seed)
    actions = [compiled.number_of(action) for action in position.actions()]
    wanted = [actions[-1], actions[0], actions[-1]]
    rows = Choice(compiled, compiled.from_core(position), seed, wanted=wanted).run().rows()
    found = [row[ACTION] for row in rows]
    assert len(set(found)) == len(found)
    most = max(row[NODES] for row in rows)
    assert all(row[NODES] == most for row in rows if row[ACTION] in wanted)
    assert set(wanted) <= set(found) <= set(actions)


@given(games, seeds, kinds)
@settings(max_examples=30)
def test_what_is_hidden_makes_no_difference(game: tuple[str, int], seed: int, kind: str) -> None:
    compiled, exact = Game.of(*game), kind == "exact"
    position = _some(game, seed, late=exact)
    other = compiled.determinize(compiled.from_core(position), {position.seat}, seed)
    one, two = (
        Choice(compiled, world, seed, nodes=40, width=5, endgame=exact, learned=kind == "by value")
        for world in (compiled.from_core(position), other)
    )
    assert one.run().rows() == two.run().rows()


def test_rows_add_up(variant: str, seats: int) -> None:
    compiled = Game.of(variant, seats)
    for learned in (False, True):
        for row in Choice(compiled, compiled.new(5), 9, learned=learned).run().rows():
            assert len(row) == WIDTH
            assert row[NODES] >= 1
            assert abs(sum(row[WINS : WINS + seats]) - 1) < 1e-6
            assert row[SQUARES] >= row[SCORE] ** 2 - 1e-9
            if seats > 1:
                assert 0 <= row[SCORE] <= 1
