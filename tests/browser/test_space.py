"""The board in space: offered where tiles are stacked, played on like the flat one, absent without WebGL."""

from __future__ import annotations

import os

from playwright.sync_api import Playwright, expect
from tests.browser.conftest import CHROMIUM, Arrive
from tests.browser.moments import Moments, middle
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun


def at_a_table(person: Person, url: str, variant: str) -> None:
    """In the middle of a game, to move."""
    tables = Moments(person, url)
    table = tables.table(variant, "mr")
    tables.play(table, middle(8))
    person.page.goto(f"{url}/table/{table}")
    begun(person)


def test_a_tile_is_laid_in_space(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_a_table(ada, seeded.url, "3d")
    switch = ada.page.get_by_role("button", name=ada.words("three_switch"))
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(ada.page.get_by_role("grid")).to_be_visible()
    switch.click()
    space = ada.page.get_by_role("application", name=ada.words("three_board"))
    expect(space).to_be_visible()
    ada.page.keyboard.press("1")
    expect(space).to_be_focused()
    ada.page.keyboard.press("PageDown")
    ada.page.keyboard.press("Enter")
    expect(ada.screen.button("table_end_turn")).to_be_visible()
    switch.click()
    expect(ada.page.get_by_role("grid")).to_be_visible()


def test_flat_boards_have_no_other_view(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_a_table(ada, seeded.url, "travel")
    expect(ada.page.get_by_role("button", name=ada.words("three_switch"))).to_have_count(0)


def test_without_webgl_the_board_is_flat(seeded: House, playwright: Playwright) -> None:
    sandbox = [] if os.getuid() else ["--no-sandbox"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*sandbox, "--disable-3d-apis"])
    try:
        context = browser.new_context(locale="en")
        context.add_init_script("localStorage.genial = '{\"space\": true}'")
        page = context.new_page()
        page.goto(f"{seeded.url}/learn/3d")
        expect(page.get_by_role("grid")).to_be_visible()
        expect(page.get_by_role("button", name="3D view")).to_have_count(0)
    finally:
        browser.close()
