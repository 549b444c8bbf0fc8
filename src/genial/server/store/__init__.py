"""The store: an append-only log of every table, and the little that stands beside it.

`sql_store` says what a store does, in `programs` that every kind of database runs; `analyses` is part of it.
`sqlite` is the store in a file: `sqlite_file` opens it, `sqlite_writer` groups commits. `postgres` is the one
in a database at an `address`: `postgres_driver` connects, `append_queue` and `postgres_moves` write many
tables' moves at once. `migrations` brings a store up to date, `backup` copies one in use, `transfer` copies
one into another; `read_only` is one that is only read, `earlier_shape` one that older programs wrote;
`holding` keeps a second server from a file.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from genial.server.store import earlier_shape, holding
from genial.server.store.address import Address, parse
from genial.server.store.postgres import PostgresStore, migrate_postgres, open_postgres
from genial.server.store.sql_store import SqlStore
from genial.server.store.sqlite import SqliteStore, open_store
from genial.server.store.sqlite_file import migrate
from genial.server.tables.store_errors import EarlierShape


async def opened(db: Path | Address, *, migrate: bool = False) -> SqlStore:
    """Open a store of either kind. With `migrate` it is brought up to date first; without, it has to be."""
    if isinstance(db, Address):
        return await open_postgres(db, migrate=migrate)
    return open_store(db, migrate=migrate)


def held(db: Path | Address, by: str = "") -> AbstractContextManager[Callable[[str], None]]:
    """Keep others from serving or changing a file (`holding.held`); a database has room for several."""
    return nullcontext(_untold) if isinstance(db, Address) else holding.held(db, by)


def _untold(_by: str) -> None:
    """Nobody has to know."""


async def opened_to_copy(db: Path | Address) -> SqlStore:
    """Open a store that is to be copied: it may be of the earlier shape."""
    try:
        return await opened(db)
    except EarlierShape:
        return await earlier_shape.opened(db)


async def brought_up_to_date(db: Path | Address) -> list[str]:
    """Bring a store of either kind up to date; gives the names of the migrations applied."""
    return await migrate_postgres(db) if isinstance(db, Address) else migrate(db)


__all__ = [
    "Address",
    "PostgresStore",
    "SqlStore",
    "SqliteStore",
    "brought_up_to_date",
    "held",
    "migrate",
    "open_store",
    "opened",
    "opened_to_copy",
    "parse",
]
