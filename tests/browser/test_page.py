"""The game in a page: a folder of files behind a plain file server, which is stopped once they are loaded."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser import site
from tests.browser.conftest import Arrive, Download
from tests.browser.hands import Finger
from tests.browser.in_page import InPage
from tests.browser.person import Person, play
from tests.browser.record import agree
from tests.browser.site import SITE, FileServer, served
from tests.browser.tables import begun, left_open, new_table
from tests.browser.test_altered_rules import PLACE, marked_place

import genial

KEPT = """async () => (await navigator.serviceWorker.ready) && new Promise(async (done) => {
    const look = async () => {
        const list = await caches.match(new URL("engine/engine.json", location.href.split("?")[0]));
        const parts = list ? Object.values(await list.json()).filter((part) => part.path) : [];
        const found = await Promise.all(parts.map(({ path }) =>
            caches.match(new URL(`engine/${path}`, location.href.split("?")[0]))));
        if (parts.length && found.every(Boolean)) done(true); else setTimeout(look, 100);
    };
    look();
})"""
"""Waits until everything is in the browser."""
FETCHED = """async () => {
    const found = await navigator.serviceWorker.ready;
    await found.update();
    while (!found.waiting) await new Promise((go) => setTimeout(go, 50));
}"""
"""Waits until a new version is there, which waits in turn to take over."""


STARTS = 90_000
"""Milliseconds that Python may take to start on a busy machine."""


def offline(person: Person, host: FileServer) -> None:
    """Wait until everything is here, then do without the network."""
    person.page.evaluate(KEPT)
    host.stop()


def game(person: Person, host: FileServer, *, moves: int = 2) -> None:
    """Set up a short game against a bot by clicks while Python starts, and play its first moves."""
    new_table(person, host.url, "quick", 2, "bots")
    go_on(person, moves)


def go_on(person: Person, moves: int) -> None:
    """Wait until the game is on the screen, and play on for at least `moves` moves."""
    begun(person, STARTS)
    before = person.screen.history.count()
    play([person], lambda: person.is_over() or person.screen.history.count() >= before + moves)


def test_a_game_goes_on_offline_and_after_a_reload(
    page_host: FileServer, arrive: Arrive, downloads: Download
) -> None:
    ada = arrive("Ada")
    game(ada, page_host)
    offline(ada, page_host)
    moves = ada.screen.history.count()
    ada.page.reload()
    begun(ada, STARTS)
    assert ada.screen.history.count() >= moves
    play([ada])
    agree(ada, downloads(ada))


def test_a_game_on_a_phone_can_be_played_in_german(page_host: FileServer, arrive: Arrive) -> None:
    ada = arrive("Ada", language="de", phone=True, hand=Finger())
    game(ada, page_host)
    assert ada.page.locator("html").get_attribute("lang") == "de"
    expect(ada.page.get_by_text(re.compile(r"\b(the|your)\b"))).to_have_count(0)


def test_moves_survive_a_killed_tab(page_host: FileServer, arrive: Arrive) -> None:
    ada = arrive("Ada", faults=True)
    game(ada, page_host, moves=3)
    moves, address = ada.screen.history.count(), ada.page.url
    killed(ada)
    ada.page = ada.page.context.new_page()
    ada.page.goto(address)
    begun(ada, STARTS)
    assert ada.screen.history.count() >= moves
    go_on(ada, 1)


def killed(person: Person) -> None:
    """Kill the tab without warning, as a system does that needs its memory."""
    browser = person.page.context.browser
    assert browser is not None
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [process for process in found if process["type"] == "renderer"]
    with person.page.expect_event("crash"):  # the tab with Python has used the most time
        os.kill(max(pages, key=lambda process: float(process["cpuTime"]))["id"], signal.SIGKILL)


def test_a_new_version_waits_for_the_end_of_a_game(tmp_path: Path, arrive: Arrive) -> None:
    site.make(tmp_path / "site")
    with served(tmp_path / "site") as host:
        ada = arrive("Ada", faults=True)
        game(ada, host)
        ada.page.evaluate(KEPT)
        site.make(tmp_path / "site", with_another_bonus_place(tmp_path / "copy"))
        ada.page.evaluate(FETCHED)
        moves = ada.screen.history.count()
        ada.page.reload()  # loads the version that is here, whatever the host has
        go_on(ada, 1)
        assert ada.screen.history.count() > moves
        ada.page.goto(host.url)
        expect(ada.page.get_by_text(ada.words("version_new"))).to_be_visible(timeout=STARTS)
        with ada.page.expect_navigation():
            ada.page.get_by_role("button", name=ada.words("reload")).click()
        new_table(ada, host.url, "classic", 2, "bots")
        begun(ada, STARTS)
        assert marked_place(ada.page) == pytest.approx(PLACE, abs=0.2)
        left_open(ada, "quick")


def test_the_page_runs_the_packages_own_python(tmp_path: Path, arrive: Arrive) -> None:
    site.make(tmp_path / "site", with_another_bonus_place(tmp_path / "copy"))
    with served(tmp_path / "site") as host:
        ada = arrive("Ada")
        new_table(ada, host.url, "classic", 2, "bots")
        begun(ada, STARTS)
        assert marked_place(ada.page) == pytest.approx(PLACE, abs=0.2)


def with_another_bonus_place(folder: Path) -> Path:
    """A copy of the package with a rule that no edition has."""
    shutil.copytree(Path(genial.__file__).parent, folder / "genial")
    title = folder / "genial" / "core" / "titles" / "classic.py"
    text = title.read_text(encoding="utf-8")
    assert text.count("bonus_steps=(18,)") == 1
    title.write_text(text.replace("bonus_steps=(18,)", f"bonus_steps=({PLACE},)"), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def tables(browser: Browser, site_folder: Path) -> Iterator[InPage]:
    """The tables of one page, shared by all games."""
    with served(site_folder, SITE) as host:
        context = browser.new_context()
        page = context.new_page()
        page.goto(host.root)
        found = InPage(page, site_folder / SITE)
        found.start()
        yield found
        context.close()


def test_a_whole_game(tables: InPage, variant: str, seats: int) -> None:
    record = tables.game(variant, seats)
    verdict = genial.check(record)
    assert verdict.status == "lawful", verdict.text("en")
    assert genial.load(record).setup.title.variant == variant
