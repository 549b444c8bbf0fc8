"""Files of every age come up to date, one whole step at a time."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.store.samples import row

from genial.server.store import MigrationNeeded, StoreError, migrate, open_store
from genial.server.store.migrations import Migration, known

NAMES = [step.name for step in known()]


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


def test_from_version_one_with_what_it_holds(path: Path, tmp_path: Path) -> None:
    assert migrate(path, known()[:1]) == ["0001_first"]
    with closing(sqlite3.connect(path)) as old:
        columns = "'t', 'code-t', 'classic', 2, 'open', 1, 1000, 1000, 1, 'Table of t'"
        old.execute(f"INSERT INTO tables VALUES ({columns})")
        old.execute("INSERT INTO log VALUES ('t', 1, 5, 'event', 'm', x'7b7d')")
        old.commit()
    with pytest.raises(MigrationNeeded) as caught:
        open_store(path)
    assert caught.value.params == {"path": str(path), "got": 1, "expected": len(NAMES)}

    async def read() -> None:
        store = open_store(path, migrate=True)
        assert await store.table("t") == row("t")
        assert [e.data for e in await store.read("t")] == [b"{}"]
        assert await store.bans() == []
        await store.close()

    asyncio.run(read())
    migrate(tmp_path / "new.db")
    assert shape(path) == shape(tmp_path / "new.db")


def test_a_newer_file_is_refused_and_left_as_it_is(path: Path) -> None:
    newer = Migration(len(NAMES) + 1, "9999_newer", "CREATE TABLE secrets (x);")
    assert migrate(path, [*known(), newer]) == [*NAMES, "9999_newer"]
    content = path.read_bytes()
    for ask in (False, True):
        with pytest.raises(StoreError) as caught:
            open_store(path, migrate=ask)
        assert caught.value.code == "store-newer"
        assert str(len(NAMES) + 1) in str(caught.value)
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
    number = len(NAMES) + 1
    with pytest.raises(StoreError) as caught:
        migrate(path, [*known(), Migration(number, "bad", fault)])
    assert (caught.value.code, caught.value.params["name"]) == ("store-migration-failed", "bad")
    assert shape(path) == before
    good = Migration(number, "good", "-- why\nCREATE TABLE late (x TEXT DEFAULT ';');\n\n-- the end\n")
    assert migrate(path, [*known(), good]) == ["good"]
