"""Symmetries: playing and then mirroring is the same as mirroring and then playing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from tests.play import games, seeds, walk

from genial.core.events import Dealt, Drew, Ended, Event, Opened, Placed, Played, Swapped
from genial.core.fold import fold
from genial.core.judge import judge
from genial.core.layout import Layout
from genial.core.numbering import numbering
from genial.core.observation import observe
from genial.core.position import Position, before_dealing
from genial.core.symmetry import Symmetry, symmetries
from genial.core.title import setup
from genial.core.titles import title_of


def mirrored(symmetry: Symmetry, event: Event) -> Event:
    """The event in the mirror that corresponds to this one."""

    def by_colour(numbers: tuple[int, ...]) -> tuple[int, ...]:
        out = list(numbers)
        for colour, number in enumerate(numbers):
            out[symmetry.colours[colour]] = number
        return tuple(out)

    match event:
        case Dealt() | Drew() | Swapped():
            return replace(event, tiles=tuple(map(symmetry.tile, event.tiles)))
        case Opened():
            return replace(event, tile=symmetry.tile(event.tile))
        case Placed():
            first, second = map(symmetry.cell, event.cells)
            tile = symmetry.tile(event.tile)
            return replace(event, tile=tile, cells=(first, second), gain=by_colour(event.gain))
        case Played():
            return replace(event, tile=symmetry.tile(event.tile), gain=by_colour(event.gain))
        case Ended():
            return replace(event, tracks=tuple(map(by_colour, event.tracks)))
        case _:
            return event


def replayed(symmetry: Symmetry, position: Position) -> Position:
    """The same game in the mirror; the referee finds every event in it lawful."""
    start = None
    if isinstance(layout := position.table, Layout):
        board, there = layout.board, [0] * len(layout.start)
        for colour, cell in enumerate(layout.start):
            there[symmetry.colours[colour]] = board.number[symmetry.cell(board.cells[cell])]
        start = tuple(there)
    found = before_dealing(position.setup, start)
    for event in position.events:
        judge(found, mirrored(symmetry, event))
        found = fold(found, mirrored(symmetry, event))
    return found


@given(games, seeds)
@settings(max_examples=40)
def test_symmetry_then_play_is_play_then_symmetry(game: tuple[str, int], seed: int) -> None:
    rng, positions = Random(seed), walk(game, seed, greedily=seed % 2 == 0)
    found = symmetries(positions[0].setup)
    symmetry = found[rng.randrange(len(found))]
    numbers = numbering(positions[0].setup)
    for n in sorted(rng.randrange(len(positions) - 1) for _ in range(3)):
        here, there = positions[n], replayed(symmetry, positions[n])
        for seat in range(game[1]):
            seen = observe(here.view({seat}), seat)
            assert symmetry.observation(seen) == observe(there.view({seat}), seat)
        lawful = numbers.numbers_of(here.actions())
        lawful_there = numbers.numbers_of(there.actions())
        assert symmetry.mask(lawful) == lawful_there
        actions = here.actions()
        action = actions[rng.randrange(len(actions))]
        number = symmetry.action(numbers.number_of(action), lawful)
        assert lawful_there >> number & 1
        if n + 1 == len(positions) - 1 or here.setup.title.is_solo:
            continue  # what is drawn is another matter
        after = here.apply(action)[0] if here.phase.value == "place" else None
        if after is not None and after.phase.value == "end-turn":
            then, _ = there.apply(numbers.action_of(number))
            seen = observe(after.view({here.seat}), here.seat)
            assert symmetry.observation(seen) == observe(then.view({here.seat}), here.seat)


@given(games, seeds)
def test_a_table_of_numbers_is_a_permutation_that_matches_actions(game: tuple[str, int], seed: int) -> None:
    rng, found = Random(seed), symmetries(setup(title_of(game[0]), game[1]))
    symmetry = found[rng.randrange(len(found))]
    table = symmetry.numbers()
    assert sorted(table) == list(range(numbering(symmetry.setup).count))
    for number in (rng.randrange(len(table)) for _ in range(50)):
        assert table[number] == symmetry.action(number)


@pytest.mark.parametrize(
    ("variant", "count"), [("classic", 12), ("classic-team", 12), ("3d", 8640), ("cards", 720)]
)
def test_all_symmetries_are_there_and_one_after_another_is_a_third(variant: str, count: int) -> None:
    title = title_of(variant)
    found = symmetries(setup(title, title.seats[-1]))
    board, rng = found[0].setup.board, Random(count)
    cells = board.cells if board is not None else ()

    def seen(*steps: Symmetry) -> tuple[object, ...]:
        """Where everything ends up: every cell, and every colour."""
        there, colours = list(cells), list(range(6))
        for step in steps:
            there = [step.cell(cell) for cell in there]
            colours = [step.colours[colour] for colour in colours]
        return tuple(there), tuple(colours)

    known = {seen(each) for each in found}
    assert len(found) == len(known) == count
    for _ in range(200):
        one, other = rng.choice(found), rng.choice(found)
        assert seen(one, other) in known


def test_the_first_symmetry_changes_nothing() -> None:
    for game in (("classic", 3), ("3d", 2), ("cards", 2)):
        position = walk(game, 5)[9]
        first = symmetries(position.setup)[0]
        seen = observe(position.view({0}), 0)
        assert first.observation(seen) == seen
        assert list(first.numbers()) == list(range(numbering(position.setup).count))


def test_double_tracks_keep_the_order_in_which_the_halves_are_scored() -> None:
    """DOUBLE-TRACK: if both orders of a double are lawful, a mirror that flips the pair exchanges them."""
    met = 0
    for seed in range(40):
        for here in walk(("classic-solo", 1), seed, greedily=True)[12:-2:2]:
            numbers = numbering(here.setup)
            lawful = numbers.numbers_of(here.actions())
            kind = here.racks[0][0]
            if kind[0] != kind[1]:
                continue
            group = numbers.number_of(here.actions()[0]) // numbers.pairs
            both = lawful >> group * numbers.pairs & lawful >> (group + 1) * numbers.pairs
            both &= (1 << numbers.pairs) - 1
            if not both:
                continue
            number = group * numbers.pairs + (both & -both).bit_length() - 1
            for symmetry in symmetries(here.setup):
                there = replayed(symmetry, here)
                after, _ = here.change(dealer=None, bag=()).apply(numbers.action_of(number))
                then, _ = there.change(dealer=None, bag=()).apply(
                    numbers.action_of(symmetry.action(number, lawful))
                )
                seen = observe(after.view({0}), 0)
                assert symmetry.observation(seen) == observe(then.view({0}), 0)
                met += 1
    assert met
