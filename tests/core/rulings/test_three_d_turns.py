"""The 3D edition: bonus moves, the end and the solo game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.core.rulings.helpers import (
    STONE_CELLS,
    Laid,
    after,
    arrange,
    drawn,
    ended,
    everything,
    gain_of,
    lawful_cells,
    place,
    play_out,
    refill,
    rim,
    six,
    star,
    stuck_board,
    tile_set,
    touching,
)

import genial
from genial.core.actions import Place, Refill, Swap
from genial.core.errors import Breach, IllegalAction
from genial.core.events import Drew, Ended, Placed
from genial.core.explain import explain
from genial.core.judge import judge
from genial.core.position import Position
from genial.core.ranking import ranks
from genial.core.sides import Sides
from genial.core.situation import Phase

LEFT, RIGHT = (0, 0), (1, 0)
THREE_REDS: list[Laid] = [("RB", (-1, 0), (-1, 1)), ("RB", (-2, 0), (-2, 1)), ("RB", (0, -1), (0, -2))]
"""Red scores three points on the cell LEFT."""
TEN_REDS = star("RO RO RO RO RY RY RY RY RB RB", LEFT, 2)
"""Red scores ten points on the cell LEFT."""


def opened(laid: list[Laid], rack: str, players: int = 2, **more: Any) -> Position:
    """A 3D position after the opening, with these tiles."""
    return arrange("3d", players, rack=rack, laid=[*rim("GP GP GP GP BP BP"), *laid], **more)


def with_red_on(place_of_red: int, laid: list[Laid] = THREE_REDS, rack: str = "RG YG YG") -> Position:
    """The position after red has scored from this step."""
    position = opened(laid, rack, tracks={0: six(R=place_of_red)})
    return after(position, place("RG", LEFT, RIGHT))


# 3D-BONUS


@pytest.mark.parametrize(
    ("before", "reached", "bonus"),
    [
        pytest.param(15, 18, 1, id="reaches 18"),
        pytest.param(16, 19, 1, id="passes 18"),
        pytest.param(14, 17, 0, id="stays below 18"),
        pytest.param(18, 21, 0, id="leaves 18"),
        pytest.param(24, 27, 1, id="reaches 27"),
        pytest.param(26, 27, 1, id="would pass 27: the rest lapses"),
        pytest.param(27, 27, 0, id="stands on 27"),
        pytest.param(6, 9, 0, id="reaches 9"),
        pytest.param(8, 11, 0, id="passes 9"),
    ],
)
def test_3d_bonus_places_are_18_and_27(before: int, reached: int, bonus: int) -> None:
    """For a marker that reaches or passes them. 9 is not one, and no marker goes beyond 27."""
    position = with_red_on(before)
    assert (position.tracks[0], position.bonus) == (six(R=reached), bonus)


def test_3d_bonus_one_for_a_marker_that_jumps_both_places() -> None:
    position = with_red_on(17, TEN_REDS)
    assert (position.tracks[0], position.bonus) == (six(R=27), 1)


def test_3d_bonus_two_for_two_markers() -> None:
    laid: list[Laid] = [*THREE_REDS, ("OY", (2, 0), (2, 1))]
    position = opened(laid, "RO YG YG", tracks={0: six(R=17, O=26)})
    position = after(position, place("RO", LEFT, RIGHT))
    assert (position.tracks[0], position.bonus) == (six(R=20, O=27), 2)


def test_3d_bonus_one_for_a_double() -> None:
    """Both halves score red: from 16 past 18, one marker, one bonus move."""
    laid: list[Laid] = [("RR", (-1, 0), (-2, 0)), ("RR", (2, 0), (2, 1))]
    position = opened(laid, "RR YG YG", 4, tracks={0: six(R=16)})
    position = after(position, place("RR", LEFT, RIGHT))
    assert (position.tracks[0], position.bonus) == (six(R=19), 1)


def test_3d_bonus_comes_before_the_refill_and_may_not_be_declined() -> None:
    position = with_red_on(17)
    assert (position.seat, position.phase, len(position.racks[0])) == (0, Phase.PLACE, 2)
    assert all(isinstance(action, Place) for action in position.actions())
    with pytest.raises(IllegalAction):
        position.apply(Refill())


def test_3d_bonus_moves_made_the_rack_is_filled_to_five() -> None:
    position = after(with_red_on(17), place("YG", (1, 1), (2, 1)))
    assert (position.phase, len(position.racks[0])) == (Phase.END_TURN, 1)
    position, events = position.apply(Refill())
    assert (len(drawn(events)), len(position.racks[0])) == (4, 5)


def test_3d_bonus_may_earn_another() -> None:
    position = opened(THREE_REDS, "RG RO YG", tracks={0: six(R=24)}, bonus=1)
    assert after(position, place("RG", LEFT, RIGHT)).bonus == 1


def test_3d_bonus_lapses_when_the_rack_is_empty() -> None:
    position = opened(THREE_REDS, "RG", tracks={0: six(R=17)})
    position = after(position, place("RG", LEFT, RIGHT))
    assert (position.bonus, position.phase, position.seat) == (0, Phase.END_TURN, 0)


def test_3d_bonus_moves_are_four_at_most_with_five_tiles() -> None:
    """Six are owed after the first tile; with the four tiles left four are made."""
    position = opened([], "RO RY RB RP", bonus=6)
    made = 0
    while position.phase is Phase.PLACE:
        position = after(position, position.actions()[0])
        made += 1
    assert (made, position.seat, position.racks[0]) == (4, 0, ())


# 3D-END


def last_placement(supply: str, rack: str = "RG OY OY OB OB", players: int = 2) -> Position:
    """The end of a turn with this many tiles in supply; the rack is one tile short."""
    position = opened([], rack, players, bag=supply)
    return after(position, place("RG", LEFT, RIGHT))


def test_3d_end_comes_near_when_a_turn_leaves_fewer_than_five_tiles() -> None:
    """Five in supply, one drawn, four left: the last round begins."""
    position = refill(last_placement("RO RO RY RY RP"))
    assert (position.supply, position.last_turns, position.seat) == (4, 2, 1)


def test_3d_end_not_yet_with_five_tiles_left() -> None:
    position = refill(last_placement("RO RO RY RY RP RP"))
    assert (position.supply, position.last_turns) == (5, None)


def test_3d_end_looks_at_the_supply_after_the_refill() -> None:
    """Four in supply would be few enough, but only a finished turn starts the last round."""
    assert last_placement("RO RO RY RY RP").last_turns is None


@pytest.mark.parametrize(("bag", "last_turns"), [("RO RO RY RY RP", 2), ("RO RO RY RY RP RP", None)])
def test_3d_end_looks_at_the_supply_after_a_swap(bag: str, last_turns: int | None) -> None:
    """Five are drawn and four go back, so the supply shrinks by one."""
    tracks = {0: six(5, R=0)}
    position = arrange("3d", 2, rack="OY OG GB YB", tracks=tracks, phase="end-turn", bag=bag)
    assert after(position, Swap()).last_turns == last_turns


@pytest.mark.parametrize("players", [2, 3, 4])
def test_3d_end_everyone_has_exactly_one_more_turn(players: int) -> None:
    """Including the one whose turn triggered it, who comes last."""
    position = refill(last_placement("RO RO RY RY RP", players=players))
    seats = []
    while not position.is_over:
        seats.append(position.seat)
        position = after(position, position.actions()[0])
    assert seats == [*range(1, players), 0]
    assert ended(position).reason == "last-round"


def test_3d_end_in_the_last_round_nothing_is_drawn() -> None:
    """Nor is there anything to decide: it is the next player's turn at once."""
    position = opened([], "RG OY OY OB OB", last=2, bag="RO RO")
    position, events = position.apply(place("RG", LEFT, RIGHT))
    assert [type(event) for event in events] == [Placed]
    assert (position.seat, position.phase, len(position.racks[0])) == (1, Phase.PLACE, 4)


