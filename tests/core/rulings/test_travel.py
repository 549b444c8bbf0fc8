"""The travel edition for two: TRAVEL and TRAVEL-TILES."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from tests.core.rulings.helpers import (
    LETTERS,
    PRINTED,
    after,
    arrange,
    cells_of,
    ended,
    everything,
    free_cells,
    gain_of,
    lawful_cells,
    pairs_among,
    place,
    play_out,
    six,
    tiles,
    touching,
)

import genial
from genial.core.actions import Swap
from genial.core.errors import SetupError
from genial.core.events import Swapped
from genial.core.record import record_of
from genial.core.situation import Phase

BESIDE_RED = ((1, -5), (2, -5))


def test_travel_is_for_two() -> None:
    assert genial.new("travel", seed=1).setup.seats == 2
    with pytest.raises(SetupError):
        genial.new("travel", seats=3, seed=1)


def test_travel_board_and_printed_corners_are_those_of_classic() -> None:
    board = record_of(genial.new("travel", seed=1))["board"]
    assert {tuple(cell) for cell in board["cells"]} == {cell for row in cells_of(5) for cell in row}
    assert {letter: tuple(cell) for letter, cell in board["start"].items()} == PRINTED


def test_travel_opens_beside_a_printed_symbol() -> None:
    position = arrange("travel", rack="RO YY", turn=0)
    assert lawful_cells(position) == touching(pairs_among(free_cells("travel", 2)), *PRINTED.values())


def test_travel_second_player_needs_another_symbol() -> None:
    laid = [("GP", *BESIDE_RED)]
    position = arrange("travel", rack="RO YY", laid=laid, seat=1, turn=1)
    others = (cell for letter, cell in PRINTED.items() if letter != "R")
    assert lawful_cells(position) == touching(pairs_among(free_cells("travel", 2, laid)), *others)


def test_travel_track_ends_at_18_with_a_bonus_move() -> None:
    position = arrange("travel", rack="RG PP", laid=[("RR", (-1, 0), (-2, 0))], tracks={0: six(R=17)})
    assert gain_of(position, place("RG", (0, 0), (1, 0))) == six(R=1)
    position = after(position, place("RG", (0, 0), (1, 0)))
    assert (position.phase, position.bonus) == (Phase.PLACE, 1)


def test_travel_all_six_at_18_wins_at_once() -> None:
    position = arrange("travel", rack="RO GP", tracks={0: six(18, R=17)})
    result = ended(after(position, place("RO", *BESIDE_RED)))
    assert (result.reason, result.ranks) == ("all-max", (1, 2))


def test_travel_racks_are_hidden() -> None:
    position = genial.new("travel", seed=1)
    assert position.view({0}).racks == (position.racks[0], ("??",) * 6)


def test_travel_swapped_rack_is_shown() -> None:
    rack = "OY OG GB GP BP"
    position = arrange("travel", rack=rack, tracks={0: six(5, R=0)}, phase="end-turn")
    shown = after(position, Swap()).view({1}).events[0]
    assert isinstance(shown, Swapped)
    assert Counter(shown.tiles) == Counter(tiles(rack))


@pytest.mark.parametrize(
    ("a", "b", "ranks"),
    [
        pytest.param((10, 12, 18, 18, 14, 13), (18, 18, 16, 18, 9, 18), (1, 2), id="10 beats 9"),
        pytest.param(
            (9, 12, 13, 15, 18, 16), (12, 18, 18, 14, 9, 17), (2, 1), id="9 and 12 equal, 14 beats 13"
        ),
    ],
)
def test_travel_examples_of_the_end_of_the_game(
    a: tuple[int, ...], b: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    position = arrange("travel", rack="BB", tracks={0: a, 1: b}, phase="over:board-full")
    assert ended(position).ranks == ranks


def test_travel_tiles_are_57() -> None:
    """Three of each of the 15 pairs, two of each of the six doubles."""
    counts = Counter(everything(genial.new("travel", seed=1)))
    assert counts.total() == 57
    assert {counts[a + b] for a, b in combinations(LETTERS, 2)} == {3}
    assert {counts[letter * 2] for letter in LETTERS} == {2}


def test_travel_tiles_fill_two_racks_of_six() -> None:
    assert [len(rack) for rack in genial.new("travel", seed=1).racks] == [6, 6]


def test_travel_tiles_last_to_the_end_of_the_longest_game() -> None:
    """At most 42 tiles are on the board and twelve on the racks."""
    assert len(free_cells("travel", 2)) // 2 + 12 < 57
    assert min(position.supply for position in play_out(genial.new("travel", seed=1))) > 0
