"""Debian's Chromium, people with a browser each, and one server for all games of a run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Playwright,
    Request,
    expect,
    sync_playwright,
)
from tests.browser import site
from tests.browser.hands import Hand, Mouse
from tests.browser.person import Person
from tests.browser.server import House, house
from tests.browser.site import SITE, FileServer, served
from tests.browser.tables import QUICK_BOT
from tools.chromium import CHROMIUM, NO_BROWSER

from genial.kernel import library
from genial.server.http.static import built

DESKTOP, PHONE = (1280, 800), (360, 740)
PATIENCE = 30_000
"""Milliseconds a screen may take to show what is expected: many tests share few processors."""
KEPT = {"bot": QUICK_BOT, "ends": False, "heard": True}
"""What our devices remember: turns don't end by themselves, and sounds have been offered already."""

NO_ENGINE = "what runs in a page is not built: `make web kernel` builds it"
NO_CLIENT = "the browser client is not built: `make web` builds it"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium, in which each person has their own context."""
    if CHROMIUM is None:
        pytest.skip(NO_BROWSER)
    if not built():
        pytest.skip(NO_CLIENT)
    found = launch(playwright)
    yield found
    found.close()


def launch(playwright: Playwright) -> Browser:
    """Start Chromium, which runs as root only without its sandbox."""
    sandbox = [] if os.getuid() else ["--no-sandbox"]
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*sandbox, "--use-gl=swiftshader"])


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server as anybody would start it."""
    with house(tmp_path_factory.mktemp("house") / "genial.db") as found:
        yield found


@pytest.fixture(scope="session")
def seeded(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that deals the same game every time."""
    with house(tmp_path_factory.mktemp("seeded") / "genial.db", "--seeded") as found:
        yield found


@pytest.fixture(scope="session")
def site_folder(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of `genial site`, in a folder of a larger site."""
    if "engine/parts.json" not in built() or not (library.FOLDER / "genial.wasm").exists():
        pytest.skip(NO_ENGINE)
    folder = tmp_path_factory.mktemp("web")
    site.make(folder / SITE)
    return folder


@pytest.fixture
def page_host(site_folder: Path) -> Iterator[FileServer]:
    """A plain file server with the site. Each test has its own, and may stop it."""
    with served(site_folder, SITE) as found:
        yield found


Download = Callable[[Person], bytes]


class Arrive(Protocol):
    """Opens a browser for one person of a test."""

    def __call__(
        self,
        name: str,
        *,
        language: str = "en",
        hand: Hand | None = None,
        phone: bool = False,
        faults: bool = False,
        prefs: dict[str, Any] | None = None,
        **context: Any,
    ) -> Person:
        """`phone`: 360 by 740, with touch. `faults`: errors on the page are expected, as without a server.

        `prefs`: this device's preferences, on top of `KEPT`."""


@pytest.fixture
def arrive(browser: Browser) -> Iterator[Arrive]:
    contexts: list[BrowserContext] = []
    watched: list[Person] = []

    def come(
        name: str,
        *,
        language: str = "en",
        hand: Hand | None = None,
        phone: bool = False,
        faults: bool = False,
        prefs: dict[str, Any] | None = None,
        **context: Any,
    ) -> Person:
        width, height = PHONE if phone else DESKTOP
        contexts.append(
            browser.new_context(
                viewport={"width": width, "height": height},
                locale=language,
                has_touch=phone,
                is_mobile=phone,
                reduced_motion="reduce",
                **context,
            )
        )
        contexts[-1].add_init_script(f"localStorage.genial ??= '{json.dumps(KEPT | (prefs or {}))}'")
        person = Person(contexts[-1].new_page(), name, hand or Mouse(), Random(name), language)
        person.page.set_default_timeout(PATIENCE)
        listen(person)
        if not faults:
            watched.append(person)
        return person

    yield come
    problems = {person.name: person.problems for person in watched if person.problems}
    for found in contexts:
        found.close()
    assert not problems, problems


def listen(person: Person) -> None:
    """Keep every error that the page reports."""
    person.page.on("pageerror", lambda error: person.problems.append(str(error)))
    person.page.on("console", lambda said: _heard(person, said))
    person.page.on("requestfailed", lambda request: _unanswered(person, request))


def _heard(person: Person, said: ConsoleMessage) -> None:
    # A tile laid at once has its preview refused: by then it asks about an earlier position.
    if said.type == "error" and "/explain?" not in said.location["url"]:
        person.problems.append(f"{said.text} ({said.location['url']})")


def _unanswered(person: Person, request: Request) -> None:
    # Going to another page aborts the requests of the last one.
    if request.failure != "net::ERR_ABORTED":
        person.problems.append(f"{request.url}: {request.failure}")


@pytest.fixture
def downloads(tmp_path: Path) -> Download:
    """Download the record by the link on the screen."""

    def download(person: Person) -> bytes:
        with person.page.expect_download() as found:
            person.page.get_by_role("link", name=person.words("download")).click()
        target = tmp_path / f"{person.name}.genial.json"
        found.value.save_as(target)
        return target.read_bytes()

    return download
