"""The 3D edition: board, start stones, tiles, support, opening, scoring and swap."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, permutations
from typing import Any

import pytest
from tests.core.rulings.helpers import (
    LETTERS,
    STONE_CELLS,
    Cell,
    Laid,
    after,
    arrange,
    cells_of,
    everything,
    gain_of,
    lawful_cells,
    pairs_among,
    place,
    places,
    refill,
    rim,
    six,
    star,
    tiles,
    touching,
)

import genial
from genial.core.actions import Refill, Swap
from genial.core.errors import IllegalAction
from genial.core.events import Drew, Placed, Swapped
from genial.core.position import Position
from genial.core.record import record_of
from genial.core.situation import Phase

CELLS = [cell for row in cells_of(4) for cell in row]


def ground(laid: list[Laid]) -> set[frozenset[Cell]]:
    """Every pair of cells left on the ground."""
    taken = {*STONE_CELLS, *(cell for _, *cells in laid for cell in cells)}
    return pairs_among(cell for cell in CELLS if cell not in taken)


def opened(laid: list[Laid], rack: str = "RG", players: int = 4, **more: Any) -> Position:
    """A 3D position after the opening: a tile on the rim next to every start stone, and these tiles."""
    return arrange("3d", players, rack=rack, laid=[*rim(), *laid], **more)


def refusal(position: Position, tile: str, first: Cell, second: Cell) -> str | None:
    with pytest.raises(IllegalAction) as refused:
        position.apply(place(tile, first, second))
    return refused.value.ruling


def level_of(position: Position, tile: str, first: Cell, second: Cell) -> int:
    event = position.apply(place(tile, first, second))[1][0]
    assert isinstance(event, Placed)
    return event.level


# 3D-BOARD


@pytest.mark.parametrize(("game", "players"), [("3d", 2), ("3d", 3), ("3d", 4), ("3d-solo", 1)])
def test_3d_board_is_a_hexagon_of_radius_4(game: str, players: int) -> None:
    """61 cells, for every number of players."""
    cells = record_of(genial.new(game, seats=players, seed=1))["board"]["cells"]
    assert len(cells) == 61
    assert {tuple(cell) for cell in cells} == set(CELLS)


@pytest.mark.parametrize("seed", range(5))
def test_3d_board_start_stones_are_the_corners_of_the_radius_3_ring(seed: int) -> None:
    start = record_of(genial.new("3d", seats=2, seed=seed))["board"]["start"]
    assert {tuple(cell) for cell in start.values()} == {(0, -3), (3, -3), (3, 0), (0, 3), (-3, 3), (-3, 0)}
    assert sorted(start) == sorted(LETTERS)


def test_3d_board_a_tile_never_lies_outside() -> None:
    assert refusal(opened([]), "RG", (2, 2), (2, 3)) == "3D-BOARD"


# 3D-START


def unfinished(start: dict[str, Cell]) -> dict[str, Any]:
    """A record of a game for two that has just been dealt."""
    deals = [("RO RY RG RB RP", 0), ("YG YB YP GB GP", 1)]
    return {
        "format": "genial-record/1",
        "variant": "3d",
        "seats": 2,
        "unfinished": True,
        "board": {"cells": [list(c) for c in CELLS], "start": {k: list(v) for k, v in start.items()}},
        "events": [{"type": "deal", "seat": seat, "tiles": text.split()} for text, seat in deals],
    }


def test_3d_start_any_arrangement_is_lawful() -> None:
    """All 720 of them."""
    for stones in permutations(LETTERS):
        assert genial.check(unfinished(dict(zip(stones, STONE_CELLS, strict=True)))).ok


@pytest.mark.parametrize("cell", [(0, 0), (-3, 1), (0, -3)], ids=["centre", "edge", "on another stone"])
def test_3d_start_only_on_the_six_cells(cell: Cell) -> None:
    start = dict(zip("RGBOYP", STONE_CELLS, strict=True)) | {"P": cell}
    verdict = genial.check(unfinished(start))
    assert (verdict.status, verdict.ruling) == ("breach", "3D-START")


def test_3d_start_stones_are_shuffled_by_the_seed() -> None:
    """Sixty seeds give many arrangements, with every colour on every cell."""
    starts = [record_of(genial.new("3d", seats=2, seed=seed))["board"]["start"] for seed in range(60)]
    assert len({json.dumps(start, sort_keys=True) for start in starts}) > 30
    for letter in LETTERS:
        assert {tuple(start[letter]) for start in starts} == set(STONE_CELLS)


def test_3d_start_stone_fills_its_cell_one_level_high() -> None:
    """A tile cannot lie half on a stone and half on the ground."""
    assert refusal(opened([]), "RG", (0, -3), (0, -2)) == "3D-SUPPORT"


def test_3d_start_stone_can_be_built_on() -> None:
    """There is a tile next to the stone: stone and half are level, and a tile may lie across them."""
    position = opened([("BP", (0, -2), (0, -1))])
    assert level_of(position, "RG", (0, -3), (0, -2)) == 1


# 3D-TILES


@pytest.mark.parametrize(
    ("game", "players", "total", "doubles"),
    [("3d", 4, 78, 3), ("3d", 3, 72, 2), ("3d", 2, 60, 0), ("3d-solo", 1, 60, 0)],
)
def test_3d_tiles_by_the_number_of_players(game: str, players: int, total: int, doubles: int) -> None:
    """Four of each pair; of each double three, with three players two, with two or one none."""
    counts = Counter(everything(genial.new(game, seats=players, seed=1)))
    assert counts.total() == total
    assert {counts[a + b] for a, b in combinations(LETTERS, 2)} == {4}
    assert {counts[letter * 2] for letter in LETTERS} == {doubles}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_3d_tiles_fill_a_rack_of_five(players: int) -> None:
    position = genial.new("3d", seats=players, seed=1)
    assert [len(rack) for rack in position.racks] == [5] * players
    assert len(refill(after(position, position.actions()[0])).racks[0]) == 5


# 3D-SUPPORT


def test_3d_support_by_two_free_cells_of_the_ground() -> None:
    assert level_of(opened([]), "RG", (0, 0), (1, 0)) == 0


def test_3d_support_needs_one_height() -> None:
    position = opened([("RB", (0, 0), (1, 0))])
    assert refusal(position, "RG", (0, 0), (0, 1)) == "3D-SUPPORT"


def test_3d_support_needs_one_height_above_the_ground_too() -> None:
    laid = [("RB", (0, 0), (1, 0)), ("YB", (0, 1), (1, 1)), ("YG", (1, 0), (1, 1))]
    position = opened(laid)
    assert refusal(position, "RG", (0, 0), (1, 0)) == "3D-SUPPORT"


def test_3d_support_never_the_two_halves_of_one_tile() -> None:
    position = opened([("RB", (0, 0), (1, 0))])
    assert refusal(position, "RG", (0, 0), (1, 0)) == "3D-SUPPORT"
    assert refusal(position, "RG", (1, 0), (0, 0)) == "3D-SUPPORT"


def test_3d_support_crosswise_on_two_tiles() -> None:
    laid = [("RB", (0, 0), (1, 0)), ("YB", (0, 1), (1, 1))]
    position = opened(laid)
    assert level_of(position, "RG", (0, 0), (0, 1)) == 1
    assert level_of(position, "RG", (1, 0), (1, 1)) == 1


def test_3d_support_in_line_across_two_tiles() -> None:
    """Two tiles in a row: the middle two cells are halves of different tiles."""
    laid = [("RB", (-1, 0), (0, 0)), ("YB", (1, 0), (2, 0))]
    assert level_of(opened(laid), "RG", (0, 0), (1, 0)) == 1


def test_3d_support_again_where_a_tile_was_built_over() -> None:
    """The upper tile lies on two tiles; a third one next to it creates a new level pair."""
    laid = [
        ("RB", (0, 0), (1, 0)),
        ("YB", (0, 1), (1, 1)),
        ("YG", (0, 0), (0, 1)),
        ("YG", (1, 0), (1, 1)),
    ]
    position = opened(laid)
    assert level_of(position, "RG", (0, 0), (1, 0)) == 2
    assert refusal(position, "RG", (0, 0), (0, 1)) == "3D-SUPPORT"


def test_3d_support_has_no_limit_of_levels() -> None:
    """Four cells in a rhombus, two tiles per level, turned at every level."""
    a, b, c, d = (0, 0), (1, 0), (1, 1), (0, 1)
    kinds = iter(["RO", "RY", "RB", "YG", "YB", "GB"] * 4)
    laid: list[Laid] = []
    for level in range(12):
        pairs = ((a, b), (c, d)) if level % 2 == 0 else ((b, c), (d, a))
        laid += [(next(kinds), *pair) for pair in pairs]
    assert level_of(opened(laid), "RG", a, b) == 12


# 3D-OPENING


def test_3d_opening_touches_a_start_stone() -> None:
    """Every pair on the ground next to any stone, and no other."""
    position = arrange("3d", 3, rack="RG YY", turn=0)
    assert lawful_cells(position) == touching(ground([]), *STONE_CELLS)


def test_3d_opening_elsewhere_is_refused() -> None:
    assert refusal(arrange("3d", 3, rack="RG YY", turn=0), "RG", (0, 0), (1, 0)) == "3D-OPENING"


def test_3d_opening_touches_a_stone_that_has_no_tile_beside_it() -> None:
    position = arrange("3d", 3, rack="RG YY", laid=rim()[:2])
    assert lawful_cells(position) == touching(ground(rim()[:2]), *STONE_CELLS[2:])


def test_3d_opening_tile_between_two_stones_serves_both() -> None:
    laid: list[Laid] = [("BP", (1, -3), (2, -3))]
    position = arrange("3d", 3, rack="RG YY", laid=laid)
    assert lawful_cells(position) == touching(ground(laid), *STONE_CELLS[2:])


def test_3d_opening_tile_between_a_served_stone_and_a_bare_one() -> None:
    """It touches the stone that has none, and that is enough."""
    position = arrange("3d", 3, rack="RG YY", laid=rim()[:1])
    assert place("RG", (1, -3), (2, -3)) in places(position)


def test_3d_opening_lasts_until_every_stone_is_served() -> None:
    """Not one round, but until the sixth stone has its tile; until then nobody may build upwards."""
    position = arrange("3d", 2, rack="RG YG", laid=rim()[:5], turn=5)
    assert lawful_cells(position) == touching(ground(rim()[:5]), STONE_CELLS[5])


def test_3d_opening_three_tiles_between_stones_are_enough() -> None:
    laid: list[Laid] = [("BP", (1, -3), (2, -3)), ("BP", (2, 1), (1, 2)), ("BP", (-3, 2), (-3, 1))]
    position = arrange("3d", 3, rack="RG YY", laid=laid, turn=3)
    assert place("RG", (0, 0), (1, 0)) in places(position)


def test_3d_opening_over_all_placements_are_free() -> None:
    assert ground(rim()) <= lawful_cells(opened([]))


def test_3d_opening_binds_bonus_moves_too() -> None:
    """The rule says each placement."""
    position = arrange("3d", 2, rack="RO YG YB", laid=rim()[1:3], tracks={0: six(R=17)}, turn=2)
    position = after(position, place("RO", (0, -2), (0, -1)))
    assert (position.phase, position.bonus) == (Phase.PLACE, 1)
    assert refusal(position, "YG", (0, 0), (1, 0)) == "3D-OPENING"


def test_3d_opening_needs_no_match() -> None:
    position = arrange("3d", 2, rack="YB GP", turn=0)
    assert gain_of(position, place("YB", (0, -2), (0, -1))) == six()


# 3D-SCORING


def test_3d_scoring_example_beside_a_red_stone() -> None:
    """Orange finds nothing, red one match: one point for red."""
    position = arrange("3d", 2, rack="RO", turn=0, stones="RGBOYP")
    assert gain_of(position, place("OR", (0, -1), (0, -2))) == six(R=1)


def test_3d_scoring_example_between_two_stones() -> None:
    """Purple and green lie between the purple and the green stone: one point each."""
    position = arrange("3d", 2, rack="GP", turn=0, stones="PGRBOY")
    assert gain_of(position, place("PG", (1, -3), (2, -3))) == six(P=1, G=1)


def test_3d_scoring_example_of_two_rows_to_the_left() -> None:
    """Three yellow suns to the left of one half, two red stars to the left of the other."""
    laid: list[Laid] = [("YY", (0, 0), (-1, 0)), ("YB", (-2, 0), (-2, -1)), ("RR", (-1, 1), (-2, 1))]
    assert gain_of(opened(laid, "RY"), place("YR", (1, 0), (0, 1))) == six(Y=3, R=2)


def test_3d_scoring_example_on_top_of_tiles() -> None:
    """Two greens lie to the lower left; yellow finds one, one and two in three directions."""
    laid: list[Laid] = [
        ("RB", (-1, 0), (-1, -1)),
        ("RY", (0, 0), (0, -1)),
        ("GG", (-2, 1), (-3, 2)),
        ("YR", (-1, 1), (-1, 2)),
        ("YY", (1, 0), (2, 0)),
    ]
    position = opened(laid, "YG")
    assert level_of(position, "GY", (-1, 0), (0, 0)) == 1
    assert gain_of(position, place("GY", (-1, 0), (0, 0))) == six(G=2, Y=4)


def test_3d_scoring_example_of_a_double() -> None:
    """The first sun scores three to the left and lower left, the second three to the left and right."""
    laid: list[Laid] = [
        ("YY", (-1, 0), (-2, 0)),
        ("YR", (-1, 1), (-1, 2)),
        ("YB", (1, 1), (1, 2)),
        ("YB", (2, 1), (2, 2)),
    ]
    assert gain_of(opened(laid, "YY"), place("YY", (0, 0), (0, 1))) == six(Y=6)


def test_3d_scoring_sees_lines_from_above_across_levels() -> None:
    """Red on the ground, red one level up, a red start stone: one line of three."""
    laid: list[Laid] = [
        ("RB", (1, 0), (1, 1)),
        ("YB", (2, 0), (2, 1)),
        ("YG", (2, -1), (1, -1)),
        ("RG", (2, 0), (2, -1)),
    ]
    position = opened(laid, "RO", stones="GYROBP")
    assert gain_of(position, place("RO", (0, 0), (-1, 0))) == six(R=3)


def test_3d_scoring_from_a_higher_level_counts_what_lies_lower() -> None:
    laid: list[Laid] = [("GY", (0, 0), (0, 1)), ("BP", (-1, 0), (-1, 1)), ("RB", (1, 0), (1, 1))]
    position = opened(laid, "RO")
    assert level_of(position, "RO", (0, 0), (-1, 0)) == 1
    assert gain_of(position, place("RO", (0, 0), (-1, 0))) == six(R=1)


def test_3d_scoring_adds_five_directions() -> None:
    laid = star("RY RY RY RB RB", (0, 0), 1)
    assert gain_of(opened(laid, "RG"), place("RG", (0, 0), (1, 0))) == six(R=5)


def test_3d_scoring_does_not_count_a_covered_symbol() -> None:
    """The red half was built over with yellow."""
    laid: list[Laid] = [("RB", (1, 0), (1, 1)), ("GB", (2, 0), (2, 1)), ("YG", (1, 0), (2, 0))]
    assert gain_of(opened(laid, "RO"), place("RO", (0, 0), (-1, 0))) == six()


def test_3d_scoring_stops_at_a_covered_symbol() -> None:
    """A line of three reds counts one when the middle one is built over."""
    laid: list[Laid] = [
        ("RB", (0, 0), (0, 1)),
        ("RB", (1, 0), (1, 1)),
        ("RB", (2, 0), (2, 1)),
        ("GB", (1, -1), (1, -2)),
        ("YG", (1, 0), (1, -1)),
    ]
    assert gain_of(opened(laid, "RO"), place("RO", (-1, 0), (-2, 0))) == six(R=1)


def test_3d_scoring_does_not_count_a_covered_start_stone() -> None:
    laid: list[Laid] = [("YB", (0, -2), (0, -1)), ("YG", (0, -3), (0, -2))]
    bare, covered = opened(laid[:1], "RB"), opened(laid, "RB")
    assert gain_of(bare, place("RB", (1, -3), (2, -3))) == six(R=1)
    assert gain_of(covered, place("RB", (1, -3), (2, -3))) == six()


def test_3d_scoring_counts_an_open_start_stone() -> None:
    assert gain_of(opened([], "RY"), place("RY", (0, -2), (0, -1))) == six(R=1)


def test_3d_scoring_leaves_out_the_own_other_half_even_where_it_covers_a_match() -> None:
    """There is red under the other half and beyond it; that whole direction counts nothing."""
    laid: list[Laid] = [("GY", (0, 0), (0, 1)), ("RB", (1, 0), (1, 1)), ("RB", (2, 0), (2, 1))]
    position = opened(laid, "RO")
    assert gain_of(position, place("RO", (0, 0), (1, 0))) == six()


def test_3d_scoring_of_a_double_that_covers_a_match() -> None:
    """The right half scores the red beyond it; the left half does not look that way."""
    laid: list[Laid] = [("GY", (0, 0), (0, 1)), ("RB", (1, 0), (1, 1)), ("RB", (2, 0), (2, 1))]
    assert gain_of(opened(laid, "RR"), place("RR", (0, 0), (1, 0))) == six(R=1)


# 3D-SWAP


NO_RED = "OY OG GB YB"


def test_3d_swap_of_a_rack_without_the_lowest_colour() -> None:
    """Five new tiles, then the old ones go back, and the turn is over."""
    bag = "RO RO RY RY RP RG RG RB"
    position = arrange("3d", 2, rack=NO_RED, tracks={0: six(5, R=0)}, phase="end-turn", bag=bag)
    position, events = position.apply(Swap())
    assert [type(event) for event in events] == [Swapped, Drew]
    assert Counter(position.racks[0]) == Counter(tiles("RO RO RY RY RP"))
    assert Counter(position.bag) == Counter(tiles(f"RG RG RB {NO_RED}"))


def test_3d_swap_ends_the_turn_so_it_comes_once_a_turn() -> None:
    position = arrange("3d", 2, rack=NO_RED, tracks={0: six(5, R=0)}, phase="end-turn")
    position = after(position, Swap())
    assert (position.seat, position.phase) == (1, Phase.PLACE)


@pytest.mark.parametrize(
    ("rack", "markers"),
    [(NO_RED, six(5, O=0)), (NO_RED, six(5, R=0, G=0)), ("OY OG GB RB", six(5, R=0)), (NO_RED, six())],
    ids=["the lowest colour", "one of two lowest", "one tile of it", "all equal"],
)
def test_3d_swap_not_with_a_lowest_colour(rack: str, markers: tuple[int, ...]) -> None:
    position = arrange("3d", 2, rack=rack, tracks={0: markers}, phase="end-turn")
    with pytest.raises(IllegalAction) as refused:
        position.apply(Swap())
    assert refused.value.ruling == "3D-SWAP"


def test_3d_swap_is_never_forced() -> None:
    position = arrange("3d", 2, rack=NO_RED, tracks={0: six(5, R=0)}, phase="end-turn")
    assert list(position.actions()) == [Refill(), Swap()]
    assert not Counter(tiles(NO_RED)) - Counter(refill(position).racks[0])


def test_3d_swap_not_of_an_empty_rack() -> None:
    position = arrange("3d", 2, rack="", tracks={0: six(5, R=0)}, phase="end-turn")
    assert list(position.actions()) == [Refill()]


def test_3d_swap_not_before_the_last_bonus_move() -> None:
    position = opened([], f"RO {NO_RED}", 2, tracks={0: six(5, R=0, O=9)}, bonus=1)
    with pytest.raises(IllegalAction):
        position.apply(Swap())


def test_3d_swap_shows_the_rack_to_all() -> None:
    position = arrange("3d", 2, rack=NO_RED, tracks={0: six(5, R=0)}, phase="end-turn")
    shown = after(position, Swap()).view(set()).events[0]
    assert isinstance(shown, Swapped)
    assert Counter(shown.tiles) == Counter(tiles(NO_RED))
