"""Exporting games from a store as records, and importing records into a store as finished games."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from genial.core.fair import commitment
from genial.core.record import LARGEST, RULES, Record, dump, read
from genial.core.referee import load
from genial.core.shown import shown
from genial.server.store import SqlStore
from genial.server.store.transfer import every_table
from genial.server.tables.decisions import new_code
from genial.server.tables.entries import Body, Created, Holder, Seated, Started
from genial.server.tables.errors import Refused
from genial.server.tables.log import append_of, table_from
from genial.server.tables.settings import TableSettings
from genial.server.tables.store import Store
from genial.server.tables.table import Table

SUFFIX = ".genial.json"


@dataclass(frozen=True, slots=True)
class Imported:
    """The outcome for one file."""

    table: str
    watch: str
    """The spectators' code, with which anybody can replay the game."""
    new: bool
    """False if this very record was already there."""


async def table_of(store: Store, table_id: str) -> Table | None:
    """One table from its log; None if it has been deleted."""
    stored = await store.read(table_id)
    return table_from(table_id, stored) if stored else None


async def export(store: SqlStore, folder: Path, *, unfinished: bool = False) -> AsyncIterator[Path]:
    """Write the record of every finished game into a folder; with `unfinished`, the others too."""
    folder.mkdir(parents=True, exist_ok=True)
    async for row in every_table(store):
        table = await table_of(store, row.table_id)
        for game in table.games if table else ():
            if game.result is None and not unfinished:
                continue
            path = folder / f"{row.variant}-{row.table_id}-{game.number}{SUFFIX}"
            # The racks of a game in progress are for the operator's eyes only.
            _write(path, dump(game.record()), 0o644 if game.result else 0o600)
            yield path


def _write(path: Path, text: str, mode: int) -> None:
    part = path.with_name(f".{path.name}.part")
    with open(
        part, "w", encoding="utf-8", newline="\n", opener=lambda p, flags: os.open(p, flags, mode)
    ) as file:
        file.write(text)
    part.replace(path)


async def import_file(store: Store, path: Path, now: int) -> Imported:
    """Import a finished record into a store as a finished table, after the referee has checked it."""
    with path.open("rb") as file:
        return await import_record(store, file.read(LARGEST + 1), now)


async def import_record(store: Store, source: bytes, now: int) -> Imported:
    """The same for a record in memory. A record that is already there isn't added twice."""
    record = read(source)
    if record.unfinished:
        raise Refused("import-unfinished")
    load(record)  # the referee, which names the first breach
    data: dict[str, Any] = msgspec.json.decode(source)
    table_id = f"r{sha256(dump(data).encode()).hexdigest()[:22]}"
    there = await table_of(store, table_id)
    if there is not None:
        return Imported(table_id, there.watch, False)
    empty = Table(table_id)
    written = empty.writing(_bodies(record, data), now)
    await store.append(append_of(empty, written))
    return Imported(table_id, written.table.watch, True)


def _bodies(record: Record, data: dict[str, Any]) -> list[Body]:
    seats = record.setup.seats
    settings = TableSettings(
        record.setup.title.variant, seats, practice="practice" in record.extras, first=0, start="host"
    )
    names, bots = _texts(record.extras.get("names"), seats), _texts(record.extras.get("bots"), seats)
    proof = record.proof
    secret, bits = (proof.secret, list(proof.bits)) if proof else ("", [""] * seats)
    started = Started(0, 0, commitment(secret), bits, secret, data, data.get("rules", RULES))
    return [
        Created(settings, "", new_code(), new_code(8)),
        *(Seated(seat, _holder(names[seat], bots[seat])) for seat in range(seats)),
        started,
    ]


def _holder(name: str, bot: str) -> Holder:
    # Another server's bot may be unknown here; at a finished table it is only a name.
    return Holder("bot", name or bot, bot=bot) if bot else Holder("person", name)


def _texts(values: object, seats: int) -> list[str]:
    """A list in a record, which may contain anything, as one short text per seat."""
    listed = values if isinstance(values, list) and len(values) == seats else [None] * seats
    return [shown(value) if isinstance(value, str) else "" for value in listed]
