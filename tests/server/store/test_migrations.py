"""Files of every age are brought up to date, one whole step at a time."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.store.samples import append, entries, entry, row, with_one_more

from genial.server.store import migrate, open_store
from genial.server.store.migrations import Migrated, Migration, known, newest
from genial.server.tables.store_errors import MigrationNeeded, StoreError

NAMES = tuple(step.name for step in known())
NEXT = newest("sqlite") + 1


def shape(path: Path) -> list[tuple[str, str]]:
    """The schema of a file."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "genial.db"


@pytest.mark.parametrize("there", [False, True])
def test_a_missing_or_empty_file_is_migrated(path: Path, there: bool) -> None:
    if there:
        path.touch()
    assert migrate(path) == Migrated(NAMES)
    assert migrate(path) == Migrated(())
    asyncio.run(open_store(path).close())


def test_a_later_step_keeps_what_a_file_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write() -> None:
        store = open_store(path, migrate=True)
        await store.append(append("t", 1, entries(1, 2), row("t")))
        await store.close()

    asyncio.run(write())
    later = "ALTER TABLE tables ADD COLUMN motto TEXT NOT NULL DEFAULT '';\nCREATE TABLE late (x TEXT);"
    with_one_more(monkeypatch, Migration(NEXT, "0002_later", later))
    with pytest.raises(MigrationNeeded) as caught:
        open_store(path)
    assert caught.value.params == {"path": str(path), "got": NEXT - 1, "expected": NEXT}
    assert migrate(path).applied == ("0002_later",)

    async def read() -> None:
        store = open_store(path)
        assert await store.table("t") == row("t")
        assert len(await store.read("t")) == 2
        await store.append(append("t", 3, [entry(3)]))
        await store.close()

    asyncio.run(read())


def test_the_previous_state_is_kept_in_a_copy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate(path)
    before = shape(path)
    with_one_more(monkeypatch, Migration(NEXT, "0002_later", "CREATE TABLE late (x);"))
    (path.parent / "links").mkdir()
    link = path.parent / "links" / "link.db"
    link.symlink_to(path)
    told = migrate(link).backup
    (kept,) = path.parent.glob(f"genial-schema-{NEXT - 1}-*.db")
    assert told == str(kept), "beside the file itself"
    assert shape(kept) == before != shape(path)
    assert kept.stat().st_mode & 0o077 == 0


def test_a_newer_file_is_refused_and_left_as_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        with_one_more(newer, Migration(NEXT, "9999_newer", "CREATE TABLE later (x);"))
        assert migrate(path) == Migrated((*NAMES, "9999_newer"))
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
def test_a_failed_step_is_undone_completely_and_can_be_retried(
    path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    migrate(path)
    before = shape(path)
    with monkeypatch.context() as newer:
        with_one_more(newer, Migration(NEXT, "bad", fault))
        with pytest.raises(StoreError) as caught:
            migrate(path)
    assert (caught.value.code, caught.value.params["name"]) == ("store-migration-failed", "bad")
    assert shape(path) == before
    assert [file.name for file in path.parent.iterdir()] == [path.name], "no copy of what did not change"
    good = "-- why\nCREATE TABLE late (x TEXT DEFAULT ';');\n\n-- the end\n"
    with_one_more(monkeypatch, Migration(NEXT, "good", good))
    assert migrate(path).applied == ("good",)
