"""A whole game in every way that people play: keys alone, a finger on a phone, dragging, other languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Arrive, Download
from tests.browser.hands import Dragging, Finger, Keys
from tests.browser.person import play
from tests.browser.record import agree
from tests.browser.server import House
from tests.browser.tables import begun, new_table, play_against_bots, sit_together


@pytest.mark.parametrize("title", ["classic", "cards"])
def test_by_keys_alone(server: House, arrive: Arrive, downloads: Download, title: str) -> None:
    ada = arrive("Ada", hand=Keys())
    play_against_bots(ada, server.url, title, 2)
    play([ada])
    agree(ada, downloads(ada))


@pytest.mark.parametrize("title", ["classic", "3d", "cards", "duel"])
def test_by_finger_on_a_phone(server: House, arrive: Arrive, downloads: Download, title: str) -> None:
    ada = arrive("Ada", hand=Finger(), phone=True)
    play_against_bots(ada, server.url, title, 2)
    play([ada])
    agree(ada, downloads(ada))


def test_by_dragging(server: House, arrive: Arrive, downloads: Download) -> None:
    ada = arrive("Ada", hand=Dragging())
    play_against_bots(ada, server.url, "classic", 4)
    play([ada])
    agree(ada, downloads(ada))


@pytest.mark.parametrize("language", ["de", "nl"])
def test_in_another_language(server: House, arrive: Arrive, downloads: Download, language: str) -> None:
    ada, bert = arrive("Ada", language=language), arrive("Bert", language=language)
    sit_together(server.url, [ada, bert], "travel", 2)
    expect(ada.page.locator("html")).to_have_attribute("lang", language)
    expect(ada.page.get_by_role("log", name=ada.words("table_chat"))).to_be_attached()
    play([ada, bert])
    agree(bert, downloads(ada))


def test_from_the_start_page_with_two_clicks(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.goto(server.url)
    ada.page.get_by_role("button", name=ada.words.pattern("play_now_what")).click()
    begun(ada)
    expect(ada.page.get_by_role("region", name=ada.words("hints"))).to_be_visible()
    # With bots alone there is nobody to talk to.
    expect(ada.page.get_by_role("log", name=ada.words("table_chat"))).to_have_count(0)


def test_hints_are_a_choice_of_the_host(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    for mode, allowed in (("bots", True), ("pass", False), ("link", False)):
        ada.page.goto(f"{server.url}/new/travel?mode={mode}")
        ada.page.get_by_text(ada.words("more_settings")).click()
        expect(ada.page.get_by_label(ada.words("allow_hints"))).to_be_checked(checked=allowed)
    ada.page.get_by_role("radio", name=ada.words.pattern("mode_bots")).check()
    ada.page.get_by_label(ada.words("public_table")).check()
    expect(ada.page.get_by_label(ada.words("allow_hints"))).not_to_be_checked()
    ada.page.get_by_label(ada.words("allow_hints")).check()
    ada.page.get_by_role("button", name=ada.words("play_now"), exact=True).click()
    begun(ada)
    expect(ada.page.get_by_role("region", name=ada.words("hints"))).to_be_visible()


def test_a_code_longer_than_any_is_refused_in_words(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.goto(server.url)
    ada.page.get_by_label(ada.words("join_code")).fill("THERE-IS-NO-SUCH-TABLE")
    ada.page.get_by_role("button", name=ada.words("join_go"), exact=True).click()
    expect(ada.page.get_by_role("alert")).to_have_text(ada.words("code-unknown"))


def test_on_one_screen_behind_a_curtain(server: House, arrive: Arrive, downloads: Download) -> None:
    ada = arrive("Player 1")
    new_table(ada, server.url, "travel", 2, "pass")
    expect(ada.screen.curtain).to_be_visible()
    play([ada])
    agree(ada, downloads(ada))
