"""The store in a file keeps the contract; and its own matters: batches, its queue, backups, bad files."""

from __future__ import annotations

import asyncio
import pickle
import sqlite3
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.server.store.contract import Opener, StoreContract
from tests.server.store.contract_analyses import AnalysesContract
from tests.server.store.contract_tables import TablesContract
from tests.server.store.samples import append, entry, row, sat

from genial.core.messages import LANGUAGES
from genial.server.store import SqliteStore, SqlStore, open_store
from genial.server.tables.store_errors import (
    CodeTaken,
    DuplicateMove,
    MigrationNeeded,
    SequenceConflict,
    StoreBusy,
    StoreError,
    UnknownTable,
)


class TestSqliteKeepsTheContract(StoreContract, TablesContract, AnalysesContract):
    @pytest.fixture
    def opener(self, tmp_path: Path) -> Opener:
        async def opener(name: str) -> SqlStore:
            return open_store(tmp_path / f"{name}.db", migrate=True)

        return opener


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a store #1?.db"


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep the file locked for writing, like another process."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def filled(store: SqliteStore, size: int) -> None:
    """Wait until this many jobs are queued behind the writer's current one."""
    while store.writer.waiting != size:
        await asyncio.sleep(0)


async def together(store: SqliteStore, *calls: Coroutine[Any, Any, None]) -> list[BaseException | None]:
    """Make these calls one batch, by keeping the writer busy with another. Returns each call's outcome."""
    with held(store.path):
        ahead = asyncio.ensure_future(store.unban("device", b"nobody"))
        await asyncio.sleep(0)
        await filled(store, 0)
        asked = [asyncio.ensure_future(call) for call in calls]
        await filled(store, len(calls))
    await ahead
    return await asyncio.gather(*asked, return_exceptions=True)


def test_simultaneous_appends_are_committed_together(path: Path) -> None:
    async def body() -> None:
        store = open_store(path, migrate=True)
        for seq in (1, 2):
            commits, written = store.writer.commits, store.writer.written
            rows = [row(f"t{n}") if seq == 1 else None for n in range(300)]
            appends = [store.append(append(f"t{n}", seq, [entry(seq)], put)) for n, put in enumerate(rows)]
            assert set(await together(store, *appends)) == {None}
            assert store.writer.written - written == 301
            assert store.writer.commits - commits == 2
        await store.close()

    asyncio.run(body())


def test_a_full_queue_refuses_more_and_loses_nothing(path: Path) -> None:
    async def body() -> None:
        store = open_store(path, migrate=True, queue_limit=5)
        await store.append(append("t", 1, [entry(1)], row("t")))
        with held(path):
            asked = [asyncio.ensure_future(store.append(append("t", 2, [entry(2)])))]
            await asyncio.sleep(0)
            await filled(store, 0)
            asked += [asyncio.ensure_future(store.append(append("t", n, [entry(n)]))) for n in range(3, 8)]
            await filled(store, 5)
            with pytest.raises(StoreBusy):
                await store.append(append("t", 8, [entry(8)]))
            assert len(await store.read("t")) == 1, "reading goes on"
        await asyncio.gather(*asked)
        assert [e.seq for e in await store.read("t")] == list(range(1, 8))
        await store.close()

    asyncio.run(body())


def test_a_file_locked_elsewhere_is_busy_until_it_is_released(path: Path) -> None:
    async def body() -> None:
        store = open_store(path, migrate=True, busy_timeout=10)
        await store.append(append("t", 1, [entry(1)], row("t")))
        with held(path), pytest.raises(StoreBusy):
            await store.append(append("t", 2, [entry(2)]))
        await store.append(append("t", 2, [entry(2)]))
        await store.close()

    asyncio.run(body())


def test_an_append_with_bad_data_fails_alone(path: Path) -> None:
    """What no check foresees, such as an impossible number or character, fails without its neighbours."""

    async def body() -> None:
        store = open_store(path, migrate=True)
        tables = [f"t{n}" for n in range(100)]
        await asyncio.gather(
            *(store.append(append(table_id, 1, [entry(1)], row(table_id))) for table_id in tables)
        )
        commits = store.writer.commits
        number, character, *good = await together(
            store,
            store.append(append("t99", 2, [entry(2), entry(2**70)], row("t99", status="over"))),
            store.append(append("new", 1, [entry(1), entry(2, "\ud800")], row("new"))),
            *(store.append(append(table_id, 2, [entry(2)], updated=5)) for table_id in tables[:99]),
            store.append(append("t99", 2, [entry(2)])),
        )
        assert isinstance(number, OverflowError)
        assert isinstance(character, UnicodeEncodeError)
        assert set(good) == {None}
        assert store.writer.commits == commits + 2
        assert {len(await store.read(table_id)) for table_id in tables} == {2}
        assert await store.table("t99") == row("t99")
        assert await store.table("new") is None
        await store.close()

    asyncio.run(body())


