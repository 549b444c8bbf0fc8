"""One file, one server: a second is refused with an explanation, and a killed holder leaves no lock."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from genial.core.messages import LANGUAGES
from genial.server.store import held, holding
from genial.server.tables.store_errors import StoreError, StoreHeld

HOLD = """
import subprocess, sys
from pathlib import Path
from genial.server.store import held
with held(Path(sys.argv[1]), "http://127.0.0.1:1234"):
    sleeper = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]
    child = subprocess.Popen(sleeper, stdout=subprocess.PIPE)
    child.stdout.readline()
    print(child.pid, flush=True)
    sys.stdin.read()
"""
"""Holds a file, and starts a process that outlives it, as a bot worker may."""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "genial.db"
    path.touch()
    return path


def test_a_second_holder_is_told_who_has_the_file(db: Path) -> None:
    with held(db, "http://127.0.0.1:8000"):
        with pytest.raises(StoreHeld) as caught, held(db):
            pass
        assert caught.value.by == "http://127.0.0.1:8000"
        for language in LANGUAGES:
            text = caught.value.text(language)
            assert all(part in text for part in (str(db), str(os.getpid()), "http://127.0.0.1:8000", "--db"))
    with held(db):
        pass
    assert [path.name for path in db.parent.iterdir()] == ["genial.db"]


def test_a_server_says_where_it_is_once_it_knows(db: Path) -> None:
    with held(db) as tell:
        tell("http://127.0.0.1:8000/a-longer-one")
        tell("http://127.0.0.1:8001")
        with pytest.raises(StoreHeld) as caught, held(db):
            pass
        assert caught.value.by == "http://127.0.0.1:8001"


def test_two_files_in_one_folder_have_two_locks(db: Path) -> None:
    with held(db), held(db.with_name("other.db")):
        assert len(list(db.parent.glob("*.lock"))) == 2


@pytest.mark.skipif(os.name != "posix", reason="links need a permission there")
def test_a_link_leads_to_the_same_lock(db: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(db)
    folder = tmp_path / "folder"
    folder.symlink_to(tmp_path)
    with held(db, "a test"):
        for other in (link, folder / "genial.db", Path(os.path.relpath(db))):
            with pytest.raises(StoreHeld), held(other):
                pass


@pytest.mark.skipif(os.name != "posix", reason="hard links are rare there")
def test_a_file_with_two_names_is_refused(db: Path, tmp_path: Path) -> None:
    """SQLite names the write-ahead log after the file: two names would mean two logs for one database."""
    second = tmp_path / "second.db"
    os.link(db, second)
    for path in (db, second):
        with pytest.raises(StoreError) as caught, held(path):
            pass
        assert caught.value.code == "store-linked"
    second.unlink()
    with held(db):
        pass


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_holder_blocks_nobody_even_while_its_children_live(db: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(db)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        try:
            with pytest.raises(StoreHeld) as caught, held(db):
                pass
            assert caught.value.params["pid"] == str(holder.pid)
            holder.kill()
            assert holder.wait() == -signal.SIGKILL
            os.kill(child, 0)  # it is alive
            assert db.with_name("genial.db.lock").exists()
            with held(db, "http://127.0.0.1:8000"):
                told = json.loads(db.with_name("genial.db.lock").read_text())
                assert told == {"pid": os.getpid(), "by": "http://127.0.0.1:8000"}
        finally:
            os.kill(child, signal.SIGKILL)


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed there")
def test_a_lock_file_removed_in_the_meantime_is_created_again(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holder that ends removes the file after we opened it and before we lock it."""
    with ExitStack() as first:
        first.enter_context(held(db))
        lock = holding._lock
        looks: list[int] = []

        def late(handle: int) -> None:
            if not looks:
                first.close()
            looks.append(handle)
            lock(handle)

        monkeypatch.setattr(holding, "_lock", late)
        with held(db, "a test"):
            assert len(looks) == 2
            with pytest.raises(StoreHeld), held(db):
                pass


def test_a_file_that_cannot_be_locked_is_refused(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(handle: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(holding, "_lock", unsupported)
    with pytest.raises(StoreError) as caught, held(db):
        pass
    assert caught.value.code == "store-unlockable"
    with pytest.raises(StoreError) as caught, held(db.parent / "no folder" / "genial.db"):
        pass
    assert caught.value.code == "store-unopened"
