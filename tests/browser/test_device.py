"""A page whose tables are on this device: what it shows, what it keeps, and how it starts."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Route, expect
from tests.browser.conftest import Arrive
from tests.browser.person import Person, play
from tests.browser.site import FileServer
from tests.browser.tables import at, at_home, begun, left_open, play_button

STARTS = 90_000
"""Milliseconds that Python may take to start on a busy machine."""


def settings(person: Person) -> Locator:
    """Open the settings, and return the part about what this device keeps."""
    person.page.get_by_text(person.words("settings"), exact=True).click()
    return person.page.get_by_role("region", name=person.words("device_title"))


def test_features_that_need_other_people_are_absent(page_host: FileServer, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_home(ada, page_host.url)
    expect(ada.page.get_by_role("link", name=ada.words("mode_pass")).first).to_be_visible()
    for key in ("home_invite", "mode_link", "for_programs"):
        expect(ada.page.get_by_role("link", name=ada.words(key))).to_have_count(0)
    for key in ("lobby", "join_title"):
        expect(ada.page.get_by_role("heading", name=ada.words(key))).to_have_count(0)
    ada.page.goto(at(page_host.url, "/new/classic"))
    expect(ada.page.get_by_role("radio", name=ada.words("mode_bots"))).to_be_checked()
    expect(ada.page.get_by_role("radio", name=ada.words("mode_link"))).to_have_count(0)
    ada.page.get_by_text(ada.words("more_settings")).click()
    expect(ada.page.get_by_role("checkbox", name=ada.words("allow_hints"))).to_be_visible()
    for key in ("public_table", "spectators"):
        expect(ada.page.get_by_role("checkbox", name=ada.words(key))).to_have_count(0)


def test_a_game_can_be_set_up_while_the_engine_loads(page_host: FileServer, arrive: Arrive) -> None:
    """Titles, bots, rules and lessons are there at once. The game begins when the engine is ready."""
    held: list[Route] = []
    ada = arrive("Ada", language="nl", service_workers="block", prefs={"variant": "quick", "seats": 2})
    ada.page.context.route(re.compile(r"/engine/machine-"), lambda route: held.append(route))
    at_home(ada, page_host.url)
    expect(ada.page.get_by_role("progressbar")).to_have_accessible_name(ada.words.pattern("engine_loading"))
    ada.page.goto(at(page_host.url, "/rules/3d"))
    expect(ada.page.get_by_role("heading", level=1, name=ada.words("title-3d"))).to_be_visible()
    ada.page.goto(at(page_host.url, "/learn"))
    expect(ada.page.get_by_role("listitem")).not_to_have_count(0)
    held.clear()  # the requests of earlier pages
    with ada.page.context.expect_event("request", lambda request: "/engine/machine-" in request.url):
        at_home(ada, page_host.url)
    play_button(ada).click()
    expect(ada.screen.button("engine_soon")).to_be_disabled()
    expect(ada.page.get_by_role("progressbar")).to_be_visible()
    held[-1].continue_()
    expect(ada.page).to_have_url(re.compile(r"\?/table/"), timeout=STARTS)
    begun(ada)


def test_an_engine_that_fails_to_load_can_be_retried(page_host: FileServer, arrive: Arrive) -> None:
    ada = arrive("Ada", faults=True, service_workers="block")
    ada.page.context.route(re.compile(r"/engine/machine-"), lambda route: route.abort())
    at_home(ada, page_host.url)
    failed = ada.page.get_by_role("status").filter(has_text=ada.words("engine_failed"))
    expect(failed).to_be_visible(timeout=STARTS)
    ada.page.context.unroute_all()
    failed.get_by_role("button", name=ada.words("retry")).click()
    expect(ada.page.get_by_role("progressbar")).to_have_count(0, timeout=STARTS)
    play_button(ada).click()
    begun(ada)


def test_all_games_can_be_moved_to_another_browser_as_one_file(
    page_host: FileServer, arrive: Arrive, tmp_path: Path
) -> None:
    ada = arrive("Ada", prefs={"variant": "quick", "seats": 2})
    at_home(ada, page_host.url)
    play_button(ada).click()
    expect(ada.page).to_have_url(re.compile(r"\?/table/"), timeout=STARTS)
    begun(ada)
    play([ada], lambda: ada.screen.history.count() > 1)
    at_home(ada, page_host.url)
    with ada.page.expect_download(timeout=STARTS) as found:
        settings(ada).get_by_role("button", name=ada.words("export_all")).click()
    found.value.save_as(tmp_path / found.value.suggested_filename)
    bert = arrive("Bert", language="de", phone=True)
    at_home(bert, page_host.url)
    device = settings(bert)
    with bert.page.expect_file_chooser() as chooser:
        device.get_by_role("button", name=bert.words("import_all")).click()
    chooser.value.set_files(tmp_path / found.value.suggested_filename)
    told = bert.words("import_done", fresh=1, further=0, known=0)
    expect(device.get_by_role("status").filter(has_text=told)).to_be_visible(timeout=STARTS)
    at_home(bert, page_host.url)
    expect(left_open(bert, "quick")).to_have_count(1, timeout=STARTS)


def test_the_page_can_be_installed(page_host: FileServer, arrive: Arrive) -> None:
    ada = arrive("Ada")
    at_home(ada, page_host.url)
    ada.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    session = ada.page.context.new_cdp_session(ada.page)
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Tests run in an incognito window, which can't install anything.
    assert [one["errorId"] for one in found if one["errorId"] != "in-incognito"] == []
    manifest = session.send("Page.getAppManifest")
    assert manifest["url"].startswith(page_host.root)
    assert not manifest["errors"]
