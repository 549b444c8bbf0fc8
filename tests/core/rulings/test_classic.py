"""The classic game: BOARD, PRINTED, TILES, FIRST-TILE, FREE-PLACEMENT, scoring, BONUS and the ends."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from tests.core.rulings.helpers import (
    LETTERS,
    PRINTED,
    Cell,
    after,
    arrange,
    cells_of,
    drawn,
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
    touching,
)

import genial
from genial.core.actions import Place, Refill
from genial.core.errors import Breach, IllegalAction
from genial.core.events import Drew, Ended, Placed
from genial.core.judge import judge
from genial.core.ranking import ranks
from genial.core.record import record_of
from genial.core.sides import Sides
from genial.core.situation import Phase

BESIDE_RED = ((1, -5), (2, -5))
"""Two cells in the top row; the first one is next to the printed red symbol."""


# BOARD


@pytest.mark.parametrize(("players", "radius", "count"), [(2, 5, 91), (3, 6, 127), (4, 7, 169)])
def test_board_grows_with_the_players(players: int, radius: int, count: int) -> None:
    """Nested hexagons: 91 cells for two players, 127 for three, 169 for four."""
    cells = record_of(genial.new("classic", seats=players, seed=1))["board"]["cells"]
    assert len(cells) == count
    assert {tuple(cell) for cell in cells} == {cell for row in cells_of(radius) for cell in row}


def test_board_for_one_player_is_that_for_two() -> None:
    one, two = (record_of(genial.new(game, seed=1))["board"] for game in ("classic-solo", "classic"))
    assert one == two


def test_board_ends_where_the_seat_count_says() -> None:
    """No half of a tile lies beyond the rim, even if a larger board would have the cell."""
    two, three = (arrange("classic", players, rack="RO GP") for players in (2, 3))
    outwards = place("RO", (2, 3), (2, 4))
    with pytest.raises(IllegalAction) as refused:
        two.apply(outwards)
    assert refused.value.ruling == "BOARD"
    assert outwards in places(three)


# PRINTED


@pytest.mark.parametrize("players", [2, 3, 4])
def test_printed_symbols_are_the_corners_of_the_radius_5_hexagon(players: int) -> None:
    """For three and four players too, where they lie inside the rim."""
    start = record_of(genial.new("classic", seats=players, seed=1))["board"]["start"]
    assert {letter: tuple(cell) for letter, cell in start.items()} == {
        "R": (0, -5),
        "G": (5, -5),
        "B": (5, 0),
        "O": (0, 5),
        "Y": (-5, 5),
        "P": (-5, 0),
    }


@pytest.mark.parametrize("game", ["classic-solo", "classic-team", "travel", "duel"])
def test_printed_symbols_are_the_same_in_every_flat_game(game: str) -> None:
    start = record_of(genial.new(game, seed=1))["board"]["start"]
    assert {letter: tuple(cell) for letter, cell in start.items()} == PRINTED


@pytest.mark.parametrize("letter", LETTERS)
def test_printed_symbols_are_never_covered(letter: str) -> None:
    position = arrange("classic", 4, rack="RO GP")
    assert not [pair for pair in lawful_cells(position) if PRINTED[letter] in pair]


# TILES


def test_tiles_are_120() -> None:
    """Six of each of the 15 pairs, five of each of the six doubles."""
    counts = Counter(everything(genial.new("classic", seats=3, seed=1)))
    assert counts.total() == 120
    assert {counts[a + b] for a, b in combinations(LETTERS, 2)} == {6}
    assert {counts[letter * 2] for letter in LETTERS} == {5}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_fill_a_rack_of_six(players: int) -> None:
    assert [len(rack) for rack in genial.new("classic", seats=players, seed=1).racks] == [6] * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_never_run_out_however_tightly_the_board_is_filled(players: int) -> None:
    """Racks and a tile on every second free cell together take fewer than all tiles."""
    position = genial.new("classic", seats=players, seed=1)
    most_placed = len(free_cells("classic", players)) // 2
    assert most_placed + 6 * players < len(everything(position))


def test_tiles_are_left_in_the_bag_at_the_end_of_the_longest_game() -> None:
    game = play_out(genial.new("classic", seats=4, seed=1))
    assert min(position.supply for position in game) > 0


# FIRST-TILE


def test_first_tile_touches_a_printed_symbol() -> None:
    """The first player may use every pair of cells next to a printed symbol, and no other."""
    position = arrange("classic", rack="RO YY", turn=0)
    assert lawful_cells(position) == touching(
        pairs_among(free_cells("classic", 2)), (0, -5), (5, -5), (5, 0), (0, 5), (-5, 5), (-5, 0)
    )


def test_first_tile_elsewhere_is_refused() -> None:
    with pytest.raises(IllegalAction) as refused:
        arrange("classic", rack="RO YY", turn=0).apply(place("RO", (0, 0), (1, 0)))
    assert refused.value.ruling == "FIRST-TILE"


def test_first_tile_touches_a_symbol_that_no_other_first_tile_touches() -> None:
    laid = [("GP", *BESIDE_RED)]
    position = arrange("classic", rack="RO YY", laid=laid, seat=1, turn=1)
    others = (cell for letter, cell in PRINTED.items() if letter != "R")
    assert lawful_cells(position) == touching(pairs_among(free_cells("classic", 2, laid)), *others)


def test_first_tile_may_not_share_a_symbol() -> None:
    position = arrange("classic", rack="RO YY", laid=[("GP", *BESIDE_RED)], seat=1, turn=1)
    with pytest.raises(IllegalAction) as refused:
        position.apply(place("RO", (-1, -4), (-1, -3)))
    assert refused.value.ruling == "FIRST-TILE"


def test_first_tile_of_the_fourth_player_finds_three_symbols_left() -> None:
    laid = [("GP", (0, -6), (0, -7)), ("GP", (5, 1), (5, 2)), ("GP", (0, 4), (0, 3))]
    position = arrange("classic", 4, rack="RO YY", laid=laid, seat=3, turn=3)
    left = (PRINTED[letter] for letter in "GYP")
    assert lawful_cells(position) == touching(pairs_among(free_cells("classic", 4, laid)), *left)


def test_first_tile_need_not_match() -> None:
    """Touching is enough: an orange and yellow tile next to the red symbol is lawful and scores nothing."""
    position = arrange("classic", rack="OY GP", turn=0)
    assert gain_of(position, place("OY", *BESIDE_RED)) == six()


def test_first_tile_scores_at_once_where_it_matches() -> None:
    position = arrange("classic", rack="RO GP", turn=0)
    assert gain_of(position, place("RO", *BESIDE_RED)) == six(R=1)


def test_first_tile_rule_binds_each_player_once() -> None:
    """Once both players have placed, the opening is over."""
    position = arrange("classic", rack="RO YY GG", racks={1: "RP BB"}, turn=0)
    position = after(position, place("RO", *BESIDE_RED), Refill())
    assert place("RP", (0, 0), (1, 0)) not in places(position)
    position = after(position, place("RP", (4, 0), (4, 1)), Refill())
    assert place("YY", (0, 0), (1, 0)) in places(position)


# FREE-PLACEMENT


def test_free_placement_on_any_two_free_neighbours() -> None:
    laid = [("GP", *BESIDE_RED), ("GP", (0, 0), (0, 1))]
    position = arrange("classic", rack="RO YY", laid=laid)
    assert lawful_cells(position) == pairs_among(free_cells("classic", 2, laid))


def test_free_placement_may_touch_nothing_at_all() -> None:
    position = arrange("classic", rack="RO YY", laid=[("GP", *BESIDE_RED)])
    assert gain_of(position, place("RO", (0, 2), (1, 2))) == six()


def test_free_placement_either_way_round() -> None:
    """A tile of two colours can lie in two ways on the same cells, a double in one."""
    position = arrange("classic", rack="RO YY")
    free = len(pairs_among(free_cells("classic", 2)))
    assert Counter(action.tile for action in places(position)) == {"RO": 2 * free, "YY": free}


@pytest.mark.parametrize(
    ("first", "second"),
    [((0, 0), (1, 0)), ((0, 1), (0, 2)), ((0, -5), (0, -4)), ((3, 0), (3, 2)), ((3, 0), (3, 0))],
    ids=["both taken", "one taken", "on a printed symbol", "two apart", "one cell twice"],
)
def test_free_placement_only_on_two_free_neighbours(first: Cell, second: Cell) -> None:
    position = arrange("classic", rack="RO YY", laid=[("GP", (0, 0), (1, 0)), ("GP", (0, 1), (-1, 2))])
    with pytest.raises(IllegalAction) as refused:
        position.apply(place("RO", first, second))
    assert refused.value.ruling == "FREE-PLACEMENT"


def test_free_placement_only_of_a_tile_on_the_own_rack() -> None:
    position = arrange("classic", rack="RO YY", racks={1: "BB"})
    with pytest.raises(IllegalAction):
        position.apply(place("BB", (0, 0), (1, 0)))


def test_free_placement_is_a_duty() -> None:
    """The player to move must place, even for no points."""
    position = arrange("classic", rack="RO YY")
    assert all(isinstance(action, Place) for action in position.actions())
    with pytest.raises(IllegalAction):
        position.apply(Refill())


# Scoring, which the rulebook settles without a ruling


def test_scoring_counts_an_unbroken_line_of_the_same_symbol() -> None:
    laid = [("RR", (-1, 0), (-2, 0)), ("RO", (-3, 0), (-4, 0))]
    assert gain_of(arrange("classic", rack="RG PP", laid=laid), place("RG", (0, 0), (1, 0))) == six(R=3)


def test_scoring_stops_at_a_free_cell() -> None:
    laid = [("RO", (-1, 0), (-1, 1)), ("RR", (-3, 0), (-4, 0))]
    assert gain_of(arrange("classic", rack="RG PP", laid=laid), place("RG", (0, 0), (1, 0))) == six(R=1)


def test_scoring_stops_at_another_symbol() -> None:
    laid = [("RO", (-1, 0), (-2, 0)), ("RR", (-3, 0), (-4, 0))]
    assert gain_of(arrange("classic", rack="RG PP", laid=laid), place("RG", (0, 0), (1, 0))) == six(R=1)


def test_scoring_counts_printed_symbols_like_tiles() -> None:
    laid = [("RR", (0, -4), (0, -3))]
    assert gain_of(arrange("classic", rack="RG PP", laid=laid), place("RG", (0, -2), (0, -1))) == six(R=3)


def test_scoring_adds_five_directions() -> None:
    laid = star("RO RO RO RO RO", (0, 0), 1)
    assert gain_of(arrange("classic", rack="RG PP", laid=laid), place("RG", (0, 0), (1, 0))) == six(R=5)


def test_scoring_leaves_out_the_tile_itself() -> None:
    """The two halves of a double do not count each other."""
    assert gain_of(arrange("classic", rack="RR PP"), place("RR", (0, 0), (1, 0))) == six()


def test_scoring_counts_both_symbols_of_a_tile() -> None:
    laid = [("RR", (-1, 0), (-2, 0)), ("GB", (2, 0), (3, 0))]
    assert gain_of(arrange("classic", rack="RG PP", laid=laid), place("RG", (0, 0), (1, 0))) == six(R=2, G=1)


def test_scoring_counts_both_halves_of_a_double() -> None:
    laid = [("RR", (-1, 0), (-2, 0)), ("RB", (2, 0), (3, 0))]
    assert gain_of(arrange("classic", rack="RR PP", laid=laid), place("RR", (0, 0), (1, 0))) == six(R=3)


def test_scoring_does_not_bend() -> None:
    """A neighbour of a match counts only if it is on the straight line."""
    laid = [("RR", (-1, 0), (-1, -1))]
    assert gain_of(arrange("classic", rack="RG PP", laid=laid), place("RG", (0, 0), (1, 0))) == six(R=1)


# BONUS


def test_bonus_for_reaching_exactly_18() -> None:
    position = arrange("classic", rack="RO GP GP", tracks={0: six(R=17)})
    position = after(position, place("RO", *BESIDE_RED))
    assert (position.seat, position.phase, position.bonus) == (0, Phase.PLACE, 1)


def test_bonus_none_below_18() -> None:
    position = arrange("classic", rack="RO GP GP", tracks={0: six(R=16)})
    assert after(position, place("RO", *BESIDE_RED)).phase is Phase.END_TURN


def test_bonus_for_passing_18_and_the_surplus_lapses() -> None:
    position = arrange("classic", rack="RG PP PP", laid=[("RR", (-1, 0), (-2, 0))], tracks={0: six(R=17)})
    action = place("RG", (0, 0), (1, 0))
    assert gain_of(position, action) == six(R=1)
    position = after(position, action)
    assert (position.tracks[0], position.bonus) == (six(R=18), 1)


def test_bonus_twice_for_two_colours_by_one_tile() -> None:
    laid = [("OY", (3, -5), (4, -5))]
    position = arrange("classic", rack="RO GP GP", laid=laid, tracks={0: six(R=17, O=17)})
    assert after(position, place("RO", *BESIDE_RED)).bonus == 2


def test_bonus_none_for_a_colour_already_at_18() -> None:
    position = arrange("classic", rack="RO GP GP", tracks={0: six(R=18)})
    assert gain_of(position, place("RO", *BESIDE_RED)) == six()
    assert after(position, place("RO", *BESIDE_RED)).phase is Phase.END_TURN


def test_bonus_one_for_a_double_whose_first_half_reaches_18() -> None:
    """The second half scores, too, but its points are lost and it earns nothing more."""
    laid = [("RY", (3, -5), (4, -5))]
    position = arrange("classic", rack="RR GP GP", laid=laid, tracks={0: six(R=17)})
    position = after(position, place("RR", *BESIDE_RED))
    assert (position.tracks[0], position.bonus) == (six(R=18), 1)


def test_bonus_one_for_a_double_that_needs_both_halves() -> None:
    laid = [("RY", (3, -5), (4, -5))]
    position = arrange("classic", rack="RR GP GP", laid=laid, tracks={0: six(R=16)})
    position = after(position, place("RR", *BESIDE_RED))
    assert (position.tracks[0], position.bonus) == (six(R=18), 1)


def test_bonus_comes_before_the_refill() -> None:
    """No tile is drawn until the last bonus move is made; then the rack is filled to six."""
    laid = [("OY", (3, -5), (4, -5))]
    position = arrange("classic", rack="RO GP GP YY YY BB", laid=laid, tracks={0: six(R=17, O=17)})
    position = after(position, place("RO", *BESIDE_RED))
    assert len(position.racks[0]) == 5
    position = after(position, place("GP", (0, 0), (1, 0)))
    assert (position.bonus, len(position.racks[0])) == (1, 4)
    position = after(position, place("GP", (0, 3), (1, 3)))
    assert (position.phase, len(position.racks[0])) == (Phase.END_TURN, 3)
    position, events = position.apply(Refill())
    assert (len(drawn(events)), len(position.racks[0]), position.seat) == (3, 6, 1)


def test_bonus_is_made_at_once_and_may_not_be_declined() -> None:
    position = after(arrange("classic", rack="RO GP GP", tracks={0: six(R=17)}), place("RO", *BESIDE_RED))
    assert all(isinstance(action, Place) for action in position.actions())
    with pytest.raises(IllegalAction):
        position.apply(Refill())


def test_bonus_left_out_of_a_record_is_a_breach() -> None:
    """Neither a draw nor the next player's tile may come before it."""
    position = after(arrange("classic", rack="RO GP GP", tracks={0: six(R=17)}), place("RO", *BESIDE_RED))
    for event in (Drew(0, ("YY",)), Placed(1, position.racks[1][0], ((0, 0), (1, 0)), 0, six())):
        with pytest.raises(Breach) as breach:
            judge(position, event)
        assert breach.value.ruling == "BONUS"


