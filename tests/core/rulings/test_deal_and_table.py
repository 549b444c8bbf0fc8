"""DEAL, LEAVING, FIRST-SEAT and SERIES: what surrounds the rules of a single game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations_with_replacement, pairwise
from typing import TypeVar

import pytest
from tests.core.rulings.helpers import (
    LETTERS,
    STONE_CELLS,
    after,
    arrange,
    ended,
    play_out,
    six,
)

import genial
from genial.core.actions import Refill, Swap
from genial.core.deal import Dealer, Stream
from genial.core.errors import IllegalAction, SetupError
from genial.core.events import Dealt, Drew, Ended, Opened, Reshuffled, Swapped
from genial.core.notation import position_text
from genial.core.position import Position
from genial.core.record import deal_key, dump, record_of
from genial.core.series import Series
from genial.core.situation import Phase
from genial.core.title import setup
from genial.core.titles import TITLES

Item = TypeVar("Item")
GAMES = [(name, seats) for name, title in TITLES.items() for seats in title.seats]
every_game = pytest.mark.parametrize(("game", "players"), GAMES, ids=[f"{g}-{n}" for g, n in GAMES])


# DEAL


def numbers(seed: str, purpose: str, index: int) -> Iterator[int]:
    """The stream of 32-bit numbers, implemented a second time: SHA-256 of key and counter."""
    for counter in range(1000):
        block = sha256(f"genial-deal/1|{seed}|{purpose}|{index}|{counter}".encode()).digest()
        yield from (int.from_bytes(block[n : n + 4], "big") for n in range(0, 32, 4))


def below(stream: Iterator[int], limit: int) -> int:
    """Rejection sampling: numbers that would favour some results are discarded."""
    return next(n % limit for n in stream if n < 2**32 - 2**32 % limit)


def shuffled(items: Sequence[Item], seed: str, purpose: str, index: int = 0) -> list[Item]:
    """Fisher-Yates, from the back."""
    stream, mixed = numbers(seed, purpose, index), list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(stream, last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def tiles_out(position: Position) -> list[str]:
    """Every tile that has left the bag or pile, in order."""
    found: list[str] = []
    for event in position.events:
        if isinstance(event, Dealt | Drew):
            found += event.tiles
        elif isinstance(event, Opened):
            found.append(event.tile)
    return found


def no_swap(game: list[Position]) -> Position:
    """The last position before the first swap or reshuffle."""
    return next(
        (p for p, q in pairwise(game) if {type(e) for e in q.events} & {Swapped, Reshuffled}), game[-1]
    )


@every_game
def test_deal_same_seed_same_game(game: str, players: int) -> None:
    """To the last byte of the record."""
    one, two = (play_out(genial.new(game, seats=players, seed="evening"))[-1] for _ in range(2))
    assert dump(record_of(one)) == dump(record_of(two))


@every_game
def test_deal_another_seed_another_game(game: str, players: int) -> None:
    one, two = (genial.new(game, seats=players, seed=seed) for seed in (1, 2))
    assert position_text(one) != position_text(two)


def test_deal_whole_number_and_its_digits_are_one_seed() -> None:
    assert genial.new("classic", seats=2, seed=7) == genial.new("classic", seats=2, seed="7")


@pytest.mark.parametrize("seed", ["", "a b", 1.5, True, "x" * 129])
def test_deal_refuses_what_is_no_seed(seed: str | int) -> None:
    with pytest.raises(SetupError) as refused:
        genial.new("classic", seats=2, seed=seed)
    assert refused.value.ruling == "DEAL"


@pytest.mark.parametrize("seed", ["7", "evening", "a-longer_seed.with-all-signs"])
def test_deal_bag_is_one_permutation_drawn_from_the_front(seed: str) -> None:
    """The tiles in canonical order, shuffled by the bag's stream; implemented here a second time."""
    kinds = ["".join(pair) for pair in combinations_with_replacement(LETTERS, 2)]
    in_order = [kind for kind in kinds for _ in range(5 if kind[0] == kind[1] else 6)]
    position = genial.new("classic", seats=3, seed=seed)
    assert [*tiles_out(position), *position.bag] == shuffled(in_order, seed, "bag")


def test_deal_vector() -> None:
    """The scheme never changes: these are the first tiles of seed 7, for good."""
    position = genial.new("classic", seats=2, seed=7)
    assert position.racks == (
        ("OB", "YY", "YP", "GG", "GP", "BP"),
        ("RO", "RG", "RP", "OP", "GB", "BP"),
    )
    assert position.bag[:6] == ("RP", "OG", "GP", "YP", "OP", "YB")


