"""What every store must do with tables, credentials and all else beside the logs."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.server.store.contract import with_store
from tests.server.store.samples import credential, entries, entry, result, row

from genial.server.store import Ban, CodeTaken, SequenceConflict, Store


class TablesContract:
    """The index of tables, credentials, snapshots, bans, results."""

    @with_store
    async def test_a_code_belongs_to_one_live_table(self, store: Store) -> None:
        await store.append("t", 1, [entry(1)], row("t", code="ABCD"))
        with pytest.raises(CodeTaken):
            await store.append("u", 1, [entry(1)], row("u", code="ABCD"))
        assert await store.table("u") is None
        assert await store.read("u") == []
        await store.append("u", 1, [entry(1)], row("u", code="ABCD", status="over"))
        found = await store.table_by_code("ABCD")
        assert found is not None
        assert found.game == "t"
        await store.append("t", 2, [entry(2)], row("t", code="ABCD", status="closed", time=500))
        await store.append("v", 1, [entry(1)], row("v", code="ABCD", status="running", time=100))
        assert await store.table_by_code("ABCD") == row("v", code="ABCD", status="running", time=100)
        await store.delete("v")
        assert await store.table_by_code("ABCD") == row("u", code="ABCD", status="over")
        with pytest.raises(CodeTaken):
            await asyncio.gather(*(store.append(g, 1, [], row(g, code="WXYZ")) for g in ("x", "y")))
        assert await store.table_by_code("none") is None

    @with_store
    async def test_lists_of_tables(self, store: Store) -> None:
        for number in range(12):
            made = row(
                f"t{number:02}",
                status="open" if number % 2 else "over",
                public=number % 3 == 0,
                time=number // 2,
            )
            await store.append(made.game, 1, [entry(1)], made)
        everything = [r.game for r in await store.tables()]
        assert everything == [f"t{number:02}" for number in reversed(range(12))]
        pages, page = [], await store.tables(limit=5)
        while page:
            pages += [r.game for r in page]
            page = await store.tables(limit=5, before=page[-1].cursor)
        assert pages == everything
        assert [r.game for r in await store.tables("open", True)] == ["t09", "t03"]
        assert [r.game for r in await store.tables("over", limit=2)] == ["t10", "t08"]
        assert [r.game for r in await store.tables(public=False, limit=1)] == ["t11"]
        assert [r.game for r in await store.stale("open", 3)] == ["t01", "t03", "t05"]
        assert [r.game for r in await store.stale("open", 3, limit=1)] == ["t01"]
        await store.append("t01", 2, [entry(2)], replace(row("t01"), updated=77))
        assert [r.game for r in await store.stale("open", 3)] == ["t03", "t05"]
        await store.append("t02", 2, [], row("t02", status="running", time=5))
        assert [await store.count_live(after) for after in (-1, 2, 4, 5, 77)] == [7, 5, 3, 1, 0]

    @with_store
    async def test_credentials(self, store: Store) -> None:
        held = [credential("t", place=0), credential("t", place=1), credential("t", role="host", place=None)]
        other = credential("u", b"other", role="device", place=None)
        await store.append("t", 1, [entry(1)], row("t"), held)
        await store.append("t", 2, [], None, held)  # again: no second ones
        await store.append("u", 1, [entry(1)], row("u", time=2_000), [other, credential("u", device=None)])
        assert sorted(await store.credentials_of("t"), key=repr) == sorted(held, key=repr)
        assert {c.game for c in await store.credential(b"token")} == {"t", "u"}
        assert await store.credential(b"other") == [other]
        assert await store.credential(b"nobody") == []
        assert [r.game for r in await store.games_of(b"device")] == ["u", "t"]
        assert [r.game for r in await store.games_of(b"device", limit=1)] == ["u"]
        await store.revoke(b"token", "t")
        assert await store.credentials_of("t") == []
        assert [r.game for r in await store.games_of(b"device")] == ["u"]
        assert len(await store.credential(b"token")) == 1

    @with_store
    async def test_deleting_a_table_leaves_nothing_of_it(self, store: Store) -> None:
        for game in ("t", "u"):
            await store.append(game, 1, entries(1, 3), row(game), [credential(game)])
            await store.put_snapshot(game, 3, b"state")
        await store.add_result(result(3, 40, game="t"))
        await store.delete("t")
        assert await store.table("t") is None
        assert await store.read("t") == []
        assert await store.move("t", "m1") is None
        assert await store.snapshot("t") is None
        assert [c.game for c in await store.credential(b"token")] == ["u"]
        assert len(await store.read("u")) == 3
        assert len(await store.results(b"device", "classic-solo")) == 1, "a result belongs to the device"
        await store.append("t", 1, entries(1, 1), row("t"))
        await store.delete("never there")

    @with_store
    async def test_snapshots_never_go_back(self, store: Store) -> None:
        await store.append("t", 1, entries(1, 5), row("t"))
        assert await store.snapshot("t") is None
        for seq, data in ((3, b"three"), (5, b"five"), (4, b"four")):
            await store.put_snapshot("t", seq, data)
        assert await store.snapshot("t") == (5, b"five")
        await store.put_snapshot("nowhere", 1, b"")
        assert await store.snapshot("nowhere") is None

    @with_store
    async def test_bans(self, store: Store) -> None:
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
    async def test_a_result_is_kept_with_the_entries_that_bring_it_or_not_at_all(self, store: Store) -> None:
        await store.append("t", 1, entries(1, 3), row("t", status="running"))
        reached = result(9, 70, game="t")
        with pytest.raises(SequenceConflict):
            await store.append("t", 3, [entry(9)], row("t", status="over"), result=reached)
        assert await store.results(b"device", "classic-solo") == []
        # In the middle of a series the row stays as it is.
        await store.append("t", 4, [entry(4)], row("t", status="running"), result=reached)
        assert await store.results(b"device", "classic-solo") == [reached]
        assert len(await store.read("t")) == 4
        with pytest.raises(ValueError, match="another table"):
            await store.append("t", 5, [entry(5)], result=result(9, 70, game="u"))

    @with_store
    async def test_results_are_kept_once_and_listed_best_first(self, store: Store) -> None:
        best, second = result(9, 70, number=2), result(9, 60, number=1)
        third = replace(second, number=3, time=2_000)
        for given in (second, third, best, replace(best, lowest=18)):
            await store.add_result(given)
        await store.add_result(replace(best, device_hash=b"other"))
        await store.add_result(replace(best, game="x", variant="3d-solo"))
        assert await store.results(b"device", "classic-solo") == [best, second, third]
        assert await store.results(b"device", "classic-solo", limit=1) == [best]
        page, pages = await store.all_results(limit=2), []
        while page:
            pages += page
            page = await store.all_results(page[-1], limit=2)
        assert len(pages) == len(set(pages)) == 5
