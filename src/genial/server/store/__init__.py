"""The store: an append-only log of every table, and the little that stands beside it.

`interface` says what a store does; `sqlite` is the one in a file. The rest is how: `writer` groups commits,
`statements` is the SQL, `connect` opens files, `migrations` brings them up to date, `backup` copies a file in
use, `transfer` copies from one kind of store to another.
"""

from __future__ import annotations

from genial.server.store.errors import (
    CodeTaken,
    DuplicateMove,
    MigrationNeeded,
    SequenceConflict,
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
    StoredEntry,
    TableRow,
)
from genial.server.store.migrations import migrate
from genial.server.store.sqlite import SqliteStore, open_store

__all__ = [
    "Ban",
    "BanKind",
    "CodeTaken",
    "Credential",
    "DuplicateMove",
    "MigrationNeeded",
    "NewEntry",
    "Result",
    "Role",
    "SequenceConflict",
    "SqliteStore",
    "Status",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoredEntry",
    "TableRow",
    "UnknownTable",
    "migrate",
    "open_store",
]
