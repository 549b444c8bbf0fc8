"""The legal moves sent with every turn are those of the rules, pair by pair and tile by tile."""

from __future__ import annotations

from hypothesis import given, settings
from tests.legal import placements
from tests.play import games, scored_pairs, seeds, walk

from genial.core.guidance import what_now
from genial.core.layout import Layout
from genial.core.legal import legal_moves
from genial.core.situation import Phase


@settings(max_examples=30)
@given(games, seeds)
def test_the_points_of_every_tile_on_every_place_are_right(game: tuple[str, int], seed: int) -> None:
    for position in walk(game, seed)[::5]:
        legal = legal_moves(position)
        told = {(place.tile, place.pair, place.turned): place.points for place in placements(legal)}
        scored = position.phase is Phase.PLACE and isinstance(position.table, Layout)
        expected = {(p.tile, p.pair, p.turned): p.points for p in scored_pairs(position)} if scored else {}
        assert told == expected


@settings(max_examples=30)
@given(games, seeds)
def test_before_the_end_of_a_turn_everybody_is_told_the_same(game: tuple[str, int], seed: int) -> None:
    """Messages rely on it: they use the position itself, not each viewer's view of it."""
    for position in walk(game, seed)[::3]:
        if position.phase is not Phase.END_TURN:
            told = what_now(position)
            for seats in (frozenset[int](), *(frozenset({seat}) for seat in range(position.setup.seats))):
                assert what_now(position.view(seats)) == told
