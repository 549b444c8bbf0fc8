"""Hints: one sentence beside the place it is about, which stays for as long as the position does."""

from __future__ import annotations

from playwright.sync_api import Locator, Route, expect
from tests.browser.conftest import Arrive
from tests.browser.hands import Finger
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import play_against_bots


def asked(person: Person) -> None:
    """Ask for a hint, and wait for it."""
    person.page.get_by_role("button", name=person.words("hint"), exact=True).click()
    expect(play_it(person)).to_be_visible(timeout=60_000)


def play_it(person: Person) -> Locator:
    return person.page.get_by_role("button", name=person.words("hint_play"))


def estimated(route: Route) -> None:
    """Answer as if the bots looked far enough ahead for an estimate. Those of the tests don't."""
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "unit": "share", "shares": [0.6, 0.4]})


def test_a_clicked_hint_stays(server: House, arrive: Arrive) -> None:
    """When the pointer leaves the list, the chosen move shows again."""
    ada = arrive("Ada")
    play_against_bots(ada, server.url, "travel", 2)
    asked(ada)
    ghost = ada.page.locator("[data-ghost]")
    expect(ghost).to_have_count(1)
    ada.page.get_by_role("button", name=ada.words("hint_more")).click()
    moves = ada.page.get_by_role("list", name=ada.words("hint_list")).get_by_role("button")
    moves.nth(1).click()
    expect(moves.nth(1)).to_have_attribute("aria-pressed", "true")
    moves.nth(0).hover()
    ada.page.mouse.move(5, 5)
    expect(ghost).to_have_count(1)
    play_it(ada).click()
    expect(ada.screen.history.first).to_be_visible()


def test_the_win_estimate_disappears_with_its_position(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.route("**/hint?*", estimated)
    ada.page.route("**/hint", estimated)
    play_against_bots(ada, server.url, "travel", 2)
    asked(ada)
    ada.page.get_by_role("button", name=ada.words("hint_more")).click()
    estimate = ada.page.get_by_role("region", name=ada.words("hints")).locator("figure")
    expect(estimate).to_be_visible()
    play_it(ada).click()
    expect(estimate).to_have_count(0)


def test_on_a_phone_a_hint_does_not_cover_its_move(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada", hand=Finger(), phone=True)
    play_against_bots(ada, server.url, "classic", 2)
    asked(ada)
    ada.page.wait_for_timeout(100)
    ghost = ada.page.locator("[data-ghost]").bounding_box()
    sheet = play_it(ada).locator("xpath=ancestor::div[contains(@class, 'bubble')]").bounding_box()
    assert ghost is not None
    assert sheet is not None
    assert ghost["y"] + ghost["height"] <= sheet["y"]
