"""LEAVING: closing the page is only being away, those who wait decide, and leaving says what it means."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect
from tests.browser.conftest import Arrive
from tests.browser.fits import misfits
from tests.browser.person import Person
from tests.browser.server import House, house
from tests.browser.tables import begun, sit_together
from tests.browser.test_screens import faults


@pytest.fixture(scope="module")
def impatient(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server where people count as away after a second, and may lose the game after two more."""
    db = tmp_path_factory.mktemp("impatient") / "genial.db"
    with house(db, limits=("away_seconds=1", "abandon_seconds=2")) as found:
        yield found


def notice(person: Person, name: str) -> Locator:
    """What the screen offers the others while somebody is away."""
    return person.page.get_by_role("group", name=person.words("absent_now", name=name))


def offered(person: Person, key: str, name: str) -> Locator:
    return notice(person, name).get_by_role("button", name=person.words(key, name=name), exact=True)


def return_to(person: Person, address: str) -> None:
    """Open the page again, in the same browser."""
    person.page = person.page.context.new_page()
    person.page.goto(address)
    begun(person)


def gone(house: House, ada: Person, ben: Person, variant: str = "travel", seats: int = 2) -> str:
    """Ben closes the page when it's his turn. Returns its address."""
    sit_together(house.url, [ada, ben], variant, seats, first=1)
    address = ben.page.url
    ben.page.close()
    expect(notice(ada, ben.name)).to_be_visible()
    expect(notice(ada, ben.name).get_by_role("status")).to_contain_text(
        ada.words("absent_now", name=ben.name)
    )
    return address


def test_an_absent_player_can_be_waited_for(impatient: House, arrive: Arrive) -> None:
    """LEAVING: nothing happens by itself."""
    ada, ben = arrive("Ada"), arrive("Ben")
    address = gone(impatient, ada, ben)
    offered(ada, "absent_wait", "Ben").click()
    expect(offered(ada, "absent_bot", "Ben")).to_have_count(0)
    offered(ada, "absent_again", "Ben").click()
    expect(offered(ada, "absent_bot", "Ben")).to_be_visible()
    expect(offered(ada, "absent_end", "Ben")).to_be_enabled()  # Ada could have ended the game by now
    expect(ada.page.get_by_text(ada.words("table_no_moves"))).to_be_visible()
    return_to(ben, address)
    expect(notice(ada, "Ben")).to_have_count(0)
    expect(ben.screen.turn.first).to_be_visible()


def test_a_bot_can_play_for_an_absent_player(impatient: House, arrive: Arrive) -> None:
    """LEAVING: by keys alone. Ben gets his place back when he returns, and reads what happened."""
    ada, ben = arrive("Ada"), arrive("Ben", language="nl", phone=True)
    address = gone(impatient, ada, ben)
    offered(ada, "absent_bot", "Ben").focus()
    ada.page.keyboard.press("Enter")
    expect(notice(ada, "Ben")).to_have_count(0)
    expect(ada.screen.turn.first).to_be_visible()
    expect(ada.page.get_by_text(ada.words("table_away"))).to_be_visible()
    return_to(ben, address)
    expect(ben.page.get_by_text(ben.words("covered", count=1))).to_be_visible()
    expect(ada.page.get_by_text(ada.words("table_away"))).to_have_count(0)
    ada.act()
    ada.act()
    ben.act()
    expect(ben.page.get_by_text(ben.words("covered", count=1))).to_have_count(0)


def test_an_absent_players_game_can_be_ended(impatient: House, arrive: Arrive) -> None:
    """LEAVING: not at once, and not without a second question."""
    ada, ben = arrive("Ada", language="de", phone=True), arrive("Ben")
    address = gone(impatient, ada, ben)
    expect(ada.page.get_by_text(ada.words.pattern("absent_end_in"))).to_be_disabled()
    assert faults(ada.page) + misfits(ada.page) == []
    offered(ada, "absent_end", "Ben").click()
    expect(notice(ada, "Ben")).to_contain_text(ada.words("absent_end_sure", name="Ben"))
    offered(ada, "no", "Ben").click()
    offered(ada, "absent_end", "Ben").click()
    offered(ada, "absent_end", "Ben").click()
    expect(ada.page.get_by_role("heading", name=ada.words("end_you_won"))).to_be_visible()
    expect(ada.page.get_by_text(ada.words("abandoned_by", name="Ben"))).to_be_visible()
    return_to(ben, address)
    expect(ben.page.get_by_text(ben.words("abandoned_you"))).to_be_visible()


def test_with_three_sides_nobody_can_end_the_game_and_all_agree_on_a_bot(
    impatient: House, arrive: Arrive
) -> None:
    """LEAVING"""
    ada, ben, cat = arrive("Ada"), arrive("Ben"), arrive("Cat")
    sit_together(impatient.url, [ada, ben, cat], "cards", 3, first=1)
    ben.page.close()
    offered(ada, "absent_bot", "Ben").click()
    expect(notice(cat, "Ben")).to_contain_text(cat.words("absent_wants_bot", name="Ada"))
    expect(notice(ada, "Ben")).to_contain_text(ada.words("absent_agree"))
    expect(notice(cat, "Ben").get_by_role("button")).to_have_count(2)
    offered(cat, "absent_bot", "Ben").click()
    expect(notice(ada, "Ben")).to_have_count(0)
    expect(ada.page.get_by_text(ada.words("table_away"))).to_be_visible()


@pytest.mark.parametrize(
    ("title", "people", "said"),
    [("travel", 2, "leave_ends"), ("classic-team", 4, "leave_ends_team"), ("cards", 3, "leave_bot")],
)
def test_leaving_says_what_it_means(
    impatient: House, arrive: Arrive, title: str, people: int, said: str
) -> None:
    """LEAVING: and does what it says."""
    ada, ben = arrive("Ada"), arrive("Ben")
    sit_together(impatient.url, [ada, ben], title, people, first=1)
    ada.screen.menu()
    ada.screen.button("table_leave").click()
    dialog = ada.page.get_by_role("dialog", name=ada.words("leave_sure"))
    expect(dialog).to_contain_text(ada.words(said))
    assert faults(ada.page) == []
    dialog.get_by_role("button", name=ada.words("leave_stay"), exact=True).click()
    expect(dialog).to_be_hidden()
    ada.screen.menu()
    ada.screen.button("table_leave").click()
    plays_on = said == "leave_bot"
    button = "absent_bot" if plays_on else "leave_for_good"
    dialog.get_by_role("button", name=ada.words(button), exact=True).click()
    expect(ada.page.get_by_role("heading", level=1).first).to_be_visible()
    if plays_on:
        expect(ben.page.get_by_text(ben.words("table_away"))).to_be_visible()
    else:
        expect(ben.page.get_by_text(ben.words("abandoned_by", name="Ada"))).to_be_visible()


def test_resigning_says_what_it_means(server: House, arrive: Arrive) -> None:
    """LEAVING"""
    ada, ben = arrive("Ada"), arrive("Ben")
    for variant, seats, said in (("duel", 2, "resign_ends"), ("cards", 3, "resign_bot")):
        sit_together(server.url, [ada, ben], variant, seats)
        ada.screen.menu()
        ada.screen.button("table_resign").click()
        dialog = ada.page.get_by_role("dialog", name=ada.words("resign_sure"))
        expect(dialog).to_contain_text(ada.words(said))
        dialog.get_by_role("button", name=ada.words("no"), exact=True).click()
        expect(dialog).to_be_hidden()
