"""The card game: CARDS, CARD-SCORING, REGIONS, CARD-BONUS, CARD-END, CARD-TURN-END and CARD-SWAP."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from tests.core.rulings.helpers import (
    LETTERS,
    after,
    arrange,
    drawn,
    ended,
    everything,
    gain_of,
    play_out,
    refill,
    six,
    tiles,
)

import genial
from genial.core.actions import Play, Refill, Swap
from genial.core.errors import IllegalAction
from genial.core.events import Drew, Ended, Opened, Played, Reshuffled, Swapped
from genial.core.explain import explain
from genial.core.open_cards import OpenCards
from genial.core.position import Position
from genial.core.ranking import ranks
from genial.core.sides import Sides
from genial.core.situation import Phase


def open_rows(position: Position) -> tuple[tuple[str, ...], ...]:
    """The open cards in front of each seat, the oldest first."""
    assert isinstance(position.table, OpenCards)
    return position.table.rows


# CARDS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_are_60(players: int) -> None:
    """Four of each of the 15 pairs, no doubles."""
    counts = Counter(everything(genial.new("cards", seats=players, seed=1)))
    assert counts == {a + b: 4 for a, b in combinations(LETTERS, 2)}


@pytest.mark.parametrize(("players", "count"), [(2, 2), (3, 1), (4, 1)])
def test_cards_open_before_each_player(players: int, count: int) -> None:
    """One each; two each with two players."""
    position = genial.new("cards", seats=players, seed=1)
    assert [len(row) for row in open_rows(position)] == [count] * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_fill_a_hand_of_six(players: int) -> None:
    position = genial.new("cards", seats=players, seed=1)
    assert [len(hand) for hand in position.racks] == [6] * players


def test_cards_dealt_open_the_first_one_is_the_older() -> None:
    position = genial.new("cards", seats=2, seed=1)
    dealt = [[e.tile for e in position.events if isinstance(e, Opened) and e.seat == n] for n in (0, 1)]
    assert [list(row) for row in open_rows(position)] == dealt


def test_cards_in_hand_are_hidden_and_open_cards_are_not() -> None:
    position = genial.new("cards", seats=3, seed=1)
    view = position.view({1})
    assert view.racks == (("??",) * 6, position.racks[1], ("??",) * 6)
    assert view.table == position.table


def test_cards_on_the_discard_pile_show_only_their_number() -> None:
    position = genial.new("cards", seats=3, seed=1)
    position = refill(after(position, position.actions()[0]))
    assert position.view({0}).discarded == 1


# CARD-SCORING


@pytest.mark.parametrize(
    ("rows", "matches"),
    [
        pytest.param(["RO RY", "RG RB"], 4, id="two players, four cards"),
        pytest.param(["RO", "RY", "RG"], 3, id="three players, three cards"),
        pytest.param(["RO", "RY", "RG", "RB"], 4, id="four players, four cards"),
    ],
)
def test_card_scoring_compares_with_every_open_card(rows: list[str], matches: int) -> None:
    """One step per match, including the player's own cards; the card just played does not count."""
    position = arrange("cards", len(rows), rack="RP", rows=rows, tracks={0: six(1)})
    assert gain_of(position, Play("RP")) == six(R=matches)


def test_card_scoring_counts_both_symbols() -> None:
    position = arrange("cards", 3, rack="RP", rows=["RO", "RP", "YP"], tracks={0: six(1)})
    assert gain_of(position, Play("RP")) == six(R=2, P=2)


def test_card_scoring_nothing_without_a_match() -> None:
    position = arrange("cards", 3, rack="RP", rows=["YO", "GB", "YG"], tracks={0: six(1)})
    assert gain_of(position, Play("RP")) == six()


def test_card_scoring_example_of_the_rulebook() -> None:
    """Two matches for yellow, one for blue: yellow from 1 to 3, blue from 0 to 1."""
    position = arrange("cards", 3, rack="YB", rows=["YP", "RY", "OB"], tracks={0: six(Y=1)})
    assert gain_of(position, Play("YB")) == six(Y=2, B=1)
    assert after(position, Play("YB")).tracks[0] == six(Y=3, B=1)


def test_card_scoring_order_is_the_players_choice() -> None:
    """Each kind of card in hand gives two actions, one for either symbol first."""
    position = arrange("cards", 3, rack="RP RP YB", rows=["YO", "GB", "YG"])
    assert Counter(position.actions()) == {Play("RP"): 1, Play("PR"): 1, Play("YB"): 1, Play("BY"): 1}


