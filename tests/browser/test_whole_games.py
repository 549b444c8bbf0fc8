"""A whole game of every variant through the interface, and the screen against the server's record."""

from __future__ import annotations

from tests.browser.conftest import Arrive, Download
from tests.browser.person import play
from tests.browser.record import agree
from tests.browser.server import House
from tests.browser.tables import new_table, play_against_bots, sit_together

TOGETHER = (("classic", 2), ("cards", 2))
"""Where two people play, each before a screen; elsewhere bots take the other places."""


def test_a_whole_game(server: House, arrive: Arrive, downloads: Download, variant: str, seats: int) -> None:
    people = [arrive("Ada")]
    if (variant, seats) in TOGETHER:
        people.append(arrive("Bert"))
        sit_together(server.url, people, variant, seats)
    elif seats == 1:
        new_table(people[0], server.url, variant, 1, "solo")
    else:
        play_against_bots(people[0], server.url, variant, seats)
    play(people)
    record = downloads(people[0])
    for person in people:
        agree(person, record)