def test_bonus_may_earn_another() -> None:
    """Red earns a bonus move, and that takes green to 18: one more."""
    position = arrange("classic", rack="RO GP PP", tracks={0: six(R=17, G=17)})
    position = after(position, place("RO", *BESIDE_RED), place("PG", (4, -4), (4, -5)))
    assert (position.seat, position.phase, position.bonus) == (0, Phase.PLACE, 1)


def test_bonus_is_free_of_the_opening_once_round_one_is_over() -> None:
    position = after(arrange("classic", rack="RO GP GP", tracks={0: six(R=17)}), place("RO", *BESIDE_RED))
    assert place("GP", (0, 0), (1, 0)) in places(position)


# BOARD-FULL


def test_board_full_ends_the_game_at_once() -> None:
    """Single free cells do not matter; nothing more is drawn."""
    position = arrange("classic", rack="BB YB", laid=filled(BESIDE_RED))
    position, events = position.apply(place("BB", *BESIDE_RED))
    assert [type(event) for event in events] == [Placed, Ended]
    assert ended(position).reason == "board-full"


def test_board_full_ends_the_game_with_a_bonus_move_pending() -> None:
    position = arrange("classic", rack="RB YB", laid=filled(BESIDE_RED), tracks={0: six(R=17)})
    position, events = position.apply(place("RB", *BESIDE_RED))
    assert [type(event) for event in events] == [Placed, Ended]
    assert (ended(position).reason, ended(position).tracks[0]) == ("board-full", six(R=18))


