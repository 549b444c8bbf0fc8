"""A tile that somebody may not see never reaches their browser: by page, by socket or behind the curtain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import WebSocket, expect
from tests.browser.conftest import Arrive
from tests.browser.person import Person, play
from tests.browser.server import House
from tests.browser.tables import new_table, sit_together
from tests.browser.waiting import until

HIDDEN = "??"


class Wire:
    """Everything that a page received and sent about its table: the frames of its sockets."""

    def __init__(self, person: Person) -> None:
        self._page = person.page
        self.heard: list[Any] = []
        self.said: list[Any] = []
        person.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.heard.append(json.loads(frame)))
        socket.on("framesent", lambda frame: self.said.append(json.loads(frame)))

    def known_tiles(self) -> set[str]:
        """The tiles on racks, as the page knows them now."""
        self._page.evaluate("0")  # frames arrive only during a call to the page
        state = next(update["state"] for update in reversed(self.updates) if update["state"])
        return {tile for rack in state["game"]["view"]["racks"] for tile in rack}

    @property
    def updates(self) -> list[Any]:
        return [heard for heard in self.heard if heard["type"] == "update"]

    def tiles_of(self, seat: int) -> set[str]:
        """The tiles of a seat's rack that the page was told before the end."""
        return {tile for heard in self.heard for tile in _told(heard, seat)} - {HIDDEN}

    def drawn_by(self, seat: int) -> set[str]:
        """The tiles that new entries say a seat drew, hidden ones included."""
        return {tile for update in self.updates for tile in _told(update["entries"], seat)}


def _told(message: Any, seat: int) -> Iterator[str]:
    """A seat's tiles anywhere in a message: racks in states, and tiles dealt or drawn in events."""
    if isinstance(message, list):
        for item in message:
            yield from _told(item, seat)
    elif isinstance(message, dict):
        if message.get("phase") == "over":
            return  # nothing is hidden now
        if "racks" in message and len(message["racks"]) > seat:
            yield from message["racks"][seat]
        if message.get("type") in ("deal", "draw") and message.get("seat") == seat:
            yield from message["tiles"]
        for value in message.values():
            yield from _told(value, seat)


@pytest.mark.parametrize("title", ["travel", "cards"])
def test_nobody_is_sent_other_players_tiles(server: House, arrive: Arrive, title: str) -> None:
    people = [arrive("Ada"), arrive("Bert")]
    wires = [Wire(person) for person in people]
    sit_together(server.url, people, title, 2)
    for count in range(1, 8):
        play(people, lambda count=count: people[0].screen.history.count() >= count)  # type: ignore[misc]
        for person, other in (people, people[::-1]):
            shown = person.screen.rack(other.name).get_by_role("img")
            expect(shown.first).to_be_visible()
            assert (
                shown.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
                == [person.words("table_hidden")] * shown.count()
            )
            assert shown.count()
    for seat, wire in enumerate(wires):
        assert wire.tiles_of(seat), "this test reads the frames wrongly: nobody saw even their own tiles"
        assert not wire.tiles_of(1 - seat)
        # Entries were read as well as states. They say that the other player drew, but not what.
        assert wire.drawn_by(seat) - {HIDDEN}
        assert wire.drawn_by(1 - seat) == {HIDDEN}


def test_the_curtain_hides_every_tile(server: House, arrive: Arrive) -> None:
    both = arrive("Player 1")
    wire = Wire(both)
    new_table(both, server.url, "travel", 2, "pass")
    names = [both.words("player_number", number=number) for number in (1, 2)]
    looked: list[int | None] = []
    for turn in range(6):
        expect(both.screen.curtain).to_be_visible()
        for name in names:
            rack = both.page.get_by_label(both.words("table_rack_of", name=name), exact=True)
            shown = rack.locator(f"[aria-label]:not([aria-label='{both.words('table_hidden')}'])")
            expect(shown).to_have_count(0)
        # The curtain falls at once. Then the page asks for a view from no place, which takes a moment.
        until(lambda: wire.known_tiles() == {HIDDEN}, "tiles are known behind the curtain", page=both.page)
        assert [said["place"] for said in wire.said if said["type"] == "watch-place"] == looked
        both.act()
        expect(both.screen.tiles.first).to_be_visible()
        play([both], both.screen.curtain.is_visible)
        looked += [turn % 2, None]  # from the mover's place, then from no place: each is asked for once