def test_card_scoring_order_stands_in_the_event() -> None:
    position = arrange("cards", 3, rack="RP", rows=["YO", "GB", "YG"])
    assert position.apply(Play("PR"))[1][0] == Played(0, "PR", six())


def test_card_scoring_explains_which_cards_match() -> None:
    """Seat and position in its row of every card that shows red."""
    position = arrange("cards", 2, rack="RP", rows=["RO YG", "YB RG"], tracks={0: six(1)})
    assert explain(position, Play("RP")).halves[0].matches == ((0, 0), (1, 1))


def test_card_scoring_needs_a_card_of_the_own_hand() -> None:
    position = arrange("cards", 3, rack="RP", racks={1: "OY"}, rows=["YO", "GB", "YG"])
    with pytest.raises(IllegalAction):
        position.apply(Play("OY"))


# REGIONS


def red_after(matches: int, markers: tuple[int, ...]) -> int:
    """The step of the red marker after a card with this many red matches and none of another colour."""
    rows = [f"R{letter}" if n < matches else "OY" for n, letter in enumerate("OYGB")]
    position = arrange("cards", 4, rack="RP", rows=rows, tracks={0: markers})
    return after(position, Play("RP")).tracks[0][0]


@pytest.mark.parametrize(
    ("red", "others", "reached"),
    [
        pytest.param(0, 0, 3, id="from 0 into 1-3, not into 4-6"),
        pytest.param(3, 0, 3, id="not into 4-6 while others stand on 0"),
        pytest.param(3, 1, 6, id="into 4-6 when all stand on 1 or more, not into 7-10"),
        pytest.param(6, 3, 6, id="not into 7-10 while others stand below 4"),
        pytest.param(6, 4, 10, id="into 7-10 when all stand on 4 or more"),
        pytest.param(8, 4, 10, id="the track ends at 10"),
    ],
)
def test_regions_are_entered_when_all_stand_in_the_one_before(red: int, others: int, reached: int) -> None:
    """0, 1-3, 4-6, 7-10. With four matches; steps that cannot be made are lost."""
    assert red_after(4, six(others, R=red)) == reached


def test_regions_wait_for_a_single_marker() -> None:
    assert red_after(2, six(3, R=3, G=0)) == 3
    assert red_after(2, six(3, R=3, G=1)) == 5


def test_regions_are_checked_step_by_step() -> None:
    """The red marker is itself the last one on 0: its first step opens the gate for its fourth."""
    assert red_after(4, six(2, R=0)) == 4


def test_regions_first_symbol_opens_the_gate_for_the_second() -> None:
    """Blue is the last on 0. Blue first, and red may go on to 4; red first, and its step is lost."""
    position = arrange("cards", 3, rack="RB", rows=["RY", "BP", "OG"], tracks={0: six(2, R=3, B=0)})
    assert gain_of(position, Play("BR")) == six(B=1, R=1)
    assert gain_of(position, Play("RB")) == six(B=1)


def test_regions_example_of_the_gate() -> None:
    """Red moves two steps to 4; purple has two matches, too, but may move only one step to 6.

    The printed example gets its regions wrong: for red to be on 4, blue must be on 1 or more.
    """
    rows = ["RP", "RY", "OP"]
    position = arrange("cards", 3, rack="RP", rows=rows, tracks={0: six(4, R=2, P=5, B=3)})
    assert gain_of(position, Play("RP")) == six(R=2, P=1)


def test_regions_example_of_the_gate_with_blue_on_0() -> None:
    """By the rulebook's own definition red then stops on 3."""
    position = arrange("cards", 3, rack="RP", rows=["RP", "RY", "OP"], tracks={0: six(3, R=2, P=2, B=0)})
    assert gain_of(position, Play("RP")) == six(R=1, P=1)


def test_regions_let_a_marker_stand_in_two_neighbouring_ones_at_most() -> None:
    """In a whole game no marker is ever two regions ahead of another."""
    region = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    for position in play_out(genial.new("cards", seats=3, seed=1)):
        for markers in position.tracks:
            assert region[max(markers)] - region[min(markers)] <= 1


# CARD-BONUS


def near_the_end(**places: int) -> Position:
    """Three players; red on 9 and the others on 4, or where given; red and orange have one match each."""
    tracks = {0: six(4, **({"R": 9} | places))}
    return arrange("cards", 3, rack="RO YB YB GP GP BP", rows=["RY", "OG", "YB"], tracks=tracks)


def test_card_bonus_for_a_marker_that_reaches_10() -> None:
    position = after(near_the_end(), Play("RO"))
    assert (position.tracks[0][0], position.seat, position.phase, position.bonus) == (10, 0, Phase.PLACE, 1)


