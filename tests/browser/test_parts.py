"""Parts of the client that are loaded on demand and don't arrive: the page says why, and can try again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser import moments
from tests.browser.conftest import Arrive
from tests.browser.moments import Moments
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import at_home, begun

PAGES = {
    "/rules/classic": ("Rules", "rules"),
    "/learn": ("Learn", "learn"),
    "/replay": ("Replay", "record_title"),
}
"""Each page's file and heading, by its address."""


def alone(arrive: Arrive, language: str = "en") -> Person:
    """Somebody whose browser has no service worker, which would have kept the parts."""
    return arrive("Ada", language=language, faults=True, service_workers="block")


@pytest.mark.parametrize(
    ("path", "language"), [("/rules/classic", "en"), ("/learn", "de"), ("/replay", "nl")]
)
def test_a_page_that_fails_to_load_can_be_retried(
    server: House, arrive: Arrive, path: str, language: str
) -> None:
    ada = alone(arrive, language)
    file, heading = PAGES[path]
    ada.page.route(f"**/assets/{file}-*.js", lambda route: route.abort())
    ada.page.goto(server.url + path)
    expect(ada.screen.alert).to_have_text(ada.words("part_broken"))
    expect(ada.page.get_by_role("link", name=ada.words("home"))).to_be_visible()
    ada.page.unroute_all()
    ada.screen.button("retry").click()
    expect(ada.page.get_by_role("heading", level=1, name=ada.words(heading))).to_be_visible()


def test_without_a_connection_the_page_says_so_and_can_be_retried(server: House, arrive: Arrive) -> None:
    ada = alone(arrive)
    at_home(ada, server.url)
    ada.page.context.set_offline(True)
    ada.page.get_by_role("link", name=ada.words("learn_short"), exact=True).click()
    expect(ada.screen.alert).to_have_text(ada.words("part_unreachable"))
    ada.screen.button("retry").click()
    expect(ada.screen.button("retry")).to_be_enabled()
    ada.page.context.set_offline(False)
    ada.screen.button("retry").click()
    expect(ada.page.get_by_role("heading", level=1, name=ada.words("learn"))).to_be_visible()


def test_a_part_of_a_new_version_asks_for_a_reload(server: House, arrive: Arrive) -> None:
    ada = alone(arrive)
    at_home(ada, server.url)
    renewed = ada.page.request.get(server.url).text().replace("/assets/index-", "/assets/new-")
    ada.page.route("**/assets/Learn-*.js", lambda route: route.fulfill(status=404))
    ada.page.route(server.url + "/", lambda route: route.fulfill(body=renewed))
    ada.page.get_by_role("link", name=ada.words("learn_short"), exact=True).click()
    expect(ada.screen.alert).to_have_text(ada.words("part_renewed"))
    ada.page.unroute_all()
    ada.screen.button("reload").click()
    expect(ada.page.get_by_role("heading", level=1, name=ada.words("learn"))).to_be_visible()


def test_the_flat_board_stays_when_the_3d_board_fails_to_load(seeded: House, arrive: Arrive) -> None:
    ada = alone(arrive)
    tables = Moments(ada, seeded.url)
    table = tables.table("3d", "mr")
    tables.play(table, moments.middle(6))
    ada.page.route("**/assets/Board3D-*.js", lambda route: route.abort())
    ada.page.goto(f"{seeded.url}/table/{table}")
    begun(ada)
    ada.screen.button("three_switch").click()
    expect(ada.screen.alert).to_have_text(ada.words("part_broken"))
    expect(ada.screen.board).to_be_visible()
    ada.page.unroute_all()
    ada.screen.button("retry").click()
    expect(ada.page.get_by_role("group", name=ada.words("three_board"))).to_be_visible()
