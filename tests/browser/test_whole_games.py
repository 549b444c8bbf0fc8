"""Games played through the interface to the end, and the screen compared with the server's record.

A whole game of each kind is clicked from the deal on. Other numbers of seats are played at the beginning and
in the last round, as the rest would be the same. `test_short_games` has the fewest seats of each title.
"""

from __future__ import annotations

import pytest
from tests.browser.conftest import Arrive, Download
from tests.browser.person import play
from tests.browser.record import agree
from tests.browser.server import House
from tests.browser.tables import last_round, play_against_bots, sit_together

from genial.core.titles import TITLES

TOGETHER = (("classic", 2), ("cards", 2))
"""Played by two people, each at their own screen. In all other games bots take the other places."""
WHOLE = (*TOGETHER, ("cards", 3), ("3d", 2))
MORE_SEATS = [
    (variant, seats)
    for variant, title in TITLES.items()
    for seats in title.seats[1:]
    if (variant, seats) not in WHOLE
]


@pytest.mark.parametrize("game", WHOLE, ids=lambda game: f"{game[0]}-{game[1]}")
def test_a_whole_game(server: House, arrive: Arrive, downloads: Download, game: tuple[str, int]) -> None:
    people = [arrive("Ada")]
    if game in TOGETHER:
        people.append(arrive("Bert"))
        sit_together(server.url, people, *game)
    else:
        play_against_bots(people[0], server.url, *game)
    play(people)
    record = downloads(people[0])
    for person in people:
        agree(person, record)


@pytest.mark.parametrize("game", MORE_SEATS, ids=lambda game: f"{game[0]}-{game[1]}")
def test_first_and_last_round(
    server: House, arrive: Arrive, downloads: Download, game: tuple[str, int]
) -> None:
    ada, seats = arrive("Ada"), game[1]
    play_against_bots(ada, server.url, *game)
    play([ada], lambda: ada.screen.history.count() > seats)
    last_round(ada, server.url, *game)
    play([ada])
    agree(ada, downloads(ada))