def test_3d_end_a_draw_in_the_last_round_is_a_breach() -> None:
    position = opened([], "RG OY OY OB OB", last=2, bag="RO RO")
    position = after(position, place("RG", LEFT, RIGHT))
    with pytest.raises(Breach) as breach:
        judge(position, Drew(0, ("RO",)))
    assert breach.value.ruling == "3D-END"


def test_3d_end_in_the_last_round_there_is_no_swap() -> None:
    """The rack shows no lowest colour and the supply would do; still the turn passes."""
    position = opened([], "RG OY OY OB OB", last=2, tracks={0: six(5, P=0)}, bag="RO RO RY RY")
    position = after(position, place("RG", LEFT, RIGHT))
    with pytest.raises(IllegalAction):
        position.apply(Swap())
    assert position.seat == 1


def test_3d_end_in_the_last_round_bonus_moves_are_made() -> None:
    position = opened(THREE_REDS, "RG OY", last=2, tracks={0: six(R=17)}, bag="RO RO")
    position = after(position, place("RG", LEFT, RIGHT))
    assert (position.seat, position.bonus, position.last_turns) == (0, 1, 2)
    position = after(position, place("OY", (1, 1), (2, 1)))
    assert (position.seat, position.last_turns) == (1, 1)


def test_3d_end_in_the_last_round_bonus_moves_lapse_with_an_empty_rack() -> None:
    position = opened(THREE_REDS, "RG", last=2, tracks={0: six(R=17)}, bag="RO RO")
    position = after(position, place("RG", LEFT, RIGHT))
    assert (position.seat, position.bonus, position.last_turns) == (1, 0, 1)


