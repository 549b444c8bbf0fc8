"""Turns that end by themselves: with bots when nothing is left to decide, among people on request."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect
from tests.browser import moments
from tests.browser.conftest import Arrive
from tests.browser.moments import Moments
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun, sit_together

MOMENT = 1600
AMONG_PEOPLE = 5000
"""Milliseconds, as in autoend.ts."""


def at(person: Person, url: str, moment: moments.Moment) -> None:
    tables = Moments(person, url)
    table = tables.table("classic", "mr")
    tables.play(table, moment)
    person.page.clock.install()
    person.page.goto(f"{url}/table/{table}")
    begun(person)
    still(person)


def still(person: Person) -> None:
    """Stop the page's clock: time passes only when the test says so, however busy the machine."""
    person.page.clock.pause_at(time.time() + 60)


def test_against_bots_alone_a_turn_takes_two_clicks(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada", prefs={"ends": None})
    at(ada, seeded.url, moments.start)
    moves = ada.screen.history.count()
    ada.hand.lay(ada.screen, ada.rng)  # one click on a tile, one on a place
    expect(ada.screen.end).to_be_visible()
    expect(ada.screen.take_back).to_be_visible()
    ada.page.clock.run_for(MOMENT + 100)
    expect(ada.screen.end).to_have_count(0)
    ada.page.clock.resume()
    expect(ada.screen.place).to_be_visible()
    assert ada.screen.history.count() > moves


def test_there_is_a_moment_to_take_back_or_to_wait(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada", prefs={"ends": None})
    at(ada, seeded.url, moments.start)
    ada.hand.lay(ada.screen, ada.rng)
    expect(ada.screen.take_back).to_be_visible()  # the server has answered, so the countdown begins
    ada.page.clock.run_for(600)
    ada.hand.press(ada.screen.take_back)
    expect(ada.screen.place).to_be_visible()
    expect(ada.screen.tiles).to_have_count(6)
    ada.page.clock.run_for(MOMENT)
    ada.hand.lay(ada.screen, ada.rng)
    ada.screen.button("table_wait").click()
    ada.page.clock.run_for(10 * MOMENT)
    expect(ada.screen.end).to_be_visible()
    ada.hand.press(ada.screen.end)
    expect(ada.screen.end).to_have_count(0)


def test_the_turn_waits_while_a_swap_is_possible(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada", prefs={"ends": None})
    at(ada, seeded.url, moments.swap)
    expect(ada.screen.swap).to_be_visible()
    ada.page.clock.run_for(10 * MOMENT)
    expect(ada.screen.swap).to_be_visible()


@pytest.mark.parametrize("wished", [None, True])
def test_among_people_a_turn_ends_by_itself_only_on_request(
    server: House, arrive: Arrive, wished: bool | None
) -> None:
    ada, bert = arrive("Ada", prefs={"ends": wished}), arrive("Bert")
    ada.page.clock.install()
    sit_together(server.url, [ada, bert], "classic", 2)
    still(ada)
    ada.hand.lay(ada.screen, ada.rng)
    expect(ada.screen.end).to_be_visible()
    ada.page.clock.run_for(AMONG_PEOPLE - 500)
    expect(ada.screen.end).to_be_visible()
    expect(ada.screen.take_back).to_be_visible()
    expect(ada.screen.button("table_wait")).to_have_count(1 if wished else 0)
    ada.page.clock.run_for(1000)
    expect(ada.screen.end).to_have_count(0 if wished else 1)
    if wished:
        expect(bert.screen.place).to_be_visible()


def test_the_setting_can_be_changed_beside_the_turn(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at(ada, seeded.url, moments.start)
    ada.screen.more()
    ada.page.get_by_label(ada.words("ends")).last.select_option(label=ada.words("ends_always"))
    assert ada.page.evaluate("JSON.parse(localStorage.genial).ends") is True


def test_sounds_are_offered_once(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada", prefs={"heard": False})
    at(ada, seeded.url, moments.start)
    offer = ada.page.get_by_role("group", name=ada.words("sound_offer"))
    offer.get_by_role("button", name=ada.words("no")).click()
    expect(offer).to_have_count(0)
    ada.page.reload()
    begun(ada)
    expect(offer).to_have_count(0)
    sounds = ada.screen.button("sounds")
    expect(sounds).to_have_attribute("aria-pressed", "false")
    sounds.click()
    expect(sounds).to_have_attribute("aria-pressed", "true")
