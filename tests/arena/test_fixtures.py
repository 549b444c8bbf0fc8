"""Who meets whom, on which seats."""

from __future__ import annotations

from collections import Counter

import pytest

from genial.arena.fixtures import lineups, seatings
from genial.arena.settings import Settings
from genial.core.errors import SetupError
from genial.core.sides import Sides
from genial.core.title import setup
from genial.core.titles import title_of


def test_every_player_sits_everywhere_equally_often(variant: str, seats: int) -> None:
    found = setup(title_of(variant), seats)
    counts = [1] if seats == 1 else [2] if found.title.sides is not Sides.EACH else sorted({2, seats})
    for players in counts:
        by_seat = [Counter(column) for column in zip(*seatings(found, players), strict=True)]
        assert all(set(seat.values()) == {len(seatings(found, players)) / players} for seat in by_seat)
        assert len(set(seatings(found, players))) == len(seatings(found, players))


def test_partners_are_the_same_player() -> None:
    """TEAM"""
    team = setup(title_of("classic-team"), 4)
    assert all(seating[0] == seating[2] != seating[1] == seating[3] for seating in seatings(team, 2))


@pytest.mark.parametrize(
    ("mode", "pairs"),
    [
        ("gauntlet", [("a", "b"), ("a", "c")]),
        ("ladder", [("b", "a"), ("c", "b")]),
        ("round-robin", [("a", "b"), ("a", "c"), ("b", "c")]),
    ],
)
def test_modes_pair_bots(mode: str, pairs: list[tuple[str, str]]) -> None:
    classic = setup(title_of("classic"), 2)
    assert [lineup.players for lineup in lineups(mode, classic, ["a", "b", "c"])] == pairs


@pytest.mark.parametrize(
    ("mode", "game", "places", "bots"),
    [
        ("match", "classic", 2, ["a"]),
        ("match", "classic", 2, ["a", "b", "c"]),
        ("match", "classic", 2, ["a", "a"]),
        ("ladder", "classic", 2, ["a"]),
        ("table", "classic", 4, ["a", "b", "c"]),
        ("table", "classic-team", 4, ["a", "b", "c", "d"]),
        ("solo", "classic-solo", 1, []),
    ],
)
def test_bots_that_do_not_fit_are_refused(mode: str, game: str, places: int, bots: list[str]) -> None:
    with pytest.raises(SetupError):
        lineups(mode, setup(title_of(game), places), bots)


def test_games_of_a_set_share_a_deal_that_no_other_set_has() -> None:
    classic = setup(title_of("classic"), 2)
    settings = Settings("match", "classic", 2, "x", lineups("match", classic, ["a", "b"]), 10)
    first, second, other = (settings.fixture((0, deal, n)) for deal, n in ((3, 0), (3, 1), (4, 0)))
    assert first.seed == second.seed != other.seed
    assert first.players == second.players[::-1] == ("a", "b")