def test_deal_throws_away_numbers_that_would_favour_some_results() -> None:
    """With three quarters of all 32-bit numbers as the limit, every fourth number is one too many."""
    stream, again = Stream("7", "bag"), numbers("7", "bag", 0)
    assert [stream.below(3 << 30) for _ in range(40)] == [below(again, 3 << 30) for _ in range(40)]


@pytest.mark.parametrize("seed", ["7", "evening"])
def test_deal_start_stones_have_a_stream_of_their_own(seed: str) -> None:
    start = record_of(genial.new("3d", seats=2, seed=seed))["board"]["start"]
    assert [tuple(start[letter]) for letter in LETTERS] == shuffled(STONE_CELLS, seed, "start")


@pytest.mark.parametrize("seed", ["7", "evening"])
def test_deal_lot_has_a_stream_of_its_own(seed: str) -> None:
    assert [Dealer(seed).lot(n) for n in (2, 3, 4)] == [below(numbers(seed, "lot", 0), n) for n in (2, 3, 4)]


@every_game
def test_deal_nth_tile_out_does_not_depend_on_the_players(game: str, players: int) -> None:
    """Until the first swap or reshuffle, whatever the players do."""
    start = genial.new(game, seats=players, seed=3)
    one, two = (tiles_out(no_swap(play_out(start, step))) for step in (7919, 104729))
    shared = min(len(one), len(two))
    assert shared > len(tiles_out(start))
    assert one[:shared] == two[:shared]


def test_deal_swapped_tiles_are_inserted_at_drawn_places() -> None:
    """One by one, in canonical order, by the stream of the first return; the second return has another."""
    old, bag = ["OY", "OG", "GB"], ["RR", "RO", "RO", "RY", "RY", "RG", "RG", "RB", "RB"]
    for returns in (0, 1):
        position = arrange(
            "classic",
            rack=" ".join(old),
            tracks={0: six(5, R=0)},
            phase="end-turn",
            bag=" ".join(bag),
        )
        position = position.change(dealer=Dealer("rulings", returns=returns))
        stream, expected = numbers("rulings", "return", returns), bag[6:]
        for tile in old:
            expected.insert(below(stream, len(expected) + 1), tile)
        position = after(position, Swap())
        assert list(position.bag) == expected
        assert position.dealer == Dealer("rulings", returns=returns + 1)


def test_deal_reshuffle_by_the_stream_of_its_number() -> None:
    discard = ["RO", "RG", "RB", "YP"]
    for reshuffles in (0, 1):
        position = arrange(
            "cards",
            3,
            rack="GP GB BP OG YG",
            rows=["YB OY", "RG", "OB"],
            bag="",
            discard=" ".join(discard),
            phase="end-turn",
        )
        position = position.change(dealer=Dealer("rulings", reshuffles=reshuffles))
        in_order = ["RO", "RG", "RB", "YB", "YP"]
        position, events = position.apply(Refill())
        drew = events[1]
        assert isinstance(drew, Drew)
        assert [*drew.tiles, *position.bag] == shuffled(in_order, "rulings", "reshuffle", reshuffles)
        assert position.dealer == Dealer("rulings", reshuffles=reshuffles + 1)


def test_deal_is_checked_where_a_record_tells_its_seed() -> None:
    position = play_out(genial.new("classic", seats=2, seed=7))[-1]
    record = record_of(position, **deal_key(position))
    assert genial.check(record).status == "lawful"
    other = record | {"deal": {"scheme": "genial-deal/1", "seed": "8"}}
    assert genial.check(other).ruling == "DEAL"


def test_deal_seed_is_in_nobodys_view() -> None:
    view = genial.new("classic", seats=2, seed="secret-seed").view({0, 1})
    assert "secret-seed" not in repr(view)


# LEAVING

TWO_SIDES = [("classic", 2), ("travel", 2), ("3d", 2), ("cards", 2), ("duel", 2)]


@pytest.mark.parametrize(("game", "players"), TWO_SIDES)
@pytest.mark.parametrize("reason", ["resign", "time", "abandoned"])
@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_one_of_two_is_last_and_the_game_ends(
    game: str, players: int, reason: str, seat: int
) -> None:
    """Whoever's turn it is."""
    position, events = genial.new(game, seats=players, seed=1).leave(seat, reason)
    assert [type(event) for event in events] == [Ended]
    result = ended(position)
    assert (result.reason, result.by, result.ranks) == (reason, seat, (2, 1) if seat == 0 else (1, 2))


