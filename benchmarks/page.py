"""The game in a page: its size, how soon one can play, and how long a Master thinks there.

A plain file server on loopback sends the static site as it is, uncompressed, to somebody who has never been
there (cold) and to somebody who has (warm). For comparison there is a page that only starts Pyodide as it
comes from npm. Moves of level 6 are compared with those of the compiled library, with the same nodes.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, ClassVar
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from hatch_build import main as npm
from options import parser
from tests.browser.conftest import launch
from tests.browser.in_page import InPage
from tests.browser.thinking import PageThoughts, thought
from tests.browser.words import words_in
from tools.chromium import CHROMIUM, NO_BROWSER

from genial.server.operate.site import make_site

ROOT = Path(__file__).parents[1]
NODES = 24_000
"""What level 6 spends on a move."""
POSITIONS = [("classic", 2), ("classic", 4), ("3d", 2), ("cards", 3)]
MOMENTS = (6, 20)
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
BARE = """import { loadPyodide } from "./pyodide.mjs";
const python = await loadPyodide();
postMessage(python.runPython("6 * 7"));
"""
BARE_START = """() => new Promise((done) => {
    const begun = performance.now();
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = () => done(performance.now() - begun);
})"""
BOT_MOVE = """async (begun) => {
    const places = [{ kind: "me" }, { kind: "bot", bot: "level-1" }];
    const settings = { variant: "classic", seats: 2, first: 1 };
    const asked = { name: "Ada", bits: "00".repeat(16), settings, places };
    const { body } = await tables.ask("POST", "/api/tables", asked);
    const path = `/api/tables/${JSON.parse(body).id}/socket`;
    await new Promise((moved) => tables.open(path, { place: "0" }, ({ state }) => {
        if (state?.game?.mover === 0) moved();
    }));
    return performance.now() - begun;
}"""
"""Create a table at which the bot starts, and wait until it has moved."""


class Host(SimpleHTTPRequestHandler):
    """Serves files and counts what it sends."""

    sent: ClassVar[dict[str, int]] = {}

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        body = source.read()
        outputfile.write(body)
        self.sent[urlsplit(self.path).path] = len(body)


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def prepared(folder: Path) -> None:
    """The site, the bare page and our modules, side by side."""
    make_site(folder / "site")
    (folder / "bare").mkdir()
    for name in PYODIDE:
        shutil.copy(ROOT / "web" / "node_modules" / "pyodide" / name, folder / "bare" / name)
    (folder / "bare" / "worker.js").write_text(BARE)
    (folder / "bare" / "index.html").write_text("<!doctype html><title>Bare</title><h1>Bare</h1>")
    if npm(["page", "--silent", "--", "--outDir", str(folder / "parts")]):
        raise SystemExit("our modules could not be built")


# Times


@contextmanager
def visitor(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en", **options)
    try:
        yield context
    finally:
        context.close()


def first_paint(page: Page) -> float:
    return float(
        page.evaluate(
            "new Promise((done) => new PerformanceObserver((list) => {"
            " for (const { name, startTime } of list.getEntries())"
            " if (name === 'first-contentful-paint') done(startTime); })"
            ".observe({ type: 'paint', buffered: true }))"
        )
    )


def lobby(context: BrowserContext, url: str) -> tuple[float, float]:
    """First paint, and until a game can be set up, in milliseconds."""
    page = context.new_page()
    page.goto(url)
    page.get_by_role("button", name=words_in("en")("home_play"), exact=True).wait_for()
    usable = float(page.evaluate("performance.now()"))
    painted = first_paint(page)
    page.close()
    return painted, usable


def bot_move(context: BrowserContext, url: str, folder: Path) -> float:
    """From the first byte of the engine until a bot has moved."""
    page = context.new_page()
    page.goto(f"{url}font-licence.txt")  # in the folder of the site, but without its own engine
    begun_at = float(page.evaluate("performance.now()"))
    InPage(page, folder).start()
    found = float(page.evaluate(BOT_MOVE, begun_at))
    page.close()
    return found


def bare(context: BrowserContext, url: str) -> float:
    page = context.new_page()
    page.goto(url)
    found = float(page.evaluate(BARE_START))
    page.close()
    return found


def kept(context: BrowserContext, url: str) -> None:
    """Visit the site until it has cached itself."""
    page = context.new_page()
    page.goto(url)
    page.wait_for_function(
        "async () => (await caches.keys()).length && Boolean(await caches.match('engine/engine.json'))"
        " && !document.querySelector('progress')",
        timeout=120_000,
    )
    page.wait_for_timeout(3000)
    page.close()


def times(browser: Browser, url: str, folder: Path, rounds: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}

    def note(name: str, value: float) -> None:
        found.setdefault(name, []).append(value)

    for _ in range(rounds):
        for heat in ("cold", "warm"):
            with visitor(browser) as context:
                if heat == "warm":
                    bare(context, f"{url}bare/")
                note(f"{heat}: bare Pyodide starts", bare(context, f"{url}bare/"))
            with visitor(browser, service_workers="block" if heat == "cold" else "allow") as context:
                if heat == "warm":
                    kept(context, f"{url}site/")
                painted, usable = lobby(context, f"{url}site/")
                note(f"{heat}: first paint", painted)
                note(f"{heat}: lobby usable", usable)
            with visitor(browser, service_workers="block" if heat == "cold" else "allow") as context:
                if heat == "warm":
                    kept(context, f"{url}site/")
                note(f"{heat}: first bot move", bot_move(context, f"{url}site/", folder / "site"))
    return found


# Sizes


def sizes(browser: Browser, url: str, folder: Path) -> dict[str, float]:
    """What is fetched before anything shows, compressed, and until the first game is there, as it is sent."""
    Host.sent.clear()
    with visitor(browser, service_workers="block") as context:
        page = context.new_page()
        page.goto(f"{url}site/")
        painted = first_paint(page)
        names: list[str] = page.evaluate(
            "painted => performance.getEntriesByType('resource')"
            ".filter(({ responseEnd }) => responseEnd <= painted).map(({ name }) => new URL(name).pathname)",
            painted,
        )
        shell = [folder / name.lstrip("/") for name in names if "." in name and "engine" not in name]
        shell = [path for path in shell if ".worker" not in path.name and path.suffix != ".json"]
        play = page.get_by_role("button", name=words_in("en")("home_play"), exact=True)
        play.click()
        moves = page.get_by_role("list", name=words_in("en")("table_moves"), include_hidden=True)
        expect(moves).to_be_attached(timeout=120_000)
        page.wait_for_load_state("networkidle")
    first = [folder / "site" / "index.html", *shell]
    return {
        "shell before first paint, gzip, KB": sum(len(gzip.compress(path.read_bytes())) for path in first)
        / 1000,
        "all for the first game, as sent, MB": sum(Host.sent.values()) / 1e6,
        "the whole folder, MB": sum(p.stat().st_size for p in (folder / "site").rglob("*") if p.is_file())
        / 1e6,
    }


# Thinking


def thinking(browser: Browser, url: str, rounds: int) -> list[tuple[str, float, float]]:
    """Seconds for a move of level 6 in the page and with the library, by position."""
    found = []
    with visitor(browser, service_workers="block") as context:
        page = context.new_page()
        page.goto(f"{url}site/font-licence.txt")
        thoughts = PageThoughts(page, f"{url}site/", f"{url}parts/")
        for variant, seats in POSITIONS:
            for moves in MOMENTS:
                there, here = [], []
                for _ in range(rounds):
                    there.append(thoughts.thought("level-6", variant, seats, moves, NODES)[1])
                    here.append(
                        _timed(lambda v=variant, s=seats, m=moves: thought("level-6", v, s, m, NODES))
                    )
                found.append((f"{variant} {seats}, move {moves}", median(there), median(here)))
    return found


def _timed(work: Callable[[], object]) -> float:
    begun_at = time.perf_counter()
    work()
    return time.perf_counter() - begun_at


def main() -> int:
    """Measure all of it and print it."""
    chosen = parser(__doc__).parse_args()
    if CHROMIUM is None:
        print(NO_BROWSER, file=sys.stderr)
        return 1
    rounds = 1 if chosen.quick else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepared(folder)
        with sync_playwright() as playwright, hosted(folder) as url:
            browser = launch(playwright)
            weighed = sizes(browser, url, folder)
            took = times(browser, url, folder, rounds)
            thought_of = thinking(browser, url, min(rounds, 3))
            browser.close()
    if chosen.json:
        print(json.dumps({"sizes": weighed, "times": took, "thinking": thought_of}))
        return 0
    show(weighed, took, thought_of)
    return 0


def show(
    weighed: dict[str, float], took: dict[str, list[float]], thought_of: list[tuple[str, float, float]]
) -> None:
    console, table = Console(), Table(title="The game in a page")
    for heading in ("what", "median", "lowest", "highest"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for what, value in weighed.items():
        table.add_row(what, f"{value:.3g}", "", "")
    for what, values in took.items():
        figures = (median(values), min(values), max(values))
        table.add_row(f"{what}, s", *(f"{value / 1000:.2f}" for value in figures))
    console.print(table)
    table = Table(title=f"A move of level 6, {NODES:,} nodes")
    for heading in ("position", "page, s", "library, s", "ratio"):
        table.add_column(heading, justify="left" if heading == "position" else "right")
    for position, there, here in thought_of:
        table.add_row(position, f"{there:.2f}", f"{here:.2f}", f"{there / here:.2f}")
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
