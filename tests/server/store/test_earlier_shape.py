"""A store of the earlier shape is brought up to date in place: its games go on, and the old data is kept.

`old-store.script.txt` made `old-store.db.gz`, with the program of that time, and says what is in it. That
program itself is taken from the history: it refuses the converted store, and serves the one that was kept.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import os
import sqlite3
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import httpx
import pytest
from tests.server.harness import PATIENCE, InThread
from tests.server.operations import kept_logging, serving
from tests.server.postgres import Postgres
from tools.moving import records, rows

from genial.core.notation import move_text
from genial.server.calls.devices import device_of
from genial.server.http.security import Web
from genial.server.operate import commands
from genial.server.store import (
    Address,
    Migrated,
    brought_up_to_date,
    migrate,
    migrations,
    opened,
)
from genial.server.store.migrations import Kind, newest
from genial.server.tables.settings import Limits
from genial.server.tables.store import Sat
from genial.server.tables.store_errors import MigrationNeeded, StoreBusy, StoreError

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
TOLD = json.loads((HERE / "old-store.json").read_text())
TABLES: dict[str, str] = TOLD["tables"]
ITS_PROGRAM = "4ecf47b"
BEFORE = "genial_schema_6"
PUT = "INSERT INTO log (game, seq, time, kind, data) VALUES"


def device(name: str) -> bytes:
    """What is stored of Ada's, Ben's or Eve's token."""
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
def old_database(tmp_path: Path, postgres: Postgres) -> Address:
    """The same in PostgreSQL, as `genial migrate` of that time would have put it there."""
    database = postgres.database()
    path = tmp_path / "source.db"
    path.write_bytes(gzip.decompress((HERE / "old-store.db.gz").read_bytes()))

    async def fill() -> None:
        connection = await asyncpg.connect(database.url)
        try:
            await connection.execute((HERE / "old-store.postgres.sql").read_text())
            with closing(sqlite3.connect(path)) as file:
                for table in ("tables", "log", "credentials", "bans", "results"):
                    held = file.execute(f"SELECT * FROM {table}").fetchall()
                    await connection.copy_records_to_table(table, records=held)
        finally:
            await connection.close()

    asyncio.run(fill())
    path.unlink()
    return database


@pytest.fixture(params=["file", "database"])
def old(request: pytest.FixtureRequest) -> Path | Address:
    store: Path | Address = request.getfixturevalue(f"old_{request.param}")
    return store


@pytest.fixture(scope="module")
def its_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that wrote such stores."""
    command = ["git", "archive", ITS_PROGRAM, "src"]
    try:
        there = subprocess.run(command, capture_output=True, cwd=HERE.parents[2], check=True)
    except FileNotFoundError as error:
        pytest.skip(f"there is no git here: {error}")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"{ITS_PROGRAM} is not in the history here: {error.stderr.decode().strip()}")
    folder = tmp_path_factory.mktemp(ITS_PROGRAM)
    with tarfile.open(fileobj=io.BytesIO(there.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def with_it(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of that program."""
    return subprocess.run(
        [sys.executable, "-m", "genial", *arguments],
        env={**os.environ, "PYTHONPATH": str(program)},
        cwd=program,
        capture_output=True,
        text=True,
        check=False,
    )


def name_of(db: Path | Address) -> str:
    return db.url if isinstance(db, Address) else str(db)


def kind_of(db: Path | Address) -> Kind:
    return "postgres" if isinstance(db, Address) else "sqlite"


def all_of(db: Path | Address, postgres: Postgres, schema: str = "public") -> dict[str, Any]:
    """Every row of every table that is written to disk, and the schema."""
    if isinstance(db, Path):
        with closing(sqlite3.connect(db)) as file:
            declared = file.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        return {"declared": declared, **rows(db)}
    named = f"SELECT relname FROM pg_class WHERE relnamespace = '{schema}'::regnamespace AND relkind = 'r'"
    return {
        "declared": declared_in(db, postgres, schema),
        **{
            name: sorted(map(tuple, postgres.execute(f"SELECT * FROM {schema}.{name}", db)), key=repr)
            for (name,) in postgres.execute(f"{named} AND relpersistence = 'p'", db)
        },
    }


