"""The table at every size: nothing covers the board during play, and nothing is out of reach."""

from __future__ import annotations

from itertools import combinations

import pytest
from playwright.sync_api import FloatRect, Locator, expect
from tests.browser import moments
from tests.browser.conftest import Arrive
from tests.browser.hands import Finger
from tests.browser.moments import Moments
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun, resign, sit_together

SIZES = {
    "a phone, upright": (390, 844),
    "a small phone, upright": (360, 740),
    "a phone on its side": (844, 390),
    "a window of 1440 by 900, twice as large": (720, 450),
    "a tablet": (820, 1180),
    "a desktop": (1440, 900),
}
WHOLE = [name for name in SIZES if "phone" in name or "twice" in name]
"""The sizes at which everything fits on one screen during play."""


def at(person: Person, url: str, moment: moments.Moment, places: str = "mr") -> None:
    tables = Moments(person, url)
    table = tables.table("classic", places, hints=True)
    tables.play(table, moment)
    person.page.goto(f"{url}/table/{table}")
    begun(person)


def box(found: Locator) -> FloatRect:
    there = found.bounding_box()
    assert there is not None, f"{found} is not on the screen"
    return there


def overlap(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] + one["width"] > other["x"] + 1
        and other["x"] + other["width"] > one["x"] + 1
        and one["y"] + one["height"] > other["y"] + 1
        and other["y"] + other["height"] > one["y"] + 1
    )


def within(part: FloatRect, width: int, height: int) -> bool:
    return (
        part["x"] >= 0
        and part["y"] >= 0
        and part["x"] + part["width"] <= width
        and part["y"] + part["height"] <= height
    )


@pytest.mark.parametrize("moment", [moments.middle(12), moments.swap], ids=["placing", "ending"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_covers_the_board_and_everything_is_in_reach(
    seeded: House, arrive: Arrive, size: str, moment: moments.Moment
) -> None:
    ada = arrive("Ada")
    width, height = SIZES[size]
    ada.page.set_viewport_size({"width": width, "height": height})
    at(ada, seeded.url, moment)
    screen = ada.screen
    board = ada.page.get_by_role("region", name=ada.words("table_board"), exact=True)
    hands = {
        "rack": screen.rack("Ada"),
        "turn": ada.page.get_by_role("group", name=ada.words("table_turn"), exact=True),
        "head": ada.page.locator("header"),
    }
    boxes = {"board": box(board)} | {name: box(part) for name, part in hands.items()}
    assert not [pair for pair in combinations(boxes, 2) if overlap(boxes[pair[0]], boxes[pair[1]])]
    assert not [name for name, part in boxes.items() if name != "board" and not within(part, width, height)]
    for button in hands["turn"].get_by_role("button").all():
        assert within(box(button), width, height)
    if size in WHOLE:
        assert ada.page.evaluate("document.documentElement.scrollHeight") <= height
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("size", WHOLE)
def test_the_board_is_the_largest_thing(seeded: House, arrive: Arrive, size: str) -> None:
    ada = arrive("Ada")
    width, height = SIZES[size]
    ada.page.set_viewport_size({"width": width, "height": height})
    at(ada, seeded.url, moments.middle(12))
    board, rack = box(ada.screen.board), box(ada.screen.rack("Ada"))
    assert min(board["width"], board["height"]) >= 0.6 * min(width, height)
    assert board["width"] * board["height"] > rack["width"] * rack["height"]


def test_the_board_does_not_move_when_a_tile_is_placed(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada", phone=True, hand=Finger())
    at(ada, seeded.url, moments.middle(4))
    before = box(ada.screen.board)
    ada.act()
    expect(ada.screen.end).to_be_visible()
    assert box(ada.screen.board) == before


@pytest.mark.parametrize("size", ["a phone, upright", "a phone on its side"])
def test_the_history_opens_without_covering_the_board(seeded: House, arrive: Arrive, size: str) -> None:
    ada = arrive("Ada")
    width, height = SIZES[size]
    ada.page.set_viewport_size({"width": width, "height": height})
    at(ada, seeded.url, moments.middle(12))
    moves = ada.page.get_by_role("list", name=ada.words("table_moves"))
    expect(moves).to_have_count(0)
    ada.screen.button("table_history").click()
    expect(moves).to_be_visible()
    assert not overlap(box(moves), box(ada.screen.board))
    ada.screen.button("dismiss").click()
    expect(moves).to_have_count(0)


def test_players_can_still_chat_after_the_game(server: House, arrive: Arrive) -> None:
    ada, bert = arrive("Ada"), arrive("Bert")
    sit_together(server.url, [ada, bert], "classic", 2)
    ada.page.set_viewport_size({"width": 1440, "height": 900})
    resign(ada)
    field = ada.page.get_by_role("textbox", name=ada.words("table_say"))
    expect(field).to_be_visible()
    assert within(box(field), 1440, 900)
    field.fill("Well played")
    ada.screen.button("table_send").click()
    expect(bert.page.get_by_role("log").get_by_text("Well played")).to_be_visible()


def test_a_phone_shows_incoming_chat(server: House, arrive: Arrive) -> None:
    ada, bert = arrive("Ada"), arrive("Bert", phone=True, hand=Finger())
    sit_together(server.url, [ada, bert], "classic", 2)
    ada.page.get_by_role("textbox", name=ada.words("table_say")).fill("Good luck!")
    ada.screen.button("table_send").click()
    # The words show for a moment, and a count until they are read.
    note = bert.page.get_by_role("status").filter(has_text="Good luck!")
    expect(note).to_be_visible()
    expect(note).to_contain_text("Ada")
    told = f"{bert.words('table_history_chat')}, {bert.words('table_unread', count=1)}"
    opener = bert.page.get_by_role("button", name=told)
    opener.tap()
    expect(bert.page.get_by_role("log").get_by_text("Good luck!")).to_be_visible()
    expect(opener).to_have_count(0)
    field = bert.page.get_by_role("textbox", name=bert.words("table_say"))
    assert within(box(field), 360, 740)


@pytest.mark.parametrize("size", SIZES)
def test_the_sound_offer_covers_neither_board_nor_rack_nor_history(
    seeded: House, arrive: Arrive, size: str
) -> None:
    ada = arrive("Ada", prefs={"heard": False})
    width, height = SIZES[size]
    ada.page.set_viewport_size({"width": width, "height": height})
    at(ada, seeded.url, moments.middle(12))
    offer = box(ada.page.get_by_role("group", name=ada.words("sound_offer")))
    assert within(offer, width, height)
    moves = ada.page.get_by_role("region", name=ada.words("table_history"), exact=True)
    parts = [ada.screen.board, ada.screen.rack("Ada"), *moves.all()]
    assert not [part for part in parts if part.is_visible() and overlap(offer, box(part))]
