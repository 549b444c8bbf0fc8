"""The browser client: its size, how soon it shows, and what a frame costs on the largest board.

Chromium loads the pages from a server on loopback, and its trace shows what the main thread did in each
frame. A time alone is not a result: each figure comes with that of a bare page, measured alternately with it.
`--against` builds the client of another commit and measures its start page in the same way. Nothing here is
asserted; the budgets are shown next to the figures.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TypeVar

from playwright.sync_api import Browser, Page, Request, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.checkout import NO_TOOLS, build_client, checked_out
from benchmarks.options import parser
from frames import CATEGORIES, Frames, reached
from tests.browser import moments
from tests.browser.conftest import DESKTOP, launch
from tests.browser.hands import any_of, middle
from tests.browser.moments import Moments
from tests.browser.person import Person
from tests.browser.server import Single, house
from tests.browser.tables import begun
from tools.chromium import CHROMIUM, NO_BROWSER

BARE = """<!doctype html><html><body><h1>Bare</h1><div id="it">A tile</div><script>
addEventListener("pointermove", (event) => {
  it.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
});
addEventListener("click", () => (it.textContent = "Placed"));</script></body></html>"""
"""A page that only follows the pointer, and writes a word when it is clicked."""

CODE = ("script", "stylesheet", "document")
PLACEMENTS = 10
"""On one page, the first of them with code that never ran before."""
WATCHED = 3
"""Placements whose frames are counted. Counting is work in every frame, so these are not traced as well."""
SETTLED = 2300
"""Milliseconds after which nothing moves any longer: the points of a placement rise for 1800."""

Measure = TypeVar("Measure")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    what: str
    unit: str
    asked: str
    client: list[float]
    bare: list[float]
    other: list[float] = field(default_factory=list)
    """The client of another commit."""

    def row(self, other: str | None) -> list[str]:
        to_bare, to_other = (_ratio(self.client, beside) for beside in (self.bare, self.other))
        further = [_spread(self.other), to_other] if other else []
        return [self.what, self.unit, self.asked, _spread(self.client), _spread(self.bare), to_bare, *further]


def _ratio(values: list[float], beside: list[float]) -> str:
    return f"{median(values) / median(beside):.2f}" if beside and median(beside) else ""


def _spread(values: list[float]) -> str:
    if not values:
        return ""
    spread = f" ({min(values):.3g}-{max(values):.3g})" if len(values) > 1 else ""
    return f"{median(values):.3g}{spread}"


@contextmanager
def visit(browser: Browser, **prefs: object) -> Iterator[Person]:
    """Somebody who has never been here, apart from these preferences."""
    width, height = DESKTOP
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en", service_workers="block"
    )
    if prefs:
        context.add_init_script(f"localStorage.genial ??= '{json.dumps(prefs)}'")
    context.route("**/bare", lambda route: route.fulfill(body=BARE, content_type="text/html"))
    try:
        yield Person(context.new_page(), "Ada", rng=Random(5))
    finally:
        context.close()


# Weight


def weights(browser: Browser, url: str, other: str | None) -> list[Figure]:
    """What is transferred until one can play, compressed as it is sent."""
    starts = []
    if other:
        with visit(browser) as ada:
            starts.append(_start_page(ada, other, {}))
    with visit(browser) as ada:
        sizes: dict[str, int] = {}
        start = _start_page(ada, url, sizes)
        tables = Moments(ada, url)
        ada.page.goto(f"{url}/table/{tables.table('classic', 'mrrr')}")
        begun(ada)
        ada.page.wait_for_load_state("networkidle")
        play = sum(sizes.values())
        ada.page.goto(f"{url}/table/{tables.table('3d', 'mr')}")
        begun(ada)
        ada.page.wait_for_load_state("networkidle")
        flat = sum(sizes.values())
        ada.page.get_by_role("button", name=ada.words("three_switch")).click()
        ada.page.get_by_role("group", name=ada.words("three_board")).wait_for()
        ada.page.wait_for_load_state("networkidle")
        space = sum(sizes.values())
    return [
        Figure("start page, gzip", "KB", "< 80", [start / 1000], [], [size / 1000 for size in starts]),
        Figure("until the first play screen, gzip", "KB", "< 150", [play / 1000], []),
        Figure("more for 3D, flat view", "KB", "", [(flat - play) / 1000], []),
        Figure("more for 3D, three.js", "KB", "", [(space - flat) / 1000], []),
    ]


def _start_page(person: Person, url: str, sizes: dict[str, int]) -> int:
    person.page.on("requestfinished", lambda request: _weigh(request, sizes))
    person.page.goto(url)
    person.page.wait_for_load_state("networkidle")
    return sum(sizes.values())


def _weigh(request: Request, sizes: dict[str, int]) -> None:
    if request.resource_type in CODE:  # what comes from the cache weighs nothing the second time
        sizes[request.url] = max(sizes.get(request.url, 0), request.sizes()["responseBodySize"])


# Time


def starts(browser: Browser, url: str, other: str | None, rounds: int) -> list[Figure]:
    """How soon something shows, and how soon one can play; each time for a new visitor."""
    pages = {"client": url, "bare": f"{url}/bare"} | ({"other": other} if other else {})
    paints: dict[str, list[float]] = {name: [] for name in ("client", "bare", "other")}
    ready: list[float] = []
    for _ in range(rounds):
        for name, address in pages.items():
            with visit(browser) as ada:
                ada.page.goto(address)
                paints[name].append(_first_paint(ada.page))
                if name == "client":
                    ada.page.get_by_role("button", name=ada.words("home_play"), exact=True).wait_for()
                    ready.append(float(ada.page.evaluate("performance.now()")))
    return [
        Figure(
            "first contentful paint of the start page",
            "ms",
            "",
            paints["client"],
            paints["bare"],
            paints["other"],
        ),
        Figure("until its main button can be pressed", "ms", "", ready, paints["bare"]),
    ]


def _first_paint(page: Page) -> float:
    return float(
        page.evaluate(
            "new Promise((done) => new PerformanceObserver((list) => {"
            " for (const entry of list.getEntries())"
            " if (entry.name === 'first-contentful-paint') done(entry.startTime); })"
            ".observe({ type: 'paint', buffered: true }))"
        )
    )


# Frames


def frames(browser: Browser, url: str, rounds: int) -> list[Figure]:
    """Dragging over the board of 169 cells, and one placement on it, in Chromium's trace."""
    dragged: list[Frames] = []
    bare: list[Frames] = []
    placed: list[list[Frames]] = []
    clicked: list[Frames] = []
    paces: dict[str, list[float]] = {"client": [], "bare": []}
    for _ in range(rounds):
        # Turns must not end by themselves: the placement is taken back.
        with visit(browser, ends=False) as ada:
            tables = Moments(ada, url)
            table = tables.table("classic", "mrrr")
            tables.play(table, moments.middle(40))
            ada.page.goto(f"{url}/table/{table}")
            begun(ada)
            dragged.append(_drag(browser, ada))
            placed.append([_place(ada, partial(_click, browser, ada.page)) for _ in range(PLACEMENTS)])
            paces["client"].append(min(_place(ada, partial(_pace, ada.page)) for _ in range(WATCHED)))
            ada.page.goto(f"{url}/bare")
            with tracing(browser, ada.page) as found:
                _wander(ada.page, *middle(ada.page.get_by_role("heading")))
            bare.append(found[0])
            clicked.append(_click(browser, ada.page, *middle(ada.page.get_by_role("heading"))))
            paces["bare"].append(_pace(ada.page, *middle(ada.page.get_by_role("heading"))))
    return [
        Figure(
            "frames a second while dragging, 169 cells",
            "1/s",
            "60",
            [one.rate for one in dragged],
            [one.rate for one in bare],
        ),
        Figure(
            "main thread in one such frame, p95",
            "ms CPU",
            "< 16.7",
            [one.work(0.95) for one in dragged],
            [one.work(0.95) for one in bare],
        ),
        Figure(
            "longest frame of one placement, p90",
            "ms CPU",
            "< 16.7",
            [reached([one.work(1.0) for one in some], 0.9) for some in placed],
            [one.work(1.0) for one in clicked],
        ),
        Figure(
            "main thread for all of one placement, p90",
            "ms CPU",
            "",
            [reached([one.whole for one in some], 0.9) for some in placed],
            [one.whole for one in clicked],
        ),
        Figure(
            "frames a second while a tile is placed and told", "1/s", "60", paces["client"], paces["bare"]
        ),
    ]