def test_leaving_player_is_last_though_ahead() -> None:
    position = arrange("classic", rack="RO", tracks={0: six(10), 1: six(2)})
    assert ended(position.leave(0, "resign")[0]).ranks == (2, 1)


def test_leaving_keeps_the_tracks_as_they_stand() -> None:
    position = arrange("classic", rack="RO", tracks={0: six(10), 1: six(2)})
    assert ended(position.leave(0, "resign")[0]).tracks == (six(10), six(2))


@pytest.mark.parametrize(("seat", "ranks"), [(0, (3, 1, 3, 1)), (1, (1, 3, 1, 3)), (2, (3, 1, 3, 1))])
def test_leaving_a_team_puts_both_partners_last(seat: int, ranks: tuple[int, ...]) -> None:
    """Two teams are two sides."""
    assert ended(genial.new("classic-team", seed=1).leave(seat, "resign")[0]).ranks == ranks


@pytest.mark.parametrize(("game", "players"), [(g, n) for g in ("classic", "3d", "cards") for n in (3, 4)])
def test_leaving_does_not_end_a_game_of_three_or_four_sides(game: str, players: int) -> None:
    """There a bot takes over the seat."""
    with pytest.raises(IllegalAction) as refused:
        genial.new(game, seats=players, seed=1).leave(0, "resign")
    assert refused.value.ruling == "LEAVING"


def test_leaving_at_the_end_of_a_turn() -> None:
    position = arrange("classic", rack="RO", phase="end-turn")
    assert ended(position.leave(0, "time")[0]).reason == "time"


def test_leaving_is_in_the_record_with_the_seat_that_left() -> None:
    record = record_of(genial.new("classic", seats=2, seed=1).leave(1, "time")[0])
    assert genial.check(record).status == "lawful"
    assert record["events"][-1]["by"] == 1


def test_leaving_record_of_a_winner_who_left_is_refused() -> None:
    record = record_of(genial.new("classic", seats=2, seed=1).leave(1, "time")[0])
    record["events"][-1]["ranks"] = [2, 1]
    verdict = genial.check(record)
    assert (verdict.status, verdict.ruling) == ("breach", "LEAVING")


def test_leaving_record_of_three_sides_is_refused() -> None:
    position = genial.new("classic", seats=3, seed=1)
    record = record_of(position)
    del record["unfinished"]
    tracks = [list(markers) for markers in position.tracks]
    end = {"type": "end", "reason": "resign", "by": 0, "tracks": tracks, "ranks": [3, 1, 1]}
    record["events"].append(end)
    verdict = genial.check(record)
    assert (verdict.status, verdict.ruling) == ("breach", "LEAVING")


def test_leaving_only_for_a_known_reason() -> None:
    with pytest.raises(IllegalAction) as refused:
        genial.new("classic", seats=2, seed=1).leave(0, "bored")
    assert refused.value.ruling == "LEAVING"


def test_leaving_not_after_the_end() -> None:
    position = genial.new("classic", seats=2, seed=1).leave(0, "resign")[0]
    with pytest.raises(IllegalAction):
        position.leave(1, "resign")


# FIRST-SEAT


@every_game
def test_first_seat_moves_first(game: str, players: int) -> None:
    """Seat 0 moves first in every new game; then the turn passes clockwise."""
    position = genial.new(game, seats=players, seed=1)
    assert (position.seat, position.phase) == (0, Phase.PLACE)
    position = after(position, position.actions()[0])
    if players > 1:
        assert after(position, Refill()).seat == 1


@pytest.mark.parametrize("first", range(4))
def test_first_seat_is_the_hosts_choice(first: int) -> None:
    """The place chosen by the host holds seat 0, and the others follow clockwise."""
    series = Series(setup(TITLES["classic"], 4), games=1, first=first)
    assert [series.place_of(seat) for seat in range(4)] == [(first + n) % 4 for n in range(4)]


