"""SWAP: giving back a whole rack instead of the refill."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.core.rulings.helpers import after, arrange, place, refill, six, tiles

from genial.core.actions import Refill, Swap
from genial.core.errors import IllegalAction
from genial.core.events import Drew, Swapped
from genial.core.position import Position
from genial.core.situation import Phase
from genial.core.viewdata import view_bytes

NO_RED = "OY OG GB GP BP"
RED_LOWEST = {0: six(5, R=0)}


def at_the_end_of_a_turn(rack: str = NO_RED, markers: tuple[int, ...] = RED_LOWEST[0]) -> Position:
    return arrange("classic", rack=rack, tracks={0: markers}, phase="end-turn")


def refusal(position: Position) -> str | None:
    with pytest.raises(IllegalAction) as refused:
        position.apply(Swap())
    return refused.value.ruling


def test_swap_when_no_tile_shows_the_lowest_colour() -> None:
    assert Swap() in at_the_end_of_a_turn().actions()


def test_swap_not_with_one_tile_of_the_lowest_colour() -> None:
    position = at_the_end_of_a_turn("OY OG GB GP RP")
    assert Swap() not in position.actions()
    assert refusal(position) == "SWAP"


def test_swap_not_with_any_of_several_lowest_colours() -> None:
    """Red and purple share the lowest step: a tile with purple is enough to forbid it."""
    position = at_the_end_of_a_turn("OY OG GB OB BP", six(5, R=2, P=2))
    assert refusal(position) == "SWAP"


def test_swap_with_none_of_several_lowest_colours() -> None:
    assert Swap() in at_the_end_of_a_turn("OY OG GB OB YB", six(5, R=2, P=2)).actions()


def test_swap_not_when_all_colours_are_equal() -> None:
    assert refusal(at_the_end_of_a_turn(markers=six(7))) == "SWAP"


def test_swap_looks_only_at_the_own_track() -> None:
    tracks = {0: six(5, R=0), 1: six(5, O=0)}
    position = arrange("classic", rack=NO_RED, tracks=tracks, phase="end-turn")
    assert Swap() in position.actions()


def test_swap_is_never_forced() -> None:
    position = at_the_end_of_a_turn()
    assert Refill() in position.actions()
    assert not Counter(tiles(NO_RED)) - Counter(refill(position).racks[0])


def test_swap_not_before_the_placement() -> None:
    position = arrange("classic", rack=NO_RED, tracks=RED_LOWEST)
    assert Swap() not in position.actions()
    assert refusal(position) == "SWAP"


def test_swap_not_before_the_last_bonus_move() -> None:
    """Orange reaches 18 and a bonus move is owed, so the rack stays although it shows no red."""
    laid = [("OP", (-1, 0), (-1, 1))]
    tracks = {0: six(5, R=0, O=17)}
    position = arrange("classic", rack=f"OY {NO_RED}", laid=laid, tracks=tracks)
    position = after(position, place("OY", (0, 0), (1, 0)))
    assert refusal(position) == "SWAP"
    assert Swap() in after(position, place("GP", (0, 3), (1, 3))).actions()


def test_swap_looks_at_the_tiles_left_after_the_placement() -> None:
    """The only red tile has just been placed."""
    position = arrange("classic", rack=f"RG {NO_RED}", tracks=RED_LOWEST)
    assert Swap() in after(position, place("RG", (0, 0), (1, 0))).actions()


def test_swap_looks_at_the_markers_after_the_scoring() -> None:
    """Red leaves the lowest step with this tile; now orange is lowest, and the rack shows orange."""
    tracks = {0: six(5, R=1, O=2)}
    position = arrange("classic", rack=f"RG {NO_RED}", laid=[("RR", (-1, 0), (-2, 0))], tracks=tracks)
    assert refusal(after(position, place("RG", (0, 0), (1, 0)))) == "SWAP"


def test_swap_is_judged_before_the_refill() -> None:
    """The next tile in the bag is red, and that changes nothing."""
    bag = "RR RO RO RO RO RO RO"
    position = arrange("classic", rack=NO_RED, tracks=RED_LOWEST, phase="end-turn", bag=bag)
    assert Swap() in position.actions()


def test_swap_stands_in_place_of_the_refill() -> None:
    """The new rack has six tiles, and the turn is over: no further draw, no second swap."""
    position, events = at_the_end_of_a_turn().apply(Swap())
    assert [type(event) for event in events] == [Swapped, Drew]
    assert (len(position.racks[0]), position.seat, position.phase) == (6, 1, Phase.PLACE)


def test_swap_draws_before_the_old_tiles_go_back() -> None:
    """If there are just six tiles in the bag, they become the new rack, and the old rack the new bag."""
    bag = "RR RR YY YY PP PP"
    position = arrange("classic", rack=NO_RED, tracks=RED_LOWEST, phase="end-turn", bag=bag)
    position = after(position, Swap())
    assert Counter(position.racks[0]) == Counter(tiles(bag))
    assert Counter(position.bag) == Counter(tiles(NO_RED))


def test_swap_of_a_rack_that_bonus_moves_have_shortened() -> None:
    """However few tiles are given back, six are drawn."""
    position = at_the_end_of_a_turn("OY GB")
    swapped = after(position, Swap())
    assert len(swapped.racks[0]) == 6
    assert len(swapped.bag) == len(position.bag) - 6 + 2


def test_swap_not_of_an_empty_rack() -> None:
    """It can happen in the team game, where bonus moves may use up all six tiles."""
    position = arrange("classic-team", 4, rack="", tracks={0: six(5, R=0)}, phase="end-turn")
    assert list(position.actions()) == [Refill()]
    assert refusal(position) == "SWAP"


@pytest.mark.parametrize(("bag", "offered"), [("RR RR YY YY PP", False), ("RR RR YY YY PP PP", True)])
def test_swap_not_when_the_bag_holds_fewer_tiles_than_a_rack(bag: str, offered: bool) -> None:
    """It can happen in the last moves of the travel edition."""
    position = arrange("travel", rack=NO_RED, tracks=RED_LOWEST, phase="end-turn", bag=bag)
    assert (Swap() in position.actions()) is offered


def test_swap_shows_the_rack_to_all() -> None:
    position = after(at_the_end_of_a_turn(), Swap())
    for viewer in (frozenset[int](), frozenset({1})):
        shown = [event for event in position.view(viewer).events if isinstance(event, Swapped)]
        assert [Counter(event.tiles) for event in shown] == [Counter(tiles(NO_RED))]


def test_swap_does_not_show_the_new_rack() -> None:
    position = after(at_the_end_of_a_turn(), Swap())
    assert position.view({1}).racks[0] == ("??",) * 6
    assert position.view({1}).events[-1] == Drew(0, ("??",) * 6)


def test_swap_being_open_is_hidden() -> None:
    """To others, a turn that may end with a swap looks like one that may not."""
    may, may_not = at_the_end_of_a_turn("OY OG GB GP BP"), at_the_end_of_a_turn("OY OG GB GP RP")
    assert len(may.actions()) != len(may_not.actions())
    assert view_bytes(may.view({1})) == view_bytes(may_not.view({1}))
