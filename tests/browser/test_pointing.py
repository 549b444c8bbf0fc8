"""The mouse on the board: a click places where it points, however quick it is, and nowhere else.

The aim stays while the mouse goes elsewhere, and a player who has nothing to lay is told so. A move of the
history shows on the board.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser import moments
from tests.browser.conftest import Arrive
from tests.browser.hands import middle
from tests.browser.moments import Moments
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun


def with_a_tile(person: Person, url: str) -> list[tuple[float, float]]:
    """Pick up a tile. Returns the permitted places on the screen."""
    tables = Moments(person, url)
    table = tables.table("travel", "mr")
    tables.play(table, moments.middle(4))
    person.page.goto(f"{url}/table/{table}")
    begun(person)
    person.hand.press(person.screen.tiles.first)
    return [middle(cell) for cell in person.screen.permitted.all()]


def draw_nothing(page: Page) -> None:
    """Hold back the next frame, as a busy machine would."""
    page.evaluate("window.requestAnimationFrame = () => 0")


def chosen(person: Person) -> list[str]:
    """The names of the cells on which the tile shows."""
    found = person.page.get_by_role("gridcell", selected=True)
    names: list[str] = found.evaluate_all("all => all.map((one) => one.ariaLabel.split(',')[0])")
    return names


def cell_at(page: Page, place: tuple[float, float]) -> str:
    name: str = page.evaluate("([x, y]) => document.elementFromPoint(x, y).ariaLabel.split(',')[0]", place)
    return name


@pytest.mark.parametrize("aimed_before", [False, True])
def test_a_click_before_the_next_frame_places_where_it_points(
    seeded: House, arrive: Arrive, aimed_before: bool
) -> None:
    ada = arrive("Ada")
    first, *_, last = with_a_tile(ada, seeded.url)
    cell = cell_at(ada.page, last)
    if aimed_before:
        ada.page.mouse.move(*first)
        expect(ada.screen.place).to_be_enabled()
    draw_nothing(ada.page)
    ada.page.mouse.move(*last)
    ada.page.mouse.click(*last)
    expect(ada.screen.end).to_be_visible()
    expect(ada.screen.history.first).to_contain_text(cell)


def test_a_click_away_from_the_aimed_tile_moves_it_there_first(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    *_, last = with_a_tile(ada, seeded.url)
    mouse, keyboard = ada.page.mouse, ada.page.keyboard
    cell = cell_at(ada.page, last)
    mouse.move(*last)
    expect(ada.screen.place).to_be_enabled()
    for key in ("1", "PageDown"):  # keys aim elsewhere
        keyboard.press(key)
    assert cell not in chosen(ada)
    mouse.down()
    mouse.up()
    expect(ada.page.get_by_role("gridcell", name=re.compile(f"^{cell}\\b"), selected=True)).to_be_attached()
    mouse.down()
    mouse.up()
    expect(ada.screen.end).to_be_visible()
    expect(ada.screen.history.first).to_contain_text(cell)


def test_a_mouse_can_leave_the_board_and_press_place(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    *_, last = with_a_tile(ada, seeded.url)
    cell = cell_at(ada.page, last)
    ada.page.mouse.move(*last)
    expect(ada.screen.place).to_be_enabled()
    ada.page.mouse.move(*middle(ada.screen.place), steps=12)
    assert cell in chosen(ada)
    ada.page.mouse.down()
    ada.page.mouse.up()
    expect(ada.screen.end).to_be_visible()
    expect(ada.screen.history.first).to_contain_text(cell)


def test_only_escape_or_another_tile_clears_the_aim(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    *_, last = with_a_tile(ada, seeded.url)
    for escapes in (True, False):
        if not ada.screen.permitted.count():
            ada.screen.tiles.first.click()
        ada.page.mouse.move(*last)
        expect(ada.screen.place).to_be_enabled()
        ada.page.mouse.move(5, 5)
        assert chosen(ada)
        if escapes:
            ada.page.keyboard.press("Escape")
        else:
            ada.screen.tiles.nth(1).click()
        assert not chosen(ada)


def test_a_click_without_a_tile_says_what_to_do(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    *_, last = with_a_tile(ada, seeded.url)
    ada.page.keyboard.press("Escape")
    ada.page.mouse.click(*last)
    words = ada.words("table_take_first")
    expect(ada.page.locator("[aria-live]", has_text=words)).to_be_attached()
    shown = ada.page.get_by_role("main").get_by_text(words, exact=True)
    expect(shown).to_be_visible()
    ada.hand.press(ada.screen.tiles.first)
    expect(shown).to_be_hidden()


def test_a_move_in_the_history_is_highlighted_on_the_board(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    with_a_tile(ada, seeded.url)
    rows = ada.screen.history.get_by_role("button")
    board = ada.page.get_by_role("region", name=ada.words("table_board"))

    def names_of(row: int) -> list[str]:
        return re.findall(r"\b[a-z]\d+\b", rows.nth(row).inner_text())

    rows.nth(0).hover()
    for name in names_of(0):
        expect(board.get_by_text(name, exact=True)).to_be_visible()
    ada.page.mouse.move(5, 5)
    expect(board.get_by_text(names_of(0)[0], exact=True)).to_be_hidden()
    rows.nth(0).focus()
    ada.page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    for name in names_of(1):
        expect(board.get_by_text(name, exact=True)).to_be_visible()
