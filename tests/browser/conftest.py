"""Debian's Chromium, people with browsers of their own, and a server that all games of a run share."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Playwright, Request, sync_playwright
from tests.browser.hands import Hand, Mouse
from tests.browser.person import Person
from tests.browser.server import House, house
from tests.browser.tables import QUICK_BOT

from genial.server.static import built

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DESKTOP, PHONE = (1280, 800), (360, 740)

NO_BROWSER = (
    "no Chromium here: install it with `apt-get install chromium` (Debian), or run `make chromium` as root"
)
NO_CLIENT = "the browser client is not built: `make web` builds it"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium; each person has a context of their own in it."""
    if CHROMIUM is None:
        pytest.skip(NO_BROWSER)
    if not built():
        pytest.skip(NO_CLIENT)
    found = launch(playwright)
    yield found
    found.close()


def launch(playwright: Playwright) -> Browser:
    """Chromium as root needs to be without a sandbox."""
    sandbox = [] if os.getuid() else ["--no-sandbox"]
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*sandbox, "--use-gl=swiftshader"])


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server as anybody would start it."""
    with house(tmp_path_factory.mktemp("house") / "genial.db") as found:
        yield found


@pytest.fixture(scope="session")
def seeded(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that deals the same game again and again."""
    with house(tmp_path_factory.mktemp("seeded") / "genial.db", "--seeded") as found:
        yield found


Download = Callable[[Person], bytes]


class Arrive(Protocol):
    """Lets somebody sit down before a browser."""

    def __call__(
        self,
        name: str,
        *,
        language: str = "en",
        hand: Hand | None = None,
        phone: bool = False,
        faults: bool = False,
        **context: Any,
    ) -> Person:
        """`phone`: 360 by 740, with touch. `faults`: errors on the page are expected, as without a server."""


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
        contexts[-1].add_init_script(f"localStorage.genial ??= '{json.dumps({'bot': QUICK_BOT})}'")
        person = Person(contexts[-1].new_page(), name, hand or Mouse(), Random(name), language)
        person.page.set_default_timeout(15_000)
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
    """Keep whatever the page complains about."""
    person.page.on("pageerror", lambda error: person.problems.append(str(error)))
    person.page.on("console", lambda said: _heard(person, said))
    person.page.on("requestfailed", lambda request: _unanswered(person, request))


def _heard(person: Person, said: ConsoleMessage) -> None:
    # Who lays a tile at once has its preview refused: the question belongs to a position that has passed.
    if said.type == "error" and "/explain?" not in said.location["url"]:
        person.problems.append(f"{said.text} ({said.location['url']})")


def _unanswered(person: Person, request: Request) -> None:
    # Whoever goes to another page asks no more for what the last one wanted.
    if request.failure != "net::ERR_ABORTED":
        person.problems.append(f"{request.url}: {request.failure}")


@pytest.fixture
def downloads(tmp_path: Path) -> Download:
    """The record, by the link on the screen."""

    def download(person: Person) -> bytes:
        with person.page.expect_download() as found:
            person.page.get_by_role("link", name=person.words("download")).click()
        target = tmp_path / f"{person.name}.genial.json"
        found.value.save_as(target)
        return target.read_bytes()

    return download
