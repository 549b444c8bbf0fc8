"""DUEL: a reconstruction. Two players pull at one shared peg for each colour."""

from __future__ import annotations

import pytest
from tests.core.rulings.helpers import (
    PRINTED,
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
    refill,
    six,
    touching,
)

import genial
from genial.core.actions import Place, Refill, Swap
from genial.core.editions import name_of
from genial.core.errors import IllegalAction, SetupError
from genial.core.events import Ended, Placed
from genial.core.messages import LANGUAGES
from genial.core.position import Position
from genial.core.ranking import ranks
from genial.core.record import record_of
from genial.core.sides import Sides
from genial.core.situation import Phase, markers_of
from genial.core.titles import TITLES

BESIDE_RED = ((1, -5), (2, -5))
LEFT, RIGHT = (0, 0), (1, 0)
THREE_REDS = [("RR", (-1, 0), (-2, 0)), ("RO", (-3, 0), (-4, 0))]
"""Red scores three points on the cell LEFT."""


def pulled(red: int, seat: int = 0) -> Position:
    """The position after this seat has scored three red points; pegs towards seat 0 are positive."""
    position = arrange("duel", rack="RG PP PP", laid=THREE_REDS, tracks={0: six(R=red)}, seat=seat)
    return after(position, place("RG", LEFT, RIGHT))


def duel_ranks(pegs: tuple[int, ...]) -> tuple[int, ...]:
    return ranks(Sides.SHARED, 2, (pegs,))