def test_board_full_not_while_two_neighbours_are_free() -> None:
    holes = [*BESIDE_RED, (-4, 5), (-3, 5)]
    position = after(arrange("classic", rack="BB YB", laid=filled(holes)), place("BB", *BESIDE_RED))
    assert not position.is_over
    assert lawful_cells(refill(position)) == {frozenset({(-4, 5), (-3, 5)})}


def test_board_full_looks_only_at_the_cells_in_use() -> None:
    """With two players the cells of the larger boards are out of the game."""
    game = play_out(genial.new("classic", seats=2, seed=1))
    assert ended(game[-1]).reason == "board-full"
    assert len([event for event in game[-1].events if isinstance(event, Placed)]) <= 42


# ALL-MAX


def test_all_max_wins_at_once() -> None:
    position = arrange("classic", rack="RO GP", tracks={0: six(18, R=17), 1: six(17)})
    position, events = position.apply(place("RO", *BESIDE_RED))
    assert [type(event) for event in events] == [Placed, Ended]
    assert (ended(position).reason, ended(position).ranks) == ("all-max", (1, 2))


def test_all_max_makes_pending_bonus_moves_void() -> None:
    """Red and orange reach 18 together: two bonus moves earned, none made."""
    laid = [("OY", (3, -5), (4, -5))]
    position = arrange("classic", rack="RO GP GP", laid=laid, tracks={0: six(18, R=17, O=17)})
    position = after(position, place("RO", *BESIDE_RED))
    assert (position.is_over, position.bonus, len(position.actions())) == (True, 0, 0)


