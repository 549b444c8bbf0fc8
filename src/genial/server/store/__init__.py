"""The store: an append-only log of every table, and the little that is kept beside it.

`sql_store` says what a store does, in `programs` that every kind of database runs; `analyses` is part of it.
`sqlite` is the store in a file: `sqlite_file` opens it, `sqlite_writer` groups commits. `postgres` is the
store in a database at an `address`: `postgres_driver` connects, `append_queue` and `postgres_moves` write the
moves of many tables at once. `migrations` has the steps that bring a store up to date, which
`sqlite_migration` and `postgres_migration` carry out; `backup` copies a store in use, `transfer` copies one
into another; `read_only` is a read-only view; `holding` keeps a second server away from a file, and `wal`
looks for damage in its write-ahead log.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from genial.server.store import holding
from genial.server.store.address import Address, parse
from genial.server.store.migrations import Migrated
from genial.server.store.postgres import PostgresStore, open_postgres
from genial.server.store.postgres_migration import migrate_postgres
from genial.server.store.sql_store import SqlStore
from genial.server.store.sqlite import SqliteStore, open_store
from genial.server.store.sqlite_migration import migrate


async def opened(db: Path | Address, *, migrate: bool = False) -> SqlStore:
    """Open a store of either kind. With `migrate` it is brought up to date first; without, it must be."""
    if isinstance(db, Address):
        return await open_postgres(db, migrate=migrate)
    return open_store(db, migrate=migrate)


def held(db: Path | Address, by: str = "") -> AbstractContextManager[Callable[[str], None]]:
    """Keep others from serving or changing a file (`holding.held`); a database can be shared."""
    return nullcontext(_untold) if isinstance(db, Address) else holding.held(db, by)


def _untold(_by: str) -> None:
    """A database has no lock file to write to."""


async def brought_up_to_date(db: Path | Address) -> Migrated:
    """Bring a store of either kind up to date, or create it."""
    return await migrate_postgres(db) if isinstance(db, Address) else migrate(db)


__all__ = [
    "Address",
    "Migrated",
    "PostgresStore",
    "SqlStore",
    "SqliteStore",
    "brought_up_to_date",
    "held",
    "migrate",
    "open_store",
    "opened",
    "parse",
]
