"""A whole game of every variant through the interface, and the screen against the server's record."""

from __future__ import annotations

from tests.browser.conftest import Arrive, Download
from tests.browser.person import play
from tests.browser.record import agree
from tests.browser.server import House
from tests.browser.tables import new_table, sit_together

NAMES = ("Ada", "Bert", "Carla", "Dirk")


def test_a_whole_game(server: House, arrive: Arrive, downloads: Download, variant: str, seats: int) -> None:
    people = [arrive(name) for name in NAMES[: min(seats, 2)]]
    if seats == 1:
        new_table(people[0], server.url, variant, 1, "solo")
    else:
        sit_together(server.url, people, variant, seats)
    play(people)
    record = downloads(people[0])
    for person in people:
        agree(person, record)