@contextmanager
def tracing(browser: Browser, page: Page) -> Iterator[list[Frames]]:
    """Chromium's trace of what happens meanwhile."""
    found: list[Frames] = []
    browser.start_tracing(page=page, categories=list(CATEGORIES))
    yield found
    found.append(Frames.read(browser.stop_tracing()))


def _drag(browser: Browser, person: Person) -> Frames:
    """Pick up a tile and drag it across the whole board, one step per frame."""
    screen, mouse = person.screen, person.page.mouse
    mouse.move(*middle(screen.tiles.first))
    mouse.down()
    centre = middle(screen.board)
    mouse.move(*centre, steps=4)
    with tracing(browser, person.page) as found:
        _wander(person.page, *centre)
    mouse.move(*middle(screen.tiles.first), steps=4)
    mouse.up()
    person.page.keyboard.press("Escape")
    return found[0]


def _wander(page: Page, x: float, y: float, steps: int = 240) -> None:
    for n in range(steps):
        page.mouse.move(x + 200 * (n % 40 - 20) / 20, y + 200 * (n % 60 - 30) / 30)


def _place(person: Person, click: Callable[[float, float], Measure]) -> Measure:
    """Place a tile with this click, which waits until everything has settled, and take it back."""
    screen = person.screen
    screen.tiles.first.click()
    x, y = middle(any_of(screen.permitted, person.rng))
    person.page.mouse.move(x, y)
    found = click(x, y)
    screen.take_back.click()
    screen.place.wait_for()
    person.page.wait_for_timeout(SETTLED)
    return found


