"""Everything that a page keeps, as one file and back: nothing is lost, duplicated or trusted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.json import schema_components
from tests.server.page.chromium import BridgedVault, Tab

from genial.bots.search import Question, Rows
from genial.core.messages import LANGUAGES
from genial.server.calls.asking import every_call
from genial.server.http.typescript import _declaration
from genial.server.page.device import HERE
from genial.server.page.export import CALLS, ImportBody, Imported
from genial.server.page.port import Port
from genial.server.page.start import open_tables
from genial.server.page.store import open_page_store
from genial.server.store import open_store
from genial.server.tables import decisions
from genial.server.tables.hub import Hub
from genial.server.tables.peers import Peers
from genial.server.tables.store import WholeStore


async def unsearched(question: Question) -> Rows:
    raise AssertionError("nobody thinks here")


class Page:
    """A page with a client that calls it."""

    def __init__(self, hub: Hub, store: WholeStore) -> None:
        self.hub = hub
        self.store = store
        self.port: Port
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}

    def hear(self, message: dict[str, Any]) -> None:
        self._answers.pop(message["id"]).set_result(message)

    async def ask(self, method: str, path: str, body: object = None, language: str = "en") -> dict[str, Any]:
        number, text = len(self._answers) + 1, None if body is None else json.dumps(body)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        asked: dict[str, Any] = {"method": method, "path": path, "query": {}, "body": text}
        self.port.take({"type": "call", "id": number, "language": language, **asked})
        return await answer

    async def export(self) -> str:
        answer = await self.ask("GET", "/api/me/export")
        assert answer["status"] == 200
        text: bytes = answer["body"]
        return text.decode()

    async def take(self, file: str, language: str = "en") -> dict[str, Any]:
        answer = await self.ask("POST", "/api/me/import", {"file": file}, language)
        told: dict[str, Any] = json.loads(answer["body"])
        return told | {"status": answer["status"]}

    async def table(self, variant: str, seats: int) -> str:
        places = [{"kind": "me"}] * seats
        new = {
            "settings": {"variant": variant, "seats": seats},
            "places": places,
            "name": "Ada",
            "bits": "00" * 16,
        }
        answer = await self.ask("POST", "/api/tables", new)
        assert answer["status"] == 201, answer
        return str(json.loads(answer["body"])["id"])

    async def play(self, table_id: str, moves: int = 10_000) -> None:
        """Make random allowed moves for whoever's turn it is."""
        rng = Random(table_id)
        for _ in range(moves):
            table = (await self.hub.live(table_id)).table
            if table.game is None or (place := table.game.mover) is None or not table.is_running:
                return
            action = rng.choice(list(table.game.position.actions()))
            await self.hub.do(table_id, partial(decisions.act, place=place, action=action))


@asynccontextmanager
async def page(store: WholeStore) -> AsyncIterator[Page]:
    tables = await open_tables(store, Peers(), unsearched)
    found = Page(tables.services.hub, store)
    found.port = tables.port(HERE, found.hear)
    try:
        yield found
    finally:
        await found.port.close()
        await tables.close()
        await store.close()


def test_games_kept_in_one_browser_continue_in_another(tab: Tab) -> None:
    """From one real IndexedDB into another: equal to the byte, the same if repeated, and played on."""

    async def body() -> None:
        stores = [await open_page_store(BridgedVault(tab, f"export/{name}")) for name in ("phone", "desk")]
        async with page(stores[0]) as phone, page(stores[1]) as desk:
            solo, pair = await phone.table("classic-solo", 1), await phone.table("classic", 2)
            await phone.play(solo)
            await phone.play(pair, 5)
            file = await phone.export()
            assert len(await phone.store.results(HERE.hash, "classic-solo")) == 1
            first = await desk.take(file)
            assert (first["new"], first["further"], first["known"], first["results"]) == (2, 0, 0, 1)
            assert first["problems"] == []
            assert (await desk.export()).split("\n")[1:] == file.split("\n")[1:]
            again = await desk.take(file)
            assert (again["new"], again["known"], again["left_out"]) == (0, 2, 0)
            assert (await desk.export()).split("\n")[1:] == file.split("\n")[1:]
            mine = json.loads((await desk.ask("GET", "/api/me/games"))["body"])
            assert {each["id"] for each in mine["tables"]} >= {pair}
            await desk.play(pair, 3)
            assert len(await desk.store.read(pair)) > len(await phone.store.read(pair))

    asyncio.run(body())


@pytest.fixture
def pages(tmp_path: Path) -> Callable[[str], Any]:
    """Pages by name. Imports don't depend on the kind of store."""
    return lambda name: page(open_store(tmp_path / f"{name}.db", migrate=True))


