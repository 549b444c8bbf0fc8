"""The game survives reloads, lost connections, a killed server, and two tabs of one player."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.browser.conftest import Arrive, Download, listen
from tests.browser.hands import middle
from tests.browser.person import Person, play
from tests.browser.record import agree
from tests.browser.server import House, house
from tests.browser.tables import play_against_bots, resign, sit_together


def moves(person: Person, count: int) -> Callable[[], bool]:
    """A condition for `play`: the list has at least `count` moves."""
    return lambda: person.screen.history.count() >= count


def test_a_reload_returns_to_the_same_place(server: House, arrive: Arrive, downloads: Download) -> None:
    ada, bert = arrive("Ada"), arrive("Bert")
    sit_together(server.url, [ada, bert], "cards", 2)
    for count in (2, 4, 6):
        play([ada, bert], moves(ada, count))
        before = ada.screen.at_rest().aria_snapshot()
        ada.page.reload()
        expect(ada.screen.history).to_have_count(bert.screen.history.count())
        expect(ada.page.get_by_role("main")).to_match_aria_snapshot(before)
    resign(ada)
    agree(ada, downloads(ada))


def test_a_lost_connection_is_shown_and_the_game_goes_on(
    server: House, arrive: Arrive, downloads: Download
) -> None:
    ada, bert = arrive("Ada", faults=True), arrive("Bert")
    sit_together(server.url, [ada, bert], "travel", 2)
    play([ada, bert], moves(ada, 6))
    ada.page.context.set_offline(True)
    # The browser reports it, so nobody has to wait for a long silence.
    expect(ada.screen.lost).to_be_visible()
    play([bert], lambda: not bert.screen.turn.first.is_visible())
    ada.page.context.set_offline(False)
    expect(ada.screen.lost).not_to_be_visible()
    play([ada, bert], moves(ada, 10))
    resign(ada)
    agree(ada, downloads(ada))


def test_a_killed_server_loses_no_move(
    browser: Browser, tmp_path: Path, arrive: Arrive, downloads: Download
) -> None:
    with house(tmp_path / "genial.db") as mortal:
        ada, bert = arrive("Ada", faults=True), arrive("Bert", faults=True)
        sit_together(mortal.url, [ada, bert], "travel", 2)
        for count in (5, 11):
            play([ada, bert], moves(ada, count))
            mortal.kill()
            for person in (ada, bert):
                expect(person.screen.lost).to_be_visible()
            mortal.start()
            for person in (ada, bert):
                expect(person.screen.lost).not_to_be_visible()
                expect(person.screen.history).to_have_count(count)
        play([ada, bert], moves(ada, 14))
        resign(ada)
        agree(bert, downloads(ada))


def test_two_tabs_do_not_fight(server: House, arrive: Arrive, downloads: Download) -> None:
    ada = arrive("Ada")
    play_against_bots(ada, server.url, "classic", 2)
    other = Person(ada.page.context.new_page(), "Ada", ada.hand, ada.rng)
    listen(other)
    other.page.goto(ada.page.url)
    for turn in range(1, 6):
        tab = (ada, other)[turn % 2]
        tab.page.bring_to_front()
        play([tab], moves(tab, 4 * turn))
    resign(other)
    record = downloads(other)
    for tab in (other, ada):
        tab.page.bring_to_front()
        expect(tab.screen.over).to_be_visible()
        agree(tab, record)
    assert not other.problems


def test_a_server_that_still_answers_is_not_reported_as_lost(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    play_against_bots(ada, server.url, "travel", 2)
    ada.page.evaluate("dispatchEvent(new Event('offline'))")
    play([ada], moves(ada, 4))
    expect(ada.screen.lost).not_to_be_visible()


def test_making_a_move_cancels_its_pending_preview(server: House, arrive: Arrive) -> None:
    """Laying a tile cancels the request for its rays, which the server would refuse by then."""
    ada = arrive("Ada")
    play_against_bots(ada, server.url, "travel", 2)
    page = ada.page
    page.route("**/explain?*", lambda route: None)  # never answered, only cancelled
    ada.hand.press(ada.screen.tiles.first)
    place = middle(ada.screen.permitted.first)
    with page.expect_request("**/explain?*") as asked:
        page.mouse.move(*place)
    with page.expect_event("requestfailed", lambda request: request.url == asked.value.url):
        page.mouse.click(*place)
    expect(ada.screen.end).to_be_visible()
