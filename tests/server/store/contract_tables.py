"""What every store must do with tables, who sat at them, and everything else beside the logs."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.server.store.contract import ContractStore, with_store
from tests.server.store.samples import append, entries, entry, result, row, sat

from genial.server.tables.store import Ban, Sat, Secret
from genial.server.tables.store_errors import CodeTaken, SequenceConflict


class TablesContract:
    """The index of tables, who sat where, bans, results."""

    @with_store
    async def test_a_code_belongs_to_one_live_table(self, store: ContractStore) -> None:
        await store.append(append("t", 1, [entry(1)], row("t", code="ABCD")))
        with pytest.raises(CodeTaken):
            await store.append(append("u", 1, [entry(1)], row("u", code="ABCD")))
        assert await store.table("u") is None
        assert await store.read("u") == []
        await store.append(append("u", 1, [entry(1)], row("u", code="ABCD", status="over")))
        live = await store.table_by_code("ABCD")
        assert live is not None
        assert live.table_id == "t"
        await store.append(append("t", 2, [entry(2)], row("t", code="ABCD", status="closed", time=500)))
        await store.append(append("v", 1, [entry(1)], row("v", code="ABCD", status="running", time=100)))
        assert await store.table_by_code("ABCD") == row("v", code="ABCD", status="running", time=100)
        await store.delete("v")
        assert await store.table_by_code("ABCD") == row("u", code="ABCD", status="over")
        with pytest.raises(CodeTaken):
            await asyncio.gather(*(store.append(append(g, 1, [], row(g, code="WXYZ"))) for g in ("x", "y")))
        assert await store.table_by_code("none") is None

    @with_store
    async def test_tables_can_be_listed_filtered_and_paged(self, store: ContractStore) -> None:
        for number in range(12):
            made = row(
                f"t{number:02}",
                status="open" if number % 2 else "over",
                public=number % 3 == 0,
                time=number // 2,
            )
            await store.append(append(made.table_id, 1, [entry(1)], made))
        everything = [each.table_id for each in await store.tables()]
        assert everything == [f"t{number:02}" for number in reversed(range(12))]
        pages, page = [], await store.tables(limit=5)
        while page:
            pages += [each.table_id for each in page]
            page = await store.tables(limit=5, before=page[-1].cursor)
        assert pages == everything
        assert [each.table_id for each in await store.tables("open", True)] == ["t09", "t03"]
        assert [each.table_id for each in await store.tables("over", limit=2)] == ["t10", "t08"]
        assert [each.table_id for each in await store.tables(public=False, limit=1)] == ["t11"]
        assert [each.table_id for each in await store.stale("open", 3)] == ["t01", "t03", "t05"]
        assert [each.table_id for each in await store.stale("open", 3, limit=1)] == ["t01"]
        await store.append(append("t01", 2, [entry(2)], replace(row("t01"), updated=77)))
        assert [each.table_id for each in await store.stale("open", 3)] == ["t03", "t05"]
        await store.append(append("t02", 2, [], row("t02", status="running", time=5)))
        assert [await store.count_live(after) for after in (-1, 2, 4, 5, 77)] == [7, 5, 3, 1, 0]

    @with_store
    async def test_the_store_knows_who_sat_at_which_table(self, store: ContractStore) -> None:
        await store.append(append("t", 1, [entry(1)], row("t"), sat=sat("t")))
        await store.append(
            append("t", 2, [], sat=sat("t", since=5_000))
        )  # again: the first time is what counts
        await store.append(append("t", 2, [], sat=sat("t", b"other", since=900)))
        await store.append(append("u", 1, [entry(1)], row("u", time=2_000), sat=sat("u")))
        assert await store.sat_of("t") == [Sat("t", b"other", 900), Sat("t", b"device", 1_000)]
        assert await store.sat_of("nowhere") == []
        assert [await store.sat_at(device, "u") for device in (b"device", b"other")] == [True, False]
        assert [each.table_id for each in await store.tables_of(b"device")] == ["u", "t"]
        assert [each.table_id for each in await store.tables_of(b"device", limit=1)] == ["u"]
        assert [each.table_id for each in await store.tables_of(b"other")] == ["t"]
        assert await store.tables_of(b"nobody") == []
        begun = append("v", 1, [entry(1)], row("v", status="running", time=2_000), sat=sat("v"))
        await store.append(begun)
        assert [each.table_id for each in await store.tables_of(b"device", begun=True)] == ["v"]
        after = [await store.tables_of(b"device", before=before) for before in ((2_000, "v"), (2_000, "u"))]
        assert [[each.table_id for each in page] for page in after] == [["u", "t"], ["t"]]

    @with_store
    async def test_an_append_updates_when_the_table_was_last_touched(self, store: ContractStore) -> None:
        await store.append(append("t", 1, [entry(1)], row("t")))
        await store.append(append("t", 2, [entry(2)], updated=2_000))
        assert await store.table("t") == replace(row("t"), updated=2_000)
        with pytest.raises(SequenceConflict):
            await store.append(append("t", 2, [entry(3)], updated=3_000))
        assert await store.table("t") == replace(row("t"), updated=2_000)
        with pytest.raises(ValueError, match="touched at"):
            replace(append("t", 3, [entry(3)], row("t")), updated=7)

    @with_store
    async def test_deleting_a_table_leaves_nothing_but_its_results(self, store: ContractStore) -> None:
        for table_id in ("t", "u"):
            await store.append(append(table_id, 1, entries(1, 3), row(table_id), sat=sat(table_id)))
        await store.add_result(result(3, 40, table_id="t"))
        await store.delete("t")
        assert await store.table("t") is None
        assert await store.read("t") == []
        assert await store.move("t", "m1") is None
        assert await store.sat_of("t") == []
        assert not await store.sat_at(b"device", "t")
        assert [each.table_id for each in await store.tables_of(b"device")] == ["u"]
        assert len(await store.read("u")) == 3
        assert len(await store.results(b"device", "classic-solo")) == 1, "a result belongs to the device"
        await store.append(append("t", 1, entries(1, 1), row("t")))
        await store.delete("never there")

    @with_store
    async def test_bans_expire_and_can_be_lifted(self, store: ContractStore) -> None:
        await store.ban("device", b"d", 500)
        await store.ban("address", b"a", None)
        assert [await store.banned(b"d", now) for now in (499, 500)] == [True, False]
        assert await store.banned(b"a", 10**15)
        assert not await store.banned(b"other", 0)
        await store.ban("device", b"d", 900)
        assert await store.bans() == [Ban("address", b"a", None), Ban("device", b"d", 900)]
        await store.unban("address", b"a")
        assert not await store.banned(b"a", 0)

    @with_store
    async def test_a_secret_is_made_once(self, store: ContractStore) -> None:
        offered = [bytes([number]) * 32 for number in range(8)]
        kept = await asyncio.gather(*(store.keep_secret("key", value) for value in offered))
        assert len(set(kept)) == 1
        assert kept[0] in offered
        assert await store.keep_secret("other", b"x") == b"x"
        assert await store.keep_secret("key", b"late") == kept[0]
        assert await store.secrets() == [Secret("key", kept[0]), Secret("other", b"x")]

    @with_store
    async def test_a_result_is_stored_with_its_entries_or_not_at_all(self, store: ContractStore) -> None:
        await store.append(append("t", 1, entries(1, 3), row("t", status="running")))
        reached = result(9, 70, table_id="t")
        with pytest.raises(SequenceConflict):
            await store.append(append("t", 3, [entry(9)], row("t", status="over"), result=reached))
        assert await store.results(b"device", "classic-solo") == []
        # In the middle of a series the row stays as it is.
        await store.append(append("t", 4, [entry(4)], row("t", status="running"), result=reached))
        assert await store.results(b"device", "classic-solo") == [reached]
        assert len(await store.read("t")) == 4
        with pytest.raises(ValueError, match="another table"):
            await store.append(append("t", 5, [entry(5)], result=result(9, 70, table_id="u")))

    @with_store
    async def test_results_are_kept_once_and_listed_best_first(self, store: ContractStore) -> None:
        best, second = result(9, 70, number=2), result(9, 60, number=1)
        third = replace(second, number=3, time=2_000)
        for given in (second, third, best, replace(best, lowest=18)):
            await store.add_result(given)
        await store.add_result(replace(best, device_hash=b"other"))
        await store.add_result(replace(best, table_id="x", variant="3d-solo"))
        assert await store.results(b"device", "classic-solo") == [best, second, third]
        assert await store.results(b"device", "classic-solo", limit=1) == [best]
        page, pages = await store.all_results(limit=2), []
        while page:
            pages += page
            page = await store.all_results(page[-1], limit=2)
        assert len(pages) == len(set(pages)) == 5