def test_all_max_needs_all_six() -> None:
    position = arrange("classic", rack="RO GP", tracks={0: six(18, R=17, P=17)})
    assert not after(position, place("RO", *BESIDE_RED)).is_over


def test_all_max_goes_before_board_full() -> None:
    position = arrange("classic", rack="RB YB", laid=filled(BESIDE_RED), tracks={0: six(18, R=17)})
    assert ended(after(position, place("RB", *BESIDE_RED))).reason == "all-max"


def test_all_max_ranks_the_others_by_their_tracks() -> None:
    tracks = {0: six(9), 1: six(18, R=17), 2: six(10)}
    position = arrange("classic", 3, rack="RO GP", tracks=tracks, seat=1)
    assert ended(after(position, place("RO", *BESIDE_RED))).ranks == (3, 1, 2)


# RANKING


def test_ranking_example_of_the_rulebook() -> None:
    """A's lowest marker is on 10, B's on 9: A wins."""
    a, b = (10, 13, 18, 14, 12, 18), (18, 18, 18, 17, 9, 18)
    assert ranks(Sides.EACH, 2, (a, b)) == (1, 2)


def test_ranking_example_of_a_tie() -> None:
    """Both have 9, then 12; then B's 14 beats A's 13."""
    a, b = (18, 12, 13, 9, 18, 18), (9, 18, 16, 14, 12, 15)
    assert ranks(Sides.EACH, 2, (a, b)) == (2, 1)


