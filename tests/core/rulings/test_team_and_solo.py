"""The team game and the solo game: DOUBLE-TRACK, TEAM, SOLO, and ALL-MAX on the double track."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.core.rulings.helpers import (
    PRINTED,
    Laid,
    after,
    arrange,
    cells_of,
    ended,
    everything,
    filled,
    free_cells,
    gain_of,
    lawful_cells,
    pairs_among,
    place,
    places,
    play_out,
    refill,
    six,
    star,
    tile_set,
    touching,
)

import genial
from genial.core.actions import Place, Refill, Swap
from genial.core.errors import Breach, IllegalAction
from genial.core.events import Dealt, Drew, Ended, Placed
from genial.core.explain import explain
from genial.core.judge import judge
from genial.core.position import Position
from genial.core.ranking import ranks
from genial.core.record import record_of
from genial.core.sides import Sides
from genial.core.situation import Phase, markers_of

BESIDE_RED = ((1, -5), (2, -5))
LEFT, RIGHT = (0, 0), (1, 0)
THREE_AND_TWO = [("RR", (-1, 0), (-2, 0)), ("RO", (-3, 0), (-4, 0)), ("RR", (2, 0), (3, 0))]
"""Red scores three points on the cell LEFT and two points on the cell RIGHT."""


def team(red: int, rack: str = "RR GP", laid: list[Laid] | None = None) -> Position:
    """A team whose red marker is on this step, with three red points to the left and two to the right."""
    return arrange("classic-team", 4, rack=rack, laid=laid or THREE_AND_TWO, tracks={0: six(R=red)})


# DOUBLE-TRACK


def test_double_track_reaching_18_stands_at_0_of_the_second_board() -> None:
    """Written as one number: 18 is both."""
    position = after(team(15, "RG PP"), place("RG", LEFT, RIGHT))
    assert position.tracks[0] == six(R=18)


def test_double_track_points_beyond_18_lapse() -> None:
    assert gain_of(team(16, "RG PP"), place("RG", LEFT, RIGHT)) == six(R=2)


def test_double_track_goes_on_on_the_second_board() -> None:
    position = after(team(18, "RG PP"), place("RG", LEFT, RIGHT))
    assert (position.tracks[0], position.bonus) == (six(R=21), 0)


def test_double_track_ends_at_36() -> None:
    position = after(team(35, "RG PP PP"), place("RG", LEFT, RIGHT))
    assert (position.tracks[0], position.bonus) == (six(R=36), 1)


def test_double_track_marker_at_36_stays_and_earns_nothing() -> None:
    position = after(team(36, "RG PP PP"), place("RG", LEFT, RIGHT))
    assert (position.tracks[0], position.phase) == (six(R=36), Phase.END_TURN)


def test_double_track_second_half_of_a_double_counts_on_the_second_board() -> None:
    """From 16: three points stop at 18, then two more make 20."""
    assert gain_of(team(16), place("RR", LEFT, RIGHT)) == six(R=4)


def test_double_track_order_of_a_doubles_halves_changes_the_points() -> None:
    """From 16 the other way round: two points reach 18, then three more make 21."""
    assert gain_of(team(16), place("RR", RIGHT, LEFT)) == six(R=5)


def test_double_track_the_first_half_may_fall_short_of_the_first_board() -> None:
    """From 15: three points reach 18 and two follow; but two points make 17, and one of three is left."""
    assert gain_of(team(15), place("RR", LEFT, RIGHT)) == six(R=5)
    assert gain_of(team(15), place("RR", RIGHT, LEFT)) == six(R=3)


@pytest.mark.parametrize("red", [15, 16, 17])
def test_double_track_both_orders_are_actions_where_results_differ(red: int) -> None:
    found = [a.cells for a in places(team(red)) if a.tile == "RR" and set(a.cells) == {LEFT, RIGHT}]
    assert Counter(found) == {(LEFT, RIGHT): 1, (RIGHT, LEFT): 1}


@pytest.mark.parametrize(
    "red",
    [
        pytest.param(10, id="the end of the board is far"),
        pytest.param(13, id="both halves together just reach it"),
        pytest.param(14, id="the second half lapses in part in either order"),
        pytest.param(18, id="on the second board"),
        pytest.param(33, id="near the end of the second board"),
        pytest.param(36, id="at the end"),
    ],
)
def test_double_track_one_action_where_the_order_changes_nothing(red: int) -> None:
    found = [a for a in places(team(red)) if a.tile == "RR" and set(a.cells) == {LEFT, RIGHT}]
    assert len(found) == 1


def test_double_track_one_action_where_both_halves_score_alike() -> None:
    laid = [("RR", (-1, 0), (-2, 0)), ("RR", (2, 0), (3, 0))]
    found = [a for a in places(team(17, laid=laid)) if a.tile == "RR" and set(a.cells) == {LEFT, RIGHT}]
    assert len(found) == 1


def test_double_track_order_is_a_choice_in_the_solo_game_too() -> None:
    position = arrange("classic-solo", 1, rack="RR", laid=THREE_AND_TWO, tracks={0: six(R=16)})
    found = {a.cells for a in places(position) if set(a.cells) == {LEFT, RIGHT}}
    assert found == {(LEFT, RIGHT), (RIGHT, LEFT)}


def test_double_track_order_is_no_choice_on_a_single_track() -> None:
    position = arrange("classic", 4, rack="RR GP", laid=THREE_AND_TWO, tracks={0: six(R=16)})
    found = [a for a in places(position) if a.tile == "RR" and set(a.cells) == {LEFT, RIGHT}]
    assert len(found) == 1


def test_double_track_order_of_the_cells_in_a_record_tells_which_half_came_first() -> None:
    """The first letter lies on the first cell and is scored first; the gain has to match that order."""
    judge(team(16), Placed(0, "RR", (RIGHT, LEFT), 0, six(R=5)))
    with pytest.raises(Breach) as breach:
        judge(team(16), Placed(0, "RR", (LEFT, RIGHT), 0, six(R=5)))
    assert breach.value.params["expected"] == list(six(R=4))


def test_double_track_explains_each_half() -> None:
    """Two of the first half's three points count; the second half's two points count in full."""
    first, second = explain(team(16), Place("RR", (LEFT, RIGHT))).halves
    assert (first.points, first.moved, second.points, second.moved) == (3, 2, 2, 2)


@pytest.mark.parametrize(("before", "reached"), [(16, 18), (34, 36)])
def test_double_track_bonus_for_each_18_in_the_team_game(before: int, reached: int) -> None:
    position = after(team(before, "RG PP PP"), place("RG", LEFT, RIGHT))
    assert (position.tracks[0], position.bonus) == (six(R=reached), 1)


def test_double_track_both_bonus_moves_by_one_double() -> None:
    """One half takes red from 17 to 18, the other scores 18 and more: 36."""
    laid = star("RO RO RO RO RO RO RY RY RY RY RY RY RG RG RG RG RG RG RB RB", LEFT, 4)
    position = team(17, "RR GP GP BP", laid)
    assert gain_of(position, place("RR", RIGHT, LEFT)) == six(R=19)
    assert after(position, place("RR", RIGHT, LEFT)).bonus == 2


def test_double_track_one_bonus_move_by_the_same_double_the_other_way_round() -> None:
    laid = star("RO RO RO RO RO RO RY RY RY RY RY RY RG RG RG RG RG RG RB RB", LEFT, 4)
    position = after(team(17, "RR GP GP BP", laid), place("RR", LEFT, RIGHT))
    assert (position.tracks[0], position.bonus) == (six(R=20), 1)


def test_double_track_example_of_the_rulebook() -> None:
    """Four points for green and two for yellow take both to 18: two bonus moves."""
    laid = [("GG", (-1, 0), (-2, 0)), ("GG", (-3, 0), (-4, 0)), ("YY", (2, 0), (3, 0))]
    tracks = {0: six(5, G=14, Y=16)}
    position = arrange("classic-team", 4, rack="YG RP RP", laid=laid, tracks=tracks)
    assert gain_of(position, place("GY", LEFT, RIGHT)) == six(G=4, Y=2)
    position = after(position, place("GY", LEFT, RIGHT))
    assert (position.tracks[0], position.bonus) == (six(5, G=18, Y=18), 2)


# ALL-MAX on the double track


def test_all_max_of_a_team_is_36() -> None:
    position = arrange("classic-team", 4, rack="RG PP", laid=THREE_AND_TWO, tracks={0: six(36, R=35)})
    position = after(position, place("RG", LEFT, RIGHT))
    assert (ended(position).reason, ended(position).ranks) == ("all-max", (1, 3, 1, 3))


def test_all_max_of_a_team_is_not_18() -> None:
    position = arrange("classic-team", 4, rack="RG PP", laid=THREE_AND_TWO, tracks={0: six(18, R=17)})
    assert not after(position, place("RG", LEFT, RIGHT)).is_over


def test_all_max_ends_the_solo_game() -> None:
    position = arrange("classic-solo", 1, rack="RG", laid=THREE_AND_TWO, tracks={0: six(36, R=35)})
    position, events = position.apply(place("RG", LEFT, RIGHT))
    assert [type(event) for event in events] == [Placed, Ended]
    assert ended(position).reason == "all-max"


# TEAM


@pytest.mark.parametrize("seat", range(4))
def test_team_partners_sit_opposite_and_share_a_track(seat: int) -> None:
    """Points of seats 0 and 2 go to one track, those of seats 1 and 3 to the other."""
    position = arrange("classic-team", 4, rack="RO GP", seat=seat)
    position = after(position, place("RO", *BESIDE_RED))
    assert position.tracks[seat % 2] == six(R=1)
    assert position.tracks[1 - seat % 2] == six()
    assert [markers_of(position, n) == six(R=1) for n in range(4)] == [n % 2 == seat % 2 for n in range(4)]


def test_team_plays_on_the_board_for_four() -> None:
    cells = record_of(genial.new("classic-team", seed=1))["board"]["cells"]
    assert {tuple(cell) for cell in cells} == {cell for row in cells_of(7) for cell in row}


def test_team_is_for_four() -> None:
    assert [len(rack) for rack in genial.new("classic-team", seed=1).racks] == [6, 6, 6, 6]


def test_team_first_tiles_touch_four_different_symbols() -> None:
    """Partners, too, need a symbol each."""
    laid = [("GP", *BESIDE_RED), ("GP", (5, 1), (5, 2))]
    position = arrange("classic-team", 4, rack="RO GP", laid=laid, seat=2, turn=2)
    left = (PRINTED[letter] for letter in "GOYP")
    assert lawful_cells(position) == touching(pairs_among(free_cells("classic-team", 4, laid)), *left)


def test_team_end_lists_the_shared_track_for_both_partners() -> None:
    tracks = {0: six(36, R=35), 1: six(20)}
    position = arrange("classic-team", 4, rack="RG PP", laid=THREE_AND_TWO, tracks=tracks)
    result = ended(after(position, place("RG", LEFT, RIGHT)))
    assert result.tracks == (six(36), six(20), six(36), six(20))


def test_team_ranks_are_shared_by_partners() -> None:
    assert ranks(Sides.TEAMS, 4, (six(20), six(21))) == (3, 1, 3, 1)


@pytest.mark.parametrize(("markers", "offered"), [(six(9, R=3), True), (six(9, Y=3), False)])
def test_team_swap_looks_at_the_teams_track(markers: tuple[int, ...], offered: bool) -> None:
    """The rack shows yellow but not red."""
    position = arrange(
        "classic-team", 4, rack="OY GB BP", tracks={0: six(5), 1: markers}, seat=3, phase="end-turn"
    )
    assert (Swap() in position.actions()) is offered


def test_team_bonus_moves_lapse_when_the_rack_is_empty() -> None:
    """The last tile takes red to 18; there is nothing to make the bonus move with, so the turn ends."""
    position = arrange("classic-team", 4, rack="RG", laid=THREE_AND_TWO, tracks={0: six(R=17)}, bonus=3)
    position = after(position, place("RG", LEFT, RIGHT))
    assert (position.bonus, position.phase, position.seat) == (0, Phase.END_TURN, 0)
    assert [len(refill(position).racks[0]), refill(position).seat] == [6, 1]


def test_team_partners_never_see_each_others_racks() -> None:
    position = genial.new("classic-team", seed=1)
    view = position.view({0})
    assert view.racks == (position.racks[0], *[("??",) * 6] * 3)


def test_team_partners_never_see_each_others_draws() -> None:
    position = genial.new("classic-team", seed=1)
    position = refill(after(position, position.actions()[0]))
    hidden = [e.tiles for e in position.view({2}).events if isinstance(e, Dealt | Drew) and e.seat == 0]
    assert hidden == [("??",) * 6, ("??",)]


def test_team_open_talk_is_an_option_of_the_table_that_changes_no_rule() -> None:
    record = record_of(genial.new("classic-team", seed=1), options={"open_talk": True})
    assert genial.check(record).status == "lawful so far"


# SOLO


def test_solo_has_all_120_tiles() -> None:
    assert Counter(everything(genial.new("classic-solo", seed=1))) == Counter(tile_set("classic", 2))


def test_solo_has_the_small_board() -> None:
    cells = record_of(genial.new("classic-solo", seed=1))["board"]["cells"]
    assert {tuple(cell) for cell in cells} == {cell for row in cells_of(5) for cell in row}


def test_solo_draws_one_tile_at_a_time() -> None:
    """There is no rack: the tile placed is the one just drawn, and the next is drawn automatically."""
    position = genial.new("classic-solo", seed=1)
    assert (len(position.racks[0]), position.supply) == (1, 119)
    position, events = position.apply(position.actions()[0])
    assert [type(event) for event in events] == [Placed, Drew]
    assert (len(position.racks[0]), position.phase, position.supply) == (1, Phase.PLACE, 118)


def test_solo_first_tile_lies_beside_a_printed_symbol() -> None:
    position = arrange("classic-solo", 1, rack="RO", turn=0)
    assert lawful_cells(position) == touching(pairs_among(free_cells("classic", 2)), *PRINTED.values())


def test_solo_second_tile_lies_anywhere() -> None:
    position = after(arrange("classic-solo", 1, rack="RO", turn=0), place("RO", *BESIDE_RED))
    free = free_cells("classic", 2, [("RO", *BESIDE_RED)])
    assert lawful_cells(position) == pairs_among(free)


def test_solo_track_is_double() -> None:
    position = arrange("classic-solo", 1, rack="RG", laid=THREE_AND_TWO, tracks={0: six(R=17)})
    assert gain_of(position, place("RG", LEFT, RIGHT)) == six(R=1)
    position = arrange("classic-solo", 1, rack="RG", laid=THREE_AND_TWO, tracks={0: six(R=18)})
    assert gain_of(position, place("RG", LEFT, RIGHT)) == six(R=3)


@pytest.mark.parametrize("red", [17, 35])
def test_solo_has_no_bonus_moves(red: int) -> None:
    position = arrange("classic-solo", 1, rack="RG", laid=THREE_AND_TWO, tracks={0: six(R=red)})
    assert explain(position, Place("RG", (LEFT, RIGHT))).bonus == 0
    assert after(position, place("RG", LEFT, RIGHT)).bonus == 0


def test_solo_has_no_swap_and_no_refill() -> None:
    position = arrange("classic-solo", 1, rack="GB", tracks={0: six(5, R=0)})
    assert all(isinstance(action, Place) for action in position.actions())
    for action in (Swap(), Refill()):
        with pytest.raises(IllegalAction):
            position.apply(action)


def test_solo_ends_when_no_tile_can_be_placed() -> None:
    """No further tile is drawn."""
    position = arrange("classic-solo", 1, rack="BB", laid=filled(BESIDE_RED))
    position, events = position.apply(place("BB", *BESIDE_RED))
    assert [type(event) for event in events] == [Placed, Ended]
    assert (ended(position).reason, ended(position).ranks) == ("board-full", (1,))


def test_solo_game_plays_to_its_end() -> None:
    assert ended(play_out(genial.new("classic-solo", seed=1))[-1]).reason == "board-full"
