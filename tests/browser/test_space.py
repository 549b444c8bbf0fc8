"""The board in space: titles that build upwards open in it on devices that draw well, the others offer it.

It plays like the flat one, and isn't offered without WebGL.
"""

from __future__ import annotations

import json
import os

import pytest
from playwright.sync_api import Locator, Page, Playwright, Route, expect
from tests.browser.conftest import Arrive
from tests.browser.hands import Finger, Keys, Mouse
from tests.browser.moments import Moments, middle
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun
from tools.chromium import CHROMIUM

A_GOOD_DEVICE = """
    const told = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function (name) {
        return name === 0x9246 ? "ANGLE (a good one)" : told.call(this, name);
    };
"""
"""Chromium draws here without a graphics card, and says so in UNMASKED_RENDERER_WEBGL (0x9246)."""


def at_a_table(person: Person, url: str, variant: str) -> None:
    """Open a game in the middle, when it is this person's turn."""
    tables = Moments(person, url)
    table = tables.table(variant, "mr")
    tables.play(table, middle(8))
    person.page.goto(f"{url}/table/{table}")
    begun(person)


def in_space(person: Person, **kinds: bool) -> None:
    """Make this person's device remember the view in space."""
    person.page.add_init_script(f"localStorage.genial = '{json.dumps({'space': kinds})}'")


def switch(person: Person) -> Locator:
    return person.screen.button("three_switch")


def there(person: Person) -> None:
    """Wait for the board in space, which takes a while without a graphics card."""
    expect(person.screen.space).to_be_visible()


def kept(page: Page) -> object:
    return json.loads(page.evaluate("localStorage.genial"))["space"]


def test_a_tile_can_be_placed_on_the_3d_board(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_a_table(ada, seeded.url, "3d")
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")
    expect(ada.screen.space).to_have_count(0)
    switch(ada).click()
    there(ada)
    expect(ada.screen.board).to_have_count(1)
    ada.page.keyboard.press("1")
    expect(ada.page.locator(":focus")).to_have_role("gridcell")
    ada.page.keyboard.press("PageDown")
    ada.page.keyboard.press("Enter")
    expect(ada.screen.button("table_end_turn")).to_be_visible()
    switch(ada).click()
    expect(ada.screen.space).to_have_count(0)
    expect(ada.screen.board).to_be_visible()


@pytest.mark.parametrize(("hand", "phone"), [(Mouse(), False), (Keys(), False), (Finger(), True)])
def test_cells_can_be_picked_where_they_are_seen(
    seeded: House, arrive: Arrive, hand: Mouse | Keys | Finger, phone: bool
) -> None:
    ada = arrive("Ada", hand=hand, phone=phone)
    in_space(ada, deep=True)
    at_a_table(ada, seeded.url, "3d")
    there(ada)
    ada.act()
    expect(ada.screen.end).to_be_visible()


def test_titles_built_upwards_open_in_3d_on_a_good_device(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.add_init_script(A_GOOD_DEVICE)
    at_a_table(ada, seeded.url, "3d")
    there(ada)
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")
    at_a_table(ada, seeded.url, "travel")
    expect(ada.screen.board).to_be_visible()
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")


def test_flat_titles_offer_3d_and_each_kind_remembers_its_own_choice(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_a_table(ada, seeded.url, "travel")
    switch(ada).click()
    there(ada)
    assert kept(ada.page) == {"deep": None, "flat": True}
    at_a_table(ada, seeded.url, "3d")
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")


def test_aim_and_focus_survive_a_change_of_view(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada", service_workers="block")  # a service worker would serve the script itself
    in_space(ada, deep=True)
    waiting: list[Route] = []
    script = "**/assets/Board3D*.js"
    ada.page.route(script, lambda route: waiting.append(route))
    with ada.page.expect_request(script):
        at_a_table(ada, seeded.url, "3d")
    expect(ada.screen.board).to_be_visible()
    ada.page.keyboard.press("1")
    ada.page.keyboard.press("PageDown")
    cell = ada.page.locator(":focus")
    expect(cell).to_have_attribute("aria-selected", "true")
    name = cell.get_attribute("aria-label") or ""
    expect(ada.page.locator("canvas")).to_have_count(0)
    assert waiting
    waiting[0].continue_()
    there(ada)
    expect(cell).to_have_accessible_name(name)
    expect(cell).to_have_attribute("aria-selected", "true")
    ada.page.keyboard.press("Enter")
    expect(ada.screen.end).to_be_visible()


def test_without_webgl_the_board_is_flat(seeded: House, playwright: Playwright) -> None:
    sandbox = [] if os.getuid() else ["--no-sandbox"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*sandbox, "--disable-3d-apis"])
    try:
        context = browser.new_context(locale="en")
        context.add_init_script('localStorage.genial = \'{"space": {"deep": true}}\'')
        page = context.new_page()
        page.goto(f"{seeded.url}/learn/3d")
        expect(page.get_by_role("grid")).to_be_visible()
        expect(page.get_by_role("button", name="3D view")).to_have_count(0)
    finally:
        browser.close()
