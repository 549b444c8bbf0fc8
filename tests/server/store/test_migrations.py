"""Files of every age come up to date, one whole step at a time."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.store.samples import append, entries, entry, row

from genial.server.store import migrate, migrations, open_store
from genial.server.store.migrations import Migration, known, newest
from genial.server.tables.store_errors import MigrationNeeded, StoreError

NAMES = [step.name for step in known()]
NEXT = newest("sqlite") + 1


def shape(path: Path) -> list[tuple[str, str]]:
    """All that is declared in a file."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "genial.db"


@pytest.mark.parametrize("there", [False, True])
def test_from_nothing_or_an_empty_file(path: Path, there: bool) -> None:
    if there:
        path.touch()
    assert migrate(path) == NAMES
    assert migrate(path) == []
    asyncio.run(open_store(path).close())


def test_a_later_step_keeps_what_a_file_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write() -> None:
        store = open_store(path, migrate=True)
        await store.append(append("t", 1, entries(1, 2), row("t")))
        await store.close()

    asyncio.run(write())
    later = "ALTER TABLE tables ADD COLUMN motto TEXT NOT NULL DEFAULT '';\nCREATE TABLE late (x TEXT);"
    steps = (*known(), Migration(NEXT, "0002_later", later))
    with monkeypatch.context() as newer:
        newer.setattr(migrations, "newest", lambda _: NEXT)
        with pytest.raises(MigrationNeeded) as caught:
            open_store(path)
        assert caught.value.params == {"path": str(path), "got": NEXT - 1, "expected": NEXT}
        assert migrate(path, steps) == ["0002_later"]

        async def read() -> None:
            store = open_store(path)
            assert await store.table("t") == row("t")
            assert len(await store.read("t")) == 2
            await store.append(append("t", 3, [entry(3)]))
            await store.close()

        asyncio.run(read())


def test_a_newer_file_is_refused_and_left_as_it_is(path: Path) -> None:
    newer = Migration(NEXT, "9999_newer", "CREATE TABLE later (x);")
    assert migrate(path, [*known(), newer]) == [*NAMES, "9999_newer"]
    content = path.read_bytes()
    for ask in (False, True):
        with pytest.raises(StoreError) as caught:
            open_store(path, migrate=ask)
        assert caught.value.code == "store-newer"
        assert str(NEXT) in str(caught.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "fault",
    [
        "CREATE TABLE late (x);\nNO SUCH STATEMENT;",
        "CREATE TABLE late (x);\nINSERT INTO log VALUES ('none', 1, 1, 'event', NULL, x'');",
    ],
)
def test_a_step_that_fails_is_undone_as_a_whole_and_can_be_tried_again(path: Path, fault: str) -> None:
    migrate(path)
    before = shape(path)
    with pytest.raises(StoreError) as caught:
        migrate(path, [*known(), Migration(NEXT, "bad", fault)])
    assert (caught.value.code, caught.value.params["name"]) == ("store-migration-failed", "bad")
    assert shape(path) == before
    good = Migration(NEXT, "good", "-- why\nCREATE TABLE late (x TEXT DEFAULT ';');\n\n-- the end\n")
    assert migrate(path, [*known(), good]) == ["good"]