def test_a_game_continued_elsewhere_continues_here(pages: Callable[[str], Any]) -> None:
    async def body() -> None:
        async with pages("phone") as phone, pages("desk") as desk:
            pair = await phone.table("classic", 2)
            await phone.play(pair, 3)
            await desk.take(await phone.export())
            await phone.play(pair, 3)
            told = await desk.take(await phone.export())
            assert (told["new"], told["further"], told["known"]) == (0, 1, 0)
            assert await desk.store.read(pair) == await phone.store.read(pair)
            assert (await desk.hub.live(pair)).table.seq == (await phone.hub.live(pair)).table.seq
            # Both played on, each in its own way: what is here stays.
            early = await phone.export()
            await phone.play(pair, 1)
            await desk.hub.do(pair, lambda table: decisions.resign(table, table.game.mover or 0))
            kept = await desk.store.read(pair)
            told = await desk.take(await phone.export())
            assert [problem["error"]["code"] for problem in told["problems"]] == ["kept-differs"]
            assert (await desk.take(early))["known"] == 1
            assert await desk.store.read(pair) == kept

    asyncio.run(body())


def changed(line: str, change: Callable[[dict[str, Any]], object]) -> str:
    data = json.loads(line)
    change(data)
    return json.dumps(data)


def acts(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [body for _, _, body in data["log"] if body["type"] == "acted"]


def drew(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = acts(data)[1]["events"][0]
    return found


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "points for nothing": lambda data: acts(data)[0]["events"][0].update(gain=[5, 0, 0, 0, 0, 0]),
    "a draw of one's choice": lambda data: drew(data).update(
        tiles=["OO" if drew(data)["tiles"] == ["RR"] else "RR"]
    ),
    "no events": lambda data: acts(data)[1].update(events=[]),
    "events of nothing": lambda data: acts(data)[1].update(events=[{"type": "nothing"}]),
    "a move at another place": lambda data: acts(data)[1].update(place=9),
    "no beginning": lambda data: data["log"].pop(0),
    "a move left out": lambda data: data["log"].remove(
        next(e for e in data["log"] if e[2]["type"] == "acted")
    ),
    "a time to come": lambda data: data["log"][-1].__setitem__(0, 2**52),
    "a time before": lambda data: data["log"][-1].__setitem__(0, 5),
    "another device": lambda data: data["log"][0][2].update(host="ab" * 16),
    "a name that hides": lambda data: next(e for e in data["log"] if e[2]["type"] == "seated")[2][
        "holder"
    ].update(name="A\u202eda"),
    "an id that leads elsewhere": lambda data: data.update(id="../x"),
    "a log of nothing": lambda data: data.update(log=[]),
    "another kind": lambda data: data.update(kind="secret"),
    "no log": lambda data: data.pop("log"),
}


def test_impossible_games_and_results_are_left_out(pages: Callable[[str], Any]) -> None:
    async def body() -> None:
        async with pages("phone") as phone, pages("desk") as desk:
            pair = await phone.table("classic", 2)
            await phone.play(pair, 8)
            head, line, *_ = (await phone.export()).split("\n")
            empty = await desk.export()
            for name, change in FORGED.items():
                told = await desk.take(f"{head}\n{changed(line, change)}\n")
                assert (told["status"], told["left_out"], told["new"]) == (200, 1, 0), (name, told)
                assert (await desk.export()).split("\n")[1:] == empty.split("\n")[1:], name
            bad = [
                f'{{"kind":"result","variant":"{variant}","table":"t","number":0,"lowest":{lowest},"total":{total},'
                f'"time":{time}}}'
                for variant, lowest, total, time in (
                    ("classic", 5, 60, 1),
                    ("nowhere", 5, 60, 1),
                    ("classic-solo", 37, 222, 1),
                    ("classic-solo", 5, 20, 1),
                    ("classic-solo", 5, 60, 2**52),
                )
            ]
            told = await desk.take("\n".join([head, *bad, "{", '"', "[" * 5000, line]))
            assert (told["left_out"], told["new"]) == (8, 1), "and what is right beside it is taken in"
            assert [problem["line"] for problem in told["problems"]] == list(range(2, 10))

    asyncio.run(body())


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("", "kept-unknown"),
        ("{}", "kept-unknown"),
        ('{"format":"genial-record/1"}', "kept-unknown"),
        ('{"kind":"genial-kept","version":2,"made":1}', "kept-newer"),
    ],
)
def test_a_file_that_is_not_an_export_is_refused_in_the_readers_language(
    pages: Callable[[str], Any], file: str, code: str
) -> None:
    async def body() -> None:
        async with pages("desk") as desk:
            told = [await desk.take(file, language) for language in LANGUAGES]
            assert {(each["status"], each["error"]["code"]) for each in told} == {(422, code)}
            assert len({each["error"]["text"] for each in told}) == 3

    asyncio.run(body())


def test_a_server_does_not_offer_the_pages_calls() -> None:
    assert not {operation.path for operation in CALLS.operations} & {each.path for each in every_call()}


def test_the_clients_types_match_the_calls() -> None:
    client = (Path(__file__).parents[3] / "web" / "src" / "page" / "kept.ts").read_text(encoding="utf-8")
    _, named = schema_components([ImportBody, Imported], ref_template="#/components/schemas/{name}")
    for name in ("ImportBody", "Imported", "LeftOut"):
        assert _declaration(name, named[name]) in client
