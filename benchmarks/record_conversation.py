"""Record what the real client says to the server: two people and a spectator, each in their own browser.

    python benchmarks/record_conversation.py                    # this checkout, into conversations/now.json
    python benchmarks/record_conversation.py --checkout DIR     # another one, under the name of its commit

Needs Chromium, and the client built in the checkout (`make web`). Everybody joins a running game of classic;
then some turns are played by mouse, resting on the space until its preview is there, and with the button that
ends the turn. All socket frames and all HTTP calls are noted, in order.
"""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Request, WebSocket, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.checkout import ROOT, commit_of
from benchmarks.conversation import NOW, Line, Part, Recording, Way, line_of, route, write
from benchmarks.load_clients import genial_server
from tests.browser.conftest import DESKTOP, launch, listen
from tests.browser.hands import any_of, middle
from tests.browser.person import Person
from tests.browser.tables import begun, sit_together
from tests.server.listener import free_port
from tools.chromium import CHROMIUM, NO_BROWSER

TURNS = 4
QUIET = 400
"""Milliseconds after which nothing more follows from a deed."""


class Notes:
    """What the page of one person says and hears, in order."""

    def __init__(self, page: Page) -> None:
        self._said: list[Line | Request] = []
        page.on("websocket", self._opened)
        page.on("request", self._asked)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda data: self._frame(">", data))
        socket.on("framereceived", lambda data: self._frame("<", data))

    def _frame(self, way: Way, data: str | bytes) -> None:
        self._said.append(line_of(way, data if isinstance(data, bytes) else data.encode()))

    def _asked(self, request: Request) -> None:
        if request.url.startswith("http"):
            self._said.append(request)

    def taken(self) -> list[Line]:
        """All lines since the last call."""
        said, self._said = self._said, []
        return [each if isinstance(each, Line) else _call(each) for each in said]


def _call(request: Request) -> Line:
    answer = request.response()
    status = answer.status if answer else request.failure
    size = max(0, request.sizes()["responseBodySize"]) if answer else 0  # negative: from the cache
    return Line(f"{request.method} {route(urlsplit(request.url).path)} {status}", size)


def arrive(browser: Browser, name: str) -> Person:
    width, height = DESKTOP
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en", service_workers="block"
    )
    person = Person(context.new_page(), name, rng=Random(name))
    person.page.set_default_timeout(15_000)
    listen(person)
    return person


def record(browser: Browser, url: str, commit: str, turns: int) -> Recording:
    """Sit down, rejoin the running game, and play."""
    ada, ben, cleo = (arrive(browser, name) for name in ("Ada", "Ben", "Cleo"))
    sit_together(url, [ada, ben], "classic", 2)
    table = ada.page.evaluate(
        "fetch(location.pathname.replace('/table/', '/api/tables/')).then((found) => found.json())"
    )
    for person in (ada, ben):
        person.page.goto("about:blank")
    notes = {}
    for person in (ada, ben, cleo):
        notes[person.name] = Notes(person.page)
        watch = f"?watch={table['watch']}" if person is cleo else ""
        person.page.goto(f"{url}/table/{table['id']}{watch}")
        begun(person)
        person.page.wait_for_timeout(QUIET)
    opening = _taken(notes, mover="Ada")
    played = []
    for turn in range(turns):
        mover = (ada, ben)[turn % 2]
        expect(mover.screen.place).to_be_visible()
        _move(mover)
        played.append(_taken(notes, mover.name))
    problems = [problem for person in (ada, ben, cleo) for problem in person.problems]
    if problems:
        raise RuntimeError(f"a page complained: {problems}")
    return Recording(commit, opening, played)


def _taken(notes: dict[str, Notes], mover: str) -> Part:
    other = "Ben" if mover == "Ada" else "Ada"
    names = {"mover": mover, "opponent": other, "spectator": "Cleo"}
    return {role: notes[name].taken() for role, name in names.items()}


def _move(person: Person) -> None:
    """Place any tile on any space after previewing it, and end the turn."""
    page, screen = person.page, person.screen
    any_of(screen.tiles, person.rng).click()
    with page.expect_response(lambda answer: "/explain" in answer.url):
        page.mouse.move(*middle(any_of(screen.permitted, person.rng)))
    page.wait_for_timeout(QUIET)
    page.mouse.down()
    page.mouse.up()
    expect(screen.end).to_be_visible()
    page.wait_for_timeout(QUIET)
    person.hand.press(screen.end)
    expect(screen.turn).to_have_count(0)
    page.wait_for_timeout(QUIET)


def main() -> int:
    wanted = ArgumentParser(description=__doc__)
    wanted.add_argument("--checkout", type=Path, default=ROOT, help="where the server and its client are")
    wanted.add_argument("--turns", type=int, default=TURNS, help="how many to play")
    options = wanted.parse_args()
    if CHROMIUM is None:
        print(NO_BROWSER, file=sys.stderr)
        return 1
    checkout = options.checkout.resolve()
    if not (checkout / "src/genial/server/client/index.html").exists():
        print(f"the client is not built in {checkout}: `make web` there", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = genial_server(Path(folder), free_port(), source=checkout)
        try:
            browser = launch(playwright)
            commit = commit_of(checkout)
            found = record(browser, f"http://127.0.0.1:{server.door.port}", commit, options.turns)
            browser.close()
        finally:
            server.stop()
    print(write(found, NOW if checkout == ROOT else commit))
    return 0


if __name__ == "__main__":
    sys.exit(main())
