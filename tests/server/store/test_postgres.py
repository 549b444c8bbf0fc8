"""The store in a database keeps the contract; and its own matters: races, batches, bad addresses."""

from __future__ import annotations

import asyncio
import builtins
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.server.postgres import Postgres
from tests.server.store.contract import Opener, StoreContract
from tests.server.store.contract_analyses import AnalysesContract
from tests.server.store.contract_tables import TablesContract
from tests.server.store.race import race
from tests.server.store.samples import append, entries, entry, result, row, sat, with_one_more

from genial.core.errors import GenialError
from genial.core.messages import LANGUAGES
from genial.server.store import Address, PostgresStore, SqlStore, open_store
from genial.server.store.migrations import Migration, known, newest
from genial.server.store.postgres import open_postgres
from genial.server.store.postgres_migration import migrate_postgres
from genial.server.store.transfer import summary
from genial.server.tables.store_errors import (
    CodeTaken,
    DuplicateMove,
    MigrationNeeded,
    StoreAway,
    StoreBusy,
    StoreError,
)

NAMES = [step.name for step in known("postgres")]


class TestPostgresKeepsTheContract(StoreContract, TablesContract, AnalysesContract):
    @pytest.fixture
    def opener(self, postgres: Postgres) -> Opener:
        databases: dict[str, Address] = {}

        async def opener(name: str) -> SqlStore:
            if name not in databases:
                databases[name] = postgres.database()
            return await open_postgres(databases[name], migrate=True)

        return opener


@pytest.fixture
def database(postgres: Postgres) -> Address:
    return postgres.database()


async def together(store: PostgresStore, *calls: Coroutine[Any, Any, None]) -> list[BaseException | None]:
    """Make these calls one batch, by keeping every writer busy until all of them wait."""
    connections = [store._moving.one() for _ in range(2)]
    for held in connections:
        await held.__aenter__()
    asked = [asyncio.ensure_future(call) for call in calls]
    await asyncio.sleep(0)
    for held in connections:
        await held.__aexit__(None, None, None)
    return await asyncio.gather(*asked, return_exceptions=True)


def test_simultaneous_appends_are_written_together(database: Address) -> None:
    async def body() -> None:
        store = await open_postgres(database, migrate=True, writers=2)
        tables = [f"t{n}" for n in range(100)]
        await asyncio.gather(
            *(store.append(append(table_id, 1, [entry(1)], row(table_id))) for table_id in tables)
        )
        batches, written = store.queue.batches, store.queue.written
        moves = (store.append(append(table_id, 2, entries(2, 3))) for table_id in tables)
        assert set(await together(store, *moves)) == {None}
        assert store.queue.written - written == 100
        assert store.queue.batches - batches <= 3
        assert {len(await store.read(table_id)) for table_id in tables} == {3}
        await store.close()

    asyncio.run(body())


def test_two_processes_at_one_table_use_each_number_once(database: Address) -> None:
    """The primary key decides, whichever way a move is written, and the loser is told the next number."""

    async def body() -> None:
        stores = [await open_postgres(database, migrate=True) for _ in range(2)]
        await race(stores, 80)
        for store in stores:
            await store.close()

    asyncio.run(body())


def test_the_same_move_or_code_through_two_processes_is_taken_once(database: Address) -> None:
    async def body() -> None:
        stores = [await open_postgres(database, migrate=True) for _ in range(2)]
        await stores[0].append(append("t", 1, [entry(1)], row("t")))
        for seq in range(2, 12):
            put = row("t") if seq % 2 else None
            asked = [store.append(append("t", seq, [entry(seq, f"m{seq}")], put)) for store in stores]
            outcomes = await asyncio.gather(*asked, return_exceptions=True)
            assert sorted(type(outcome).__name__ for outcome in outcomes) == ["DuplicateMove", "NoneType"]
            (refused,) = [outcome for outcome in outcomes if isinstance(outcome, DuplicateMove)]
            assert refused.seq == seq
        rows = [row(table_id, code="ABCD") for table_id in ("u", "v")]
        asked = [
            store.append(append(new.table_id, 1, [], new)) for store, new in zip(stores, rows, strict=True)
        ]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {CodeTaken, type(None)}
        for store in stores:
            await store.close()

    asyncio.run(body())


