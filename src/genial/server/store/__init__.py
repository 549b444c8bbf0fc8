"""The store: an append-only log of every table, and the little that stands beside it.

`interface` says what a store does; `sqlite` is the one in a file, `postgres` the one in a database. Both run
the programs in `statements`. The rest is how: `connect` and `driver` open them, `writer` and `lanes` group
commits, `moves` writes many tables' moves at once, `analyses` keeps what was thought about finished games,
`migrations` brings a store up to date, `backup` copies one in use, `transfer` copies from one kind to
another, `processes` lets several servers share a database (`whereabouts` and `listeners` say who is at
which of them), and `jobs` lets them share what their bots have to think about.
"""

from __future__ import annotations

from pathlib import Path

from genial.server.store.address import Address, parse
from genial.server.store.connect import migrate
from genial.server.store.errors import (
    CodeTaken,
    DuplicateMove,
    MigrationNeeded,
    SequenceConflict,
    StoreAway,
    StoreBusy,
    StoreError,
    UnknownTable,
)
from genial.server.store.interface import (
    Ban,
    BanKind,
    Credential,
    NewEntry,
    Result,
    Role,
    Status,
    Store,
    StoredAnalysis,
    StoredEntry,
    TableRow,
)
from genial.server.store.postgres import PostgresStore, migrate_postgres, open_postgres
from genial.server.store.sqlite import SqliteStore, open_store


async def opened(db: Path | Address, *, migrate: bool = False) -> Store:
    """Open a store of either kind. With `migrate` it is brought up to date first; without, it has to be."""
    if isinstance(db, Address):
        return await open_postgres(db, migrate=migrate)
    return open_store(db, migrate=migrate)


async def brought_up_to_date(db: Path | Address) -> list[str]:
    """Bring a store of either kind up to date; gives the names of the migrations applied."""
    return await migrate_postgres(db) if isinstance(db, Address) else migrate(db)


__all__ = [
    "Address",
    "Ban",
    "BanKind",
    "CodeTaken",
    "Credential",
    "DuplicateMove",
    "MigrationNeeded",
    "NewEntry",
    "PostgresStore",
    "Result",
    "Role",
    "SequenceConflict",
    "SqliteStore",
    "Status",
    "Store",
    "StoreAway",
    "StoreBusy",
    "StoreError",
    "StoredAnalysis",
    "StoredEntry",
    "TableRow",
    "UnknownTable",
    "brought_up_to_date",
    "migrate",
    "open_store",
    "opened",
    "parse",
]
