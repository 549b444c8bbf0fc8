"""What counts as a different build; processes of different builds don't share a database."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec import Struct
from tests.server.postgres import Postgres
from tests.server.processes.members import member, run, until
from tests.server.store.samples import with_one_more

from genial.server.processes import builds
from genial.server.processes import process as processes
from genial.server.processes.builds import build, is_ours
from genial.server.processes.process import Processes, join
from genial.server.store.migrations import Migrated, Migration, newest
from genial.server.store.postgres_migration import migrate_postgres
from genial.server.tables.log import STORED
from genial.server.tables.server_time import ServerTime
from genial.server.tables.store_errors import OtherBuild


class Sneezed(Struct, frozen=True, tag="sneezed"):
    """An entry that nobody knows."""

    place: int


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("__version__", "9.9.9"),
        ("RULES", 9),
        ("CONVERSATION", "genial.9"),
        ("newest", lambda _: 999),
        ("STORED", STORED | Sneezed),
    ],
)
def test_changing_any_part_changes_the_build(
    part: str, other: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build.__wrapped__() == build()
    monkeypatch.setattr(builds, part, other)
    assert build.__wrapped__() != build()


def test_a_process_has_its_build_in_its_name() -> None:
    assert is_ours(f"abc-d_f.{build()}")
    assert not is_ours("abc-d_f.another")
    assert not is_ours("abc-d_f")  # from before there were builds


@contextmanager
def another_build() -> Iterator[None]:
    """A program that is not quite this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "build", lambda: "another")
        patch.setattr(processes, "is_ours", lambda process: process.endswith(".another"))
        yield


def test_processes_of_different_builds_refuse_to_share_tables(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        async with member(database) as one:
            with another_build(), pytest.raises(OtherBuild):
                await join(database)
            # It has left nothing behind, and processes of the same build are let in.
            async with member(database) as other:
                await until(lambda: one.processes.others == {other.processes.id})
        with another_build():  # the others have stopped
            await (await join(database)).stop()

    run(body())


def test_a_server_that_may_not_start_says_what_to_do(postgres: Postgres) -> None:
    async def body() -> None:
        database = postgres.database()
        with another_build():
            async with member(database):
                command = (sys.executable, "-m", "genial", "serve", "--port", "0", "--db", database.url)
                server = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
                _, said = await server.communicate()
        assert server.returncode == 2
        assert b"Stop all of its processes first" in said

    run(body())


def test_of_two_builds_started_at_once_at_least_one_refuses(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "is_ours", lambda process: False)

    async def body() -> None:
        database = postgres.database()
        await migrate_postgres(database)
        both = [Processes(database, ServerTime()) for _ in range(2)]
        came = await asyncio.gather(*(process.start() for process in both), return_exceptions=True)
        assert any(isinstance(error, OtherBuild) for error in came)
        for process in both:
            await process.stop()

    run(body())


def test_a_schema_in_use_is_not_changed(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        database = postgres.database()
        async with member(database):
            assert await migrate_postgres(database) == Migrated(())
            later = Migration(newest("postgres") + 1, "later", "CREATE TABLE late (x TEXT);")
            with_one_more(monkeypatch, later, "postgres")
            with pytest.raises(OtherBuild):
                await migrate_postgres(database)
        assert (await migrate_postgres(database)).applied == ("later",)

    run(body())