def test_card_bonus_none_below_10() -> None:
    assert after(near_the_end(R=8), Play("RO")).phase is Phase.END_TURN


def test_card_bonus_none_for_a_marker_already_on_10() -> None:
    position = after(near_the_end(R=10), Play("RO"))
    assert (position.tracks[0][0], position.phase) == (10, Phase.END_TURN)


def test_card_bonus_for_each_marker_that_reaches_10() -> None:
    assert after(near_the_end(O=9), Play("RO")).bonus == 2


def test_card_bonus_discards_the_oldest_open_card_of_that_player() -> None:
    position = after(near_the_end(), Play("RO"))
    assert open_rows(position) == (("RO",), ("OG",), ("YB",))
    assert position.discard == ("RY",)


def test_card_bonus_discards_the_oldest_of_three_with_two_players() -> None:
    tracks = {0: six(4, R=9)}
    position = arrange("cards", 2, rack="RO YB GP", rows=["RY GB", "OG YP"], tracks=tracks)
    position = after(position, Play("RO"))
    assert open_rows(position) == (("GB", "RO"), ("OG", "YP"))
    assert position.discard == ("RY",)


def test_card_bonus_has_no_draw_in_between() -> None:
    position, events = near_the_end().apply(Play("RO"))
    assert [type(event) for event in events] == [Played]
    assert len(position.racks[0]) == 5


def test_card_bonus_card_is_compared_with_what_lies_open_now() -> None:
    """The card just played counts; the discarded one no longer does."""
    position = after(near_the_end(), Play("RO"))
    assert gain_of(position, Play("YB")) == six(Y=1, B=1)


def test_card_bonus_cannot_be_declined() -> None:
    position = after(near_the_end(), Play("RO"))
    assert all(isinstance(action, Play) for action in position.actions())
    with pytest.raises(IllegalAction) as refused:
        position.apply(Refill())
    assert refused.value.ruling == "CARD-TURN-END"


def test_card_bonus_may_earn_another() -> None:
    """Yellow reaches 10 with the bonus card: one more."""
    position = after(near_the_end(Y=9), Play("RO"), Play("YB"))
    assert (position.seat, position.phase, position.bonus) == (0, Phase.PLACE, 1)


def test_card_bonus_played_the_turn_ends_as_usual() -> None:
    """One more card is discarded, and the hand is filled to six."""
    position = after(near_the_end(), Play("RO"), Play("GP"))
    assert position.phase is Phase.END_TURN
    position, events = position.apply(Refill())
    assert (len(drawn(events)), len(position.racks[0]), position.seat) == (2, 6, 1)
    assert open_rows(position)[0] == ("GP",)
    assert position.discard == ("RY", "RO")


# CARD-END


def test_card_end_when_all_six_markers_stand_on_7_or_more() -> None:
    position = arrange("cards", 3, rack="RO YB", rows=["RY", "GB", "YB"], tracks={0: six(7, R=6)})
    position, events = position.apply(Play("RO"))
    assert [type(event) for event in events] == [Played, Ended]
    assert (ended(position).reason, ended(position).ranks) == ("goal", (1, 2, 2))


def test_card_end_not_while_one_marker_stands_below_7() -> None:
    tracks = {0: six(7, R=6, P=6)}
    position = arrange("cards", 3, rack="RO YB", rows=["RY", "GB", "YB"], tracks=tracks)
    assert not after(position, Play("RO")).is_over


def test_card_end_is_looked_at_when_both_symbols_are_scored() -> None:
    """Red completes the six; orange still scores, and so the lowest marker is on 8."""
    rows, tracks = ["RY", "RO", "YB"], {0: six(8, R=6, O=7)}
    position = arrange("cards", 3, rack="RO YB", rows=rows, tracks=tracks)
    result = ended(after(position, Play("RO")))
    assert result.tracks[0] == six(8)


@pytest.mark.parametrize("card", ["RO", "OR"])
def test_card_end_does_not_depend_on_which_symbol_comes_first(card: str) -> None:
    rows, tracks = ["RY", "RO", "YB"], {0: six(8, R=6, O=7)}
    position = arrange("cards", 3, rack="RO YB", rows=rows, tracks=tracks)
    assert ended(after(position, Play(card))).tracks[0] == six(8)


def test_card_end_makes_pending_bonus_moves_void() -> None:
    """Orange reaches 10 with the card that takes red to 7."""
    rows, tracks = ["RY", "OG", "YB"], {0: six(7, R=6, O=9)}
    position = after(arrange("cards", 3, rack="RO YB", rows=rows, tracks=tracks), Play("RO"))
    assert (position.is_over, position.bonus, len(position.actions())) == (True, 0, 0)


