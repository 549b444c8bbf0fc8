"""An edition in a single file is on the shelf, has its rules, and can be played, in every language."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.browser.conftest import Arrive, Download
from tests.browser.person import play
from tests.browser.record import agree
from tests.browser.server import house
from tests.browser.tables import at_home, on_the_shelf, play_against_bots
from tests.editions import garden

import genial
from genial.core.messages import LANGUAGES


def test_a_custom_edition_is_shown_explained_and_playable(
    browser: Browser, tmp_path: Path, arrive: Arrive, downloads: Download
) -> None:
    with garden() as title, house(tmp_path / "genial.db") as found:
        for language in LANGUAGES:
            guest = arrive(f"Guest {language}", language=language)
            page, name = guest.page, guest.words("title-garden")
            at_home(guest, found.url)
            thing = on_the_shelf(guest, "garden")
            expect(thing.locator("svg")).to_be_visible()
            expect(thing).not_to_contain_text("garden")  # its name, not its key
            thing.click()
            sheet = page.get_by_role("dialog", name=name)
            expect(sheet.get_by_role("link", name=guest.words("learn_short"))).to_have_count(0)
            sheet.get_by_role("link", name=guest.words("rules")).click()
            expect(page.get_by_role("heading", level=1)).to_contain_text(name)
            for figure in ("37", "61", "66", "72", "12"):
                expect(page.get_by_role("main")).to_contain_text(figure)
        ada = arrive("Ada")
        play_against_bots(ada, found.url, title.variant, 2)
        ada.page.keyboard.press("F1")
        rules = ada.page.get_by_role("dialog", name=ada.words("rules"))
        expect(rules).to_contain_text("37")
        ada.page.keyboard.press("Escape")
        play([ada])
        record = downloads(ada)
        agree(ada, record)
        assert genial.check(record).status == "lawful"
