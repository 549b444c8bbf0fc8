"""The store of a page keeps the contract, on a real IndexedDB; and its own matters: tabs, kills, updates."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.page.chromium import BridgedVault, Chromium, Tab
from tests.server.store.contract import Opener, StoreContract
from tests.server.store.contract_analyses import AnalysesContract
from tests.server.store.contract_tables import TablesContract
from tests.server.store.race import race
from tests.server.store.samples import append, entries, entry, row, sat

from genial.core.messages import LANGUAGES
from genial.server.calls.answering import error_data
from genial.server.calls.conversation import LATER
from genial.server.page.port import ClosedPort
from genial.server.page.store import PageStore, open_page_store
from genial.server.page.transactions import Draft
from genial.server.page.vault import under
from genial.server.tables.store import Secret
from genial.server.tables.store_errors import CodeTaken, DuplicateMove, NotKept, StoreError


class TestAPageKeepsTheContract(StoreContract, TablesContract, AnalysesContract):
    @pytest.fixture
    def opener(self, tab: Tab, request: pytest.FixtureRequest) -> Opener:
        async def opener(name: str) -> PageStore:
            return await open_page_store(BridgedVault(tab, f"{request.node.name}/{name}"))

        return opener


@pytest.fixture
def vault(tab: Tab, request: pytest.FixtureRequest) -> Callable[[], BridgedVault]:
    """Makes vaults, each with its own connection to the same database."""
    return lambda: BridgedVault(tab, request.node.name)


Vaults = Callable[[], BridgedVault]


def test_two_tabs_at_one_table_use_each_number_once(vault: Vaults) -> None:
    """What a tab has seen must be unchanged when it writes; the loser is told the next number."""

    async def body() -> None:
        stores = [await open_page_store(vault()) for _ in range(2)]
        assert await race(stores, 30)
        for store in stores:
            await store.close()

    asyncio.run(body())


def test_the_same_move_or_code_from_two_tabs_is_taken_once(vault: Vaults) -> None:
    async def body() -> None:
        stores = [await open_page_store(vault()) for _ in range(2)]
        await stores[0].append(append("t", 1, [entry(1)], row("t")))
        for seq in range(2, 8):
            asked = [store.append(append("t", seq, [entry(seq, f"m{seq}")])) for store in stores]
            outcomes = await asyncio.gather(*asked, return_exceptions=True)
            assert sorted(type(outcome).__name__ for outcome in outcomes) == ["DuplicateMove", "NoneType"]
            (refused,) = [outcome for outcome in outcomes if isinstance(outcome, DuplicateMove)]
            assert refused.seq == seq
        rows = [row(table_id, code="ABCD") for table_id in ("u", "v")]
        pairs = zip(stores, rows, strict=True)
        asked = [store.append(append(new.table_id, 1, [], new)) for store, new in pairs]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {CodeTaken, type(None)}
        for store in stores:
            await store.close()

    asyncio.run(body())


def test_acknowledged_entries_survive_a_killed_browser(site: str, tmp_path: Path) -> None:
    """The process is killed right after the answer, with no chance to write anything more."""

    async def write(tab: Tab) -> None:
        store = await open_page_store(BridgedVault(tab, "/"))
        await store.append(append("t", 1, [entry(1)], row("t"), sat=sat("t")))
        await store.append(append("t", 2, entries(2, 4), row("t", status="running", time=2_000)))
        os.kill(browser.pid, signal.SIGKILL)

    async def read(tab: Tab) -> None:
        store = await open_page_store(BridgedVault(tab, "/"))
        assert [each.seq for each in await store.read("t")] == [1, 2, 3, 4]
        assert await store.table("t") == row("t", status="running", time=2_000)
        await store.append(append("t", 5, [entry(5)]))
        await store.close()

    browser = Chromium(site, tmp_path)
    asyncio.run(write(browser.tab()))
    browser.stop()
    browser = Chromium(site, tmp_path)
    asyncio.run(read(browser.tab()))
    browser.stop()


def test_sites_on_one_origin_do_not_mix(tab: Tab) -> None:
    async def body() -> None:
        stores = [await open_page_store(BridgedVault(tab, f"/{name}/")) for name in ("mine", "yours")]
        await stores[0].append(append("t", 1, [entry(1)], row("t")))
        assert [len(await store.tables()) for store in stores] == [1, 0]
        for store in stores:
            await store.close()

    asyncio.run(body())


_secret = msgspec.msgpack.Decoder(Secret)


async def louder(draft: Draft) -> None:
    """A step to a next shape; in reality there is none yet."""
    for kept in await draft.look_through(under("secrets")):
        secret = _secret.decode(kept)
        draft.put(("secrets", [secret.name]), replace(secret, value=secret.value + b"!"))


async def broken(draft: Draft) -> None:
    draft.delete(under("tables"))
    raise RuntimeError("half of it")


def test_an_update_during_a_game_loses_nothing(vault: Vaults) -> None:
    """Whatever was acknowledged is there; the old page is told what to do, and can't come back."""

    async def body() -> None:
        old = await open_page_store(vault())
        await old.keep_secret("key", b"loud")
        await old.append(append("t", 1, entries(1, 3), row("t", status="running")))
        under_way = [asyncio.ensure_future(old.append(append("t", n, [entry(n)]))) for n in range(4, 9)]
        new = await open_page_store(vault(), [louder])
        outcomes = await asyncio.gather(*under_way, return_exceptions=True)
        last = 3 + outcomes.count(None)
        assert [each.seq for each in await new.read("t")] == list(range(1, last + 1))
        for late in (old.append(append("t", last + 1, [entry(0)])), old.read("t")):
            assert await refused(late) == "store-renewed"
        assert await new.secrets() == [Secret("key", b"loud!")]
        await new.append(append("t", last + 1, [entry(last + 1)]))
        assert await refused(open_page_store(vault())) == "store-page-newer"
        again = await open_page_store(vault(), [louder])
        assert await again.secrets() == [Secret("key", b"loud!")], "a step is taken once"
        assert await again.read("t") == await new.read("t")
        for store in (old, new, again):
            await store.close()

    asyncio.run(body())