def test_3d_end_after_the_last_turn() -> None:
    position = opened([], "RG OY", last=1, bag="RO RO", tracks={0: six(5), 1: six(6)})
    position, events = position.apply(place("RG", LEFT, RIGHT))
    assert [type(event) for event in events] == [Placed, Ended]
    assert (ended(position).reason, ended(position).ranks) == ("last-round", (2, 1))


def test_3d_end_after_the_last_bonus_move_of_the_last_turn() -> None:
    position = opened(THREE_REDS, "RG OY", last=1, tracks={0: six(R=17)}, bag="RO RO")
    position = after(position, place("RG", LEFT, RIGHT))
    assert not position.is_over
    assert ended(after(position, place("OY", (1, 1), (2, 1)))).reason == "last-round"


def test_3d_end_when_the_next_player_cannot_place() -> None:
    """The mover's refill comes first."""
    position = arrange("3d", 2, rack="RB YG", board=stuck_board((RIGHT, (2, 0))))
    position = after(position, place("RB", RIGHT, (2, 0)))
    assert position.phase is Phase.END_TURN
    position, events = position.apply(Refill())
    assert [type(event) for event in events] == [Drew, Ended]
    assert ended(position).reason == "no-move"


def test_3d_end_when_a_bonus_move_cannot_be_placed() -> None:
    """At once: nothing is drawn."""
    board = stuck_board((RIGHT, (2, 0)))
    position = arrange("3d", 2, rack="OB YG", board=board, tracks={0: six(O=17)})
    position, events = position.apply(place("OB", RIGHT, (2, 0)))
    assert [type(event) for event in events] == [Placed, Ended]
    assert ended(position).reason == "no-move"


def test_3d_end_when_a_player_cannot_place_in_the_last_round() -> None:
    position = arrange("3d", 2, rack="RB YG", board=stuck_board((RIGHT, (2, 0))), last=2)
    position, events = position.apply(place("RB", RIGHT, (2, 0)))
    assert [type(event) for event in events] == [Placed, Ended]
    assert ended(position).reason == "no-move"


def test_3d_end_of_the_last_turn_goes_before_a_full_board() -> None:
    position = arrange("3d", 2, rack="RB YG", board=stuck_board((RIGHT, (2, 0))), last=1)
    assert ended(after(position, place("RB", RIGHT, (2, 0)))).reason == "last-round"


def test_3d_end_not_when_nobody_has_to_place() -> None:
    """A bonus move that was lost with the rack needs no space: the turn ends like any other."""
    board = stuck_board((RIGHT, (2, 0)))
    position = arrange("3d", 2, rack="OB", board=board, tracks={0: six(O=17)})
    assert after(position, place("OB", RIGHT, (2, 0))).phase is Phase.END_TURN


def test_3d_end_by_all_six_markers_on_27() -> None:
    """It wins at once; the bonus move that red has earned is void."""
    position = opened(THREE_REDS, "RG OY", tracks={0: six(27, R=26), 1: six(26)})
    position, events = position.apply(place("RG", LEFT, RIGHT))
    assert [type(event) for event in events] == [Placed, Ended]
    assert (ended(position).reason, ended(position).ranks) == ("all-max", (1, 2))


def test_3d_end_by_all_markers_goes_before_the_last_round() -> None:
    position = opened(THREE_REDS, "RG OY", tracks={0: six(27, R=26)}, last=1, bag="RO")
    assert ended(after(position, place("RG", LEFT, RIGHT))).reason == "all-max"


def test_3d_end_example_of_the_final_scoring() -> None:
    """Linda 17; Tobias 14, 18, 19; Linus 14, 18, 18; Ulrika 11."""
    linda = (22, 18, 19, 20, 27, 17)
    tobias = (19, 20, 27, 18, 14, 22)
    linus = (18, 24, 27, 18, 25, 14)
    ulrika = (27, 27, 19, 11, 27, 23)
    assert ranks(Sides.EACH, 4, (linda, tobias, linus, ulrika)) == (1, 2, 3, 4)


def test_3d_end_shared_by_players_who_are_equal_to_the_last() -> None:
    assert ranks(Sides.EACH, 3, (six(20, R=19), six(20, B=19), six(18))) == (1, 1, 3)


# 3D-SOLO


