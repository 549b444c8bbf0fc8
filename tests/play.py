"""Random games for the tests, and how many of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

import pytest
from hypothesis import strategies as st

import genial
from genial.core.actions import Place, Play
from genial.core.bits import members
from genial.core.events import Placed, Played, Swapped
from genial.core.layout import Layout
from genial.core.moves import outcome
from genial.core.pairs import legal_pairs
from genial.core.points import colour_points, tile_points
from genial.core.position import Position
from genial.core.record import record_of
from genial.core.situation import Phase, Situation
from genial.core.titles import TITLES

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
"""How hard tests try: `make test` is quick, `make test-all` tries everything."""

T = TypeVar("T")

GAMES = [(variant, seats) for variant, title in TITLES.items() for seats in title.seats]
"""Every variant with each of its seat counts."""


def some(things: Sequence[T], few: int) -> Sequence[T]:
    """All of them, or in the quick profile a few, spread evenly. Tests that call this are marked `thorough`.

    >>> some("abcdefgh", 9)
    'abcdefgh'
    """
    if PROFILE != "quick" or few >= len(things):
        return things
    return [things[n * (len(things) - 1) // max(few - 1, 1)] for n in range(few)]


def others_slow(games: Sequence[tuple[str, int]]) -> list[Any]:
    """These games as parameters: the first of each title as it is, the others marked `slow`."""
    firsts = {variant: (variant, seats) for variant, seats in reversed(games)}.values()
    return [pytest.param(*game, marks=() if game in firsts else pytest.mark.slow) for game in games]


games = st.sampled_from(GAMES)
seeds = st.integers(min_value=0, max_value=2**32)


def walk(game: tuple[str, int], seed: int, *, greedily: bool = False) -> list[Position]:
    """The positions of a random game, one after each action. Greedy play reaches bonus moves and swaps."""
    rng = Random(seed)
    position = genial.new(game[0], seats=game[1], seed=seed)
    positions = [position]
    while not position.is_over:
        actions = position.actions()
        action = actions[rng.randrange(len(actions))]
        if greedily and position.phase is Phase.PLACE:
            few = [actions[rng.randrange(len(actions))] for _ in range(12)]
            action = max(
                (a for a in few if isinstance(a, Place | Play)),
                key=lambda a: sum(outcome(position, a).score.gain),
            )
        elif greedily:
            action = actions[-1]  # a swap where there is one
        position, _ = position.apply(action)
        positions.append(position)
    return positions


def last_moves(game: tuple[str, int], count: int, seed: int = 3) -> dict[str, Any]:
    """A random game's record and the ply before its last moves, to play on from, as a request sends them."""
    *_, end = walk(game, seed)
    moves = sum(isinstance(event, Placed | Played | Swapped) for event in end.events)
    return {"record": record_of(end), "ply": moves - count}


class ScoredPlace(NamedTuple):
    """A place for a tile, with the points of each half before caps."""

    tile: str
    pair: int
    turned: bool
    points: tuple[int, int]


def scored_pairs(situation: Situation) -> Iterator[ScoredPlace]:
    """Every place for every kind of tile on the rack, turned either way, with its points."""
    if not isinstance(situation.table, Layout):
        return
    places = list(members(legal_pairs(situation)))
    columns = tile_points(situation.racks[situation.seat], colour_points(situation.table, places))
    for tile, there, turned in columns:
        for place, straight, reverse in zip(places, there, turned, strict=True):
            yield ScoredPlace(tile, place, False, straight)
            yield ScoredPlace(tile, place, True, reverse)
