"""A button pressed twice sends once, and a double press on Place never ends the turn as well."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect
from tests.browser import moments
from tests.browser.conftest import Arrive
from tests.browser.hands import Finger, Hand, Keys, Mouse, any_of, middle
from tests.browser.moments import Moments
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun, play_against_bots
from tests.browser.waiting import until


class Sent:
    """The messages that a page sends over the sockets of its tables."""

    def __init__(self, page: Page) -> None:
        self.messages: list[Any] = []
        page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda frame: self.messages.append(json.loads(frame))),
        )

    def deeds(self) -> list[str]:
        return [message["action"] for message in self.messages if message["type"] == "act"]


def look(button: Locator) -> str:
    """The colour of a button."""
    colour: str = button.evaluate("(one) => getComputedStyle(one).backgroundColor")
    return colour


def aim(person: Person) -> None:
    """Take a tile and tap a place where it may be laid."""
    person.hand.press(person.screen.tiles.first)
    person.page.touchscreen.tap(*middle(any_of(person.screen.permitted, person.rng)))


def by_finger(person: Person) -> None:
    aim(person)
    place = middle(person.screen.place)
    for _ in range(2):
        person.page.touchscreen.tap(*place)


def by_a_slow_finger(person: Person) -> None:
    """A slow double tap: the answer arrives between the taps, and the next button is under the finger."""
    aim(person)
    place = middle(person.screen.place)
    person.page.touchscreen.tap(*place)
    person.page.wait_for_timeout(360)
    person.page.touchscreen.tap(*place)


def by_a_double_click_on_place(person: Person) -> None:
    screen, keyboard = person.screen, person.page.keyboard
    for key in ("1", "PageDown"):
        keyboard.press(key)
    expect(screen.place).to_be_enabled()
    person.page.mouse.dblclick(*middle(screen.place), delay=150)


def by_keys(person: Person) -> None:
    keyboard = person.page.keyboard
    for key in ("1", "PageDown", "Enter", "Enter"):
        keyboard.press(key)


def by_a_key_held_down(person: Person) -> None:
    keyboard = person.page.keyboard
    for key in ("1", "PageDown"):
        keyboard.press(key)
    keyboard.down("Enter")
    expect(person.screen.end).to_be_focused()
    expect(person.screen.end).to_be_enabled()
    keyboard.down("Enter")  # a key held down repeats
    keyboard.up("Enter")


def by_mouse(person: Person) -> None:
    screen = person.screen
    person.hand.press(screen.tiles.first)
    place = middle(any_of(screen.permitted, person.rng))
    person.page.mouse.move(*place)
    expect(screen.place).to_be_enabled()
    person.page.mouse.dblclick(*place)


@pytest.mark.parametrize(
    "twice", [by_finger, by_a_slow_finger, by_keys, by_a_key_held_down, by_mouse, by_a_double_click_on_place]
)
def test_a_double_press_places_one_tile_and_no_more(
    server: House, arrive: Arrive, twice: Callable[[Person], None]
) -> None:
    touches = twice in (by_finger, by_a_slow_finger)
    clicks = twice in (by_mouse, by_a_double_click_on_place)
    hand: Hand = Finger() if touches else Mouse() if clicks else Keys()
    ada = arrive("Ada", hand=hand, phone=touches)
    sent = Sent(ada.page)
    play_against_bots(ada, server.url, "travel", 2)
    twice(ada)
    expect(ada.screen.end).to_be_visible()
    expect(ada.screen.end).to_be_enabled()
    assert len(sent.deeds()) == 1
    # Pressed again on purpose, it ends the turn.
    ada.hand.press(ada.screen.end)
    expect(ada.screen.end).to_have_count(0)
    assert sent.deeds()[1:] == ["refill"]


def test_nothing_is_sent_again_while_an_answer_is_pending(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada", hand=Finger(), phone=True)
    sent: list[str] = []
    held: list[Callable[[], None]] = []
    holding = [False]

    def between(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def to_server(message: str | bytes) -> None:
            sent.append(json.loads(message)["type"])
            server_side.send(message)

        def to_page(message: str | bytes) -> None:
            if holding[0]:
                held.append(lambda: page_side.send(message))
            else:
                page_side.send(message)

        page_side.on_message(to_server)
        server_side.on_message(to_page)

    ada.page.route_web_socket("**/socket*", between)
    clock = ada.page.clock
    clock.install()
    play_against_bots(ada, server.url, "travel", 2)
    holding[0] = True
    idle = look(ada.screen.place)
    aim(ada)
    expect(ada.screen.place).not_to_have_css("background-color", idle)
    # The page's clock stands still, so these are four quick taps however slow the machine is.
    clock.pause_at(ada.page.evaluate("Date.now() + 1"))
    for _ in range(4):
        ada.page.touchscreen.tap(*middle(ada.screen.place))
    until(lambda: bool(held), "no answer came", page=ada.page)
    clock.run_for(1000)
    # A long wait shows: the button looks disabled, and is.
    expect(ada.screen.place).to_have_css("background-color", idle)
    # Pressing it now says why nothing happens, on the screen and to screen readers.
    shown, aloud = (
        ada.page.locator(where, has_text=ada.words("under_way"))
        for where in ("p:not([aria-live])", "p[aria-live]")
    )
    expect(shown).to_have_count(0)
    ada.page.touchscreen.tap(*middle(ada.screen.place))
    expect(shown).to_be_visible()
    expect(aloud).to_have_count(1)
    assert [kind for kind in sent if kind != "ping"] == ["act"]
    clock.resume()
    holding[0] = False
    for release in held:
        release()
    expect(ada.screen.end).to_be_visible()
    expect(ada.screen.alert).to_have_count(0)
    expect(shown).to_have_count(0)


def test_a_rematch_is_requested_only_once(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    tables = Moments(ada, seeded.url)
    table = tables.table("travel", "mr")
    tables.play(table, moments.over)
    asked: list[Route] = []
    ada.page.route("**/rematch", lambda route: asked.append(route))
    ada.page.goto(f"{seeded.url}/table/{table}")
    button = ada.screen.button("rematch")
    button.dblclick()
    button.click()
    until(lambda: bool(asked), "nothing was asked for", page=ada.page)
    assert len(asked) == 1
    asked[0].continue_()
    begun(ada)
    expect(ada.screen.turn.first).to_be_visible()
    assert len(asked) == 1