def solo(laid: list[Laid], tile: str, **more: Any) -> Position:
    return arrange("3d-solo", 1, rack=tile, laid=[*rim("GP GP GP GP BP BP"), *laid], **more)


def test_3d_solo_has_60_tiles() -> None:
    assert Counter(everything(genial.new("3d-solo", seed=1))) == Counter(tile_set("3d", 2))


def test_3d_solo_draws_one_tile_at_a_time() -> None:
    position = genial.new("3d-solo", seed=1)
    assert (len(position.racks[0]), position.supply) == (1, 59)
    position, events = position.apply(position.actions()[0])
    assert [type(event) for event in events] == [Placed, Drew]
    assert (len(position.racks[0]), position.phase) == (1, Phase.PLACE)


@pytest.mark.parametrize(
    ("before", "reached"), [(24, 27), (25, 27), (26, 27), (27, 30), (18, 21), (51, 54), (53, 54), (54, 54)]
)
def test_3d_solo_track_is_27_and_27(before: int, reached: int) -> None:
    """Reaching or passing 27 stops there, at 0 of the second board; the end is 54."""
    position = after(solo(THREE_REDS, "RG", tracks={0: six(R=before)}), place("RG", LEFT, RIGHT))
    assert position.tracks[0] == six(R=reached)


@pytest.mark.parametrize("red", [17, 26, 53])
def test_3d_solo_has_no_bonus_moves(red: int) -> None:
    position = solo(THREE_REDS, "RG", tracks={0: six(R=red)})
    assert explain(position, place("RG", LEFT, RIGHT)).bonus == 0
    position, events = position.apply(place("RG", LEFT, RIGHT))
    assert (position.bonus, [type(event) for event in events]) == (0, [Placed, Drew])


def test_3d_solo_keeps_the_opening_rule() -> None:
    """With five stones served, a tile must touch the sixth."""
    position = arrange("3d-solo", 1, rack="RG", laid=rim()[:5], turn=5)
    assert lawful_cells(position) == touching(lawful_cells(position), STONE_CELLS[5])
    with pytest.raises(IllegalAction) as refused:
        position.apply(place("RG", LEFT, RIGHT))
    assert refused.value.ruling == "3D-OPENING"


def test_3d_solo_has_no_swap_and_no_refill() -> None:
    position = solo([], "GB", tracks={0: six(5, R=0)})
    for action in (Swap(), Refill()):
        with pytest.raises(IllegalAction):
            position.apply(action)


def test_3d_solo_has_no_last_round() -> None:
    """With fewer than five tiles in supply the game just goes on, to the last one."""
    position = solo([], "RG", bag="RO RY RB")
    position = after(position, place("RG", LEFT, RIGHT))
    assert (position.last_turns, position.supply, len(position.racks[0])) == (None, 2, 1)


def test_3d_solo_ends_when_the_tiles_are_gone() -> None:
    position, events = solo([], "RG", bag="").apply(place("RG", LEFT, RIGHT))
    assert [type(event) for event in events] == [Placed, Ended]
    assert ended(position).reason == "bag-empty"


def test_3d_solo_ends_when_the_next_tile_cannot_be_placed() -> None:
    position = arrange("3d-solo", 1, rack="RB", board=stuck_board((RIGHT, (2, 0))))
    assert ended(after(position, place("RB", RIGHT, (2, 0)))).reason == "no-move"


def test_3d_solo_tiles_gone_goes_before_no_place_left() -> None:
    position = arrange("3d-solo", 1, rack="RB", board=stuck_board((RIGHT, (2, 0))), bag="")
    assert ended(after(position, place("RB", RIGHT, (2, 0)))).reason == "bag-empty"


def test_3d_solo_ends_with_all_markers_on_54() -> None:
    position = solo(THREE_REDS, "RG", tracks={0: six(54, R=53)})
    position = after(position, place("RG", LEFT, RIGHT))
    assert (ended(position).reason, ended(position).tracks) == ("all-max", (six(54),))


def test_3d_solo_not_with_all_markers_on_27() -> None:
    position = solo(THREE_REDS, "RG", tracks={0: six(27, R=26)})
    assert not after(position, place("RG", LEFT, RIGHT)).is_over


def test_3d_solo_places_all_sixty_tiles() -> None:
    game = play_out(genial.new("3d-solo", seed=1))
    assert ended(game[-1]).reason == "bag-empty"
    assert len([event for event in game[-1].events if isinstance(event, Placed)]) == 60


def test_3d_solo_scores_as_the_game_for_several() -> None:
    assert gain_of(solo(THREE_REDS, "RG"), place("RG", LEFT, RIGHT)) == six(R=3)