def test_card_end_by_a_bonus_card() -> None:
    """Red on 10 earns a bonus move, and its card takes yellow to 7: the end."""
    rows, tracks = ["RY", "OG", "YB"], {0: six(7, R=9, Y=6)}
    position = arrange("cards", 3, rack="RO YP", rows=rows, tracks=tracks)
    position = after(position, Play("RO"))
    assert not position.is_over
    assert ended(after(position, Play("YP"))).reason == "goal"


def test_card_end_example_of_the_rulebook() -> None:
    """Sandra takes yellow to 8 and wins; Vedat has 5, 6, 7, Elisabeth 5, 6, 6, Bastian 4."""
    sandra, vedat = (7, 9, 6, 8, 7, 10), (6, 7, 5, 9, 8, 7)
    elisabeth, bastian = (9, 5, 6, 6, 8, 7), (5, 7, 6, 5, 4, 6)
    position = arrange(
        "cards",
        4,
        rack="YP",
        rows=["YR", "YG", "OB", "OB"],
        tracks={0: sandra, 1: vedat, 2: elisabeth, 3: bastian},
    )
    result = ended(after(position, Play("YP")))
    assert result.tracks[0] == (7, 9, 8, 8, 7, 10)
    assert result.ranks == (1, 2, 3, 4)


def test_card_end_ranks_the_others_as_in_ranking() -> None:
    """Two markers on one step count one after the other, and tied players share a rank."""
    tracks = (six(7), (5, 6, 6, 7, 7, 7), (5, 6, 7, 7, 7, 6), (5, 5, 9, 9, 9, 9))
    assert ranks(Sides.EACH, 4, tracks) == (1, 2, 2, 4)


# CARD-TURN-END


def turn_over(
    players: int = 3, hand: str = "GP GB BP OG YG", pile: str = "RP YP RG", discard: str = ""
) -> Position:
    """The end of a turn: the cards YB and then OY lie in front of the mover; the rest is as given."""
    rows = ["YB OY", *["RG", "OB", "YG"][: players - 1]]
    return arrange("cards", players, rack=hand, rows=rows, bag=pile, discard=discard, phase="end-turn")


def test_card_turn_end_is_an_act_of_the_mover() -> None:
    position = arrange("cards", 3, rack="RO YB", rows=["RY", "GB", "YB"])
    position, events = position.apply(Play("RO"))
    assert [type(event) for event in events] == [Played]
    assert (position.seat, position.phase) == (0, Phase.END_TURN)


def test_card_turn_end_discards_the_oldest_open_card() -> None:
    position = refill(turn_over())
    assert (open_rows(position)[0], position.discard) == (("OY",), ("YB",))


def test_card_turn_end_with_two_players_leaves_two_cards_open() -> None:
    rows = ["YB OY RB", "GP GB"]
    position = refill(arrange("cards", 2, rack="GP GB BP OG YG", rows=rows, phase="end-turn"))
    assert (open_rows(position)[0], position.discard) == (("OY", "RB"), ("YB",))


def test_card_turn_end_leaves_the_others_cards_alone() -> None:
    position = turn_over()
    assert open_rows(refill(position))[1:] == open_rows(position)[1:]


def test_card_turn_end_fills_the_hand_to_six() -> None:
    """From the front of the draw pile; then it is the next player's turn."""
    position, events = turn_over(hand="GP GB BP OG").apply(Refill())
    assert events == (Drew(0, ("RP", "YP")),)
    assert (len(position.racks[0]), position.bag, position.seat) == (6, ("RG",), 1)


def test_card_turn_end_reshuffles_when_the_pile_is_empty() -> None:
    """The discard pile becomes the draw pile, including the card just discarded."""
    position, events = turn_over(pile="", discard="RP YP").apply(Refill())
    assert [type(event) for event in events] == [Reshuffled, Drew]
    found = Counter((*position.bag, *drawn(events)))
    assert found == Counter(tiles("RP YP YB"))
    assert position.discard == ()


def test_card_turn_end_reshuffles_in_the_middle_of_a_draw() -> None:
    """Three cards are needed and one is there: it is drawn, then the discard pile is reshuffled."""
    position, events = turn_over(hand="GP GB BP", pile="RG", discard="RP YP").apply(Refill())
    assert [type(event) for event in events] == [Drew, Reshuffled, Drew]
    assert events[0] == Drew(0, ("RG",))
    assert (len(drawn(events)), len(position.racks[0]), len(position.bag)) == (3, 6, 1)