def declared_in(db: Address, postgres: Postgres, schema: str) -> list[tuple[Any, ...]]:
    """Columns, indexes, constraints and views, without the name of their schema."""
    asked = (
        "SELECT table_name, ordinal_position, column_name, data_type, is_nullable, column_default,"
        f" collation_name FROM information_schema.columns WHERE table_schema = '{schema}'",
        f"SELECT indexname, replace(indexdef, '{schema}.', '') FROM pg_indexes WHERE schemaname = '{schema}'",
        f"SELECT replace(conrelid::regclass::text, '{schema}.', ''), conname,"
        f" replace(pg_get_constraintdef(oid), '{schema}.', '')"
        f" FROM pg_constraint WHERE connamespace = '{schema}'::regnamespace",
        f"SELECT viewname, definition FROM pg_views WHERE schemaname = '{schema}'",
        "SELECT relname, relpersistence::text, reloptions FROM pg_class"
        f" WHERE relnamespace = '{schema}'::regnamespace AND relkind = 'r'",
    )
    return sorted((tuple(row) for sql in asked for row in postgres.execute(sql, db)), key=repr)


def test_everything_is_carried_over(old: Path | Address, tmp_path: Path) -> None:
    log = rows(old)["log"] if isinstance(old, Path) else []
    done = asyncio.run(brought_up_to_date(old))
    assert done.applied[0] == "earlier_to_0001_first"
    assert asyncio.run(brought_up_to_date(old)) == Migrated(())

    async def look() -> None:
        store = await opened(old)
        for name, table_id in TABLES.items():
            entries = await store.read(table_id)
            assert [entry.seq for entry in entries] == list(range(1, TOLD["entries"][name] + 1))
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
        assert len(await store.bans()) == 2
        (result,) = await store.results(ADA, "classic-solo")
        assert (result.table_id, result.number) == (TABLES["solo"], 0)
        await store.close()

    asyncio.run(look())
    if isinstance(old, Path):
        assert rows(old)["log"] == log, "byte for byte"
    written = records(name_of(old), tmp_path / "records")
    assert {name: sha256(text).hexdigest() for name, text in written.items()} == TOLD["records"]


def test_the_schema_is_that_of_a_new_store(old: Path | Address, tmp_path: Path, postgres: Postgres) -> None:
    new: Path | Address = postgres.database() if isinstance(old, Address) else tmp_path / "new.db"
    for store in (old, new):
        asyncio.run(brought_up_to_date(store))
    assert all_of(old, postgres)["declared"] == all_of(new, postgres)["declared"]


