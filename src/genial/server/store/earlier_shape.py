"""Stores as programs before schema 101 wrote them, to be copied: today's programs read them through views.

There a table's id was called `game`, and `credentials` held who sat where beside roles that nobody used.
"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import TypeVar

from genial.server.store import postgres_driver, sqlite_file
from genial.server.store.address import Address
from genial.server.store.programs import Program
from genial.server.store.read_only import ReadOnlyStore

_T = TypeVar("_T")

_VIEWS = {
    "tables": "SELECT game AS table_id, code, variant, seats, status, public, created, updated, open_places,"
    " name FROM {there}tables",
    "log": "SELECT game AS table_id, seq, time, kind, move_id, data FROM {there}log",
    "sat": "SELECT DISTINCT game AS table_id, device_hash,"
    " (SELECT min(created) FROM {there}credentials AS one"
    " WHERE role = 'seat' AND one.game = held.game AND one.device_hash = held.device_hash) AS since"
    " FROM {there}credentials AS held WHERE role = 'seat' AND device_hash IS NOT NULL",
    "results": "SELECT device_hash, variant, seats, game AS table_id, number, lowest, total, time"
    " FROM {there}results",
    "secrets": "SELECT NULL AS name, NULL AS value WHERE 1 = 0",
}
"""Each hides the table of its name, for its own connection alone. Bans are as they
were, and there were no secrets."""


async def opened(db: Path | Address) -> ReadOnlyStore:
    """Open such a store, without changing it."""
    return await _database(db) if isinstance(db, Address) else _file(db)


def _file(path: Path) -> ReadOnlyStore:
    connection = sqlite_file.connect(path)
    for name, select in _VIEWS.items():
        connection.execute(f"CREATE TEMP VIEW {name} AS {select.format(there='main.')}")
    connection.execute("PRAGMA query_only = ON")

    async def run(program: Program[_T]) -> _T:
        try:
            return await asyncio.to_thread(sqlite_file.run, connection, program)
        except sqlite3.Error as error:
            raise sqlite_file.failure(error, path) from error

    return ReadOnlyStore(run, connection.close)


async def _database(address: Address) -> ReadOnlyStore:
    connection = await postgres_driver.connect(address, idle_in_transaction_session_timeout="0")

    async def run(program: Program[_T]) -> _T:
        try:
            return await postgres_driver.run(connection, program)
        except Exception as error:
            raise postgres_driver.failure(error, address) from None

    with postgres_driver.ended_if_it_fails(connection):
        for name, select in _VIEWS.items():
            # While a view is made, its name still means the table.
            await connection.execute(f"CREATE TEMP VIEW {name} AS {select.format(there='')}")
        await connection.transaction(isolation="repeatable_read", readonly=True).start()
    return ReadOnlyStore(run, connection.terminate)
