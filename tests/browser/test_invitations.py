"""Before a game: an opponent chosen by face, an invitation that says to what, a host who cancels."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect
from tests.browser.conftest import Arrive
from tests.browser.hands import Keys
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun, new_table

from genial.terminal.words import bot_name, bot_to_choose

JUNO = "level-3"


def table_of(person: Person, url: str, places: list[dict[str, str]], **settings: Any) -> Any:
    """Set up a table from this browser, and return the server's answer."""
    person.page.goto(url)
    make = """async (body) => {
        await fetch("/api/hello", { method: "POST" });
        return (await fetch("/api/tables", { method: "POST", body: JSON.stringify(body) })).json();
    }"""
    body = {"name": person.name, "settings": {"seats": len(places), **settings}, "places": places}
    return person.page.evaluate(make, body)


def heading(person: Person, name: str) -> Locator:
    return person.page.get_by_role("heading", level=1, name=name, exact=True)


def sits_down(person: Person, url: str, code: str) -> None:
    person.page.goto(f"{url}/join/{code}")
    person.page.get_by_label(person.words("your_name")).fill(person.name)
    person.page.get_by_role("button", name=person.words("sit_down")).click()


def test_an_opponent_can_be_chosen_by_keyboard_and_plays_under_its_name(
    server: House, arrive: Arrive
) -> None:
    ada = arrive("Ada", hand=Keys())
    page, words, language = ada.page, ada.words, ada.language
    page.goto(f"{server.url}/new/travel?mode=bots")
    faces = page.get_by_role("group", name=words("place_bot", place=2))
    juno = faces.get_by_role("radio", name=bot_to_choose(JUNO, language), exact=True)
    expect(juno).not_to_be_checked()
    faces.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(juno).to_be_checked()
    expect(juno).to_be_focused()
    expect(faces.get_by_text(words(f"bot-{JUNO}-character"))).to_be_visible()
    page.keyboard.press("Enter")
    begun(ada)
    expect(ada.screen.rack(bot_name(JUNO, language))).to_be_attached()


def test_a_bot_introduces_itself(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada", language="de")
    page, words = ada.page, ada.words
    page.goto(f"{server.url}/new/classic?mode=bots")
    name = bot_name("level-6", "de")
    page.get_by_role("radio", name=bot_to_choose("level-6", "de"), exact=True).check()
    page.get_by_role("button", name=words("about_bot", bot=name)).click()
    paper = page.get_by_role("dialog", name=name)
    expect(paper.get_by_text(words("bot-level-6-level"))).to_be_visible()
    expect(paper.get_by_text(words("bot-level-6-character"))).to_be_visible()
    expect(paper.get_by_role("img", name=words("bot_level", level=6, levels=6))).to_be_visible()
    expect(paper.get_by_text(words.pattern("bot-looks-ahead", width=24))).to_be_visible()
    paper.get_by_role("button", name=words("play_against", bot=name)).click()
    expect(paper).to_be_hidden()
    expect(page.get_by_role("radio", name=bot_to_choose("level-6", "de"), exact=True)).to_be_checked()


def test_an_invitation_says_who_invites_you_and_to_what(server: House, arrive: Arrive) -> None:
    ada, ben = arrive("Ada"), arrive("Ben", language="nl", phone=True)
    places = [{"kind": "me"}, {"kind": "bot", "bot": JUNO}, {"kind": "open"}]
    clock = {"total": 900, "increment": 10}
    table = table_of(ada, server.url, places, variant="classic", clock=clock, spectators=False)
    ben.page.goto(f"{server.url}/join/{table['code']}")
    words = ben.words
    expect(
        heading(ben, words("invites_you", name="Ada", title=words("title-classic"), people=words("for_3")))
    ).to_be_visible()
    agreed = ben.page.get_by_role("region", name=words("how_you_play"))
    time, more = words("minutes", count=15), words("seconds", count=10)
    for line in (words("said_clock_more", time=time, more=more), words("said_no_watch"), words("said_full")):
        expect(agreed.get_by_text(line, exact=True)).to_be_visible()
    seats = ben.page.get_by_role("region", name=words("places")).get_by_role("listitem")
    expect(seats).to_have_text([re.compile("Ada"), re.compile("Juno"), re.compile(words("place_open"))])
    expect(ben.page.get_by_role("link", name=words("new_here"))).to_have_attribute("href", "/learn/classic")


def test_the_host_can_cancel_a_waiting_table_and_the_others_are_told(server: House, arrive: Arrive) -> None:
    ada, ben, eve = arrive("Ada"), arrive("Ben"), arrive("Eve", faults=True)
    table = table_of(ada, server.url, [{"kind": "me"}, *[{"kind": "open"}] * 2], variant="cards")
    sits_down(ben, server.url, table["code"])
    expect(ben.page.get_by_role("region", name=ben.words("how_you_play"))).to_be_visible()
    expect(ben.screen.button("cancel_table")).to_have_count(0)
    ada.page.goto(f"{server.url}/table/{table['id']}")
    ada.screen.button("cancel_table").click()
    sure = ada.page.get_by_role("dialog", name=ada.words("cancel_sure"))
    sure.get_by_role("button", name=ada.words("no"), exact=True).click()
    expect(sure).to_be_hidden()
    ada.screen.button("cancel_table").click()
    sure.get_by_role("button", name=ada.words("cancel_table"), exact=True).click()
    expect(ada.page).to_have_url(f"{server.url}/")
    expect(heading(ben, ben.words("cancelled_by", name="Ada"))).to_be_visible()
    ben.page.reload()
    expect(heading(ben, ben.words("cancelled_by", name="Ada"))).to_be_visible()
    eve.page.goto(f"{server.url}/join/{table['code']}")
    expect(eve.screen.alert).to_have_text(eve.words("code-unknown"))


def test_a_guest_can_leave_a_waiting_table(server: House, arrive: Arrive) -> None:
    ada, ben = arrive("Ada"), arrive("Ben", language="de")
    table = table_of(ada, server.url, [{"kind": "me"}, *[{"kind": "open"}] * 2], variant="cards")
    ada.page.goto(f"{server.url}/table/{table['id']}")
    sits_down(ben, server.url, table["code"])
    expect(ada.page.get_by_text(ada.words("waiting_missing", count=1))).to_be_visible()
    ben.screen.button("table_leave").click()
    expect(ben.page).to_have_url(f"{server.url}/")
    expect(ada.page.get_by_text(ada.words("waiting_missing", count=2))).to_be_visible()


def test_the_curtain_covers_the_rack_but_not_the_board(server: House, arrive: Arrive) -> None:
    both = arrive("Player 1")
    new_table(both, server.url, "travel", 2, "pass")
    expect(both.screen.curtain).to_be_visible()
    expect(both.screen.curtain).to_be_focused()
    board = both.page.get_by_role("region", name=both.words("table_board"))
    inside = "(board) => { const { x, y, width, height } = board.getBoundingClientRect();"
    inside += "return board.contains(document.elementFromPoint(x + width / 2, y + height / 2)); }"
    assert board.evaluate(inside), "something covers the board"
    expect(both.screen.tiles).to_have_count(0)
    both.act()
    expect(both.screen.tiles.first).to_be_visible()