def test_an_append_with_bad_data_fails_alone(database: Address) -> None:
    async def body() -> None:
        store = await open_postgres(database, migrate=True)
        tables = [f"t{n}" for n in range(20)]
        await asyncio.gather(
            *(store.append(append(table_id, 1, [entry(1)], row(table_id))) for table_id in tables)
        )
        number, character, nothing, *good = await together(
            store,
            store.append(append("t17", 2, [entry(2), entry(2**70)])),
            store.append(append("t18", 2, [entry(2, "\ud800")])),
            store.append(append("t19", 2, [entry(2, "a\0b")])),
            *(store.append(append(table_id, 2, [entry(2)])) for table_id in tables[:17]),
        )
        assert all(isinstance(one, Exception) for one in (number, character, nothing))
        assert set(good) == {None}
        assert [len(await store.read(table_id)) for table_id in tables] == [2] * 17 + [1] * 3
        await store.close()

    asyncio.run(body())


def test_a_full_queue_refuses_more_and_loses_nothing(database: Address) -> None:
    async def body() -> None:
        store = await open_postgres(database, migrate=True, queue_limit=5, writers=1)
        await store.append(append("t", 1, [entry(1)], row("t")))
        asked = [asyncio.ensure_future(store.append(append("t", n, [entry(n)]))) for n in range(2, 7)]
        await asyncio.sleep(0)
        with pytest.raises(StoreBusy):
            await store.append(append("t", 7, [entry(7)]))
        await asyncio.gather(*asked)
        assert [each.seq for each in await store.read("t")] == list(range(1, 7))
        await store.close()

    asyncio.run(body())


def test_a_commit_waits_for_the_disk_whatever_the_databases_settings(
    postgres: Postgres, database: Address
) -> None:
    name = database.shown.rpartition("/")[2]
    postgres.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")

    async def body() -> None:
        store = await open_postgres(database, migrate=True)
        async with store._moving.one() as connection:
            assert await connection.fetchval("SHOW synchronous_commit") == "on"
        await store.close()

    asyncio.run(body())


def test_a_lost_connection_is_replaced(postgres: Postgres, database: Address) -> None:
    async def body() -> None:
        store = await open_postgres(database, migrate=True)
        await store.append(append("t", 1, [entry(1)], row("t")))
        await store.read("t")
        kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'genial'"
        postgres.execute(kill, database)
        seq = 2
        for _ in range(8):  # each of its connections may fail once
            try:
                await store.append(append("t", seq, [entry(seq, f"m{seq}")]))
                seq += 1
            except StoreAway:
                seq = len(await _read(store, "t")) + 1
        assert len(await _read(store, "t")) == seq - 1 >= 4
        await store.close()

    async def _read(store: PostgresStore, table_id: str) -> list[Any]:
        while True:
            try:
                return await store.read(table_id)
            except StoreAway:
                pass

    asyncio.run(body())


