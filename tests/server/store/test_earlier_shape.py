"""A store of the earlier shape is refused by name, and copied whole: its games go on in the new one.

`old-store.script.txt` made `old-store.db.gz`, with the program of that time, and says what is in it.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import httpx
import pytest
from tests.server.harness import PATIENCE, InThread
from tests.server.operations import kept_logging
from tests.server.postgres import Postgres
from tools.moving import moved, records

from genial.core.messages import LANGUAGES
from genial.core.notation import move_text
from genial.server.calls.devices import device_of
from genial.server.http.security import Web
from genial.server.operate import commands
from genial.server.store import Address, brought_up_to_date, open_store, opened, opened_to_copy
from genial.server.tables.settings import Limits
from genial.server.tables.store import Sat
from genial.server.tables.store_errors import EarlierShape

HERE = Path(__file__).parent
TOLD = json.loads((HERE / "old-store.json").read_text())
TABLES: dict[str, str] = TOLD["tables"]


def device(name: str) -> bytes:
    """What is stored of the token of Ada, Ben or Eve."""
    known = device_of(TOLD["tokens"][name])
    assert known is not None
    return known.hash


ADA, BEN, EVE = map(device, TOLD["tokens"])


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    path = tmp_path / "old.db"
    path.write_bytes(gzip.decompress((HERE / "old-store.db.gz").read_bytes()))
    return path


@pytest.fixture
def old_database(old_file: Path, postgres: Postgres) -> Address:
    """The same in PostgreSQL, as `genial migrate` of that time would have put it there."""
    database = postgres.database()

    async def fill() -> None:
        connection = await asyncpg.connect(database.url)
        try:
            await connection.execute((HERE / "old-store.postgres.sql").read_text())
            with closing(sqlite3.connect(old_file)) as file:
                for table in ("tables", "log", "credentials", "bans", "results"):
                    rows = file.execute(f"SELECT * FROM {table}").fetchall()
                    await connection.copy_records_to_table(table, records=rows)
        finally:
            await connection.close()

    asyncio.run(fill())
    return database


@pytest.fixture(params=["file", "database"])
def old(request: pytest.FixtureRequest) -> Path | Address:
    store: Path | Address = request.getfixturevalue(f"old_{request.param}")
    return store


def name_of(db: Path | Address) -> str:
    return db.url if isinstance(db, Address) else str(db)


def test_it_is_refused_with_the_command_that_copies_it(old: Path | Address, tmp_path: Path) -> None:
    shown = str(old)
    for work in (opened(old), opened(old, migrate=True), brought_up_to_date(old)):
        with pytest.raises(EarlierShape) as caught:
            asyncio.run(work)
        for language in LANGUAGES:
            assert f"genial migrate {shown} " in caught.value.text(language)
    name = name_of(old)
    with pytest.raises(EarlierShape):
        commands.migrate(db=name)
    with pytest.raises(EarlierShape):
        commands.backup(tmp_path / "copy.db", db=name)
    with pytest.raises(EarlierShape):
        commands.export(tmp_path / "records", db=name)
    with pytest.raises(EarlierShape):
        commands.import_(tmp_path / "none.genial.json", db=name)
    with kept_logging(), pytest.raises(EarlierShape):
        commands.serve(port=0, db=name)


def test_nothing_is_changed_in_it(old_file: Path, tmp_path: Path) -> None:
    before = old_file.read_bytes()
    with pytest.raises(EarlierShape):
        open_store(old_file, migrate=True)
    moved(str(old_file), str(tmp_path / "new.db"))
    assert old_file.read_bytes() == before


@pytest.mark.parametrize("into", ["file", "database"])
def test_everything_is_copied(old: Path | Address, into: str, tmp_path: Path, postgres: Postgres) -> None:
    new: Path | Address = postgres.database() if into == "database" else tmp_path / "new.db"
    told = moved(name_of(old), name_of(new))
    counts = {"tables": 5, "entries": sum(TOLD["entries"].values()), "sat": 6, "bans": 2, "results": 1}
    assert {name: told[name] for name in counts} == counts

    async def look() -> None:
        store, source = await opened(new), await opened_to_copy(old)
        for name, table_id in TABLES.items():
            entries = await store.read(table_id)
            assert [entry.seq for entry in entries] == list(range(1, TOLD["entries"][name] + 1))
            assert entries == await source.read(table_id)
        statuses = {row.table_id: row.status for row in await store.tables()}
        assert {name: statuses[table_id] for name, table_id in TABLES.items()} == {
            "running": "running",
            "solo": "over",
            "series": "running",
            "open": "open",
            "closed": "closed",
        }
        start = 1_790_000_000_000
        running = TABLES["running"]
        assert await store.sat_of(running) == [Sat(running, ADA, start), Sat(running, BEN, start + 1000)]
        mine = {row.table_id for row in await store.tables_of(BEN)}
        assert mine == {TABLES[name] for name in ("running", "series", "open")}
        assert await store.banned(EVE, start)
        (result,) = await store.results(ADA, "classic-solo")
        assert (result.table_id, result.number) == (TABLES["solo"], 0)
        await store.close()
        await source.close()

    asyncio.run(look())
    written = records(name_of(new), tmp_path / "records")
    assert {name: sha256(text).hexdigest() for name, text in written.items()} == TOLD["records"]


def test_of_one_device_at_one_table_the_earliest_time_counts(old_file: Path) -> None:
    running = TABLES["running"]
    with closing(sqlite3.connect(old_file)) as file, file:
        for role, place, created in (("seat", 1, 7), ("seat", 2, 8), ("host", None, 5)):
            row = (ADA, running, role, place, ADA, created)
            file.execute("INSERT INTO credentials VALUES (?, ?, ?, ?, ?, ?)", row)

    async def look() -> None:
        store = await opened_to_copy(old_file)
        assert (await store.sat_of(running))[0] == Sat(running, ADA, 7)
        assert len(await store.sat_of(running)) == 2
        await store.close()

    asyncio.run(look())


def test_its_games_go_on(old_file: Path, tmp_path: Path) -> None:
    """Tokens are known as before: one waits for a turn, one is banned, one moves."""
    new, running = tmp_path / "new.db", TABLES["running"]
    moved(str(old_file), str(new))
    server = InThread(new, Limits(bot_pause=0.0, bot_ending=0.0), Web(), 1)
    server.start()
    try:
        table = server.on_loop(server.hub.live(running)).table
        before = table.seq
        for name, place, status in (("benB", 1, 409), ("eveE", 0, 403), ("adaA", 0, 200)):
            assert table.game is not None
            action = move_text(table.game.series.setup, table.game.position.actions()[0])
            body = {"seq": table.seq, "move_id": "first", "place": place, "action": action}
            answer = httpx.post(
                f"{server.origin}/api/tables/{running}/act",
                json=body,
                headers={"authorization": f"Bearer {TOLD['tokens'][name]}"},
                timeout=PATIENCE,
            )
            assert answer.status_code == status, answer.text
        (entry, *_) = server.in_store(lambda store: store.read(running, after=before))
        assert (entry.kind, answer.json()["seq"]) == ("acted", entry.seq)
    finally:
        server.stop()