def test_the_old_data_is_kept_and_named(
    old: Path | Address, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    before = all_of(old, postgres)
    assert commands.migrate(db=name_of(old), as_json=True) == 0
    told = json.loads(capsys.readouterr().out)["backup"]
    if isinstance(old, Path):
        (kept,) = old.parent.glob("old-schema-3-????????-??????.db")
        assert told == str(kept)
        assert all_of(kept, postgres) == before
    else:
        assert told == BEFORE
        assert all_of(old, postgres, BEFORE) == before


def test_the_servers_log_names_the_backup(old: Path | Address, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(name_of(old)) as server:
        assert server.stop() == 0
        (line,) = [line for line in server.lines if "the store was brought up to date" in line]
    named = BEFORE if isinstance(old, Address) else str(next(old.parent.glob("old-schema-3-*.db")))
    assert f"backup={named}" in line
    assert commands.migrate(db=name_of(old)) == 0
    assert "is up to date" in capsys.readouterr().out


def test_the_command_says_what_it_did_and_where_the_backup_is(
    old_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands.migrate(db=str(old_file)) == 0
    (kept,) = old_file.parent.glob("old-schema-3-*.db")
    told = capsys.readouterr().out
    assert told == f"earlier_to_0001_first\nThe store as it was before is kept in {kept}\n"


def test_without_migration_it_is_refused_and_left_as_it_is(
    old: Path | Address, tmp_path: Path, postgres: Postgres
) -> None:
    before = all_of(old, postgres)
    name, new = name_of(old), tmp_path / "new.db"
    works: list[Callable[[], object]] = [
        lambda: asyncio.run(opened(old)),
        lambda: commands.serve(port=0, db=name, migrate=False),
        lambda: commands.backup(tmp_path / "copy.db", db=name),
        lambda: commands.export(tmp_path / "records", db=name),
        lambda: commands.import_(tmp_path / "none.genial.json", db=name),
        lambda: commands.migrate(name, str(new)),
    ]
    for work in works:
        with kept_logging(), pytest.raises(MigrationNeeded) as caught:
            work()
        assert caught.value.params["expected"] == newest(kind_of(old))
    assert all_of(old, postgres) == before
    assert not new.exists()


@pytest.mark.parametrize(
    "fault", ["NO SUCH STATEMENT;", "INSERT INTO log VALUES ('x', 1, 1, 'x', NULL, '');"]
)
def test_a_failure_in_the_middle_leaves_it_as_it_was(
    old: Path | Address, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    before, sql = all_of(old, postgres), migrations._sql

    def faulty(kind: Kind, name: str) -> str:
        return sql(kind, name) + (fault if name == "earlier_after.sql" else "")

    with monkeypatch.context() as program:
        program.setattr(migrations, "_sql", faulty)
        with pytest.raises(StoreError):
            asyncio.run(brought_up_to_date(old))
    assert all_of(old, postgres) == before
    if isinstance(old, Path):
        assert list(tmp_path.glob("*schema*")) == []
    else:
        assert postgres.execute(f"SELECT to_regnamespace('{BEFORE}')", old) == [(None,)]
    assert asyncio.run(brought_up_to_date(old)).backup


def dies(path: Path, *, after: str) -> None:
    """A process that begins to upgrade a file, and is gone as soon as it has done this."""
    script = (
        "import os, sys\n"
        "from genial.server.store import backup, sqlite_migration\n"
        "module, name = {'step': (sqlite_migration, '_apply'), 'part': (backup, '_copy')}[sys.argv[2]]\n"
        "whole = getattr(module, name)\n"
        "setattr(module, name, lambda *all: (whole(*all), os._exit(9)))\n"
        "sqlite_migration.migrate(sys.argv[1])\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path), after], check=False).returncode == 9


def test_a_process_that_dies_in_the_middle_leaves_it_as_it_was(old_file: Path, postgres: Postgres) -> None:
    before = all_of(old_file, postgres)
    dies(old_file, after="step")
    (kept,) = old_file.parent.glob("old-schema-3-*.db")
    assert all_of(old_file, postgres) == before == all_of(kept, postgres)
    assert migrate(old_file).backup


def test_processes_that_die_again_and_again_leave_one_copy(old_file: Path, postgres: Postgres) -> None:
    folder, before = old_file.parent, all_of(old_file, postgres)
    for after in ("part", "part", "step", "part", "step", "step", "part"):
        dies(old_file, after=after)
    (kept,) = folder.glob("old-schema-3-*.db")
    contents = kept.read_bytes()
    assert migrate(old_file).backup == str(kept)
    assert kept.read_bytes() == contents
    assert all_of(kept, postgres) == before
    assert {each.name.removesuffix("-wal").removesuffix("-shm") for each in folder.glob("*")} == {
        old_file.name,
        kept.name,
    }, "no part is left"


def test_what_was_played_between_two_deaths_is_in_a_copy_of_its_own(
    old_file: Path, postgres: Postgres
) -> None:
    copies = []
    for seq in (1000, 1001):
        with closing(sqlite3.connect(old_file)) as connection, connection:
            connection.execute(f"{PUT} (?, ?, 1, 'chat', x'')", (TABLES["running"], seq))
        copies.append(all_of(old_file, postgres))
        dies(old_file, after="step")
    told = migrate(old_file).backup
    kept = sorted(old_file.parent.glob("old-schema-3-*.db"))
    assert [all_of(each, postgres) for each in kept] == copies
    assert told == str(kept[-1])


def test_only_copies_of_the_same_file_are_touched(old_file: Path, postgres: Postgres) -> None:
    dies(old_file, after="step")
    (kept,) = old_file.parent.glob("old-schema-3-*.db")
    others = {
        kept.with_name(name): b"theirs"
        for name in (
            ".older-schema-3-20261118-101530.db.part",
            ".old-schema-3-20261118-101530.db.part.txt",
            "old-schema-3-20261118-101530.db",
            "old-schema-3-notes.db",
            ".other.part",
        )
    }
    for path, contents in others.items():
        path.write_bytes(contents)
    in_use = kept.with_name(f"{kept.name}-wal")
    in_use.touch()
    told = migrate(old_file).backup
    assert told is not None
    assert Path(told) not in {kept, *others}, "one that a server has open may soon be another"
    assert {path: path.read_bytes() for path in others} == others
    in_use.unlink()
    assert all_of(kept, postgres) == all_of(Path(told), postgres)


def brought_up_when_free(db: Path | Address) -> None:
    """A writer that never pauses can keep the upgrade waiting; it says so, and is tried again."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            asyncio.run(brought_up_to_date(db))
        except StoreBusy:
            assert time.monotonic() < until
        else:
            return


def test_no_move_stored_by_a_running_old_server_is_lost(old: Path | Address) -> None:
    """It wasn't stopped: all it was told is stored is in the store, and then it is told nothing more."""
    begun, stored, running = threading.Event(), list[int](), TABLES["running"]

    def acknowledged(seq: int) -> None:
        stored.append(seq)
        begun.set()

    def to_file(path: Path) -> None:
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        with closing(connection), suppress(sqlite3.OperationalError):
            for seq in count(1000):
                connection.execute(f"{PUT} (?, ?, 1, 'chat', x'')", (running, seq))
                acknowledged(seq)

    async def to_database(address: Address) -> None:
        connection = await asyncpg.connect(address.url)
        prepared = await connection.prepare(f"{PUT} ($1, $2, 1, 'chat', '')")
        with suppress(asyncpg.PostgresError):
            for seq in count(1000):
                await prepared.fetch(running, seq)
                acknowledged(seq)
        connection.terminate()

    def write() -> None:
        asyncio.run(to_database(old)) if isinstance(old, Address) else to_file(old)

    writer = threading.Thread(target=write)
    writer.start()
    assert begun.wait(PATIENCE)
    brought_up_when_free(old)
    writer.join(PATIENCE)
    assert not writer.is_alive(), "it was told no"

    async def look() -> None:
        store = await opened(old)
        assert [entry.seq for entry in await store.read(running, after=999)] == stored
        await store.close()

    asyncio.run(look())


def test_a_devices_earliest_time_at_a_table_counts(old_file: Path) -> None:
    running = TABLES["running"]
    with closing(sqlite3.connect(old_file)) as file, file:
        for role, place, created in (("seat", 1, 7), ("seat", 2, 8), ("host", None, 5)):
            row = (ADA, running, role, place, ADA, created)
            file.execute("INSERT INTO credentials VALUES (?, ?, ?, ?, ?, ?)", row)
    migrate(old_file)

    async def look() -> None:
        store = await opened(old_file)
        assert (await store.sat_of(running))[0] == Sat(running, ADA, 7)
        assert len(await store.sat_of(running)) == 2
        await store.close()

    asyncio.run(look())


def test_its_games_go_on(old_file: Path) -> None:
    """Tokens are known as before: one waits for a turn, one is banned, one moves."""
    running = TABLES["running"]
    server = InThread(old_file, Limits(bot_pause=0.0, bot_ending=0.0), Web(), 1)
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


def test_even_older_stores_are_refused_and_left_as_they_are(old: Path | Address, postgres: Postgres) -> None:
    last = "DELETE FROM schema_version WHERE version = (SELECT max(version) FROM schema_version)"
    if isinstance(old, Path):
        with closing(sqlite3.connect(old)) as file, file:
            file.execute(last)
    else:
        postgres.execute(last, old)
    before = all_of(old, postgres)
    for work in (opened(old), brought_up_to_date(old)):
        with pytest.raises(StoreError) as caught:
            asyncio.run(work)
        assert caught.value.code == "store-too-old"
    assert all_of(old, postgres) == before


def test_the_old_program_refuses_the_migrated_store(old: Path | Address, its_program: Path) -> None:
    done = asyncio.run(brought_up_to_date(old))
    assert done.backup
    schema, knows = newest(kind_of(old)), 6 if isinstance(old, Address) else 3
    for command in ("migrate", "serve"):
        refused = with_it(its_program, command, "--db", name_of(old))
        assert refused.returncode != 0
        assert f"its schema is {schema}, and this version knows {knows}" in refused.stderr


def test_the_old_program_can_export_the_backup(
    old: Path | Address, its_program: Path, tmp_path: Path
) -> None:
    kept = asyncio.run(brought_up_to_date(old)).backup
    assert kept
    where = f"{old.url}&search_path={kept}" if isinstance(old, Address) else kept
    folder = tmp_path / "records"
    done = with_it(its_program, "export", str(folder), "--db", where, "--unfinished")
    assert done.returncode == 0, done.stderr
    written = {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    assert written == TOLD["records"]


def test_a_database_filled_by_the_old_program_is_brought_up_to_date(
    old_file: Path, its_program: Path, tmp_path: Path, postgres: Postgres
) -> None:
    database = postgres.database()
    done = with_it(its_program, "migrate", str(old_file), database.url)
    assert done.returncode == 0, done.stderr
    assert asyncio.run(brought_up_to_date(database)).backup == BEFORE
    written = records(database.url, tmp_path / "records")
    assert {name: sha256(text).hexdigest() for name, text in written.items()} == TOLD["records"]
