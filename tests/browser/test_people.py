"""Among strangers: anyone can hide a person, the host mutes and removes, and spectators are marked."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect
from tests.browser.conftest import Arrive
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun, new_table, sit_together
from tests.play import walk

from genial.core.record import record_of


def asked(person: Person, path: str) -> Any:
    """The server's answer to a GET from this browser."""
    return person.page.evaluate("path => fetch(path).then((answer) => answer.json())", path)


def sent(person: Person, path: str, body: object) -> Any:
    """The server's answer to a POST from this browser."""
    fetch = """([path, body]) => fetch(path, { method: "POST", body: JSON.stringify(body) })
        .then((answer) => answer.json())"""
    return person.page.evaluate(fetch, [path, body])


def table_id(person: Person) -> str:
    return person.page.url.split("?")[0].rpartition("/")[2]


def watches(spectator: Person, url: str, host: Person) -> None:
    """Follow the link for spectators, under their own name."""
    told = asked(host, f"/api/tables/{table_id(host)}")
    spectator.page.goto(url)
    spectator.page.evaluate("name => (localStorage.genial = JSON.stringify({ name }))", spectator.name)
    spectator.page.goto(f"{url}/table/{told['id']}?watch={told['watch']}")
    begun(spectator)


def say(person: Person, text: str) -> None:
    page, words = person.page, person.words
    sheet = page.get_by_role(
        "button", name=re.compile(re.escape(words("table_history_chat"))), expanded=False
    )
    if sheet.is_visible():  # on a phone
        sheet.click()
    page.get_by_label(words("table_say")).fill(text)
    page.get_by_role("button", name=words("table_send"), exact=True).click()


def lines(person: Person) -> Locator:
    """The lines of the chat that show."""
    return person.page.get_by_role("log", name=person.words("table_chat")).locator("p")


def open_people(person: Person) -> None:
    summary = person.page.get_by_text(person.words("people"), exact=True)
    summary.focus()
    person.page.keyboard.press("Enter")


def test_people_can_be_hidden_muted_and_removed(server: House, arrive: Arrive) -> None:
    ada, ben, eve = arrive("Ada"), arrive("Ben"), arrive("ben", phone=True, faults=True)
    sit_together(server.url, [ada, ben], "travel", 2)
    watches(eve, server.url, ada)
    mark = ada.words("spectator")

    # A spectator who takes a player's name is still marked as a spectator, under a changed name.
    say(ben, "good luck")
    expect(lines(ada)).to_have_text(["Ben good luck"])
    say(eve, "swap now")
    said = lines(ada).nth(1)
    expect(said).to_contain_text("swap now")
    expect(said).to_contain_text(mark)
    expect(lines(ada).nth(0)).not_to_contain_text(mark)
    name = said.locator("strong").inner_text()
    assert name.startswith("ben (")

    # Anyone can hide a person. That survives a reload, and can be undone.
    open_people(ben)
    expect(ben.screen.button("mute_person", name=name)).to_have_count(0)
    ben.screen.button("hide_person", name=name).click()
    say(eve, "swap now!")
    expect(lines(ada)).to_have_count(3)
    expect(lines(ben)).to_have_text(["Ben good luck", ben.words("said_hidden")])
    ben.page.reload()
    expect(lines(ben)).to_have_text(["Ben good luck", ben.words("said_hidden")])
    open_people(ben)
    ben.screen.button("show_person", name=name).click()
    expect(lines(ben)).to_have_count(3)

    # The host mutes and unmutes, by keys alone.
    open_people(ada)
    mute = ada.screen.button("mute_person", name=name)
    mute.focus()
    ada.page.keyboard.press("Enter")
    expect(eve.page.get_by_text(eve.words("you_muted"))).to_be_visible()
    expect(eve.page.get_by_label(eve.words("table_say"))).to_have_count(0)
    ada.screen.button("unmute_person", name=name).click()
    expect(eve.page.get_by_label(eve.words("table_say"))).to_be_visible()
    # A player can be muted but not removed: the game is on.
    expect(ada.screen.button("remove_person", name="Ben")).to_have_count(0)
    ada.screen.button("mute_person", name="Ben").click()
    expect(ben.page.get_by_text(ben.words("you_muted"))).to_be_visible()

    # The host removes a spectator, after a question, because it can't be undone.
    ada.screen.button("remove_person", name=name).click()
    sure = ada.page.get_by_role("dialog", name=ada.words("remove_sure", name=name))
    sure.get_by_role("button", name=ada.words("no"), exact=True).click()
    expect(sure).to_be_hidden()
    ada.screen.button("remove_person", name=name).click()
    sure.get_by_role("button", name=ada.words("remove_person", name=name)).click()
    gone = eve.page.get_by_role("heading", level=1, name=eve.words("removed"))
    expect(gone).to_be_visible()
    eve.page.reload()
    expect(gone).to_be_visible()


def test_a_player_can_be_removed_from_the_waiting_room(server: House, arrive: Arrive) -> None:
    ada, ben = arrive("Ada"), arrive("Ben", faults=True)
    new_table(ada, server.url, "cards", 3, "link", people=3)
    code = ada.page.get_by_text(ada.words("join_code")).locator("..").inner_text().split()[-1]
    join = f"{server.url}/join/{code}"
    ben.page.goto(join)
    ben.page.get_by_label(ben.words("your_name")).fill(ben.name)
    ben.page.get_by_role("button", name=ben.words("sit_down")).click()
    ada.screen.button("remove_person", name="Ben").click()
    ada.page.get_by_role("dialog").get_by_role("button", name=ada.words("remove_person", name="Ben")).click()
    expect(ada.page.get_by_text(ada.words("place_open"), exact=True)).to_have_count(2)
    expect(ben.page.get_by_role("heading", level=1, name=ben.words("removed"))).to_be_visible()
    ben.page.goto(join)
    expect(ben.screen.alert).to_have_text(ben.words("removed"))


def test_joiners_are_told_of_shared_devices_and_games_from_records(server: House, arrive: Arrive) -> None:
    ada, ben = arrive("Ada", language="de"), arrive("Ben", language="nl")
    ada.page.goto(server.url)
    sent(ada, "/api/hello", {})
    order: dict[str, Any] = {"name": "Ada", "bits": "00" * 16}
    me, someone, settings = {"kind": "me"}, {"kind": "open"}, {"variant": "travel", "seats": 2}
    record = record_of(walk(("travel", 2), 1)[9])
    from_record = {**order, "record": record, "ply": 2, "settings": settings, "places": [me, someone]}
    goes_on = sent(ada, "/api/records/continue", from_record)["code"]
    three = {"settings": {"variant": "cards", "seats": 3}, "places": [me, {**me, "name": "Bob"}, someone]}
    shared = sent(ada, "/api/tables", {**order, **three})["code"]
    ben.page.goto(f"{server.url}/join/{goes_on}")
    expect(ben.page.get_by_text(ben.words("continued"))).to_be_visible()
    ben.page.goto(f"{server.url}/join/{shared}")
    for name in ("Ada", "Bob"):
        expect(ben.page.get_by_text(ben.words("same_device", name=name))).to_be_visible()
