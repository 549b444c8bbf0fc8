"""What screens are told of tracks, results and take-backs, so that they don't need to know the rules."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from tests.legal import placements
from tests.play import games, seeds, walk
from tests.server.desk import at, desk

from genial.core.actions import Place
from genial.core.layout import Layout
from genial.core.legal import legal_moves
from genial.core.moves import outcome
from genial.core.position import Position
from genial.core.ranking import standing
from genial.core.situation import Phase, markers_of, weakest
from genial.core.tiles import SYMBOLS
from genial.core.tracks import GatedTrack
from genial.server.tables import decisions
from genial.server.tables.errors import Refused
from genial.server.tables.settings import Limits, TableSettings
from genial.server.tables.sides import leaving_cards, result_view, side_views
from genial.server.tables.views import table_view


@settings(max_examples=30)
@given(games, seeds)
def test_sides_are_the_tracks_as_their_seats_see_them(game: tuple[str, int], seed: int) -> None:
    for position in walk(game, seed)[::5]:
        for viewer in (frozenset[int](), frozenset({position.setup.seats - 1})):
            sides = side_views(position, viewer)
            assert len(sides) == len(position.tracks)
            assert sorted(seat for side in sides for seat in side.seats) == list(range(position.setup.seats))
            for side in sides:
                assert side.markers == list(markers_of(position, side.eye))
                assert viewer.isdisjoint(side.seats) or side.eye in viewer
                if side.weakest:
                    assert side.weakest == list(weakest(position, side.eye))


@settings(max_examples=30)
@given(games, seeds)
def test_a_marker_is_blocked_where_a_point_would_not_move_it(game: tuple[str, int], seed: int) -> None:
    """REGIONS"""
    for position in walk(game, seed)[::3]:
        track = position.setup.title.track
        for side in side_views(position, frozenset()):
            for colour, place in enumerate(side.markers):
                moves = track.advance(side.markers, colour, 1) != place
                ends = place == track.highest_step or colour in side.locked
                assert bool(side.blocked[colour]) == (not moves and not ends)


@settings(max_examples=30)
@given(games, seeds)
def test_a_gate_is_shut_for_colours_that_no_points_can_take_past_it(game: tuple[str, int], seed: int) -> None:
    """REGIONS"""
    for position in walk(game, seed)[::3]:
        track = position.setup.title.track
        if not isinstance(track, GatedTrack):
            assert not any(shut for side in side_views(position, frozenset()) for shut in side.shut)
            continue
        for side in side_views(position, frozenset()):
            for step, shut in zip(track.line_steps, side.shut, strict=True):
                ahead = [colour for colour, place in enumerate(side.markers) if place <= step]
                held = [
                    colour
                    for colour in ahead
                    if track.advance(side.markers, colour, track.highest_step) <= step
                ]
                assert [colour for colour in shut if colour in ahead] == held


@settings(max_examples=40)
@given(games, seeds)
def test_a_result_names_the_first_difference(game: tuple[str, int], seed: int) -> None:
    """RANKING"""
    position = walk(game, seed)[-1]
    if not position.is_over:
        assert result_view(position) is None
        return
    result = result_view(position)
    assert result is not None
    sides, first = position.setup.title.sides, result.standings[0]
    assert [side.rank for side in result.standings] == sorted(side.rank for side in result.standings)
    for side in result.standings:
        ahead = [other for other in result.standings if other.figures > side.figures]
        assert side.rank == 1 + len(ahead)  # sides are counted, not seats: the losing team is second
        assert side.figures == list(standing(sides, side.seats[0], position.tracks))
    second = next((side for side in result.standings if side.rank > 1), None)
    if result.index is None:
        assert second is None
    else:
        assert second is not None
        assert first.figures[: result.index] == second.figures[: result.index]
        assert result.params["winner"] == first.figures[result.index] > second.figures[result.index]


def check_results(position: Position) -> int:
    """Each placement does what `results` say, or else what the points say. Returns how many were listed."""
    layout, legal = position.table, legal_moves(position)
    assert isinstance(layout, Layout)
    for tile in legal.tiles:
        told = {(one, two): (first, second, bonus) for one, two, first, second, bonus in tile.results}
        for _, n, turned, points in [place for place in placements(legal) if place.tile == tile.tile][::5]:
            pair = layout.board.pairs[n]
            score = outcome(position, Place(tile.tile, pair.turned if turned else pair.cells)).score
            first, second, bonus = told.get(points, (*points, 0))
            gain = [0] * 6
            gain[SYMBOLS[tile.tile][0]] += first
            gain[SYMBOLS[tile.tile][1]] += second
            assert (tuple(gain), bonus) == (score.gain, score.bonus)
    return sum(len(tile.results) for tile in legal.tiles)


@settings(max_examples=20)
@given(games, seeds)
def test_the_predicted_results_are_what_the_move_would_do(game: tuple[str, int], seed: int) -> None:
    for position in walk(game, seed)[::7]:
        if position.phase is Phase.PLACE and isinstance(position.table, Layout):
            check_results(position)


@settings(max_examples=8)
@given(seeds)
def test_results_mention_caps_and_bonus_moves(seed: int) -> None:
    """SCORING, BONUS, DOUBLE-TRACK"""
    for variant, place in (("classic", 17), ("classic-team", 16), ("classic-solo", 35), ("duel", 8)):
        middle = walk((variant, {"classic-team": 4, "classic-solo": 1}.get(variant, 2)), seed)[8:12]
        for position in middle:
            near = position.change(tracks=tuple((place,) * 6 for _ in position.tracks))
            if near.phase is Phase.PLACE and near.seat == 0:
                told = check_results(near)
                scores = any(sum(place.points) for place in placements(legal_moves(near)))
                if place + 1 in near.setup.title.track.bonus_steps:
                    assert bool(told) == scores


def test_the_oldest_open_card_is_named() -> None:
    """CARD-TURN-END"""
    for position in walk(("cards", 3), 5):
        if position.phase is Phase.END_TURN:
            after = position.apply(position.actions()[0])[0]
            seat, leaving = position.seat, leaving_cards(position)[position.seat]
            assert leaving is not None
            kept = [tile for n, tile in enumerate(position.table.rows[seat]) if n != leaving]  # type: ignore[union-attr]
            assert list(after.table.rows[seat]) == kept  # type: ignore[union-attr]


def test_take_back_is_offered_exactly_where_it_is_granted(variant: str, seats: int) -> None:
    made, rng = desk(TableSettings(variant, seats, first=0)), Random(5)
    for _ in range(12):
        if not made.table.is_running:
            break
        for place in range(seats):
            view = table_view(made.table, at({place}), 5)
            if view.back:
                assert decisions.take_back(made.table, place)
            else:
                with pytest.raises(Refused):
                    decisions.take_back(made.table, place)
            if view.ask_to is not None:
                assert decisions.ask_back(made.table, place, view.ask_to)
        made.random_act(rng)


def test_only_a_practice_table_offers_to_go_back_across_a_draw() -> None:
    for practice in (False, True):
        made = desk(TableSettings("classic", 2, first=0, practice=practice))
        rng = Random(1)
        while made.game.mover == 0:
            made.random_act(rng)
        view = table_view(made.table, at({0}), 5)
        assert (view.ask_to is not None) == practice


def test_the_phrases_on_offer_are_the_ones_accepted() -> None:
    """TEAM"""
    made = desk(TableSettings("classic-team", 4))
    for viewer in (frozenset({0}), frozenset[int]()):
        view, place = table_view(made.table, at(viewer), 5), next(iter(viewer), None)
        assert view.talk == ("phrases" if viewer else "open")
        for phrase in decisions.PHRASES + decisions.REACTIONS:
            if phrase in view.phrases:
                assert decisions.chat(made.table, place, "Ada", "", phrase, Limits())
            else:
                with pytest.raises(Refused):
                    decisions.chat(made.table, place, "Ada", "", phrase, Limits())