def test_a_backup_during_appends_is_a_consistent_snapshot(database: Address, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"

    async def body() -> None:
        store = await open_postgres(database, migrate=True)
        tables = [f"t{n}" for n in range(10)]
        for table_id in tables:
            await store.append(append(table_id, 1, entries(1, 3), row(table_id), sat=sat(table_id)))
        await store.ban("device", b"d", 500)
        await store.add_result(result(9, 40))
        done = asyncio.Event()

        async def play(table_id: str) -> None:
            seq = 4
            while not done.is_set():
                await store.append(append(table_id, seq, [entry(seq, f"m{seq}")], updated=seq))
                seq += 1

        players = [asyncio.ensure_future(play(table_id)) for table_id in tables]
        await store.backup(target)
        done.set()
        await asyncio.gather(*players)
        copied = open_store(target)
        for table_id in tables:
            here, there = await store.read(table_id), await copied.read(table_id)
            assert there == here[: len(there)]
            kept = await copied.table(table_id)
            assert kept is not None
            assert kept.updated == (1_000 if len(there) == 3 else len(there)), "row and log agree"
        await copied.close()
        await store.backup(target)
        copied = open_store(target)
        assert await summary(copied) == await summary(store)
        await copied.close()
        await store.close()
        with pytest.raises(StoreError) as caught:
            await store.backup(tmp_path / "late.db")
        assert caught.value.code == "store-closed"

    asyncio.run(body())
    assert {file.name for file in tmp_path.iterdir()} == {target.name}


def test_concurrent_migrations_of_an_empty_database_apply_each_step_once(database: Address) -> None:
    async def body() -> None:
        with pytest.raises(MigrationNeeded) as caught:
            await open_postgres(database)
        assert caught.value.params == {"path": database.shown, "got": 0, "expected": newest("postgres")}
        done = await asyncio.gather(*(migrate_postgres(database) for _ in range(3)))
        assert sorted(name for each in done for name in each.applied) == NAMES
        await (await open_postgres(database)).close()

    asyncio.run(body())


def test_a_failed_step_is_undone_completely(database: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        await migrate_postgres(database)
        number = newest("postgres") + 1
        with monkeypatch.context() as newer:
            bad = Migration(number, "bad", "CREATE TABLE late (x int);\nNO SUCH STATEMENT;")
            with_one_more(newer, bad, "postgres")
            with pytest.raises(StoreError) as caught:
                await migrate_postgres(database)
        assert (caught.value.code, caught.value.params["name"]) == ("store-migration-failed", "bad")
        with monkeypatch.context() as newer:
            sql = "-- why\nCREATE TABLE late (x text DEFAULT ';');\n-- the end\n"
            with_one_more(newer, Migration(number, "good", sql), "postgres")
            assert (await migrate_postgres(database)).applied == ("good",)
        with pytest.raises(StoreError) as caught:
            await open_postgres(database, migrate=True)
        assert caught.value.code == "store-newer"

    asyncio.run(body())


def test_another_programs_database_is_refused_and_left_as_it_is(
    postgres: Postgres, database: Address
) -> None:
    postgres.execute("CREATE TABLE schema_version (version integer)", database)
    for migrate in (False, True):
        with pytest.raises(StoreError) as caught:
            asyncio.run(open_postgres(database, migrate=migrate))
        assert caught.value.code == "store-foreign"
    assert len(postgres.execute("SELECT * FROM pg_tables WHERE schemaname = 'public'", database)) == 1


SECRET = "hunter2"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        (f"postgresql://ada:{SECRET}@127.0.0.1:1/genial", "store-unopened"),
        (f"postgresql://ada:{SECRET}@[::1/genial", "store-address"),
        (f"postgresql://ada:{SECRET}@127.0.0.1:port/genial", "store-address"),
        (f"postgresql://ada:{SECRET}@no-such-host.invalid/genial", "store-unopened"),
        (f"postgresql://127.0.0.1:1/genial?password={SECRET}", "store-unopened"),
        (f"postgresql://ada:{SECRET}@127.0.0.1:1/genial?sslmode=some", "store-unopened"),
    ],
)
def test_no_error_shows_a_password(url: str, code: str) -> None:
    with pytest.raises(GenialError) as caught:
        asyncio.run(open_postgres(Address(url), migrate=True))
    error = caught.value
    assert error.code == code
    while error is not None:
        assert SECRET not in f"{error!r} {error} {[error.text(language) for language in LANGUAGES]}"
        error = error.__cause__  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://127.0.0.1:1/genial", "Connection refused"),
        ("postgresql://no-such-host.invalid/genial", "not known|no address|failure in name resolution"),
        ("postgresql://127.0.0.1:1/genial?sslmode=some", "`sslmode` parameter must be one of"),
        ("postgresql://127.0.0.1:1/genial?sslmode=verify-full", "root certificate file"),
    ],
)
def test_the_error_says_why_a_database_cannot_be_opened(
    url: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # without any certificates
    with pytest.raises(StoreError, match=words) as caught:
        asyncio.run(open_postgres(Address(url)))
    assert caught.value.code == "store-unopened"


def test_an_unknown_database_is_named(database: Address) -> None:
    with pytest.raises(StoreError) as caught:
        asyncio.run(open_postgres(Address(database.url.replace("/t", "/none-t", 1))))
    assert caught.value.code == "store-unopened"
    assert "none-t" in str(caught.value)


def test_without_the_driver_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "asyncpg":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "asyncpg", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(GenialError, match=r"pip install 'genial\[postgres\]'"):
        asyncio.run(open_postgres(Address("postgresql://localhost/genial")))
