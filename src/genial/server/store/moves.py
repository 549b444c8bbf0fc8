"""The moves of many tables in one statement: one way to the database and one commit for all of them.

It writes those moves alone that meet what they expect: the table's row as it was but for its time, the number
before theirs as the last. Whatever else there is to say of a move, the program `append` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from genial.server.store.lanes import Append
from genial.server.store.statements import ENTRY, TABLE, columns

_SAME = [name for name in TABLE.split(", ") if name not in ("game", "updated")]

MOVES = f"""
WITH move AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::integer[],
        $7::bigint[], $8::bigint[], $9::integer[], $10::text[], $11::integer[]) AS move ({TABLE}, first_seq)
), fits AS MATERIALIZED (
    SELECT found.game, move.updated FROM move CROSS JOIN LATERAL (
        -- A row that another process has in hand is left to the program, which waits for it.
        SELECT * FROM tables WHERE tables.game = move.game FOR NO KEY UPDATE SKIP LOCKED
    ) AS found
    WHERE ({", ".join(f"found.{name}" for name in _SAME)}) = ({", ".join(f"move.{name}" for name in _SAME)})
        AND (SELECT max(seq) FROM log WHERE log.game = move.game) = move.first_seq - 1
), touched AS (
    UPDATE tables SET updated = fits.updated FROM fits WHERE tables.game = fits.game RETURNING tables.game
), written AS (
    INSERT INTO log ({ENTRY})
    SELECT {", ".join(f"entry.{name}" for name in ENTRY.split(", "))}
    FROM unnest($12::text[], $13::integer[], $14::bigint[], $15::text[], $16::text[], $17::bytea[])
        AS entry ({ENTRY})
    -- Not a join, which would be planned for a handful of rows and compare each with each.
    WHERE (entry.game IN (SELECT game FROM touched)) IS TRUE
)
SELECT game FROM touched
"""
"""Gives the tables whose moves are written. If a key is taken meanwhile, it writes nothing at all."""


def values(moves: Sequence[Append]) -> list[list[Any]]:
    """The parameters of `MOVES`."""
    rows = [(*columns(move.row), move.first_seq) for move in moves if move.row is not None]
    entries = [
        (move.game, seq, entry.time, entry.kind, entry.move_id, entry.data)
        for move in moves
        for seq, entry in enumerate(move.entries, move.first_seq)
    ]
    return [*map(list, zip(*rows, strict=True)), *map(list, zip(*entries, strict=True))]