def test_ranking_at_the_end_of_a_game() -> None:
    tracks = {0: six(10, R=18), 1: six(18, B=9)}
    position = arrange("classic", rack="BB YB", laid=filled(BESIDE_RED), tracks=tracks)
    assert ended(after(position, place("BB", *BESIDE_RED))).ranks == (1, 2)


def test_ranking_special_case_of_several_markers_on_one_place() -> None:
    """With two markers on 9 a player loses against one who has a single marker there."""
    assert ranks(Sides.EACH, 2, ((9, 9, 18, 18, 18, 18), (9, 10, 10, 10, 10, 10))) == (2, 1)


def test_ranking_looks_at_the_last_marker_if_need_be() -> None:
    assert ranks(Sides.EACH, 2, ((5, 6, 7, 8, 9, 10), (11, 9, 8, 7, 6, 5))) == (2, 1)


def test_ranking_ignores_which_colour_is_lowest() -> None:
    assert ranks(Sides.EACH, 2, ((3, 4, 5, 6, 7, 8), (8, 7, 6, 5, 4, 3))) == (1, 1)


def test_ranking_ignores_how_many_markers_reached_18() -> None:
    assert ranks(Sides.EACH, 2, ((9, 18, 18, 18, 18, 18), (10, 10, 10, 10, 10, 10))) == (2, 1)


def test_ranking_shares_the_place_when_all_six_are_equal() -> None:
    """A rank is one plus the number of seats ahead."""
    assert ranks(Sides.EACH, 4, (six(10), six(9), six(9), six(8))) == (1, 2, 2, 4)