def test_a_bad_move_among_many_undoes_no_other(path: Path) -> None:
    async def body() -> None:
        store = open_store(path, migrate=True)
        tables = [f"t{n}" for n in range(150)]
        await asyncio.gather(
            *(store.append(append(table_id, 1, [entry(1, "a")], row(table_id))) for table_id in tables)
        )
        names = [*"b" * 149, "a"]
        moves = [
            store.append(append(table_id, 2, [entry(2), entry(3, name)]))
            for table_id, name in zip(tables, names, strict=True)
        ]
        *good, bad = await together(store, *moves)
        assert set(good) == {None}
        assert isinstance(bad, DuplicateMove)
        assert [len(await store.read(table_id)) for table_id in tables] == [3] * 149 + [1]
        await store.close()

    asyncio.run(body())


def test_a_full_disk_fails_exactly_the_appends_that_were_not_kept(path: Path) -> None:
    """A full disk, here a file that may not grow: nobody is told that anything was kept."""

    async def body() -> None:
        store = open_store(path, migrate=True)
        await asyncio.gather(*(store.append(append(f"t{n}", 1, [entry(1)], row(f"t{n}"))) for n in range(3)))
        connection = store._connections[0]
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        big = replace(entry(2), data=b"x" * 200_000)
        outcomes = await together(
            store,
            store.append(append("t0", 2, [entry(2)])),
            store.append(append("t1", 2, [big])),
            store.append(append("t2", 2, [entry(2)])),
        )
        kept = [len(await store.read(f"t{n}")) == 2 for n in range(3)]
        assert kept == [outcome is None for outcome in outcomes]
        assert isinstance(outcomes[1], StoreError)
        assert outcomes[1].code == "store-failed"
        connection.execute("PRAGMA max_page_count = 1000000")
        await store.append(append("t1", 2, [big]))
        await store.close()

    asyncio.run(body())


def test_a_backup_during_appends_is_a_consistent_snapshot(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    tables = [f"t{n}" for n in range(20)]

    async def body() -> None:
        store = open_store(path, migrate=True)
        for table_id in tables:
            await store.append(append(table_id, 1, [entry(1)], row(table_id), sat=sat(table_id)))
        done = asyncio.Event()

        async def play(table_id: str) -> int:
            seq = 2
            while not done.is_set():
                await store.append(append(table_id, seq, [entry(seq, f"m{seq}")], updated=seq))
                seq += 1
            return seq - 1

        players = [asyncio.ensure_future(play(table_id)) for table_id in tables]
        for _ in range(5):
            await store.backup(target)
        acknowledged_before = {table_id: len(await store.read(table_id)) for table_id in tables}
        await store.backup(target)
        done.set()
        await asyncio.gather(*players)
        copied = open_store(target)
        for table_id in tables:
            here, there = await store.read(table_id), await copied.read(table_id)
            assert there == here[: len(there)]
            assert len(there) >= acknowledged_before[table_id]
            kept = await copied.table(table_id)
            assert kept is not None
            assert kept.updated == max(1_000 * (len(there) == 1), there[-1].time - 1_000), "row and log agree"
        assert {row.table_id for row in await copied.tables_of(b"device")} == set(tables)
        await copied.close()
        await store.close()

    asyncio.run(body())
    assert {file.name for file in tmp_path.iterdir()} == {path.name, target.name}


def test_a_backup_never_replaces_a_store_in_use(path: Path, tmp_path: Path) -> None:
    async def body() -> None:
        store, other = open_store(path, migrate=True), open_store(tmp_path / "other.db", migrate=True)
        (tmp_path / "link.db").symlink_to(path)
        for target in (path, tmp_path / "other.db", tmp_path / "link.db"):
            with pytest.raises(StoreError) as caught:
                await store.backup(target)
            assert caught.value.code == "store-backup-in-use"
        with pytest.raises(StoreError) as caught:
            await store.backup(tmp_path / "no folder" / "copy.db")
        assert caught.value.code == "store-unopened"
        await store.append(append("t", 1, [entry(1)], row("t")))
        await store.close()
        await other.close()
        with pytest.raises(StoreError) as caught:
            await store.backup(tmp_path / "late.db")
        assert caught.value.code == "store-closed"

    asyncio.run(body())


def test_a_commit_waits_for_the_disk_and_only_the_owner_can_read_the_file(path: Path) -> None:
    async def body() -> None:
        store = open_store(path, migrate=True)
        asked = "PRAGMA journal_mode", "PRAGMA synchronous", "PRAGMA foreign_keys"
        (connection, *_) = store._connections
        assert [connection.execute(one).fetchone()[0] for one in asked] == ["wal", 2, 1]
        await store.append(append("t", 1, [entry(1)], row("t")))
        for file in path.parent.iterdir():
            assert file.stat().st_mode & 0o077 == 0, file.name
        await store.close()

    asyncio.run(body())


def test_every_error_is_translated_and_can_be_pickled() -> None:
    refused: list[StoreError] = [
        SequenceConflict("t", 4),
        DuplicateMove("t", "m", 2),
        CodeTaken("ABCD"),
        UnknownTable("t"),
        StoreBusy(),
        MigrationNeeded("x.db", 1, 2),
    ]
    for error in refused:
        assert len({error.text(language) for language in LANGUAGES}) == 3
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.params, str(again)) == (type(error), error.params, str(error))
