"""No tile that somebody may not see reaches their browser: not by page or socket, not behind the curtain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Arrive
from tests.browser.person import Person, play
from tests.browser.server import House
from tests.browser.tables import new_table, sit_together

HIDDEN = "??"


class Wire:
    """Everything that a page was sent about its table: frames of sockets, answers to its questions."""

    def __init__(self, person: Person) -> None:
        self.heard: list[Any] = []
        person.page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda frame: self.heard.append(json.loads(frame))),
        )

    def last_state(self) -> Any:
        """What the page knows now."""
        return next(heard["state"] for heard in reversed(self.heard) if heard["type"] == "state")

    def tiles_of(self, seat: int) -> set[str]:
        """The tiles that were told of a seat's rack before the end."""
        return {tile for heard in self.heard for tile in _told(heard, seat)} - {HIDDEN}


def _told(message: Any, seat: int) -> Iterator[str]:
    """Racks in states, and what was dealt or drawn in events, wherever they stand in a message."""
    if isinstance(message, list):
        for item in message:
            yield from _told(item, seat)
    elif isinstance(message, dict):
        if message.get("phase") == "over":
            return  # nothing is hidden any more
        if "racks" in message and len(message["racks"]) > seat:
            yield from message["racks"][seat]
        if message.get("type") in ("deal", "draw") and message.get("seat") == seat:
            yield from message["tiles"]
        for value in message.values():
            yield from _told(value, seat)


@pytest.mark.parametrize("title", ["travel", "cards"])
def test_nobody_is_sent_the_tiles_of_others(server: House, arrive: Arrive, title: str) -> None:
    people = [arrive("Ada"), arrive("Bert")]
    wires = [Wire(person) for person in people]
    sit_together(server.url, people, title, 2)
    for count in range(1, 8):
        play(people, lambda count=count: people[0].screen.history.count() >= count)  # type: ignore[misc]
        for person, other in (people, people[::-1]):
            shown = person.screen.rack(other.name).get_by_role("img")
            assert (
                shown.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
                == [person.words("table_hidden")] * shown.count()
            )
            assert shown.count()
    for seat, wire in enumerate(wires):
        assert wire.tiles_of(seat), "this test reads the frames wrongly: nobody saw even their own tiles"
        assert not wire.tiles_of(1 - seat)


def test_the_curtain_hides_every_tile(server: House, arrive: Arrive) -> None:
    both = arrive("Player 1")
    wire = Wire(both)
    new_table(both, server.url, "travel", 2, "pass")
    names = [both.words("player_number", number=number) for number in (1, 2)]
    for _ in range(6):
        expect(both.screen.curtain).to_be_visible()
        behind = wire.last_state()
        assert {tile for rack in behind["game"]["view"]["racks"] for tile in rack} == {HIDDEN}
        for name in names:
            rack = both.page.get_by_label(both.words("table_rack_of", name=name), exact=True)
            told = rack.locator("[aria-label]").evaluate_all("all => all.map((one) => one.ariaLabel)")
            assert set(told) <= {both.words("table_hidden")}
        both.act()
        expect(both.screen.tiles.first).to_be_visible()
        play([both], both.screen.curtain.is_visible)