def _click(browser: Browser, page: Page, x: float, y: float) -> Frames:
    """Everything that follows from a click."""
    page.wait_for_timeout(500)  # leave out what was done before
    with tracing(browser, page) as found:
        page.mouse.click(x, y)
        page.wait_for_timeout(SETTLED)  # looking at the page meanwhile would be measured too
    return found[0]


def _pace(page: Page, x: float, y: float) -> float:
    """How many frames a second follow from a click until everything has settled."""
    page.evaluate(
        """() => {
            window.counts = true;
            window.drawn = [];
            const count = (at) => {
                drawn.push(at);
                if (counts) requestAnimationFrame(count);
            };
            requestAnimationFrame(count);
        }"""
    )
    page.mouse.click(x, y)
    page.wait_for_timeout(SETTLED)
    first, *others = page.evaluate("() => { counts = false; return drawn; }")
    return 1000 * len(others) / float(others[-1] - first)


@contextmanager
def served(commit: str, folder: Path) -> Iterator[str]:
    """The address of a server of another commit, with the client of that commit."""
    with checked_out(commit, folder) as checkout:
        if not build_client(checkout):
            raise RuntimeError(NO_TOOLS)
        command = (sys.executable, "-m", "genial", "serve", "--bot-workers", "1")
        server = Single(folder / "other.db", ["env", f"PYTHONPATH={checkout / 'src'}", *command])
        try:
            server.start()
            yield server.url
        finally:
            server.end()


def main(arguments: list[str]) -> int:
    wanted = parser(__doc__)
    wanted.add_argument("--against", metavar="COMMIT", help="a commit whose start page is measured as well")
    chosen = wanted.parse_args(arguments)
    if CHROMIUM is None:
        print(f"The browser client is not measured: {NO_BROWSER}.", file=sys.stderr)
        return 0
    rounds = 2 if chosen.quick else 5
    with (
        tempfile.TemporaryDirectory() as folder,
        house(Path(folder) / "genial.db", "--seeded") as server,
        sync_playwright() as playwright,
        ExitStack() as stack,
    ):
        other = stack.enter_context(served(chosen.against, Path(folder))) if chosen.against else None
        browser = launch(playwright)
        figures = [
            *weights(browser, server.url, other),
            *starts(browser, server.url, other, rounds),
            *frames(browser, server.url, rounds),
        ]
        browser.close()
    if chosen.json:
        print(json.dumps([asdict(figure) for figure in figures]))
        return 0
    table = Table(title="The browser client, on loopback, beside a bare page")
    compared = (chosen.against, "ratio") if chosen.against else ()
    for heading in ("", "unit", "asked", "client", "bare page", "ratio", *compared):
        table.add_column(heading, justify="right" if heading not in ("", "unit") else "left")
    for figure in figures:
        table.add_row(*figure.row(chosen.against))
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
