"""Files that aren't ours, damaged or missing: a clear error, and nothing is changed."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.store.samples import append, entries, row

from genial.server.store import open_store
from genial.server.tables.store_errors import MigrationNeeded, StoreError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "genial.db"


@pytest.mark.parametrize("content", [b"not a database, but long enough to look at" * 100, b"{}"])
def test_a_foreign_file_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for migrate in (False, True):
        with pytest.raises(StoreError) as caught:
            open_store(path, migrate=migrate)
        assert caught.value.code == "store-foreign"
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE schema_version (version INTEGER)")
        other.commit()
    content = path.read_bytes()
    for migrate in (False, True):
        with pytest.raises(StoreError) as caught:
            open_store(path, migrate=migrate)
        assert caught.value.code == "store-foreign"
    assert path.read_bytes() == content


def test_a_damaged_file_is_called_damaged(path: Path) -> None:
    async def fill() -> None:
        store = open_store(path, migrate=True)
        for n in range(20):
            await store.append(append(f"t{n}", 1, entries(1, 50), row(f"t{n}")))
        await store.close()

    async def read() -> None:
        store = open_store(path)
        outcomes = await asyncio.gather(*(store.read(f"t{n}") for n in range(20)), return_exceptions=True)
        refused = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        assert refused
        assert {getattr(one, "code", one) for one in refused} == {"store-damaged"}
        await store.close()

    asyncio.run(fill())
    content = path.read_bytes()
    half = len(content) // 8192 * 4096
    path.write_bytes(content[:half] + b"\xa5" * (len(content) - half))
    asyncio.run(read())


def test_a_missing_file_is_not_created_by_accident(path: Path, tmp_path: Path) -> None:
    with pytest.raises(MigrationNeeded):
        open_store(path)
    assert not path.exists()
    for place in (tmp_path / "no folder" / "x.db", tmp_path):
        with pytest.raises(StoreError) as caught:
            open_store(place, migrate=True)
        assert caught.value.code == "store-unopened"