def test_duel_is_the_only_title_labelled_as_a_reconstruction() -> None:
    assert [name for name, title in TITLES.items() if title.reconstructed] == ["duel"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_duel_says_so_in_its_name(language: str) -> None:
    assert "onstru" in name_of("duel", language)


def test_duel_is_for_two() -> None:
    with pytest.raises(SetupError):
        genial.new("duel", seats=3, seed=1)


def test_duel_has_the_board_tiles_and_racks_of_two_players() -> None:
    position = genial.new("duel", seed=1)
    board = record_of(position)["board"]
    assert {tuple(cell) for cell in board["cells"]} == {cell for row in cells_of(5) for cell in row}
    assert {letter: tuple(cell) for letter, cell in board["start"].items()} == PRINTED
    assert (len(everything(position)), [len(rack) for rack in position.racks]) == (120, [6, 6])


def test_duel_opens_beside_the_printed_symbols() -> None:
    position = arrange("duel", rack="RO YY", turn=0)
    assert lawful_cells(position) == touching(pairs_among(free_cells("duel", 2)), *PRINTED.values())


def test_duel_pegs_are_shared_and_start_in_the_middle() -> None:
    assert genial.new("duel", seed=1).tracks == (six(0),)


@pytest.mark.parametrize(("seat", "peg"), [(0, 3), (1, -3)])
def test_duel_peg_moves_towards_the_scorer_one_place_a_point(seat: int, peg: int) -> None:
    position = pulled(0, seat)
    assert position.tracks == (six(R=peg),)
    assert markers_of(position, seat) == six(R=3)
    assert markers_of(position, 1 - seat) == six(R=-3)


@pytest.mark.parametrize("seat", [0, 1])
def test_duel_gain_is_positive_towards_the_mover(seat: int) -> None:
    position = arrange("duel", rack="RG PP", laid=THREE_REDS, seat=seat)
    assert gain_of(position, place("RG", LEFT, RIGHT)) == six(R=3)


@pytest.mark.parametrize(("before", "seat", "reached"), [(-4, 0, -1), (-1, 0, 2), (4, 1, 1), (1, 1, -2)])
def test_duel_peg_is_pulled_back_through_the_middle(before: int, seat: int, reached: int) -> None:
    assert pulled(before, seat).tracks == (six(R=reached),)


@pytest.mark.parametrize(
    ("before", "seat", "reached"),
    [
        pytest.param(6, 0, 9, id="reaches the ninth place"),
        pytest.param(8, 0, 9, id="the surplus lapses"),
        pytest.param(-6, 1, -9, id="reaches it on the other side"),
        pytest.param(-7, 1, -9, id="the surplus lapses there too"),
    ],
)
def test_duel_ninth_place_wins_the_colour_and_a_bonus_move(before: int, seat: int, reached: int) -> None:
    position = pulled(before, seat)
    assert position.tracks == (six(R=reached),)
    assert (position.seat, position.phase, position.bonus) == (seat, Phase.PLACE, 1)


def test_duel_no_bonus_move_on_the_eighth_place() -> None:
    assert pulled(5).phase is Phase.END_TURN


@pytest.mark.parametrize("peg", [9, -9])
@pytest.mark.parametrize("seat", [0, 1])
def test_duel_a_colour_won_is_locked(peg: int, seat: int) -> None:
    """Neither player moves its peg any longer, and nobody earns a bonus move with it."""
    position = pulled(peg, seat)
    assert (position.tracks, position.phase) == ((six(R=peg),), Phase.END_TURN)


def test_duel_two_colours_won_by_one_tile_bring_two_bonus_moves() -> None:
    laid = [*THREE_REDS, ("GB", (2, 0), (3, 0))]
    position = arrange("duel", rack="RG PP PP", laid=laid, tracks={0: six(R=7, G=8)})
    assert after(position, place("RG", LEFT, RIGHT)).bonus == 2


def test_duel_one_bonus_move_for_a_double() -> None:
    laid = [*THREE_REDS, ("RB", (2, 0), (3, 0))]
    position = arrange("duel", rack="RR PP PP", laid=laid, tracks={0: six(R=7)})
    assert after(position, place("RR", LEFT, RIGHT)).bonus == 1


def test_duel_bonus_move_is_made_before_the_refill() -> None:
    position = pulled(7)
    assert all(isinstance(action, Place) for action in position.actions())
    position = after(position, place("PP", (0, 3), (1, 3)))
    assert (position.phase, len(refill(position).racks[0])) == (Phase.END_TURN, 6)


@pytest.mark.parametrize(
    ("pegs", "seat", "offered"),
    [
        pytest.param(six(2, R=-3), 0, True, id="red stands worst and the rack shows none"),
        pytest.param(six(2, Y=-3), 0, False, id="yellow stands worst and the rack shows it"),
        pytest.param(six(-2, R=3), 1, True, id="worst for seat 1 is what is best for seat 0"),
        pytest.param(six(-2, Y=3), 1, False, id="the same for yellow"),
        pytest.param(six(2, R=-3, Y=-9), 0, True, id="a lost colour is no longer open"),
        pytest.param(six(-2, R=3, Y=9), 1, True, id="lost to seat 0, so not open for seat 1"),
        pytest.param(six(9, R=1, Y=2), 0, True, id="won colours are not open either"),
        pytest.param(six(2, R=-3, Y=-3), 0, False, id="two stand worst, and one is on the rack"),
    ],
)
def test_duel_swap_looks_at_the_open_colours_that_stand_worst(
    pegs: tuple[int, ...], seat: int, offered: bool
) -> None:
    position = arrange("duel", rack="OY GB BP", tracks={0: pegs}, seat=seat, phase="end-turn")
    assert (Swap() in position.actions()) is offered


def test_duel_swap_is_never_forced() -> None:
    position = arrange("duel", rack="OY GB BP", tracks={0: six(2, R=-3)}, phase="end-turn")
    assert list(position.actions()) == [Refill(), Swap()]


def test_duel_swap_refused_names_the_ruling() -> None:
    position = arrange("duel", rack="OY GB BP", tracks={0: six(2, Y=-3)}, phase="end-turn")
    with pytest.raises(IllegalAction) as refused:
        position.apply(Swap())
    assert refused.value.ruling == "DUEL"


def test_duel_ends_when_no_tile_can_be_placed() -> None:
    """With or without a pending bonus move; the pegs are in both rows of the result."""
    position = arrange("duel", rack="RB YB", laid=filled(BESIDE_RED), tracks={0: six(1, R=8)})
    position, events = position.apply(place("RB", *BESIDE_RED))
    assert [type(event) for event in events] == [Placed, Ended]
    assert (ended(position).reason, ended(position).tracks) == ("board-full", (six(1, R=9),) * 2)


def test_duel_ends_when_all_six_colours_are_won() -> None:
    """By either player; here seat 1 takes the last one, and seat 0 has four."""
    pegs = six(9, R=-8, O=-9)
    position = arrange("duel", rack="RG PP", laid=THREE_REDS, tracks={0: pegs}, seat=1)
    position, events = position.apply(place("RG", LEFT, RIGHT))
    assert [type(event) for event in events] == [Placed, Ended]
    assert (ended(position).reason, ended(position).ranks) == ("all-max", (1, 2))


def test_duel_goes_on_while_a_colour_is_open() -> None:
    position = arrange("duel", rack="RG PP", laid=THREE_REDS, tracks={0: six(9, R=7, P=8)})
    assert not after(position, place("RG", LEFT, RIGHT)).is_over


@pytest.mark.parametrize(
    ("pegs", "expected"),
    [
        pytest.param((1, 1, 1, 1, -9, -9), (1, 2), id="more colours, though nearer to the middle"),
        pytest.param((1, 1, -9, -9, -9, 0), (2, 1), id="three to two, one in the middle for nobody"),
        pytest.param((3, 3, 3, -4, -4, -2), (2, 1), id="three each, the larger sum of distances"),
        pytest.param((5, 1, 3, -4, -4, -1), (1, 1), id="three each and equal sums share the place"),
        pytest.param((0, 0, 0, 0, 0, 0), (1, 1), id="nothing pulled"),
    ],
)
def test_duel_ranking(pegs: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """More colours on the player's side, then the larger sum of their distances, then shared."""
    assert duel_ranks(pegs) == expected
