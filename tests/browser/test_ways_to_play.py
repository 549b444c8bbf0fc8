"""Every way to play: by keys alone, by finger on a phone, by dragging, in other languages.

The beginning of a game and its last round; test_whole_games plays from the first tile to the last.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Arrive, Download
from tests.browser.hands import Dragging, Finger, Keys
from tests.browser.moments import Moments, middle
from tests.browser.person import Person, play
from tests.browser.record import agree
from tests.browser.server import House
from tests.browser.tables import (
    at_home,
    begun,
    last_round,
    new_table,
    on_the_shelf,
    play_against_bots,
    play_button,
    resign,
    sit_together,
)
from tests.browser.waiting import until


def begin_and_end(person: Person, url: str, variant: str, seats: int) -> None:
    """Play three rounds of a new game, and the last round of one that is nearly over."""
    play_against_bots(person, url, variant, seats)
    play([person], lambda: person.screen.history.count() > 3 * seats)
    last_round(person, url, variant, seats)
    play([person])


@pytest.mark.parametrize("title", ["classic", "cards"])
def test_by_keys_alone(server: House, arrive: Arrive, downloads: Download, title: str) -> None:
    ada = arrive("Ada", hand=Keys())
    begin_and_end(ada, server.url, title, 2)
    agree(ada, downloads(ada))


@pytest.mark.parametrize("title", ["classic", "3d", "cards", "duel"])
def test_by_finger_on_a_phone(server: House, arrive: Arrive, downloads: Download, title: str) -> None:
    ada = arrive("Ada", hand=Finger(), phone=True)
    begin_and_end(ada, server.url, title, 2)
    agree(ada, downloads(ada))


def test_by_dragging(server: House, arrive: Arrive, downloads: Download) -> None:
    ada = arrive("Ada", hand=Dragging())
    begin_and_end(ada, server.url, "classic", 4)
    agree(ada, downloads(ada))


def test_the_same_tile_twice_in_a_row_counts_as_two_moves(seeded: House, arrive: Arrive) -> None:
    """In a solo game the next tile may be just like the first: it is a move all the same."""
    ada = arrive("Ada")
    moments = Moments(ada, seeded.url)
    for bits in (f"{n:032x}" for n in range(500)):
        rehearsal = moments.table("3d-solo", "m", bits=bits)
        moments.play(rehearsal, middle(1))
        drawn = [
            event["tiles"]
            for event in moments.look(rehearsal)["game"]["view"]["events"]
            if event["type"] == "draw"
        ]
        if drawn[0] == drawn[1]:
            break
    ada.page.goto(f"{seeded.url}/table/{moments.table('3d-solo', 'm', bits=bits)}")
    begun(ada)
    assert ada.act()
    assert ada.act()
    expect(ada.screen.history).to_have_count(2)


@pytest.mark.parametrize("language", ["de", "nl"])
def test_in_another_language(server: House, arrive: Arrive, downloads: Download, language: str) -> None:
    ada, bert = arrive("Ada", language=language), arrive("Bert", language=language)
    sit_together(server.url, [ada, bert], "travel", 2)
    expect(ada.page.locator("html")).to_have_attribute("lang", language)
    expect(ada.page.get_by_role("log", name=ada.words("table_chat"))).to_be_attached()
    play([ada, bert], lambda: ada.screen.history.count() >= 8)
    resign(ada)
    agree(bert, downloads(ada))


def test_a_game_starts_from_the_start_page_with_one_click(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_home(ada, server.url)
    play_button(ada).click()
    begun(ada)
    expect(ada.page.get_by_role("region", name=ada.words("hints"))).to_be_visible()
    # With bots alone there is nobody to talk to.
    expect(ada.page.get_by_role("log", name=ada.words("table_chat"))).to_have_count(0)


def test_another_opponent_and_edition_are_a_choice_away(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_home(ada, server.url)
    ada.page.get_by_text(ada.words("more_choices")).locator("..").click()
    for label, option in (("title_label", "quick"), ("opponent", "level-1")):
        ada.page.get_by_role("combobox", name=ada.words(label)).select_option(option)
    play_button(ada).click()
    begun(ada)
    expect(ada.page.get_by_role("heading", level=1)).to_contain_text(ada.words("title-quick"))
    at_home(ada, server.url)  # the unfinished game comes first, and Play hasn't changed
    bot = ada.words("bot-level-1")
    expect(ada.page.get_by_role("heading", level=2).first).to_contain_text(bot)
    what = ada.words("play_now_what", title=ada.words("title-quick"), bot=bot)
    expect(ada.page.get_by_text(what)).to_be_visible()


def test_a_title_can_be_taken_from_the_shelf_by_keyboard(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_home(ada, server.url)
    keyboard = ada.page.keyboard
    on_the_shelf(ada, "classic").focus()
    keyboard.press("Tab")
    expect(on_the_shelf(ada, "classic-team")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Tab")
    expect(on_the_shelf(ada, "travel")).to_be_focused()
    keyboard.press("Enter")
    sheet = ada.page.get_by_role("dialog", name=ada.words("title-travel"))
    expect(sheet).to_be_visible()
    keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(on_the_shelf(ada, "travel")).to_be_focused()
    keyboard.press("Enter")
    expect(sheet.get_by_role("button").first).to_be_focused()
    keyboard.press("Enter")
    begun(ada)
    expect(ada.page.get_by_role("heading", level=1)).to_contain_text(ada.words("title-travel"))


def test_friends_are_one_link_away_on_every_page(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.goto(f"{server.url}/rules/classic")
    ada.page.get_by_role("link", name=ada.words("friends"), exact=True).click()
    friends = ada.page.get_by_role("region", name=ada.words("friends_title"))
    expect(friends).to_be_in_viewport()
    expect(friends.get_by_label(ada.words("join_code"))).to_be_visible()


def test_the_home_pages_board_plays_unless_motion_is_turned_off(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.emulate_media(reduced_motion="no-preference")
    at_home(ada, server.url)
    counts = ada.page.locator(".living .points")
    tiles = "document.querySelectorAll('.living svg:nth-child(2) .face').length"
    expect(counts.first).to_be_attached()
    before = ada.page.evaluate(tiles)
    until(lambda: ada.page.evaluate(tiles) > before, "no move was made")
    ada.page.locator("summary", has_text=ada.words("settings")).click()
    ada.page.get_by_label(ada.words("still")).check()
    still = ada.page.evaluate(tiles)
    ada.page.wait_for_timeout(4_500)
    assert ada.page.evaluate(tiles) == still


def test_hints_are_the_hosts_choice(server: House, arrive: Arrive) -> None:
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


def test_an_overlong_code_is_refused_with_an_explanation(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.goto(server.url)
    ada.page.get_by_label(ada.words("join_code")).fill("THERE-IS-NO-SUCH-TABLE")
    ada.page.get_by_role("button", name=ada.words("join_go"), exact=True).click()
    expect(ada.page.get_by_role("alert")).to_have_text(ada.words("code-unknown"))


def test_on_one_screen_behind_a_curtain(server: House, arrive: Arrive, downloads: Download) -> None:
    ada = arrive("Player 1")
    new_table(ada, server.url, "travel", 2, "pass")
    expect(ada.screen.curtain).to_be_visible()
    play([ada], lambda: ada.screen.history.count() >= 6)
    resign(ada)
    agree(ada, downloads(ada))
