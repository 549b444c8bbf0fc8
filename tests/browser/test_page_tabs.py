"""Two tabs of a page, each with its own Python on one store, and a game moved to another browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.browser.in_page import InPage
from tests.browser.site import SITE, FileServer, served

FOLLOW = """async (id) => {
    const { body } = await tables.ask("GET", "/api/boards/classic/2");
    const board = JSON.parse(body);
    window.said = [];
    window.state = () => said.findLast((message) => message.state)?.state;
    const told = (place) => (message) => said.push({ ...message, place });
    const path = `/api/tables/${id}/socket`;
    const lines = [0, 1].map((place) => tables.open(path, { place: String(place) }, told(place)));
    window.decide = () => {
        const { mover } = state().game;
        const seen = said.findLast((message) => message.state && message.place === mover).state;
        const { phase, tiles: [first], pairs: [pair] } = seen.legal;
        const cells = board.pairs[pair]?.map((cell) => board.names[cell]).join(",");
        const action = phase === "end-turn" ? "refill" : `${first.tile}@${cells}`;
        window.moved = crypto.randomUUID();
        const message = { type: "act", seq: seen.seq, move_id: moved, place: mover, action };
        return () => lines[mover].say(message);
    };
    window.act = () => decide()();
    await new Promise((done) => setInterval(() => state() && done(), 10));
}"""
"""Follows a table from both places. `act` does the first lawful thing for the player whose turn it is,
`decide` only chooses it, to be done later."""


class Tab(NamedTuple):
    """A tab with tables."""

    page: Page
    tables: InPage

    def follow(self, table: str) -> None:
        self.page.evaluate(FOLLOW, table)

    def seq(self) -> int:
        return int(self.page.evaluate("state().seq"))

    def sees(self, seq: int) -> None:
        """Wait until the tab has caught up with this entry."""
        self.page.wait_for_function("seq => state().seq >= seq", arg=seq)

    def act(self) -> None:
        self.page.evaluate("act()")

    def export(self) -> str:
        asked = "async () => new TextDecoder().decode((await tables.ask('GET', '/api/me/export')).body)"
        return str(self.page.evaluate(asked))

    def errors(self) -> list[str]:
        found: list[str] = self.page.evaluate(
            "said.filter((message) => message.type === 'error').map((message) => message.error.code)"
        )
        return found


@pytest.fixture(scope="module")
def host(site_folder: Path) -> Iterator[FileServer]:
    with served(site_folder, SITE) as found:
        yield found


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    found = browser.new_context()
    yield found
    found.close()


def opened(context: BrowserContext, host: FileServer, site_folder: Path, first: str = "") -> Tab:
    page = context.new_page()
    page.goto(f"{host.root}font-licence.txt")  # not the site's own page, which would start tables too
    if first:
        page.evaluate(first)
    tables = InPage(page, site_folder / SITE)
    tables.start()
    return Tab(page, tables)


LATER = """() => new Promise((done) => {
    const base = new URL("./", location.href).href;
    const asked = indexedDB.open(`genial:${base}`, 1000);
    asked.onupgradeneeded = () => {
        for (const kind of ["log", "later"]) {
            asked.result.createObjectStore(kind).put(`${kind} kept`, [kind, 1]);
        }
    };
    asked.onsuccess = () => { asked.result.close(); done(); };
})"""
"""A store as a later version would have it, with a kind of rows that is known today and another."""

KEPT = """() => new Promise((done, failed) => {
    const base = new URL("./", location.href).href;
    const asked = indexedDB.open(`genial:${base}`);
    asked.onerror = () => failed(asked.error);
    asked.onsuccess = () => {
        const database = asked.result;
        const kinds = [...database.objectStoreNames];
        if (kinds.length === 0) return done({ version: database.version, rows: [] });
        const transaction = database.transaction(kinds);
        const rows = kinds.map((kind) => transaction.objectStore(kind).getAll());
        transaction.oncomplete = () => {
            database.close();
            done({ version: database.version, rows: kinds.map((kind, n) => [kind, rows[n].result]) });
        };
    };
})"""
"""What is in the store: its version, and the rows of each kind."""


def new_table(tab: Tab, *kinds: dict[str, Any]) -> str:
    settings = {"variant": "classic", "seats": 2, "first": 0}
    new = {"name": "Ada", "bits": "00" * 16, "settings": settings, "places": list(kinds)}
    return str(tab.tables.ask("POST", "/api/tables", new)["id"])


ME = {"kind": "me"}
BOT = {"kind": "bot", "bot": "greedy"}


def test_two_tabs_follow_take_over_and_lose_nothing(
    context: BrowserContext, host: FileServer, site_folder: Path
) -> None:
    one, other = opened(context, host, site_folder), opened(context, host, site_folder)
    table = new_table(one, ME, ME)
    for tab in (one, other):
        tab.follow(table)
    for writer in (one, other, one):
        before = writer.seq()
        writer.act()
        for tab in (one, other):
            tab.sees(before + 1)
    # Both act at the same moment of the game: one is too late, is told so, and sees what happened instead.
    before = one.seq()
    for tab in (one, other):
        tab.page.evaluate("void (window.decided = decide())")
    for tab in (one, other):
        tab.page.evaluate("void setTimeout(decided, 200)")
    for tab in (one, other):
        tab.sees(before + 1)
        tab.page.wait_for_function("said.some((message) => JSON.stringify(message).includes(moved))")
    assert one.errors() + other.errors() == ["stale"]
    assert one.seq() == other.seq() == before + 1
    # The tab that wrote last is closed. The other goes on.
    one.act()
    other.sees(before + 2)
    one.page.close()
    other.act()
    other.sees(before + 3)


def test_a_bot_answers_once_whichever_tab_acts_and_another_browser_continues(
    browser: Browser, context: BrowserContext, host: FileServer, site_folder: Path
) -> None:
    one, other = opened(context, host, site_folder), opened(context, host, site_folder)
    table = new_table(one, ME, BOT)
    for tab in (one, other):
        tab.follow(table)
    for writer in (one, other, one):
        turn = writer.seq()
        for _ in range(2):  # a tile, and the end of the turn
            writer.page.wait_for_function("state().game.mover === 0")
            writer.act()
            writer.page.wait_for_function("seq => state().seq > seq", arg=turn)
            turn = writer.seq()
        for tab in (one, other):
            tab.page.wait_for_function("seq => state().seq > seq && state().game.mover === 0", arg=turn)
        assert one.seq() == other.seq()
    file = other.export()
    _, line, *_ = file.split("\n")
    acted = [body for _, _, body in json.loads(line)["log"] if body["type"] == "acted"]
    assert [each["place"] for each in acted] == [0, 0, 1, 1] * 3, "nothing is missing, and nothing done twice"
    with_phone = browser.new_context()
    phone = opened(with_phone, host, site_folder)
    for expected in ({"new": 1, "known": 0}, {"new": 0, "known": 1}):
        told = phone.tables.ask("POST", "/api/me/import", {"file": file})
        assert {name: told[name] for name in expected} == expected, told
    assert phone.export().split("\n")[1:] == file.split("\n")[1:]
    phone.follow(table)
    before = phone.seq()
    phone.act()
    phone.sees(before + 1)
    with_phone.close()


def test_a_store_from_a_later_version_is_refused_and_left_alone(
    context: BrowserContext, host: FileServer, site_folder: Path
) -> None:
    tab = opened(context, host, site_folder, first=LATER)
    for path in ("/api/hello", "/api/tables"):
        assert tab.tables.ask("POST", path)["error"]["code"] == "store-page-newer"
    rows = [["later", ["later kept"]], ["log", ["log kept"]]]
    assert tab.page.evaluate(KEPT) == {"version": 1000, "rows": rows}
