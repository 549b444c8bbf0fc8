"""Bringing a database up to date, in one transaction; its earlier contents stay in a schema of their own."""

from __future__ import annotations

from contextlib import suppress

from genial.server.store.address import Address
from genial.server.store.migrations import (
    Migrated,
    Migration,
    apply_step,
    begin,
    is_earlier,
    refuse_strange,
    steps_from,
)
from genial.server.store.postgres_driver import Connection, connected, failure, run
from genial.server.store.programs import Ask, Program
from genial.server.tables.store_errors import OtherBuild, StoreBusy, StoreError

_MARK = "genial"
"""The comment on our version table, which distinguishes our databases from other programs'."""
_LOCK = 0x47454E49
"""Held by whoever changes the schema."""
_IS_SERVED = """
SELECT EXISTS (SELECT FROM processes
    WHERE line <> pg_backend_pid() AND line IN (SELECT pid FROM pg_stat_get_activity(NULL)))
"""
"""True if processes are alive, also of the earlier shape. They check the schema only at startup."""
_TRIES = 20


async def migrate_postgres(address: Address) -> Migrated:
    """Bring a database up to date, or create its tables."""
    async with connected(address, statement_timeout="0", lock_timeout="0") as connection:
        for _ in range(_TRIES):
            # A running process of an older version may wait for a table that we have locked, and we for one
            # of its; the database then aborts one of us.
            with suppress(StoreBusy):
                return await _migrated(connection, address)
    raise StoreBusy


async def _migrated(connection: Connection, address: Address) -> Migrated:
    # Each statement has to see what others stored before it got its locks.
    async with connection.transaction(isolation="read_committed"):
        await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        there = await run(connection, version_of(address))
        refuse_strange(address.shown, there, "postgres")
        steps = steps_from(there, "postgres")
        if there and steps and await connection.fetchval(_IS_SERVED):
            raise OtherBuild(address.shown)
        if there == 0:
            await run(connection, begin(Ask(f"COMMENT ON TABLE schema_version IS '{_MARK}'")))
        for step in steps:
            await _apply(connection, address, step)
    backup = f"genial_schema_{there}" if is_earlier(there) else None
    return Migrated(tuple(step.name for step in steps), backup)


async def _apply(connection: Connection, address: Address, step: Migration) -> None:
    try:
        await run(connection, apply_step(step))
    except Exception as error:
        told = failure(error, address)
        if isinstance(told, StoreError) and told.code == "store-failed":
            problem = told.params["problem"]
            raise StoreError("store-migration-failed", name=step.name, problem=problem) from None
        raise told from None


def version_of(address: Address) -> Program[int]:
    """The schema of a database; 0 if it is empty. Refuses a database that isn't ours."""
    ((mark, tables),) = yield Ask(
        "SELECT obj_description(to_regclass('schema_version'), 'pg_class'),"
        " (SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        " AND relkind IN ('r', 'p'))"
    )
    if mark is None and tables == 0:
        return 0
    if mark != _MARK:
        raise StoreError("store-foreign", path=address.shown)
    ((version,),) = yield Ask("SELECT coalesce(max(version), 0) FROM schema_version")
    return int(version)