def test_card_turn_end_does_not_reshuffle_before_a_card_is_wanted() -> None:
    """The refill takes the last card: the pile stays empty until the next draw."""
    position, events = turn_over(pile="RG", discard="RP YP").apply(Refill())
    assert [type(event) for event in events] == [Drew]
    assert (position.bag, len(position.discard)) == ((), 3)


def test_card_turn_end_keeps_all_sixty_cards_in_the_game() -> None:
    for position in play_out(genial.new("cards", seats=4, seed=1)):
        assert len(everything(position)) + len(position.discard) == 60


# CARD-SWAP


NO_RED = "GP GB BP OG YG"
RED_LOWEST = six(3, R=1)


def may_swap(hand: str = NO_RED, markers: tuple[int, ...] = RED_LOWEST, bag: str | None = None) -> Position:
    """The end of a turn: the cards YB and then OY lie in front of the mover."""
    rows = ["YB OY", "RG", "OB"]
    return arrange("cards", 3, rack=hand, rows=rows, tracks={0: markers}, phase="end-turn", bag=bag)


def test_card_swap_when_no_card_shows_the_weakest_colour() -> None:
    assert Swap() in may_swap().actions()


@pytest.mark.parametrize(
    ("hand", "markers"),
    [("GP GB BP OG RY", six(3, R=1)), (NO_RED, six(3, R=1, P=1)), (NO_RED, six(3))],
    ids=["one card of it", "one of two weakest", "all equal"],
)
def test_card_swap_not_with_any_of_the_weakest_colours(hand: str, markers: tuple[int, ...]) -> None:
    position = may_swap(hand, markers)
    assert Swap() not in position.actions()
    with pytest.raises(IllegalAction) as refused:
        position.apply(Swap())
    assert refused.value.ruling == "CARD-SWAP"


def test_card_swap_is_never_forced() -> None:
    position = may_swap()
    assert Refill() in position.actions()
    assert not Counter(tiles(NO_RED)) - Counter(refill(position).racks[0])


def test_card_swap_not_before_scoring() -> None:
    position = arrange("cards", 3, rack=NO_RED, rows=["YB", "RG", "OB"], tracks={0: RED_LOWEST})
    with pytest.raises(IllegalAction) as refused:
        position.apply(Swap())
    assert refused.value.ruling == "CARD-SWAP"


def test_card_swap_looks_at_the_markers_after_scoring() -> None:
    """Red leaves the lowest step with this card; now yellow is weakest, and the hand shows yellow."""
    tracks = {0: six(3, R=1, Y=2)}
    position = arrange("cards", 3, rack=f"RO {NO_RED}", rows=["RY", "RG", "YB"], tracks=tracks)
    assert Swap() not in after(position, Play("RO")).actions()


def test_card_swap_not_before_the_last_bonus_move() -> None:
    position = after(near_the_end(), Play("RO"))
    with pytest.raises(IllegalAction):
        position.apply(Swap())


def test_card_swap_stands_in_place_of_the_refill() -> None:
    """Six new cards, and the turn is over: once per turn."""
    position, events = may_swap().apply(Swap())
    assert [type(event) for event in events] == [Swapped, Drew]
    assert (len(drawn(events)), position.seat, position.phase) == (6, 1, Phase.PLACE)


def test_card_swap_puts_the_hand_on_the_discard_pile() -> None:
    """On top of the oldest open card, which is discarded first, as at the end of every turn."""
    position = after(may_swap(), Swap())
    assert (position.discard[0], open_rows(position)[0]) == ("YB", ("OY",))
    assert Counter(position.discard[1:]) == Counter(tiles(NO_RED))


def test_card_swap_discards_before_it_draws() -> None:
    """Two cards are in the pile; the rest come from a reshuffle that includes the old hand."""
    position, events = may_swap(bag="RP YP").apply(Swap())
    assert [type(event) for event in events] == [Swapped, Drew, Reshuffled, Drew]
    again = Counter((*drawn(events)[2:], *position.bag))
    assert again == Counter(tiles(f"YB {NO_RED}"))


def test_card_swap_does_not_ask_how_many_cards_are_in_the_pile() -> None:
    """The discard pile follows, so a short pile forbids nothing."""
    assert Swap() in may_swap(bag="RP").actions()


def test_card_swap_not_of_an_empty_hand() -> None:
    assert list(may_swap(hand="").actions()) == [Refill()]


def test_card_swap_shows_the_hand_to_all() -> None:
    shown = after(may_swap(), Swap()).view({2}).events[0]
    assert isinstance(shown, Swapped)
    assert Counter(shown.tiles) == Counter(tiles(NO_RED))
