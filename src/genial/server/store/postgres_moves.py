"""The moves of many tables in one statement: one round trip to the database and one commit for all of them.

It only writes moves whose first number is the table's next one. The program `appended` deals with everything
else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from genial.server.store.sql_store import ENTRY, numbered_entries
from genial.server.tables.store import Append

MOVES = f"""
WITH move AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[])
        AS move (table_id, updated, expected, last_seq)
), fits AS MATERIALIZED (
    SELECT move.* FROM move CROSS JOIN LATERAL (
        -- A row that another process has in hand is left to the program, which waits for it.
        SELECT FROM tables WHERE tables.table_id = move.table_id AND tables.last_seq = move.expected
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS there
), touched AS (
    UPDATE tables SET updated = fits.updated, last_seq = fits.last_seq FROM fits
    WHERE tables.table_id = fits.table_id RETURNING tables.table_id
), written AS (
    INSERT INTO log ({ENTRY})
    SELECT {", ".join(f"entry.{name}" for name in ENTRY.split(", "))}
    FROM unnest($5::text[], $6::integer[], $7::bigint[], $8::text[], $9::text[], $10::bytea[])
        AS entry ({ENTRY})
    -- Not a join, which would be planned for a handful of rows and compare each with each.
    WHERE (entry.table_id IN (SELECT table_id FROM touched)) IS TRUE
)
SELECT table_id FROM touched
"""
"""Returns the tables whose moves were written. If any move is already there, nothing at all is written."""


def values(moves: Sequence[Append]) -> list[list[Any]]:
    """The parameters of `MOVES`."""
    tables = [(move.table_id, move.updated, move.first_seq - 1, move.last_seq) for move in moves]
    entries = [entry for move in moves for entry in numbered_entries(move)]
    return [*_columns(tables, 4), *_columns(entries, 6)]


def _columns(rows: Sequence[tuple[Any, ...]], count: int) -> list[list[Any]]:
    return [[row[number] for row in rows] for number in range(count)]
