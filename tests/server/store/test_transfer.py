"""Moving a store from a file to a database and back; `make migrate-full` is the long run."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from tests.server.operations import LiveTable, play
from tests.server.postgres import Postgres
from tests.server.store.samples import append, entries, row
from tools.moving import fill, moved, rows, there_and_back

from genial.bots.workers import BotPool
from genial.server.messages import WORDS
from genial.server.operate import commands
from genial.server.store import open_store, opened, transfer
from genial.server.store.postgres import open_postgres
from genial.server.tables.hub import Hub
from genial.server.tables.settings import Limits

TABLES, FINISHED = 32, 24


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("moving") / "genial.db"
    asyncio.run(fill(path, finished=FINISHED, running=TABLES - FINISHED))
    return path


@pytest.mark.slow
def test_every_row_survives_the_move_there_and_back(filled: Path, tmp_path: Path, postgres: Postgres) -> None:
    database, back = postgres.database(), tmp_path / "back.db"
    copied, _, _ = there_and_back(filled, database, back)
    assert (copied["tables"], copied["bans"]) == (TABLES, 5)
    assert copied["entries"] == len(rows(filled)["log"])
    assert copied["records"] == TABLES
    assert copied["results"] == len(rows(filled)["results"]) > 0
    # Again: everything was there, and is compared once more.
    assert moved(str(filled), database.url)["hashes"] == copied["hashes"]


def test_a_game_goes_on_in_the_database(filled: Path, postgres: Postgres) -> None:
    database = postgres.database()
    moved(str(filled), database.url)

    async def body() -> None:
        store = await open_postgres(database)
        hub = Hub(store, BotPool(1), Limits())
        (first, *_) = await store.tables(status="running")
        table = LiveTable(await hub.live(first.table_id))
        await play(hub, table, Random(1))
        assert table.status == "over"
        await hub.stop()
        await store.close()

    asyncio.run(body())


def test_an_interrupted_transfer_can_be_resumed(filled: Path, postgres: Postgres) -> None:
    database = postgres.database()

    class PulledPlug(Exception):
        pass

    async def begun() -> None:
        source, target = await opened(filled), await opened(database, migrate=True)

        def step() -> None:
            raise PulledPlug

        try:
            await transfer.copy(source, target, step=step)
        finally:
            await source.close()
            await target.close()

    with pytest.raises(BaseExceptionGroup):
        asyncio.run(begun())
    assert 0 < len(postgres.execute("SELECT table_id FROM tables", database)) < TABLES
    assert moved(str(filled), database.url)["tables"] == TABLES


def test_a_target_with_other_tables_is_refused(
    filled: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    database = postgres.database()

    async def other() -> None:
        store = await open_postgres(database, migrate=True)
        await store.append(append("another", 1, entries(1, 2), row("another")))
        await store.close()

    asyncio.run(other())
    with pytest.raises(Exception, match="has tables that"):
        commands.migrate(str(filled), database.url)
    assert len(postgres.execute("SELECT table_id FROM tables", database)) == 1
    assert commands.migrate(str(filled)) == 2
    assert "needs two stores" in capsys.readouterr().err


def test_a_source_that_changes_during_the_copy_is_noticed(
    filled: Path, tmp_path: Path, postgres: Postgres
) -> None:
    async def body() -> None:
        copy = tmp_path / "genial.db"
        source = open_store(filled)
        await source.backup(copy)
        await source.close()
        source, target = open_store(copy), await open_postgres(postgres.database(), migrate=True)
        told = 0

        def step() -> None:
            nonlocal told
            told += 1
            if told == TABLES:  # the last one is copied; the comparison comes next
                task = asyncio.ensure_future(source.append(append("late", 1, entries(1, 2), row("late"))))
                late.append(task)

        late: list[asyncio.Task[None]] = []
        with pytest.raises(Exception, match="differ between the two stores"):
            await transfer.migrate(source, target, ("a", "b"), step)
        await asyncio.gather(*late)
        await source.close()
        await target.close()

    asyncio.run(body())


@pytest.mark.parametrize("form", ["postgres:hunter2@", "postgres@"], ids=["before the host", "a parameter"])
def test_no_process_list_shows_the_password(postgres: Postgres, form: str) -> None:
    """The command restarts itself without it; children, such as other people's bots, don't inherit it."""
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("only Linux shows a process its own command line as others see it")
    url = postgres.database().url.replace("postgres:@", form)
    url += "" if "hunter2" in form else "&password=hunter2"
    script = (
        "import os, sys\n"
        "from genial.server.store.address import from_command_line\n"
        "store = from_command_line(sys.argv[1])\n"
        "print(repr(open('/proc/self/cmdline').read()), store, dict(os.environ))\n"
        "print(store.password)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, url], capture_output=True, text=True, check=True)
    shown, password, _ = done.stdout.split("\n")
    assert "hunter2" not in shown
    assert password == "hunter2"
    whole = [sys.executable, "-m", "genial", "migrate", "--db", url]
    done = subprocess.run(whole, capture_output=True, text=True, check=True)
    assert "0001_first" in done.stdout
    assert "hunter2" not in done.stdout + done.stderr


def test_the_errors_of_databases_and_transfers_are_translated() -> None:
    for code in ("store-away", "store-driver", "store-address", "store-not-empty", "store-copy-unequal"):
        params = {"path": "p", "source": "s", "what": "w"}
        assert len({WORDS.render(code, params, language) for language in ("en", "de", "nl")}) == 3