def test_first_seat_must_be_at_the_table() -> None:
    with pytest.raises(SetupError) as refused:
        Series(setup(TITLES["classic"], 3), games=1, first=3)
    assert refused.value.ruling == "FIRST-SEAT"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_seat_by_lot(players: int) -> None:
    """Any place can be drawn, and the same seed draws the same place."""
    drawn = [Dealer(str(seed)).lot(players) for seed in range(60)]
    assert set(drawn) == set(range(players))
    assert drawn == [Dealer(str(seed)).lot(players) for seed in range(60)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_seat_passes_clockwise_in_a_series(players: int) -> None:
    series = Series(setup(TITLES["cards"], players), games=6, first=1)
    begins = []
    for _ in range(6):
        begins.append(series.place_of(0))
        series = series.noting(Ended("goal", (six(7),) * players, (1,) * players))
    assert begins == [(1 + n) % players for n in range(6)]


def test_first_seat_passing_keeps_partners_opposite() -> None:
    series = Series(setup(TITLES["classic-team"], 4), games=2)
    series = series.noting(Ended("board-full", (six(),) * 4, (1,) * 4))
    assert [{series.place_of(seat), series.place_of(seat + 2)} for seat in (0, 1)] == [{1, 3}, {0, 2}]


@pytest.mark.parametrize("place", range(3))
def test_first_seat_every_place_finds_its_seat(place: int) -> None:
    series = Series(setup(TITLES["cards"], 3), games=2, first=2)
    assert series.place_of(series.seat_of(place)) == place


# SERIES


def noted(game: str, players: int, *tracks: tuple[int, ...]) -> tuple[int, ...]:
    """What the seats note after one game."""
    series = Series(setup(TITLES[game], players), games=1)
    return series.noting(Ended("", tracks, (1,) * players)).totals


def test_series_notes_the_place_of_the_lowest_marker() -> None:
    assert noted("cards", 3, six(8, R=7), six(9, B=5), six(4)) == (7, 5, 4)


@pytest.mark.parametrize("game", ["classic", "travel", "3d", "cards"])
def test_series_notes_the_lowest_marker_in_every_title_of_single_players(game: str) -> None:
    assert noted(game, 2, six(8, R=7), six(9, B=5)) == (7, 5)


def test_series_of_teams_notes_the_shared_track() -> None:
    a, b = six(30, R=21), six(25, P=19)
    assert noted("classic-team", 4, a, b, a, b) == (21, 19, 21, 19)


def test_series_of_duels_notes_the_colours_on_the_own_side() -> None:
    """Won or not; a peg in the middle belongs to nobody."""
    pegs = (9, 3, 1, -2, -9, 0)
    assert noted("duel", 2, pegs, pegs) == (3, 2)


@pytest.mark.parametrize("game", ["classic-solo", "3d-solo"])
def test_series_of_a_solo_player_is_the_total_of_the_lowest_markers(game: str) -> None:
    series = Series(setup(TITLES[game], 1), games=2)
    for lowest in (12, 20):
        series = series.noting(Ended("", (six(30, Y=lowest),), (1,)))
    assert (series.totals, series.is_over) == ((32,), True)


@every_game
def test_series_is_offered_for_every_title(game: str, players: int) -> None:
    start = genial.new(game, seats=players, seed=1)
    series = Series(start.setup, games=1).noting(ended(play_out(start)[-1]))
    assert len(series.totals) == players
    assert series.is_over


def test_series_highest_total_wins_after_the_agreed_number_of_games() -> None:
    """The start has passed on, so what seat 0 notes goes to another place in each game."""
    series = Series(setup(TITLES["cards"], 3), games=2)
    series = series.noting(Ended("goal", (six(7), six(5), six(4)), (1, 2, 3)))
    assert (series.totals, series.is_over) == ((7, 5, 4), False)
    series = series.noting(Ended("goal", (six(6), six(7), six(3)), (2, 1, 3)))
    assert series.totals == (7 + 3, 5 + 6, 4 + 7)
    assert (series.is_over, series.ranks) == (True, (3, 1, 1))


def test_series_equal_totals_share_the_place() -> None:
    series = Series(setup(TITLES["cards"], 4), games=1)
    series = series.noting(Ended("goal", (six(7), six(5), six(5), six(4)), (1, 2, 2, 4)))
    assert series.ranks == (1, 2, 2, 4)


def test_series_looks_at_totals_not_at_games_won() -> None:
    """Two narrow wins weigh less than one clear one."""
    series = Series(setup(TITLES["classic"], 2), games=2)
    for a, b in ((8, 7), (15, 9)):
        series = series.noting(Ended("board-full", (six(a), six(b)), (1, 2)))
    assert series.totals == (8 + 9, 7 + 15)
    assert series.ranks == (2, 1)


def test_series_takes_no_game_more_than_agreed() -> None:
    series = Series(setup(TITLES["cards"], 2), games=1)
    end = Ended("goal", (six(7), six(5)), (1, 2))
    with pytest.raises(SetupError) as refused:
        series.noting(end).noting(end)
    assert refused.value.ruling == "SERIES"


@pytest.mark.parametrize("games", [0, -1])
def test_series_has_at_least_one_game(games: int) -> None:
    with pytest.raises(SetupError) as refused:
        Series(setup(TITLES["cards"], 2), games=games)
    assert refused.value.ruling == "SERIES"
