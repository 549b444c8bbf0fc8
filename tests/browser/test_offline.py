"""A server's app without its server: tables in the browser meanwhile, and the way back."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect
from tests.browser.conftest import Arrive
from tests.browser.person import Person, play
from tests.browser.server import house
from tests.browser.tables import at_home, begun, left_open, play_button

STARTS = 90_000
"""Milliseconds that Python may take to start on a busy machine."""


def settings(person: Person) -> Locator:
    """Open the settings, and return the part about what this device keeps."""
    person.page.get_by_text(person.words("settings"), exact=True).click()
    return person.page.get_by_role("region", name=person.words("device_title"))


def link(person: Person, key: str) -> Locator:
    return person.page.get_by_role("link", name=person.words(key))


def keep(person: Person) -> None:
    """Press "Save for offline", and wait until everything is here."""
    device = settings(person)
    device.get_by_role("button", name=person.words.pattern("offline_keep")).click()
    expect(device.get_by_text(person.words("offline_kept"))).to_be_visible(timeout=STARTS)


def test_people_can_play_on_this_device_while_the_server_is_away(
    browser: Browser, tmp_path: Path, arrive: Arrive
) -> None:
    ada = arrive("Ada", faults=True, prefs={"variant": "quick", "seats": 2})
    with house(tmp_path / "genial.db") as mortal:
        at_home(ada, mortal.url)
        keep(ada)
        ada.page.keyboard.press("Escape")
        play_button(ada).click()
        begun(ada)
        at_server = ada.page.url
        mortal.kill()
        link(ada, "meanwhile").click()

        # Tables of this browser, with the same rules and bots, and nobody else.
        expect(ada.page).to_have_url(f"{mortal.url}/here/")
        expect(link(ada, "home_invite")).to_have_count(0)
        play_button(ada).click()
        expect(ada.page).to_have_url(re.compile(r"/here/\?/table/"), timeout=STARTS)
        begun(ada)
        play([ada], lambda: ada.screen.history.count() > 2)
        ada.page.reload()
        expect(ada.page.get_by_role("progressbar")).to_have_count(0, timeout=STARTS)
        begun(ada)
        assert ada.screen.history.count() > 2

        # The server's table has waited, and this device's stays where it is.
        mortal.start()
        ada.page.goto(f"{mortal.url}/here/")
        expect(left_open(ada, "quick")).to_have_count(1, timeout=STARTS)
        link(ada, "server_go").click()
        expect(left_open(ada, "quick")).to_have_attribute("href", at_server.removeprefix(mortal.url))


def test_the_engine_is_not_downloaded_unasked(browser: Browser, tmp_path: Path, arrive: Arrive) -> None:
    ada = arrive("Ada", faults=True)
    fetched: list[str] = []
    ada.page.context.on("request", lambda request: fetched.append(request.url))
    with house(tmp_path / "genial.db") as mortal:
        at_home(ada, mortal.url)
        expect(settings(ada).get_by_role("button")).to_be_visible()
        assert not [url for url in fetched if "/engine/" in url and not url.endswith("engine.json")]
        mortal.kill()
        ada.page.reload()
        expect(ada.screen.alert).to_have_text(ada.words("unreachable"))
        expect(link(ada, "meanwhile")).to_have_count(0)


def test_without_https_it_says_why_nothing_can_be_kept(
    browser: Browser, tmp_path: Path, arrive: Arrive
) -> None:
    ada = arrive("Ada", language="de")
    ada.page.add_init_script("delete Navigator.prototype.serviceWorker")  # as browsers do without HTTPS
    with house(tmp_path / "genial.db") as lan:
        at_home(ada, lan.url)
        expect(settings(ada)).to_contain_text(ada.words("offline_impossible"))


def test_other_apps_caches_at_this_address_are_left_alone(
    browser: Browser, tmp_path: Path, arrive: Arrive
) -> None:
    ada = arrive("Ada")
    with house(tmp_path / "genial.db") as server:
        at_home(ada, server.url)
        theirs = ["other-app", "genial:/elsewhere/:files", "genial:/elsewhere/:version 1"]
        ada.page.evaluate(
            "names => Promise.all([...names, 'genial:/:version old'].map((name) => caches.open(name)))",
            theirs,
        )
        ada.page.evaluate("navigator.serviceWorker.ready.then((found) => found.unregister())")
        at_home(ada, server.url)
        ada.page.wait_for_function("caches.has('genial:/:version old').then((is) => !is)")
        assert {*theirs} <= {*ada.page.evaluate("caches.keys()")}