def test_tabs_that_update_at_once_apply_each_step_once(vault: Vaults) -> None:
    async def body() -> None:
        old = await open_page_store(vault())
        await old.keep_secret("key", b"loud")
        await old.close()
        stores = await asyncio.gather(*(open_page_store(vault(), [louder, louder]) for _ in range(3)))
        for store in stores:
            assert await store.secrets() == [Secret("key", b"loud!!")]
            await store.close()

    asyncio.run(body())


def test_a_failed_step_changes_nothing_and_can_be_repeated(vault: Vaults) -> None:
    async def body() -> None:
        old = await open_page_store(vault())
        await old.append(append("t", 1, entries(1, 3), row("t")))
        await old.keep_secret("key", b"loud")
        await old.close()
        with pytest.raises(RuntimeError, match="half of it"):
            await open_page_store(vault(), [broken])
        mended = await open_page_store(vault(), [louder])
        assert await mended.tables() == [row("t")]
        assert await mended.secrets() == [Secret("key", b"loud!")]
        await mended.close()

    asyncio.run(body())


def test_a_tab_that_blocks_an_update_is_reported(
    tab: Tab, vault: Vaults, request: pytest.FixtureRequest
) -> None:
    """For example one that the browser has put to sleep; here, one that has never heard of us."""
    held = "name => new Promise(done => { indexedDB.open(name, 1).onsuccess = done })"
    tab.browser.here(tab.page.evaluate(held, f"genial:{request.node.name}"))

    async def body() -> None:
        sleeper = vault()
        sleeper.patience = 50
        assert await refused(open_page_store(sleeper, [louder])) == "store-blocked"

    asyncio.run(body())


def test_a_full_disk_is_reported_and_loses_nothing(chromium: Chromium) -> None:
    tab = chromium.tab("localhost")

    async def body() -> None:
        big = [replace(entry(2), data=os.urandom(2_000_000))]
        async with tab.quota(1_000_000):
            store = await open_page_store(BridgedVault(tab, "/"))
            await store.append(append("t", 1, [entry(1)], row("t")))
            assert await refused(store.append(append("t", 2, big))) == "store-full"
            assert len(await store.read("t")) == 1
        await store.close()

    asyncio.run(body())


async def refused(call: Awaitable[object]) -> str:
    """The code with which a call is refused; it has words in every language."""
    with pytest.raises(StoreError) as caught:
        await call
    assert len({caught.value.text(language) for language in LANGUAGES}) == 3
    return caught.value.code


def test_players_in_a_browser_are_told_what_is_wrong_with_the_store() -> None:
    """For a server's store, that is the operator's business."""
    assert error_data(NotKept("store-full"), "en").code == "store-full"
    assert error_data(StoreError("store-closed"), "en").code == "server-unstored"
    sent: list[dict[str, Any]] = []
    port = ClosedPort(NotKept("store-page-newer"), sent.append)
    port.take(
        {"type": "call", "id": 1, "method": "POST", "path": "/api/hello", "query": {}, "language": "nl"}
    )
    port.take({"type": "open", "id": 2, "path": "/api/tables/t/socket", "query": {}})
    port.take({"type": "close", "id": 2})
    answer, closed = sent
    assert (answer["id"], answer["status"]) == (1, 503)
    assert json.loads(answer["body"])["error"]["text"] == NotKept("store-page-newer").text("nl")
    assert closed == {"type": "closed", "id": 2, "code": LATER}
